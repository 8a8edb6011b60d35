"""Times of day and spans of time, read out of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass

DAY_MINUTES = 24 * 60

TIME = r"(?:\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?m\b\.?|\d{1,2}:\d{2}|noon|midday|midnight)"
BARE = r"\d{1,2}"
_DASH = r"\s*(?:-|–|—|\b(?:to|until|till|through|thru)\b|(?:,\s*|\band\s+)*\b(?:closes|ends|finishes)(?:\s+at)?\b)\s*"
SPAN = (
    rf"(?:(?<![\w:])(?:{TIME}|{BARE}){_DASH}(?:{TIME}|{BARE})(?![\w:%]|[-–/]\d)"
    rf"|\bbetween\s+(?:{TIME}|{BARE})\s+and\s+(?:{TIME}|{BARE})(?![\w:%]))"
)

_PART = re.compile(rf"{TIME}|{BARE}", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s?(?:([ap])\.?m)?", re.IGNORECASE)
_NAMED = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 0}


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day: minutes since midnight, and how the text writes it."""

    minutes: int
    text: str

    @property
    def spoken(self) -> str:
        """The time as a tool takes it, such as `5 PM` or `5:30 PM`."""
        hour, minute = divmod(self.minutes % DAY_MINUTES, 60)
        shown = f"{hour % 12 or 12}:{minute:02}" if minute else f"{hour % 12 or 12}"
        return f"{shown} {'PM' if hour >= 12 else 'AM'}"


@dataclass(frozen=True, slots=True)
class Span:
    """From a start to an end, which may lie after midnight; no end for an event of which only the start is said."""

    start: Time
    end: Time | None = None

    @property
    def ends(self) -> int:
        """Its end in minutes since the midnight of its own day; the start again where no end is said."""
        if self.end is None:
            return self.start.minutes
        end = self.end.minutes
        return end if end > self.start.minutes else end + DAY_MINUTES

    def covers(self, minutes: int) -> bool:
        """Say whether it is on at `minutes` since the midnight of its own day (1440 and more: the day after)."""
        return self.start.minutes <= minutes < self.ends


def read_time(text: str) -> Time | None:
    """Read a text that is one time of day; None for anything else, a bare number included."""
    if text.casefold() in _NAMED:
        return Time(_NAMED[text.casefold()], text)
    found = _CLOCK.fullmatch(text.strip(" ."))
    if found is None or not (found[2] or found[3]):
        return None
    return _time(int(found[1]), int(found[2] or 0), found[3], text)


def read_span(text: str) -> Span | None:
    """Read a text that is one span, such as `9-5`, `10 AM to 6 PM` or `from noon until 2`; None when it makes no sense.

    A half of the day that is said once counts for both ends, as far as that leads forward: `2-4 PM` begins at 2 PM,
    `10-2 PM` at 10 AM. A span of bare numbers runs forward within a working day: `9-5` is 9 AM to 5 PM.
    """
    first, last = (part.group() for part in _PART.finditer(text))
    start, end = _ends(first, last)
    return Span(start, end) if start and end else None


def _ends(first: str, last: str) -> tuple[Time | None, Time | None]:
    start_half, end_half = _half(first), _half(last)
    if first.casefold() in _NAMED or last.casefold() in _NAMED or (start_half and end_half):
        return _lenient(first, start_half or end_half), _lenient(last, end_half or _after_noon(first, last))
    if end_half:
        start, end = _lenient(first, end_half), _lenient(last, end_half)
        if start and end and start.minutes > end.minutes:
            start = _lenient(first, "a" if end_half == "p" else "p")
        return start, end
    if start_half:
        start, end = _lenient(first, start_half), _lenient(last, start_half)
        if start and end and end.minutes <= start.minutes:
            end = _lenient(last, "p" if start_half == "a" else "a")
        return start, end
    start, end = _lenient(first, None), _lenient(last, None)
    if start and end and end.minutes <= start.minutes < 12 * 60 and ":" not in first + last:
        end = Time(end.minutes + 12 * 60, last)
    return start, end


def _half(text: str) -> str | None:
    found = _CLOCK.fullmatch(text.strip(" ."))
    return found[3].casefold() if found and found[3] else None


def _after_noon(first: str, last: str) -> str | None:
    """`noon to 2` ends in the afternoon."""
    return "p" if first.casefold() in ("noon", "midday") and ":" not in last else None


def _lenient(text: str, half: str | None) -> Time | None:
    """Read a time that may be a bare number, in the half of the day that the other end says."""
    if text.casefold() in _NAMED:
        return Time(_NAMED[text.casefold()], text)
    found = _CLOCK.fullmatch(text.strip(" ."))
    if found is None:
        return None
    hour = int(found[1])
    own = found[3] or (half if 1 <= hour <= 12 else None)
    shown = text if found[3] or not own else f"{text} {own.upper()}M"
    return _time(hour, int(found[2] or 0), own, shown)


def _time(hour: int, minute: int, half: str | None, text: str) -> Time | None:
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.casefold() == "p" else 0)
    return Time(hour * 60 + minute, text.strip()) if hour <= 24 and minute < 60 else None
