"""The time that a query is about, and whether a passage speaks of it: "next week", "in October", "fall 2026"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from campus_agent.calendar_names import MONTHS, WEEKDAYS

_YEAR = r"(?:19|20)\d\d"
_MONTH = "|".join(rf"{name}|{name[:3]}\b" for name in MONTHS)
_RELATIVE = re.compile(r"\b(today|tonight|tomorrow|(?:this|next|coming)\s+(?:week|weekend|month|year))\b", re.I)
_WEEKDAY = re.compile(rf"\b({'|'.join(WEEKDAYS)})s?\b", re.I)
_TERM = re.compile(
    rf"\b(?P<before>in|this|next|for|of|the|during)?\s*\b(?P<term>spring|summer|fall|autumn|winter)\b"
    rf"(?P<after>\s+(?:term|semester|quarter|session))?(?:,?\s+(?P<year>{_YEAR}))?",
    re.I,
)
_DATES = (
    re.compile(rf"\b(?P<year>{_YEAR})-(?P<number>\d\d)-(?P<day>\d\d)\b"),
    re.compile(rf"(?<![\d/])(?P<number>0?[1-9]|1[0-2])/(?P<day>0?[1-9]|[12]\d|3[01])(?:/(?P<year>{_YEAR}))?(?![\d/])"),
    re.compile(rf"\b(?P<day>\d\d?)(?:st|nd|rd|th)?\s+(?P<month>{_MONTH})\b(?:,?\s+(?P<year>{_YEAR}))?", re.I),
    re.compile(
        rf"\b(?P<month>{_MONTH})\.?(?:\s+(?P<day>\d\d?)(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<year>{_YEAR}))?(?![a-z])", re.I
    ),
)
_ALSO_VERBS = ("may", "march", "mar")
_NAMED_DAYS = 3  # days that a weekday alone can mean; a week has them all


@dataclass(frozen=True, slots=True)
class Span:
    """A time that a query names; what it leaves open is None.

    Attributes:
        name: as the query writes it.
        first, last: the days that it begins and ends on, where it is counted from today.
        weekday: a day of the week, Monday 0, for one that comes again and again.
        month: 1 to 12.
        day: of the month.
        term: "spring", "summer", "fall" or "winter".
        year: of the month or term.
    """

    name: str
    first: date | None = None
    last: date | None = None
    weekday: int | None = None
    month: int | None = None
    day: int | None = None
    term: str | None = None
    year: int | None = None


def asked_span(query: str, today: date | None) -> Span | None:
    """Return the time that `query` names first, None when it names none; `today` is what "tomorrow" counts from."""
    if today and (relative := _RELATIVE.search(query)):
        first, last = _days(" ".join(relative[1].lower().split()), today)
        return Span(relative[1], first, last)
    if named := next(_named(query), None):
        return named
    if weekday := _WEEKDAY.search(query):
        number = _weekday(weekday[1])
        coming = today + timedelta((number - today.weekday()) % 7) if today else None
        return Span(weekday[0], coming, coming, weekday=number)
    return None


def words_of(span: Span) -> list[str]:
    """Return the words that a text may name a day of a time by, such as "next week": months, days, weekdays.

    There are none for a term or a weekday.
    """
    if span.month:
        days_of_it = [str(span.day), f"{span.day:02}"] if span.day else []
        return [*_names_of(span.month), *days_of_it]
    if not span.first or not span.last:
        return []
    days = [span.first + timedelta(ahead) for ahead in range((span.last - span.first).days + 1)]
    words = [word for number in dict.fromkeys(day.month for day in days) for word in _names_of(number)]
    if len(days) <= _NAMED_DAYS:
        words += [word for day in days for word in (str(day.day), f"{day.day:02}", WEEKDAYS[day.weekday()].lower())]
    return list(dict.fromkeys(words))


def _names_of(month: int) -> tuple[str, ...]:
    name = MONTHS[month - 1].lower()
    return name, name[:3], f"{month:02}", str(month)


def mentions(text: str, span: Span) -> bool:
    """Tell whether `text` speaks of the time `span`."""
    named = list(_named(text))
    if any(_same(span, other) for other in named):
        return True
    if any(other.day for other in named):  # what is on one date is not on every such weekday
        return False
    return any(_falls_on(span, _weekday(day)) for day in _WEEKDAY.findall(text))


def _days(words: str, today: date) -> tuple[date, date]:
    """Return the first and the last day of "tomorrow", "this weekend", "next month" and the like."""
    which, _, unit = words.partition(" ")
    ahead = which in ("next", "coming")
    monday = today - timedelta(today.weekday())
    match unit:
        case "week":
            start = monday + timedelta(7 * ahead)
            return start, start + timedelta(6)
        case "weekend":
            start = monday + timedelta(5 + 7 * (which == "next"))
            return start, start + timedelta(1)
        case "month":
            start = today.replace(day=1)
            start = _month_after(start) if ahead else start
            return start, _month_after(start) - timedelta(1)
        case "year":
            return date(today.year + ahead, 1, 1), date(today.year + ahead, 12, 31)
    day = today + timedelta(which == "tomorrow")
    return day, day


def _month_after(first: date) -> date:
    return (first + timedelta(31)).replace(day=1)


def _named(text: str) -> Iterator[Span]:
    """Yield the dates, months and terms that a text names."""
    for pattern in _DATES:
        for found in pattern.finditer(text):
            parts = found.groupdict()
            name = (parts.get("month") or "").lower()
            if name in _ALSO_VERBS and not (parts["day"] or parts["year"] or _is_month(text, found)):
                continue
            month = int(parts["number"]) if "number" in parts else _month(name)
            day, year = (int(parts[part]) if parts[part] else None for part in ("day", "year"))
            yield Span(found[0].strip(), month=month, day=day, year=year)
    for found in _TERM.finditer(text):
        if found["before"] or found["after"] or found["year"]:  # else somebody may fall ill
            term = found["term"].lower().replace("autumn", "fall")
            yield Span(found[0].strip(), term=term, year=int(found["year"]) if found["year"] else None)


def _is_month(text: str, found: re.Match[str]) -> bool:
    """Tell whether a word that is a verb too stands where a month stands: "in May", "May" within a sentence."""
    before = text[: found.start()].rstrip().lower()
    return before.endswith((" in", " of", " by", " until", " since", " before", " after")) or before in ("in", "by")


def _same(span: Span, other: Span) -> bool:
    """Tell whether a date, month or term lies in `span`."""
    if span.first and span.last:
        if other.month is None:
            return False
        years = [other.year] if other.year else sorted({span.first.year, span.last.year})
        return any(_overlaps(span.first, span.last, year, other.month, other.day) for year in years)
    if span.year and other.year and span.year != other.year:
        return False
    if span.term:
        return span.term == other.term
    return span.month is not None and span.month == other.month and (not span.day or span.day == other.day)


def _overlaps(first: date, last: date, year: int, month: int, day: int | None) -> bool:
    if day is None:
        return (first.year, first.month) <= (year, month) <= (last.year, last.month)
    return (first.year, first.month, first.day) <= (year, month, day) <= (last.year, last.month, last.day)


def _falls_on(span: Span, weekday: int) -> bool:
    if span.weekday is not None:
        return span.weekday == weekday
    if not span.first or not span.last or (span.last - span.first).days >= _NAMED_DAYS:
        return False
    return any((span.first + timedelta(day)).weekday() == weekday for day in range((span.last - span.first).days + 1))


def _month(name: str) -> int:
    return [month[:3].lower() for month in MONTHS].index(name[:3].lower()) + 1


def _weekday(name: str) -> int:
    return [day.lower() for day in WEEKDAYS].index(name.lower())
