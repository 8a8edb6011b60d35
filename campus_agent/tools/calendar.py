"""The tools that count the days to a weekday or a date, on the campus clock."""

from __future__ import annotations

import re
import warnings
from calendar import isleap
from datetime import date, datetime, time, timedelta

from dateutil import parser

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.tools.clock import CampusClock
from campus_agent.tools.tool import BadArguments, Tool, tool

_LEAD = re.compile(r"^(?:(?:on|the|this|next|every|each|coming|upcoming)\s+)+")
_WEEKDAY = re.compile(r"(mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\.?")
_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(?:(a|p)\.?m\b\.?)?", re.IGNORECASE)
_NUMBERS = re.compile(r"(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{2}|\d{4}))?")
_TIME_LEAD = re.compile(r"^(?:(?:at|from|by|after|around|about|starting|starts|begins)\s+)+")
_DATE_BEFORE = re.compile(r"^\d{4}-\d{2}-\d{2}[t ]")
_LONGEST_DATE = 60  # characters; anything longer is no date


def calendar_tools(clock: CampusClock) -> tuple[Tool, Tool]:
    """Make `days_until_weekday` and `days_until_date` on this clock."""

    @tool(timeless=False)
    def days_until_weekday(weekday: str, after_time: str | None = None) -> str:
        """Count the days from today to the next such weekday. Use it after a search has told you the day.

        Args:
            weekday: the day of the week, such as "Thursday".
            after_time: the time of day at which the event begins, such as "5 PM"; when it has passed today, the
                count goes to next week.
        """
        return _days_until_weekday(clock.now(), weekday, after_time)

    @tool(timeless=False)
    def days_until_date(date: str) -> str:
        """Count the days from today to a date.

        Args:
            date: the date, best with the name of the month and the year, such as "June 18, 2026".
        """
        return _days_until_date(clock.now(), date)

    return days_until_weekday, days_until_date


# ---- a weekday -----------------------------------------------------------------------------------------------------


def read_weekday(text: str) -> int | None:
    """Return the weekday that `text` names (Monday is 0): `Thu`, `Thursdays`, `next Thursday`. None for no weekday."""
    found = _WEEKDAY.fullmatch(_LEAD.sub("", text.strip().casefold()))
    if found is None:
        return None
    return next(n for n, name in enumerate(WEEKDAYS) if name.casefold().startswith(found[1][:3]))


def read_time(text: str) -> time | None:
    """Return the time of day that `text` names; of a range such as `2-4 PM`, its start. None for no clear time."""
    folded = _TIME_LEAD.sub("", _DATE_BEFORE.sub("", text.strip().casefold()))
    folded = re.sub(r"^12 (?=noon|midnight)", "", folded.replace("o'clock", ""))
    folded = re.sub(r"^(\d{2})(\d{2})(?: hours| hrs)?$", r"\1:\2", folded)
    if folded.startswith(("noon", "midday")):
        return time(12)
    if folded.startswith("midnight"):
        return time(0)
    start, *rest = re.split(r"\s*(?:-|–|—|\bto\b|\buntil\b)\s*", re.sub(r"(\d)\s?h\b", r"\1:00", folded))
    found = _TIME.match(start)
    if found is None:
        return None
    half = found[3] or next((last[3] for part in rest if (last := _TIME.match(part)) and last[3]), None)
    hour, minute = int(found[1]), int(found[2] or 0)
    if half is None and found[2] is None:  # a bare number is no time
        return None
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _days_until_weekday(now: datetime, weekday: str, after_time: str | None) -> str:
    wanted = read_weekday(weekday)
    if wanted is None:
        raise BadArguments(f"'{weekday}' is not a valid weekday. Use one of: {', '.join(WEEKDAYS)}.")
    starts = read_time(after_time) if after_time else None
    if after_time and starts is None:
        raise BadArguments(f"after_time '{after_time}' is not a time of day such as '5 PM' or '17:00'.")
    name, today = WEEKDAYS[wanted], now.date()
    days = (wanted - today.weekday()) % 7
    if days:
        return _next(name, today, days)
    here = f"Today is {name} ({_long(today)})"
    if starts is None:
        also = f" {_after(name, today)}" if "next" in weekday.casefold() else ""
        return f"{here} — that is 0 days away.{also}"
    if now < datetime.combine(today, starts, now.tzinfo):
        return f"{here} — that is 0 days away. {_clock(starts)} is still to come today."
    return f"{here}, and {_clock(starts)} has begun or passed. {_next(name, today, 7)}"


