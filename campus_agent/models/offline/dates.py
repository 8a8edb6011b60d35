"""Dates of the calendar, read out of a text."""

from __future__ import annotations

import re
from datetime import date, timedelta

from campus_agent.models.offline.hours import DAY
from campus_agent.models.offline.vocabulary import MONTHS

MONTH = rf"(?:{'|'.join(MONTHS)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_TO = r"\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\btill\b)\s*"
_WEEKDAY = rf"(?:{DAY},?\s+(?:the\s+)?)?"  # of a date; it is no day of every week
_YEAR = r"(?:19|20)\d\d\b"
_AT = r"(?:\s+at\s+\d{1,2}(?::\d\d)?\s?[ap]\.?m\b\.?)?"  # the hour of the first day, which the range goes on after
_PLAIN = r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4})\b"
_DATE = re.compile(
    # June 18, 2026; June 18; March 16-20, 2026; March 30 to April 3, 2026; June 1, 2026 at 9 AM to Tue, June 2, 2026
    rf"{_WEEKDAY}\b(?P<month>{MONTH})\s+(?P<day>{_NUMBER})\b(?!:)"
    rf"(?:(?:,?\s+(?P<first_year>{_YEAR}))?{_AT}{_TO}{_WEEKDAY}(?P<last_month>{MONTH})\s+(?P<last_day>{_NUMBER})\b(?!:)"
    rf"|{_TO}(?P<same_last_day>{_NUMBER})\b(?!:|\s?[ap]\.?m\b))?(?:,?\s+(?P<year>{_YEAR}))?"
    # 18 June 2026; 18 June; 16-20 March 2026; 30 March to 3 April 2026; 30 March 2026 to 3 April 2026
    rf"|{_WEEKDAY}\b(?P<day_>{_NUMBER})(?:{_TO}(?P<same_last_day_>{_NUMBER}))?(?:\s+of)?\s+(?P<month_>{MONTH})"
    rf"(?:(?:,?\s+(?P<first_year_>{_YEAR}))?{_TO}{_WEEKDAY}(?P<last_day_>{_NUMBER})(?:\s+of)?"
    rf"\s+(?P<last_month_>{MONTH}))?(?:,?\s+(?P<year_>{_YEAR}))?"
    # 2026-06-18; 6/18/2026; 2026-06-18 to 2026-06-20
    rf"|(?P<plain>{_PLAIN})(?:{_TO}(?P<plain_last>{_PLAIN}))?",
    re.IGNORECASE,
)
# October 5, 12 and 19, 2026: days of one month
_LISTED = re.compile(
    rf"\b(?P<month>{MONTH})\s+(?P<days>{_NUMBER}(?:,\s+{_NUMBER})*,?\s+(?:and|&)\s+{_NUMBER})"
    rf"(?P<year>,?\s+{_YEAR})?(?=\s*(?:[.;,)]|$|\bat\b|\bin\b|\bfrom\b))",
    re.IGNORECASE,
)


def read_dates(text: str, *, last: bool = False) -> tuple[str, ...]:
    """Return each date of `text` as the counting tool takes it, each once, in order.

    Of a range that is its first day, or with `last` its last one. A date without a year has that of the next date.
    """
    return tuple(dict.fromkeys(ends[1] if last else ends[0] for ends in read_ranges(text)))


def read_ranges(text: str) -> tuple[tuple[str, str], ...]:
    """Return the first and the last day of each date or range of dates of `text`, in order; of a date twice the same.

    They are written as the counting tool takes them. A date without a year has that of the next date.
    """
    text = _LISTED.sub(_each_day, text)
    ranges: list[tuple[str, str]] = []
    year = ""
    for found in reversed(list(_DATE.finditer(text))):
        if plain := found["plain"]:
            ranges.append((plain, found["plain_last"] or plain))
            continue
        year = found["year"] or found["year_"] or year
        first, last = _day(found), _last_day(found)
        first_year = found["first_year"] or found["first_year_"] or (_year_before(first, last, year) if year else "")
        ranges.append((_in_year(first, first_year), _in_year(last, year)))
    return tuple(reversed(ranges))


