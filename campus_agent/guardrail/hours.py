"""Reads when a passage says that something is open: by day, with a break, in a season, by appointment."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Sentence, sentences
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.lexicon import Lexicon, lexicon
from campus_agent.guardrail.passages import Passage, time_spans
from campus_agent.guardrail.timetable import by_day
from campus_agent.guardrail.words import fold, stem

_EVERY_DAY = frozenset(WEEKDAYS)
_MONTH = "month "  # begins the atom of a month: "month 06"
_OPEN_ALWAYS = "24/7"
_MOMENT = re.compile(r"\d\d:\d\d")
_WORD = re.compile(r"[^\W\d_]{3,}")
_LABEL = 3  # words before a span of time that may say what it is of
# A span of time, with the words right before it.
_Span = tuple[str | None, str | None, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Slot:
    """A time on certain weekdays at which something is open, or closed.

    Attributes:
        start: when it begins, as "10:00"; None where that is not said. `end` likewise.
        sure: whether it holds as it stands: nothing such as "usually" or "in exam weeks" is beside it.
        months: the months that it is for, as "month 06"; none for any.
        label: the stems of what stands right before its times: "lunch 12-2 PM".
        told: whether its own days are said beside it, not before.
    """

    days: frozenset[str]
    start: str | None
    end: str | None
    closed: bool
    sure: bool
    months: frozenset[str]
    label: frozenset[str] = frozenset()
    told: bool = False

    def covers(self, moment: datetime) -> bool | None:
        """Whether `moment` lies in it, the end not included; None where that cannot be told."""
        today, time = WEEKDAYS[moment.weekday()] in self.days, f"{moment:%H:%M}"
        if self.start and self.end:
            if self.start < self.end:
                return today and self.start <= time < self.end
            day_before = WEEKDAYS[(moment - timedelta(1)).weekday()] in self.days
            return (today and time >= self.start) or (day_before and time < self.end)
        if not today or (self.start and time < self.start) or (self.end and time >= self.end):
            return False
        return True if self.closed and not self.start and not self.end else None


@dataclass(frozen=True, slots=True)
class Hours:
    """All that a passage says of when something is open. `breaks` tells whether holidays are said to be different."""

    slots: tuple[Slot, ...]
    breaks: bool

    def labelled(self, words: Collection[str]) -> Hours:
        """Return those of what is named among `words` (stems), where some are: "lunch"; else all."""
        named = [slot for slot in self.slots if not slot.label.isdisjoint(words)]
        return replace(self, slots=(*named, *(slot for slot in self.slots if slot.closed))) if named else self

    def states_at(self, moment: datetime) -> frozenset[bool]:
        """Return what may be so at `moment`: open (True), closed, or both where the passage leaves it open."""
        if not self.slots:
            return frozenset()
        season = [slot for slot in self.slots if f"{_MONTH}{moment:%m}" in slot.months]
        all_year = [slot for slot in self.slots if not slot.months]
        plain = [slot for slot in all_year if slot.sure]
        states = _states(plain, moment)
        if season:
            told = _states(season, moment)
            states = states if len(told) == 2 else told
        for slot in all_year:
            if not slot.sure:
                states |= _perhaps(slot, moment)
        return states | {False} if self.breaks else states


def _states(slots: Sequence[Slot], moment: datetime) -> frozenset[bool]:
    closed = [slot.covers(moment) for slot in slots if slot.closed]
    opened = [slot.covers(moment) for slot in slots if not slot.closed]
    if True in closed:
        return frozenset((False,))
    if True in opened:
        return frozenset((True, False) if None in closed else (True,))
    return frozenset((True, False) if None in opened else (False,))


def _perhaps(slot: Slot, moment: datetime) -> frozenset[bool]:
    """Return what a slot that may or may not hold makes possible."""
    covered = slot.covers(moment)
    if slot.closed:
        return frozenset() if covered is False else frozenset((False,))
    return frozenset((False,)) if covered is False else frozenset((True, False))


def read_hours(passage: Passage, language: str) -> Hours | None:
    """Read the hours of a passage; None where it gives none that can be read.

    What is seen by appointment alone has hours without any slot: it is neither open nor closed.
    """
    words = lexicon(language)
    slots: list[Slot] = []
    for sentence in sentences(passage.text, passage.facts, language=language):
        days = _EVERY_DAY
        for start, end in _segments(passage, sentence, words):
            inside = [fact for fact in passage.facts if start <= fact.start < end]
            found = list(_slots(passage.text[start:end], start, inside, days, language))
            if found and found[0].closed and words.pattern("excepting").match(passage.text, start):
                found = _without_those_days(slots, found)
            slots += found
            days = frozenset(day for slot in found for day in slot.days) or days
    if slots or words.pattern("by_appointment").search(passage.text):
        return Hours(tuple(_joined(slots)), bool(words.pattern("breaks").search(passage.text)))
    return None


def _segments(passage: Passage, sentence: Sentence, words: Lexicon) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence that each say one thing: the hours, a break, what is so in summer."""
    ends = words.pattern("apart").finditer(passage.text, sentence.start + 1, sentence.end)
    inside = (match.start() for match in ends)
    cuts = [at for at in inside if not any(fact.start < at < fact.end for fact in passage.facts)]
    yield from pairwise([sentence.start, *cuts, sentence.end])