def _next(name: str, today: date, days: int) -> str:
    return f"The next {name} is in {days} day(s), on {_long(today + timedelta(days))}."


def _after(name: str, today: date) -> str:
    return f"The {name} after it is in 7 day(s), on {_long(today + timedelta(7))}."


# ---- a date --------------------------------------------------------------------------------------------------------


def _days_until_date(now: datetime, text: str) -> str:
    today = now.date()
    wanted, has_year = _read_date(text, now)
    days = (wanted - today).days
    if days > 0:
        return f"{_full(wanted)} is in {days} day(s)."
    if days == 0:
        return f"Today is {_full(wanted)} — that is 0 days away."
    past = f"{_full(wanted)} was {-days} day(s) ago."
    if has_year:
        return past
    again = _this_year_or_later(wanted.month, wanted.day, today.year + 1)
    return f"{_full(again)} is in {(again - today).days} day(s). The last one, {past}"


def _read_date(text: str, now: datetime) -> tuple[date, bool]:
    """Return the date that `text` names and whether it names the year; raise `BadArguments` when it is unclear."""
    folded = text.strip().casefold()
    if folded in ("today", "tomorrow"):
        return now.date() + timedelta(folded == "tomorrow"), True
    if len(folded) > _LONGEST_DATE or folded.isdecimal():
        raise _unclear(text)
    day_first = _day_first(text)
    # What the text leaves open is filled in from the default: two defaults that differ in all show what that was.
    first, second = (_parse(text, default, day_first) for default in _two_defaults(now))
    if (first.month, first.day) != (second.month, second.day):
        raise _unclear(text)
    if first.year == second.year:
        return first.astimezone(now.tzinfo).date() if first.tzinfo else first.date(), True
    return _this_year_or_later(first.month, first.day, now.year), False


def _two_defaults(now: datetime) -> tuple[datetime, datetime]:
    """Return two midnights that share no part, both in leap years, so that 29 February can be read without a year."""
    latest, before = [year for year in range(now.year, now.year - 17, -1) if isleap(year)][:2]
    return datetime(latest, 1, 1), datetime(before, 2, 2)


def _parse(text: str, default: datetime, day_first: bool) -> datetime:
    try:
        with warnings.catch_warnings():  # the name of a zone, such as PDT, is left out: the day is what counts
            warnings.simplefilter("ignore")
            return parser.parse(text, default=default, dayfirst=day_first)
    except (ValueError, OverflowError, TypeError):
        raise _unclear(text) from None


def _day_first(text: str) -> bool:
    """Say whether a date in numbers begins with its day; raise `BadArguments` when both orders are possible."""
    found = _NUMBERS.search(text)
    if found is None or re.search(r"\d{4}[/.-]\d", text):
        return False
    one, two = int(found[1]), int(found[3])
    if one <= 12 and two <= 12 and one != two:
        both = " or ".join(f"{date(2000, month, day):%B %d}" for month, day in ((one, two), (two, one)))
        raise BadArguments(f"'{text}' could mean {both}. Write the month's name.")
    return one > 12


def _this_year_or_later(month: int, day: int, year: int) -> date:
    """Return the date in `year`, or for 29 February in the next year that has one."""
    while True:
        try:
            return date(year, month, day)
        except ValueError:
            year += 1


def _unclear(text: str) -> BadArguments:
    shown = text if len(text) <= _LONGEST_DATE else text[:_LONGEST_DATE] + "…"
    return BadArguments(f"'{shown}' is not a valid date. Write one such as 'June 18, 2026' or '2026-06-18'.")


def _long(day: date) -> str:
    return f"{day:%B %d, %Y}"


def _full(day: date) -> str:
    return f"{day:%A, %B %d, %Y}"


def _clock(moment: time) -> str:
    return f"{moment:%I:%M %p}".lstrip("0")