def falls_on(day: str, text: str) -> bool:
    """Say whether a date is one of those of `text`, or lies within one of its ranges of dates."""
    return any(
        same_date(day, first) or same_date(day, last) or _within(day, first, last) for first, last in read_ranges(text)
    )


def other_weekday(text: str, on: str) -> bool:
    """Say whether a text gives a date with a weekday, which a day in full, of another year, does not fall on."""
    weekday, _, day = on.partition(", ")
    said = [
        found.group() for found in _DATE.finditer(text) if any(same_date(day, one) for one in read_dates(found.group()))
    ]
    named = [name.group() for one in said if (name := re.match(DAY, one))]
    return bool(named) and all(name[:3].casefold() != weekday[:3].casefold() for name in named)


def weekdays_of(text: str) -> frozenset[int]:
    """Return the weekdays (Monday is 0) of the dates of `text` and of those within its ranges.

    All seven where a date has no year or two meanings, or a range is no shorter than a week.
    """
    found: set[int] = set()
    for first, last in read_ranges(text):
        start, end = date_parts(first), date_parts(last)
        if start is None or end is None or not (start[0] and end[0]):
            return frozenset(range(7))
        begin = date(*start)
        found.update((begin + timedelta(more)).weekday() for more in range(min((date(*end) - begin).days, 6) + 1))
    return frozenset(found)


def _within(on: str, first: str, last: str) -> bool:
    day, start, end = date_parts(on), date_parts(first), date_parts(last)
    if day is None or start is None or end is None or not (day[0] and start[0] and end[0]):
        return False
    return start <= day <= end


def same_date(one: str, other: str) -> bool:
    """Say whether two dates of `read_dates` are the same day; one without a year is it in every year."""
    first, second = date_parts(one), date_parts(other)
    if first is None or second is None:
        return False
    (year, *day), (other_year, *other_day) = first, second
    return day == other_day and (not year or not other_year or year == other_year)


def date_parts(written: str) -> tuple[int, int, int] | None:
    """Return year (0 where none is said), month and day of a date of `read_dates`; None for one of two meanings."""
    numbers = [int(number) for number in re.findall(r"\d+", written)]
    match re.findall(r"[-/]", written):
        case ["-", "-"]:
            return numbers[0], numbers[1], numbers[2]
        case ["/", "/"]:
            one, two, year = numbers
            if one != two and max(one, two) <= 12:
                return None
            return (year, two, one) if one > 12 else (year, one, two)
    month = next(n for n, name in enumerate(MONTHS, start=1) if name[:3].casefold() == written[:3].casefold())
    return (numbers[1] if len(numbers) > 1 else 0), month, numbers[0]


def blank_dates(text: str) -> str:
    """Return `text` with a space for every letter of a date, so that its numbers are not read as something else."""
    text = _LISTED.sub(lambda found: " " * len(found.group()), text)
    return _DATE.sub(lambda found: " " * len(found.group()), text)


def mark_dates(text: str) -> str:
    """Return `text` with an x for every letter of a date, so that it is not cut within one."""
    text = _LISTED.sub(lambda found: "x" * len(found.group()), text)
    return _DATE.sub(lambda found: "x" * len(found.group()), text)


def _each_day(found: re.Match[str]) -> str:
    """Write each day of a month that is listed as a date of its own."""
    days = re.findall(_NUMBER, found["days"])
    return ", ".join(f"{found['month']} {day}" for day in days) + (found["year"] or "")


def _day(found: re.Match[str]) -> str:
    return _named(found["month"] or found["month_"], found["day"] or found["day_"])


def _last_day(found: re.Match[str]) -> str:
    month = found["last_month"] or found["last_month_"] or found["month"] or found["month_"]
    same = found["same_last_day"] or found["same_last_day_"] or found["day"] or found["day_"]
    return _named(month, found["last_day"] or found["last_day_"] or same)


def _named(month: str, day: str) -> str:
    return f"{month} {int(re.sub(r'[^0-9]', '', day))}"


def _year_before(first: str, last: str, year: str) -> str:
    """Return the year of the first day of a range: of December to January the year before that of the last one."""
    start, end = date_parts(first), date_parts(last)
    return str(int(year) - 1) if start and end and start[1] > end[1] else year


def _in_year(day: str, year: str) -> str:
    return f"{day}, {year}" if year else day
