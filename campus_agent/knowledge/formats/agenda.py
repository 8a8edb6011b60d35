"""From the entries of a calendar to what is told of each: with repeated events as one, and exceptions on their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from campus_agent.knowledge.formats.events import Happening, Series, season, tell, tell_series
from campus_agent.knowledge.formats.recurrence import is_endless, listed, pace, starts, values

if TYPE_CHECKING:
    from icalendar import Event

_LONGEST = 2_000  # characters of a description
_LONGEST_STAY = 3_660  # days
_TERM = re.compile(r"\b(spring|summer|fall|autumn|winter)\b", re.IGNORECASE)
_DAY = timedelta(days=1)
_ERRORS = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    OSError,
)  # what dates can raise

Moment = date | datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a calendar, with its times as they are written."""

    event: Event
    start: Moment
    end: Moment
    line: int

    @property
    def whole_days(self) -> bool:
        """Whether it has days and no times."""
        return not isinstance(self.start, datetime)

    @property
    def repeats(self) -> bool:
        """Whether it stands for several dates."""
        return ("RRULE" in self.event or "RDATE" in self.event) and "RECURRENCE-ID" not in self.event


@dataclass(frozen=True, slots=True)
class Fault:
    """An entry that cannot be used, or not all of it: its line, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of an entry, and the days that it is about: for one that repeats, from its next date on."""

    title: str
    text: str
    first: date
    last: date
    line: int
    phrasings: tuple[str, ...]


def read_entry(lines: str, line: int) -> Entry | Fault:
    """Read one event, given as its lines and the number of the first."""
    from icalendar import Event

    try:
        event = Event.from_ical(lines)
        if not isinstance(event, Event):
            return Fault(line, "the event has no end; export the calendar again")
        start = _moment(event, "DTSTART")
        if start is None:
            return Fault(line, "the event has no date that can be read; write it again")
        end = _moment(event, "DTEND")
        length = next((getattr(value, "dt", None) for value in values(event, "DURATION")), None)
        if end is None and isinstance(length, timedelta):
            end = start + length
    except _ERRORS as error:
        return Fault(line, f"the event cannot be read ({error}); write it again")
    if end is None or isinstance(end, datetime) != isinstance(start, datetime):
        end = start
    if not _text(event, "SUMMARY") and not _text(event, "DESCRIPTION"):
        return Fault(line, "the event does not say what it is")
    return Entry(event, start, end, line)


def agenda(entries: Sequence[Entry], now: datetime) -> Iterator[Told | Fault]:
    """Yield what is told of each entry at `now`, in its time zone."""
    # By the standard the end of whole days is the day after the last one. Who writes a single day with an end that is
    # the same day does not keep to it, and means the last day.
    last_is_written = any(entry.whole_days and entry.end == entry.start and "DTEND" in entry.event for entry in entries)
    moved: dict[str, set[datetime]] = {}
    for entry in entries:
        excepted = listed(entry.event, "RECURRENCE-ID", _begins(entry, now))
        moved.setdefault(_text(entry.event, "UID"), set()).update(excepted)
    for entry in entries:
        try:
            event = _happening(entry, now, last_is_written=last_is_written)
            if not entry.repeats:
                yield _one(event, now)
                continue
            try:
                yield from _series(entry, event, moved[_text(entry.event, "UID")], now)
            except _ERRORS as error:
                yield Fault(entry.line, f"only the first date is told, for how it repeats cannot be read ({error})")
                yield _one(event, now)
        except _ERRORS as error:
            yield Fault(entry.line, f"the event cannot be told ({error}); write it again")


def _one(event: Happening, now: datetime) -> Told:
    phrasings = () if any(map(_TERM.search, (*event.filed, event.summary))) else (season(event.first),)
    return Told(event.summary, tell(event, now.date()), event.first, event.last, event.line or 1, phrasings)


def _series(entry: Entry, event: Happening, moved: set[datetime], now: datetime) -> Iterator[Told]:
    start = _begins(entry, now)
    kept = [moment for moment in starts(entry.event, start, now) if moment not in moved]
    excepted = set(listed(entry.event, "EXDATE", start))
    days = _days(kept, entry, now)
    if len(days) == 1:
        yield _one(replace(event, first=days[0], last=days[0] + (event.last - event.first)), now)
    elif days:
        skipped = _days(sorted(excepted | (moved - set(kept))), entry, now)
        told = Series(
            event, pace(entry.event), days, tuple(day for day in skipped if day not in days), is_endless(entry.event)
        )
        coming = next((day for day in days if day >= now.date()), days[-1])
        yield Told(event.summary, tell_series(told, now.date()), coming, coming, event.line or 1, ())


def _days(moments: Iterable[datetime], entry: Entry, now: datetime) -> tuple[date, ...]:
    """Return the days of moments on campus."""
    days = (moment.date() if entry.whole_days else moment.astimezone(now.tzinfo).date() for moment in moments)
    return tuple(dict.fromkeys(days))


def _begins(entry: Entry, now: datetime) -> datetime:
    """Return when an entry begins, as a moment in its own time zone; that of the campus if it names none."""
    start = entry.start
    if not isinstance(start, datetime):
        return datetime.combine(start, time(), now.tzinfo)
    return start if start.tzinfo else start.replace(tzinfo=now.tzinfo)


def _happening(entry: Entry, now: datetime, *, last_is_written: bool) -> Happening:
    event = entry.event
    summary, more = _text(event, "SUMMARY"), _text(event, "DESCRIPTION")[:_LONGEST]
    told = Happening(
        summary=summary or more,
        first=entry.start if entry.whole_days else _begins(entry, now).astimezone(now.tzinfo).date(),
        last=entry.start,
        more=more if summary else "",
        place=_text(event, "LOCATION"),
        filed=tuple(filter(None, (" ".join(str(name).split()) for name in event.categories))),
        cancelled=_text(event, "STATUS").upper() == "CANCELLED",
        line=entry.line,
    )
    if entry.whole_days:
        last = entry.end if last_is_written else entry.end - _DAY
        return replace(told, last=max(told.first, min(last, told.first + _LONGEST_STAY * _DAY)))
    begins = _begins(entry, now)
    written = entry.end if isinstance(entry.end, datetime) else begins
    ends = max(written if written.tzinfo else written.replace(tzinfo=begins.tzinfo), begins).astimezone(now.tzinfo)
    return replace(told, last=ends.date(), begins=begins.astimezone(now.tzinfo), ends=ends if ends > begins else None)


def _moment(event: Event, name: str) -> Moment | None:
    """Return a date or a date with a time of an event; of several, the first that can be read."""
    moments = (getattr(value, "dt", None) for value in values(event, name))
    return next((moment for moment in moments if isinstance(moment, date)), None)


def _text(event: Event, name: str) -> str:
    """Return what an event says under a name, on one line; of several texts the first."""
    return next((" ".join(str(text).split()) for text in values(event, name)), "")
