"""Rows of a table, read by their columns: `place: Bar; day: Friday; opens: 16:00; closes: 01:00`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from campus_agent.models.offline.dates import read_dates
from campus_agent.models.offline.vocabulary import LIMITS, WEEKDAYS
from campus_agent.models.offline.words import stem_set, stems

Row = tuple[tuple[str, str], ...]
"""The columns of a row: name and value, in order."""

_COLUMN = re.compile(r"(?P<name>[^\W\d_][^:;.!?]{0,40}?): (?P<value>.+)", re.DOTALL)
_NAMES = ("name", "title", "event", "place", "activity", "club", "class", "course", "service", "facility", "what")
_DAYS = ("day", "days", "weekday", "weekdays", "date", "dates", "when")
_STARTS = ("opens", "open", "opening", "opening time", "from", "start", "starts", "start time", "begins", "begin")
_ENDS = ("closes", "close", "closing", "closing time", "to", "until", "till", "end", "ends", "end time", "finishes")
_TIMES = ("time", "times", "hours")
_NOTES = ("notes", "note", "remarks", "remark", "comments", "comment")
_PLAIN = ("price", "prices", "fee", "cost", "room", "phone", "email", "capacity", "office", "role")
_SHORT_DAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:s|rs?|nes|ur)?\b\.?", re.IGNORECASE)
_SEVERAL = 2
_PERSON = re.compile(r"(?:\w+\. )?[A-Z][\w'’-]+(?: [A-Z]\.)? [A-Z][\w'’-]+(?:,|$)")
_REACHED = re.compile(r"\S@\S|\d{3}[-\s.]\d{3}")
_BEGINS_TIMED = re.compile(
    r"(?:\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.?m|[-–—])|\d{1,2}:\d{2}|noon\b|midnight\b|closed\b)", re.IGNORECASE
)
_TIME = re.compile(r"\d{1,2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?|noon|midday|midnight|closed", re.IGNORECASE)


def read_row(text: str) -> Row:
    """Return the columns of a row; none when the text is no row of at least two.

    A value of one of several columns may have a semicolon in it.
    """
    parts = [part.strip() for part in text.split("; ")]
    found = [_COLUMN.fullmatch(part) for part in parts]
    if sum(map(bool, found)) > _SEVERAL and found[0] and found.count(None) == 1:
        at = found.index(None)
        parts[at - 1 : at + 1] = ["; ".join(parts[at - 1 : at + 1])]
        found = [_COLUMN.fullmatch(part) for part in parts]
    if len(found) < _SEVERAL or None in found:
        return ()
    return tuple((column["name"], column["value"]) for column in found if column)


def row_name(row: Row) -> str:
    """Return what a row is about: the value of the column that names it, "" when none does."""
    by_name = {name.casefold(): value for name, value in row}
    if named := next((by_name[name] for name in _NAMES if name in by_name), ""):
        return named
    first, value = row[0] if row else ("", "")
    return "" if _is_timed(first) else value


def of_column(text: str, wanted: frozenset[str]) -> str:
    """Return a row with the hours of only that column whose name says something `wanted`, as a set of stems.

    A row has the hours of several things where it has a column of days and more than one of times: `Day: Friday;
    Pool: 12-6; Gym: 6-9`. Any other text comes back as it is.
    """
    row = read_row(text)
    timed = [name for name, value in row if not _is_timed(name) and _BEGINS_TIMED.match(value)]
    named = [name for name in timed if stem_set(name) & wanted]
    if not is_part(row) or len(timed) < _SEVERAL or len(named) != 1:
        return text
    days = [value for name, value in row if name.casefold() in _DAYS]
    return " ".join([*days, *(f"{name}: {value}" for name, value in row if name in named)])


def has_limit(row: Row) -> bool:
    """Say whether a row has a column of deadlines."""
    return any(_is_limit(*column) for column in row)


def without_limits(text: str) -> str:
    """Return a row without its columns of deadlines; any other text comes back as it is."""
    row = read_row(text)
    return written(pair for pair in row if not _is_limit(*pair)) if has_limit(row) else text


def written(columns: Iterable[tuple[str, str]]) -> str:
    """Write columns as a row has them."""
    return "; ".join(f"{name}: {value}" for name, value in columns)


def _is_limit(name: str, value: str) -> bool:
    closing = name.casefold().endswith(("closes", "closing")) and bool(
        read_dates(value)
    )  # "Registration closes", not at an hour
    return closing or bool(stem_set(name) & stems(LIMITS))


def has_columns_of_hours(text: str) -> bool:
    """Say whether a row has the hours of several things, a column for each."""
    row = read_row(text)
    timed = [name for name, value in row if not _is_timed(name) and _BEGINS_TIMED.match(value)]
    return is_part(row) and len(timed) >= _SEVERAL


def _is_timed(name: str) -> bool:
    return name.casefold() in (*_DAYS, *_STARTS, *_ENDS, "time", "hours") or bool(_SHORT_DAY.match(name))


def is_of_hours(row: Row) -> bool:
    """Say whether a row tells when something opens and closes on which days, and of nothing that has a name."""
    opening = any(stem_set(name) & stems(("open", "close", "hours")) for name, _ in row)
    return opening and all(_is_timed(name) for name, _ in row)


def lists_people(row: Row) -> bool:
    """Say whether a row is a list of people instead, such as of an office: each after what they are."""
    persons = [_PERSON.match(value) is not None for _, value in row]
    reached = [person or _REACHED.search(value) for person, (_, value) in zip(persons, row, strict=True)]
    titled = any(name.casefold() in (*_PLAIN, *_NAMES) for name, _ in row)
    return not titled and all(reached) and sum(persons) >= _SEVERAL


def of_person(text: str, wanted: Set[str]) -> str:
    """Return of a list of people what it says of those who are `wanted`, a set of stems; else the text as it is."""
    row = read_row(text)
    shared = [len(wanted & stem_set(" ".join(column))) for column in row]
    if not lists_people(row) or not max(shared):
        return text
    return written(column for column, count in zip(row, shared, strict=True) if count == max(shared))


def is_start(name: str, value: str) -> bool:
    """Say whether a column is the time at which something opens or begins."""
    return name.casefold() in _STARTS and _TIME.fullmatch(value) is not None


def is_end(name: str, value: str) -> bool:
    """Say whether a column is the time at which something closes or ends."""
    return name.casefold() in _ENDS and _TIME.fullmatch(value) is not None


def is_part(row: Row) -> bool:
    """Say whether a row has a column of days, so that other rows may tell of the other days."""
    return any(name.casefold() in _DAYS for name, _ in row)


def told(text: str) -> str:
    """Return a text with what the columns of a row say of days and hours put together: `Friday 16:00-01:00`.

    Any other text comes back as it is.
    """
    row = read_row(text)
    if not row:
        return text
    row = _with_time_beside_days(row)
    start, end = _time_in(row, _STARTS), _time_in(row, _ENDS)
    told = [_column(name, value) for name, value in row if not _is_told(name, value, start, end)]
    if start or end:
        span = "closed" if "closed" in (start.casefold(), end.casefold()) else "-".join(filter(None, (start, end)))
        told.append(span if start else f"until {span}")
    return " ".join(told) if start or end else "; ".join(told)


def _with_time_beside_days(row: Row) -> Row:
    """Return a row with the value of its one column of times put after that of its one column of days."""
    days = [cell for cell in row if cell[0].casefold() in _DAYS]
    times = [cell for cell in row if cell[0].casefold() in _TIMES and _BEGINS_TIMED.match(cell[1])]
    if len(days) != 1 or len(times) != 1:
        return row
    both = (days[0][0], f"{days[0][1]} {times[0][1]}")
    return tuple(both if cell == days[0] else cell for cell in row if cell != times[0])


def _time_in(row: Row, names: Iterable[str]) -> str:
    return next((value for name, value in row if name.casefold() in names and _TIME.fullmatch(value)), "")


def _is_told(name: str, value: str, start: str, end: str) -> bool:
    """Say whether a column tells nothing of days and hours, or is told with the start and the end."""
    return name.casefold() in (*_PLAIN, *_NAMES) or (
        name.casefold() in (*_STARTS, *_ENDS) and value in (start, end) and bool(_TIME.fullmatch(value))
    )


def _column(name: str, value: str) -> str:
    if name.casefold() in (*_DAYS, *_NOTES):
        return value
    return f"{_SHORT_DAY.sub(lambda found: _in_full(found[1]), name)}: {value}"


def _in_full(short: str) -> str:
    return next(day for day in WEEKDAYS if day.casefold().startswith(short.casefold()))
