"""iCalendar files: what is to come first, soonest first, then what is past, latest first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from campus_agent.knowledge.encoding import Unreadable, decode
from campus_agent.knowledge.formats.apart import serve_reader, told_apart
from campus_agent.knowledge.formats.blocks import file_title
from campus_agent.knowledge.formats.reader import Content
from campus_agent.knowledge.passage import Passage, Problem, title_path

SECONDS = 30.0  # to work out the dates of what repeats
_MOST_CHARACTERS = 5_000_000
_MOST_EVENTS = 20_000
_REPEATS = re.compile(rb"^RRULE\b", re.IGNORECASE | re.MULTILINE)


def read_calendar(content: Content) -> Iterator[Passage | Problem]:
    """Yield a passage for each event, and one for each that repeats, with its next dates.

    Times are told in the zone of `content.now`, and what is past is told to be past then.

    Raises:
        Unreadable: no calendar, or one that is too large.
    """
    if not _REPEATS.search(content.data):
        yield from _read(content)
        return
    # A rule may ask for a date that never comes, and be worked out until the end of time.
    yield from told_apart("campus_agent.knowledge.formats.calendar_file", content, seconds=SECONDS)


def _read(content: Content) -> Iterator[Passage | Problem]:
    from campus_agent.knowledge.formats.agenda import Entry, Fault, Told, agenda, read_entry

    text = decode(content.data)
    if len(text) > _MOST_CHARACTERS:
        raise Unreadable(f"it is over {_MOST_CHARACTERS // 1_000_000} MB; cut it into smaller files")
    if not re.search(r"^BEGIN:VCALENDAR", text, re.IGNORECASE | re.MULTILINE):
        raise Unreadable("it is no calendar; export it again as iCalendar (.ics)")
    around, parts = _parts(text)
    title = _name(around) or file_title(content.source)
    read = [read_entry(lines, number) for lines, number in parts[:_MOST_EVENTS]]
    told = [*agenda([entry for entry in read if isinstance(entry, Entry)], content.now)]
    for fault in (one for one in (*read, *told) if isinstance(one, Fault)):
        yield Problem(content.source, fault.line, fault.reason)
    if len(parts) > _MOST_EVENTS:
        reason = f"only the first {_MOST_EVENTS:,} events are read; cut it into smaller files"
        yield Problem(content.source, parts[_MOST_EVENTS][1], reason)
    events, today = [one for one in told if isinstance(one, Told)], content.now.date()
    coming = sorted((one for one in events if one.last >= today), key=lambda one: (one.first, one.last, one.line))
    past = sorted((one for one in events if one.last < today), key=lambda one: (one.last, one.first), reverse=True)
    for one in (*coming, *past):
        yield Passage(title_path(title, one.title), one.text, content.source, one.line, one.phrasings)


def _parts(text: str) -> tuple[str, list[tuple[str, int]]]:
    """Return what stands around the events, and each event with its line: one that is broken spoils no other."""
    around: list[str] = []
    events: list[tuple[list[str], int]] = []
    inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        mark = line.strip().upper()
        if mark == "BEGIN:VEVENT":
            events.append(([], number))
            inside = True
        (events[-1][0] if inside else around).append(line)
        inside = inside and mark != "END:VEVENT"
    return "\r\n".join(around), [("\r\n".join(lines), number) for lines, number in events]


def _name(around: str) -> str:
    """Return what a calendar calls itself; reading it makes the time zones that it defines known to the package."""
    from icalendar import Calendar

    try:
        calendar = Calendar.from_ical(around)
    except (ValueError, KeyError, IndexError, TypeError):
        return ""
    return str(calendar.get("X-WR-CALNAME") or "").strip()


if __name__ == "__main__":
    serve_reader(_read)
