"""Reads what the clock and counting tools returned: the time, and which day today is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

_DATE = r"([A-Z][a-z]{2,8} \d{1,2}, \d{4})"
_CLOCK = re.compile(rf"[A-Z][a-z]+day, {_DATE} at (\d{{1,2}}:\d\d [AP]M)\b")
_TODAY = re.compile(rf"\bToday is (?:[A-Z][a-z]+day,? ?)?\(?{_DATE}")
_AHEAD = re.compile(rf"\bis in (\d{{1,4}}) day(?:\(s\)|s)?, on {_DATE}")
_AWAY = re.compile(rf"{_DATE} is in (\d{{1,4}}) day")
_AGO = re.compile(rf"{_DATE} was (\d{{1,4}}) day(?:\(s\)|s)? ago")


def clock_readings(text: str) -> Iterator[datetime]:
    """Yield the moments that `text` tells as a clock does: "Saturday, June 13, 2026 at 10:00 AM"."""
    for match in _CLOCK.finditer(text):
        try:
            yield datetime.strptime(f"{match[1]} {match[2]}", "%B %d, %Y %I:%M %p")
        except ValueError:
            continue


def todays(text: str) -> Iterator[date]:
    """Yield the days that `text` takes for today, said outright or by counting days to or from a date."""
    yield from (moment.date() for moment in clock_readings(text))
    counted = [(match[1], "0") for match in _TODAY.finditer(text)]
    counted += [(match[2], match[1]) for match in _AHEAD.finditer(text)]
    counted += [(match[1], match[2]) for match in _AWAY.finditer(text)]
    counted += [(match[1], f"-{match[2]}") for match in _AGO.finditer(text)]
    for written, days in counted:
        try:
            yield datetime.strptime(written, "%B %d, %Y").date() - timedelta(int(days))
        except (ValueError, OverflowError):
            continue
