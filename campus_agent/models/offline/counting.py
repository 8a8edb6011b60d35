"""Answers that count days: how long until something, and which of two comes first."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.offline import answers
from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.cancelling import called_off, told_off
from campus_agent.models.offline.case import Calls, Case, Observations, Script, call
from campus_agent.models.offline.changes import excepts, read_coming, read_series
from campus_agent.models.offline.dates import other_weekday
from campus_agent.models.offline.ends import End, end_asked
from campus_agent.models.offline.exceptions import Bearing, bearing, exceptions
from campus_agent.models.offline.finding import Finding, find, judged, search
from campus_agent.models.offline.hours import LIMIT_DAY
from campus_agent.models.offline.items import tells_of_others
from campus_agent.models.offline.passages import read_found, span_of
from campus_agent.models.offline.question import Kind, Question, Want
from campus_agent.models.offline.readings import Count, read_clock, read_count
from campus_agent.models.offline.schedule import Schedule
from campus_agent.models.offline.sections import sentences
from campus_agent.models.offline.subject import Subject
from campus_agent.models.offline.vocabulary import WEEKDAYS
from campus_agent.models.offline.words import stem, stem_set

_LONG = 180  # days
_MOST_DAYS = 3  # weekdays that are counted one by one; of more, the clock tells which comes next
_BETWEEN = re.compile(r",|:|\b(?:or|vs|versus|and|than)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:close|closes|end|ends|finish|finishes|over|deadline|due)\b", re.IGNORECASE)
_WHICH = re.compile(r"(?:and |so )?(?:which|what)\b", re.IGNORECASE)
_DEADLINE = re.compile(r"\bdeadlines?\b", re.IGNORECASE)
_OF_ALL = re.compile(r"\b(?:soonest|earliest|latest|first|last)\b(?!.*\btwo\b)|\ball\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:later|latest|last)\b", re.IGNORECASE)

Counting = Generator[Calls, Observations, list[Count] | None]


def read_now() -> RequestedCall:
    """Return the call that reads the clock."""
    return call("get_current_time")


def until_weekday(day: int, schedule: Schedule | None = None) -> RequestedCall:
    """Return the call that counts the days to a weekday, with the time at which something begins on it."""
    start = schedule.start(day) if schedule else None
    after = {"after_time": start.spoken} if start else {}
    return call("days_until_weekday", weekday=WEEKDAYS[day], **after)


def until_date(date: str) -> RequestedCall:
    """Return the call that counts the days to a date."""
    return call("days_until_date", date=date)


def count(case: Case) -> Script:
    """Say how many days it is until something."""
    question = case.question
    moment = question.moment
    if (moment.days or moment.dates) and not question.keys and not question.points:
        calls = (*map(until_date, moment.dates), *map(until_weekday, sorted(moment.days)))
        observed = yield calls
        if any("could mean" in (text or "") for text in observed):
            return "That date is not clear, day and month could stand either way. Please write the month's name."
        known = _read(observed)
        return answers.counted(question, None, known, "") if known else case.refusal
    finding = yield from find(case.asking(replace(question, wants=frozenset({Want.WHEN}))))
    if not finding.passages:
        return case.refusal
    if off := called_off(finding, question):
        return off
    quoted = finding.quotes[0]
    last = _ENDS.search(question.text) is not None or end_asked(question.text) is End.LAST
    counts = yield from _counts(finding, last=last)
    if counts is None:
        return answers.spaced("I could not count the days.", quoted)
    if not last and (going_on := (yield from _under_way(question, finding, counts))):
        return going_on
    return _counted(question, finding, counts, last=last)


def _under_way(question: Question, finding: Finding, counts: Sequence[Count]) -> Script:
    """Say until when something goes on, or when it ended, that began before today and lasts several days; else ""."""
    latest = max(counts, key=lambda one: one.days, default=None)
    passage = finding.passages[0]
    last = span_of(passage, finding.subject.stems, latest.date) if latest and latest.days < 0 else ""
    if not last or tells_of_others(passage, question.keys):
        return ""
    (text,) = yield (until_date(last),)
    end = read_count(text)
    return answers.under_way(question, passage, end, finding.quotes[0]) if end else ""


def until_limit(finding: Finding, question: Question) -> Script:
    """Say how many days it is until the deadline that the best passage gives, or since it."""
    counts = yield from _counts(finding, last=True)
    return answers.counted(question, None, counts, finding.quotes[0]) if counts else finding.quotes[0]


def _counted(question: Question, finding: Finding, counts: list[Count], *, last: bool) -> str:
    """Say how many days it is, as far as the best passage lets that be said, and quote it."""
    passage, quoted = finding.passages[0], finding.quotes[0]
    if not finding.dates():  # what is on every week
        if _asks_limit(passage.text, finding.subject.stems):
            return quoted
        held = [one for one in counts if bearing(passage.text, one.date) is Bearing.NONE]
        if not held or any(excepts(passage.text, one.date) for one in held):
            return quoted
        if exceptions(passage.text) or not finding.schedule().certain:
            return answers.next_days(held, quoted)
    if tells_of_others(passage, question.keys):
        return quoted
    if read_coming(passage.text) and all(one.days < 0 for one in counts):
        return quoted  # those that were the next ones are over
    limit = _DEADLINE.search(question.text) and stem("deadline") not in passage.stems
    if not counts or (limit and len(counts) > 1):  # which of several dates is the limit is not plain
        return quoted
    if any(one.days > _LONG and other_weekday(passage.text, one.on) for one in counts):
        return quoted  # of this year, without saying so, and over: the count goes to another weekday of next year
    if (series := read_series(passage.text)) and series.exception:
        counts = [replace(one, on=one.date) for one in counts]  # its weekday stands in the exception too
    to_its_end = bool(limit) or (last and finding.dates(last=True) != finding.dates())
    return answers.counted(question, passage, counts, quoted, to_its_end=to_its_end)


def _asks_limit(text: str, wanted: frozenset[str]) -> bool:
    """Say whether only the sentence with a limit ("sign up by Wednesday") has a word of what is asked for."""
    parts = sentences(text)
    limits = [part for part in parts if LIMIT_DAY.search(part)]
    rest = stem_set(" . ".join(part for part in parts if part not in limits))
    return bool(wanted & stem_set(" . ".join(limits)) - rest) and len(limits) < len(parts)


@dataclass(frozen=True, slots=True)
class _Thing:
    """One of the things that are compared: where it was found, and the part of the question that names it."""

    finding: Finding
    question: Question | None = None

    @property
    def name(self) -> str:
        return answers.name_of(self.finding.passages[0], self.question)

    @property
    def told(self) -> str:
        """What was found of it, quoted; that it is cancelled first."""
        off = self.finding.cancelled
        return told_off(off, self.finding.subject.stems) if off else self.finding.quotes[0]

    @property
    def calls(self) -> Calls:
        return _calls(self.finding)

    @property
    def certain(self) -> bool:
        """Whether its dates or days are told for certain."""
        return bool(self.finding.dates()) or self.finding.schedule().certain

    def start(self, day: str) -> int:
        """Return when it begins on a day, in minutes since midnight; -1 when that is not said."""
        number = next(number for number, name in enumerate(WEEKDAYS) if day.startswith(name))
        start = self.finding.schedule().start(number)
        return start.minutes if start else -1


def compare(case: Case) -> Script:
    """Say which of two or more things comes first."""
    things = yield from _two(case)
    if len(things) < 2:
        return case.refusal
    if any(thing.finding.cancelled for thing in things):
        return answers.joined(thing.told for thing in things)
    observed = iter((yield tuple(call for thing in things for call in thing.calls)))
    dated: list[tuple[_Thing, Count]] = []
    certain = all(thing.certain for thing in things)
    for thing in things:
        counts = _read([next(observed) for _ in thing.calls])
        dated += [(thing, count) for count in sorted(counts, key=lambda one: one.days) if count.days >= 0][:1]
    if len(dated) < 2 or not certain:
        return answers.joined(thing.finding.quotes[0] for thing in things)
    dated.sort(key=lambda one: (one[1].days, one[0].start(one[1].on)))
    quotes = answers.joined(thing.finding.quotes[0] for thing, _ in dated)
    ranked = [(thing.name, count, thing.start(count.on)) for thing, count in dated]
    return answers.compared(ranked, quotes, later=_LATER.search(case.question.text) is not None)


def _two(case: Case) -> Generator[Calls, Observations, list[_Thing]]:
    """Find the things that are compared: those that the question names, else the two (or all) last spoken of."""
    parts = [read_question(part) for part in _BETWEEN.split(case.question.text)]
    named = [
        replace(part, kind=Kind.LOOK_UP, wants=frozenset({Want.WHEN}))
        for part in parts
        if part.keys or len(part.lights) > 1
    ]
    if len(named) > 2:  # "which club meets sooner, the Chess Club or the Kayak Club?"
        named = [part for part in named if not _WHICH.match(part.text)]
    pointed = [_Thing(Finding((passage,), Subject())) for passage in case.earlier]
    if not named:
        if not pointed:
            yield from find(case)  # nothing to compare: the search shows that it was looked for
        return pointed if _OF_ALL.search(case.question.text) else pointed[:2]
    observations = yield tuple(search(part.query) for part in named)
    found = [judged(read_found(text), part) for text, part in zip(observations, named, strict=True)]
    things = [_Thing(finding, part) for finding, part in zip(found, named, strict=True) if finding.passages]
    if len(named) == 1 and case.question.points:
        things = [*pointed[:1], *things]
    return things if len(things) == max(2, len(named)) else []


def _counts(finding: Finding, *, last: bool) -> Counting:
    """Count the days to whatever days the best passage says of the subject; of a range of dates to its last one.

    Return None where the counting came back with no count.
    """
    schedule = finding.schedule()
    calls = _calls(finding, last=last)
    if len(calls) > _MOST_DAYS:
        (text,) = yield (read_now(),)
        now = read_clock(text)
        upcoming = schedule.next_start(now.day, now.minutes) if now else None
        if now is None or upcoming is None:
            return []
        calls = (until_weekday((now.day + upcoming[0]) % 7, schedule),)
    observed = (yield calls) if calls else ()
    return _read(observed) or (None if any(observed) else [])


def _calls(finding: Finding, *, last: bool = False) -> Calls:
    """Return the calls that count the days to each date or weekday of the best passage."""
    if dates := finding.dates(last=last):
        return tuple(until_date(date) for date in dates[:_MOST_DAYS])
    schedule = finding.schedule()
    return tuple(until_weekday(day, schedule) for day in sorted(schedule.days))


def _read(observations: Sequence[str | None]) -> list[Count]:
    return [found for text in observations if (found := read_count(text))]
