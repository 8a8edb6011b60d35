"""Events of a calendar, told in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from campus_agent.calendar_names import MONTHS, WEEKDAYS

_SHOWN = 5  # dates of an event that repeats
_TERMS = {"spring": range(1, 6), "summer": range(5, 9), "fall autumn": range(8, 13), "winter": (12, 1, 2)}


@dataclass(frozen=True, slots=True)
class Happening:
    """One event, or one date of an event, in campus time.

    Attributes:
        summary: what it is called.
        first: its first day.
        last: its last day.
        begins: the time of day, None for whole days.
        ends: the time of day when it ends, None for whole days and where it has no length.
        more: what else is said of it.
        place: where it is.
        filed: what the calendar files it under, such as a term.
        cancelled: whether it does not take place.
        line: the line of the document.
    """

    summary: str
    first: date
    last: date
    begins: datetime | None = None
    ends: datetime | None = None
    more: str = ""
    place: str = ""
    filed: tuple[str, ...] = ()
    cancelled: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """An event that repeats: how often ("week", "2 weeks"), its dates, and the days that its rule says but it skips."""

    event: Happening
    every: str
    dates: tuple[date, ...]
    skipped: tuple[date, ...]
    endless: bool
    cancelled: bool = False


def tell(event: Happening, today: date) -> str:
    """Return what an event is, when and where, beginning with its date; a past one is said to be past."""
    when = _span(event)
    if event.last < today:
        when = f"Past: {when[:1].lower()}{when[1:]}"
    return _told(when, event)


def tell_series(series: Series, today: date) -> str:
    """Return what repeats, how often, its next dates, and when it does not take place."""
    event, dates = series.event, series.dates
    days = sorted({day.weekday() for day in dates})
    on = f" on {_listed([WEEKDAYS[day] for day in days])}" if "week" in series.every else ""
    when = f"Every {series.every}{on}" if series.every else "Repeatedly"
    when += f"{_hours(event)}, from {written(dates[0])}" + ("" if series.endless else f" to {written(dates[-1])}")
    coming = [day for day in dates if day >= today]
    if not coming:
        return _told(f"Past: {when[:1].lower()}{when[1:]}", event)
    told = f"{_told(when, event)} Next: {_dates(coming[:_SHOWN])}."
    skipped = [day for day in series.skipped if day >= today][:_SHOWN]
    return f"{told} Not on {_dates(skipped)}." if skipped else told


def season(day: date) -> str:
    """Return the terms that a day is likely in: to be searched by, never told, for each campus draws its own lines."""
    return " ".join(f"{name} {day.year}" for name, months in _TERMS.items() if day.month in months)


def written(day: date) -> str:
    """Write a day as "Monday, September 7, 2026"."""
    return f"{WEEKDAYS[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}, {day.year}"


def _told(when: str, event: Happening) -> str:
    filed = f" ({', '.join(event.filed)})" if event.filed else ""
    text = f"{when}{filed}: {'Cancelled: ' if event.cancelled else ''}{_ended(event.summary)}"
    text = f"{text} {_ended(event.more)}" if event.more else text
    return f"{text} Place: {_ended(event.place)}" if event.place else text


def _span(event: Happening) -> str:
    if event.first == event.last:
        return f"On {written(event.first)}{_hours(event)}"
    begins = f" at {_clock(event.begins)}" if event.begins else ""
    ends = f" at {_clock(event.ends)}" if event.ends else ""
    return f"From {written(event.first)}{begins} to {written(event.last)}{ends}"


def _hours(event: Happening) -> str:
    if event.begins is None:
        return ""
    if event.ends is None:
        return f" at {_clock(event.begins)}"
    return f" from {_clock(event.begins)} to {_clock(event.ends)}"


def _clock(moment: datetime) -> str:
    return f"{moment.hour % 12 or 12}:{moment.minute:02} {'AM' if moment.hour < 12 else 'PM'}"


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _dates(days: Sequence[date]) -> str:
    return "; ".join(map(written, days))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
