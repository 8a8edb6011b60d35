"""Dates of the calendar, read out of a text."""

from __future__ import annotations

import re

from campus_agent.models.offline.hours import DAY
from campus_agent.models.offline.vocabulary import MONTHS

MONTH = rf"(?:{'|'.join(MONTHS)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_TO = r"\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\btill\b)\s*"
_WEEKDAY = rf"(?:{DAY},?\s+(?:the\s+)?)?"  # of a date; it is no day of every week
_YEAR = r"(?:19|20)\d\d\b"
_DATE = re.compile(
    # June 18, 2026; June 18; March 16-20, 2026; March 30 to April 3, 2026
    rf"{_WEEKDAY}\b(?P<month>{MONTH})\s+(?P<day>{_NUMBER})\b(?!:)"
    rf"(?:{_TO}(?:(?P<last_month>{MONTH})\s+)?(?P<last_day>{_NUMBER})\b(?!:))?(?:,?\s+(?P<year>{_YEAR}))?"
    # 18 June 2026; 18 June; 16-20 March 2026; 30 March to 3 April 2026
    rf"|{_WEEKDAY}\b(?P<day_>{_NUMBER})(?:{_TO}(?P<same_last_day>{_NUMBER}))?(?:\s+of)?\s+(?P<month_>{MONTH})"
    rf"(?:{_TO}(?P<last_day_>{_NUMBER})(?:\s+of)?\s+(?P<last_month_>{MONTH}))?(?:,?\s+(?P<year_>{_YEAR}))?"
    # 2026-06-18; 6/18/2026
    r"|(?P<plain>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}/\d{1,2}/\d{4}\b)",
    re.IGNORECASE,
)


def read_dates(text: str, *, last: bool = False) -> tuple[str, ...]:
    """Return each date of `text` as the counting tool takes it, each once, in order.

    Of a range that is its first day, or with `last` its last one. A date without a year has that of the next date.
    """
    written: list[str] = []
    year = ""
    for found in reversed(list(_DATE.finditer(text))):
        year = found["year"] or found["year_"] or year
        written.append(found["plain"] or _day(found, last=last) + (f", {year}" if year else ""))
    return tuple(dict.fromkeys(reversed(written)))


def same_date(one: str, other: str) -> bool:
    """Say whether two dates of `read_dates` are the same day; one without a year is it in every year."""
    first, second = date_parts(one), date_parts(other)
    if first is None or second is None:
        return False
    (year, *day), (other_year, *other_day) = first, second
    return day == other_day and (not year or not other_year or year == other_year)


def date_parts(date: str) -> tuple[int, int, int] | None:
    """Return year (0 where none is said), month and day of a date of `read_dates`; None for one of two meanings."""
    numbers = [int(number) for number in re.findall(r"\d+", date)]
    match re.findall(r"[-/]", date):
        case ["-", "-"]:
            return numbers[0], numbers[1], numbers[2]
        case ["/", "/"]:
            one, two, year = numbers
            if one != two and max(one, two) <= 12:
                return None
            return (year, two, one) if one > 12 else (year, one, two)
    month = next(n for n, name in enumerate(MONTHS, start=1) if name[:3].casefold() == date[:3].casefold())
    return (numbers[1] if len(numbers) > 1 else 0), month, numbers[0]


def blank_dates(text: str) -> str:
    """Return `text` with a space for every letter of a date, so that its numbers are not read as something else."""
    return _DATE.sub(lambda found: " " * len(found.group()), text)


def _day(found: re.Match[str], *, last: bool) -> str:
    month, day = found["month"] or found["month_"], found["day"] or found["day_"]
    if last:
        month = found["last_month"] or found["last_month_"] or month
        day = found["last_day"] or found["last_day_"] or found["same_last_day"] or day
    return f"{month} {int(re.sub(r'[^0-9]', '', day))}"