def _slots(text: str, offset: int, inside: Sequence[Fact], inherited: frozenset[str], language: str) -> Iterator[Slot]:
    words = lexicon(language)
    dates = [fact for fact in inside if fact.kind == "date"]
    months = frozenset(atom for fact in dates for atom in fact.gives if atom.startswith(_MONTH))
    by_month = bool(dates) and all(atom.startswith(_MONTH) for fact in dates for atom in fact.gives)
    closed = bool(words.pattern("closed_then").match(text))
    sure = not words.pattern("unsure").search(text) and (by_month or not dates)
    plain = Slot(inherited, None, None, closed, sure, months if by_month else frozenset())
    hours = closed or words.pattern("hours").search(text)
    for days, times in by_day(inside) or [(_days_of(inside), tuple(fact for fact in inside if fact.kind == "time"))]:
        slot = replace(plain, days=days or inherited, told=bool(days))
        for start, end, lead in _spans(text, offset, times, words):
            yield replace(slot, start=start, end=end, label=frozenset(stem(fold(word), language) for word in lead))
        if not times and hours and (days or (closed and dates)):
            yield slot


def _days_of(inside: Iterable[Fact]) -> frozenset[str]:
    return frozenset(day for fact in inside if fact.kind == "weekday" for day in fact.gives)


def _spans(text: str, offset: int, times: Iterable[Fact], words: Lexicon) -> Iterator[_Span]:
    """Yield each span of time; what only opens, or only closes, at a time is a span without the other end."""
    start = end = None
    at, label = 0, frozenset[str]()
    for time in times:
        before, at = text[at : time.start - offset], time.end - offset
        label = frozenset(_WORD.findall(before)[-_LABEL:]) or label
        if _OPEN_ALWAYS in time.gives:
            yield "00:00", "24:00", label
        yield from ((first, last, label) for first, last in time_spans((time,)))
        moments = sorted(atom for atom in time.gives if _MOMENT.fullmatch(atom))
        lead = text[: time.start - offset]
        if any(atom.startswith("from ") for atom in time.gives) or not moments:
            continue
        if words.pattern("opens_at").search(lead):
            start = moments[0]
        elif words.pattern("closes_at").search(lead):
            end = moments[-1]  # "closes at 5" is in the afternoon
    if start or end:
        yield start, end, frozenset()


def _joined(slots: Sequence[Slot]) -> Iterator[Slot]:
    """Yield the slots whole: what says when it opens, and what says when it closes, as one on the days of both.

    Where whole ones are told, an end alone takes the place of theirs on the days that it is said of.
    """
    whole = [slot for slot in slots if (slot.start and slot.end) or slot.closed or not (slot.start or slot.end)]
    halves = [slot for slot in slots if slot not in whole]
    ends = [slot for slot in halves if slot.end and slot.sure]
    paired = [
        replace(slot, end=other.end, days=slot.days & other.days)
        for slot in halves
        for other in ends
        if slot.start and slot.sure and slot.days & other.days and slot.months == other.months
    ]
    days = frozenset(day for slot in paired for day in slot.days)
    yield from paired
    for half in halves:
        ended = [slot for slot in whole if half.told and half.sure and _may_end(slot, half)]
        if ended:
            whole = [piece for slot in whole for piece in (_with_end(slot, half) if slot in ended else (slot,))]
        elif not half.days <= days and (half.told or half.months or not any(_may_end(slot, half) for slot in whole)):
            yield half
    yield from whole


def _may_end(slot: Slot, half: Slot) -> bool:
    """Whether a slot has two ends and shares days with one that has one end alone."""
    return bool(slot.start and slot.end and not slot.closed and slot.days & half.days and slot.months == half.months)


def _with_end(slot: Slot, half: Slot) -> Iterator[Slot]:
    """Yield a slot, on the days of another that has one end alone with that end instead of its own."""
    yield replace(slot, start=half.start or slot.start, end=half.end or slot.end, days=slot.days & half.days)
    if rest := slot.days - half.days:
        yield replace(slot, days=rest)


def _without_those_days(slots: list[Slot], found: list[Slot]) -> list[Slot]:
    """Read `daily except Sundays, 9-5`: the times after the exception are those of the other days."""
    if not slots or slots[-1].start or slots[-1].end or not any(slot.start or slot.end for slot in found):
        return found
    base = slots.pop()
    not_on = frozenset(day for slot in found for day in slot.days)
    return [replace(slot, days=base.days - not_on, closed=False) for slot in found]
