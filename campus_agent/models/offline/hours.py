"""Weekdays and opening hours, read out of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from campus_agent.models.offline.schedule import Rule, Schedule
from campus_agent.models.offline.times import DAY_MINUTES, SPAN, TIME, Span, Time, read_span, read_time
from campus_agent.models.offline.vocabulary import EVERY_DAY, WEEKDAYS, WEEKEND, WORKING_DAYS

# A short form counts only with a capital, so that "the cat sat in the sun" names no day.
DAY = (
    r"\b(?:(?i:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)"
    r"|(?:Mon|Tues?|Weds?|Thurs?|Thu|Fri|Sat|Sun)s?\b\.?|(?:MON|TUES?|WED|THURS?|THU|FRI|SAT|SUN)\b\.?)"
)
_THROUGH = r"\s*(?:-|–|—|\b(?:to|through|thru|until|till)\b)\s*"
_TOKEN = re.compile(
    rf"(?P<range>{DAY}{_THROUGH}{DAY})"
    rf"|(?P<day>{DAY})"
    r"|(?P<always>(?i:\b24/7\b|\b24 hours\b(?! (?:ahead|before|after|in advance|notice|of))|\baround the clock\b))"
    r"|(?P<daily>(?i:\b(?:daily|every ?day|each day|all week|all days|(?:seven|7) days (?:a|per) week|7 days)\b))"
    r"|(?P<working>(?i:\b(?:weekdays?|week days|working days)\b))"
    r"|(?P<weekend>(?i:\bweekends?\b))"
    r"|(?P<closed>(?i:\b(?:closed|shut|except(?: on| for)?|but not|excluding|no \w+ on)\b))"
    rf"|(?P<span>(?i:{SPAN}))"
    rf"|(?P<time>(?<![\w:])(?i:{TIME})(?!\w))"
    r"|(?P<stop>;|\n|(?<![ap]\.m)[.!?](?=\s|$))"
)
LIMIT_DAY = re.compile(
    rf"\b(?i:by|before|no later than)\s+(?i:the\s+(?:previous|preceding)\s+)?{DAY}"
    rf"(?:,?\s+(?i:(?:at\s+)?{TIME}))?(?![^.;]*\b(?i:each|every)\b)"
)
_LOOK_BACK = 30  # characters: as far as the words reach that change what a time means
_ENDING = re.compile(
    r"\b(?:until|till|by|before|closes|closing|ends|ending|finishes|deadline)(?: at)?\s*$", re.IGNORECASE
)
_HOURS_FOLLOW = re.compile(r"\b(?:from|open|opens|hours)\b\s*:?\s*$", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s:,(&]*(?:and|from)?\s*", re.IGNORECASE)  # what may stand between a day and its hours
_SHUT = re.compile(r"\b(?:is|are|remains?|stays?)\s+(?:\w+\s+)?(?:closed|shut)\b", re.IGNORECASE)


def read_schedule(text: str) -> Schedule:
    """Read every weekday, time and span of `text`, each with the days that it is said of.

    Days may stand before their times or after them; within a sentence the first of the two decides.
    """
    regular = LIMIT_DAY.sub(lambda found: " " * len(found.group()), text)
    if regular != text and (schedule := _read(regular)).days:
        return schedule  # "You must sign up by Wednesday at noon" names no day on which anything else is on
    return _read(text)


def _read(text: str) -> Schedule:
    collected = _Collected()
    for kind, value in _tokens(text):
        match value:
            case frozenset():
                collected.add_days(value)
            case Span():
                collected.add_span(value)
            case _ if kind == "closed":
                collected.add_closed(of_what_follows=value.casefold() not in ("closed", "shut"))
            case _:
                collected.stop(hard=value != ";")
    collected.flush()
    if not collected.rules and _SHUT.search(text):
        return Schedule((Rule(EVERY_DAY, closed=True),))
    return Schedule(tuple(collected.rules))


def blank_hours(text: str) -> str:
    """Return `text` with a space for every letter of a day, time or span that `read_schedule` reads."""
    pieces = list(text)
    for start, end in ((found.start(), found.end()) for found, _, value in _read_tokens(text) if value is not None):
        pieces[start:end] = " " * (end - start)
    return "".join(pieces)


@dataclass(slots=True)
class _Collected:
    """The rules read so far, and the one that is being read."""

    rules: list[Rule] = field(default_factory=list)
    days: frozenset[int] = frozenset()
    spans: tuple[Span, ...] = ()
    closed: bool = False
    days_first: bool | None = None

    def add_days(self, days: frozenset[int]) -> None:
        if self.days_first is None:
            self.days_first = True
        if self.days_first and (self.spans or (self.closed and self.days)):
            self.flush()
        self.days |= days

    def add_span(self, span: Span) -> None:
        if self.days_first is None:
            self.days_first = False
        if (not self.days_first or self.closed) and self.days:
            self.flush()
        self.spans += (span,)

    def add_closed(self, *, of_what_follows: bool) -> None:
        if self.spans or of_what_follows or not self.days_first:
            self.flush()
        self.closed = True

    def stop(self, *, hard: bool) -> None:
        """End a sentence (hard) or a part of one; a part that says half of a rule waits for the other half."""
        if hard or (self.days and (self.spans or self.closed)):
            self.flush()
            self.days_first = None

    def flush(self) -> None:
        if self.days or self.spans:
            self.rules.append(Rule(self.days, self.spans, self.closed))
        self.days, self.spans, self.closed = frozenset(), (), False


def _tokens(text: str) -> Iterator[tuple[str, frozenset[int] | Span | str]]:
    for found, kind, value in _read_tokens(text):
        if value is not None:
            yield kind, value
        if kind == "always":
            yield kind, Span(Time(0, found.group()), Time(DAY_MINUTES, found.group()))


def _read_tokens(text: str) -> Iterator[tuple[re.Match[str], str, frozenset[int] | Span | str | None]]:
    """Yield what was matched, its kind, and its value; None for what is matched but means something else here."""
    after_days = -1  # where the last weekday or span ended
    for found in _TOKEN.finditer(text):
        kind, said = str(found.lastgroup), found.group()
        expected = after_days >= 0 and _BETWEEN.fullmatch(text, after_days, found.start()) is not None
        before = text[max(0, found.start() - _LOOK_BACK) : found.start()]
        value = _value(kind, said, before, expected)
        after_days = found.end() if isinstance(value, frozenset | Span) else -1
        yield found, kind, value


def _value(kind: str, said: str, before: str, expected: bool) -> frozenset[int] | Span | str | None:
    match kind:
        case "span":
            return _span(said, expected=expected or _HOURS_FOLLOW.search(before) is not None)
        case "time":
            time = read_time(said)
            return Span(time) if time and not _ENDING.search(before) else None
        case "closed" | "stop":
            return said
        case _:
            return _days(kind, said)


def _span(said: str, *, expected: bool) -> Span | None:
    """Read a span; one of bare numbers counts only where hours are expected, for `March 16-20` is none."""
    bare = re.fullmatch(r"\d{1,2}\D+\d{1,2}", said) and not re.search(r"[:.]|[ap]\.?m\b", said, re.IGNORECASE)
    return read_span(said) if expected or not bare else None


def _days(kind: str, said: str) -> frozenset[int]:
    match kind:
        case "daily" | "always":
            return EVERY_DAY
        case "working":
            return WORKING_DAYS
        case "weekend":
            return WEEKEND
        case "day":
            return frozenset((weekday(said),))
    first, last = (weekday(day) for day in re.findall(DAY, said))
    return frozenset((first + ahead) % 7 for ahead in range((last - first) % 7 + 1))


def weekday(name: str) -> int:
    """Return the number of a weekday (Monday is 0) from any form that begins with its first three letters."""
    return next(number for number, day in enumerate(WEEKDAYS) if name[:3].casefold() == day[:3].casefold())
