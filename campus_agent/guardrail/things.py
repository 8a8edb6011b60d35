"""Reads off the passages what can be compared: things, each with a value of a measure such as its cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import islice, pairwise
from operator import attrgetter

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.part import Part
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relative import EVERY_OTHER_WEEK, MONTHLY
from campus_agent.guardrail.words import LABEL

_YEAR = r"1[89]\d\d|20\d\d"
_CLOCK = r"(\d\d):(\d\d)"  # of what has no day
_COUNT = rf"(number) (?!(?:{_YEAR})\Z)(\d+)"
# What is compared, and the atoms in which its values are written, the likeliest first.
_MEASURES = {
    "cost": (r"([$€£])(\d+(?:\.\d+)?)",),
    "length": (r"(minute) (\d+)", r"(\d+(?:\.\d+)?) (minute)", r"(\d+) (day)", r"(\d+) (month)", _COUNT),
    "age": (rf"(number) ({_YEAR})",),
    "amount": (r"(\d+(?:\.\d+)?)(%)", r"([$€£])(\d+(?:\.\d+)?)", r"(\d+) ([a-z]+)", _COUNT),
}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
# Kinds of values of which one clause after another gives one each: "the quiz 10%, attendance 5%".
_SHARED_OUT = frozenset(("percent", "money"))
# How much less the title of a passage tells of a value than the words beside it.
_TITLE = 0.5
# How much a letter or number that the words do not name tells against a thing.
_OTHER = 0.001
# How many things of the passages are looked at.
MOST_THINGS = 30
# The unit of the hours of something, in minutes.
OF_DAY = "of day"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a passage gives a value of: the stems of its words, the value and its unit.

    Attributes:
        column: the stems that say of what the value is, such as those of the heading of a table's column.
    """

    passage: Passage
    words: frozenset[str]
    title: frozenset[str]
    value: float
    unit: str
    column: frozenset[str] = frozenset()

    def is_like(self, other: Thing) -> bool:
        """Whether two values can be compared: of one unit and, of rows of a table, of one column."""
        if self.unit == OF_DAY and self.passage is other.passage:
            return False  # on other days
        in_rows = self.passage.label and other.passage.label
        return self.unit == other.unit and (not in_rows or not self.column or bool(self.column & other.column))


@dataclass(frozen=True)
class Things:
    """The things that have a value, by measure."""

    ground: Ground

    def measured(self, measure: str, said: frozenset[str]) -> Iterator[Sequence[Thing]]:
        """Yield the things that have a value of a measure, for each way of writing one.

        Where the words `said` name some columns or some nouns beside the values, only things of those.
        """
        for things in self.by_measure[measure]:
            named = [thing for thing in things if thing.column & said]
            yield named or things

    def score(self, thing: Thing, words: frozenset[str]) -> float:
        """Return how well words name a thing."""
        own, title = words & thing.words, words & thing.title - thing.words
        others = sum(word[0] == LABEL for word in thing.words - words)  # lot B, not lot C
        weights = self.ground.weights
        return sum(weights.get(word, 0.0) * (1 if word in own else _TITLE) for word in own | title) - _OTHER * others

    @cached_property
    def by_measure(self) -> Mapping[str, Sequence[Sequence[Thing]]]:
        """For each measure the things that have a value of it, for each way of writing one."""
        ways = {"when": ("", _CLOCK), **_MEASURES}
        return {
            measure: [list(islice(self._things(measure, pattern), MOST_THINGS)) for pattern in patterns]
            for measure, patterns in ways.items()
        }

    def _things(self, measure: str, pattern: str) -> Iterator[Thing]:
        for passage in self.ground.passages:
            if pattern == _CLOCK and passage.kinds & {"weekday", "date"}:
                continue
            if self.ground.lexicon.pattern("row").search(passage.text):
                yield from self._cells(passage, pattern)
                continue
            goes_on = attrgetter("goes_on") if measure == "when" else lambda part: not part.own - self.ground.light
            for words, gives in _statements(passage, goes_on):
                value = _value(pattern, gives) if pattern else _when(passage, gives, self.ground)
                if value:
                    yield Thing(passage, words, passage.title, *value, words)

    def _cells(self, passage: Passage, pattern: str) -> Iterator[Thing]:
        """Yield the values of a row of a table, all of them of what the row is about."""
        for label, part in pairwise(passage.parts):
            value = _value(pattern, part.gives) if pattern else _when(passage, part.gives, self.ground)
            if value:
                column = part.own | (frozenset() if label.gives else label.own)
                yield Thing(passage, passage.words, passage.title, *value, column)
        free = self.ground.lexicon.pattern("free_word")
        for heading, clause in pairwise(passage.clauses):
            if "$" in pattern and free.search(passage.text, clause.start, clause.end):
                yield Thing(passage, passage.words, passage.title, 0.0, "$", frozenset(heading.subjects))


def _statements(passage: Passage, goes_on: Callable[[Part], bool]) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield words of a passage with the atoms given of them; a clause that goes on belongs to the last one."""
    words, gives, kinds, lead = frozenset[str](), frozenset[str](), frozenset[str](), frozenset[str]()
    for part, clause in zip(passage.parts, passage.clauses, strict=True):
        if gives and (not goes_on(part) or kinds & part.kinds & _SHARED_OUT):
            yield words, gives
            words, gives, kinds = lead if part.goes_on and part.gives else frozenset(), frozenset(), frozenset()
        lead = (lead if part.goes_on else part.own) if gives or part.gives else words | part.own
        words, gives = words | part.subject | part.own | set(clause.subjects), gives | part.gives
        kinds |= part.kinds
    yield words, gives


def _value(pattern: str, atoms: frozenset[str]) -> tuple[float, str] | None:
    """Return the one value among atoms that is written so, with its unit; None when there is none, or more than one."""
    years = {f"number {atom[:4]}" for atom in atoms if _DATE.fullmatch(atom)}
    found = [match.groups() for atom in atoms - years if (match := re.fullmatch(pattern, atom))]
    if pattern == _CLOCK:
        found = [(f"{int(hour) * 60 + int(minute)}", "clock") for hour, minute in found]
    values = {(float(b), a) if b[0].isdigit() else (float(a), b) for a, b in found}
    return values.pop() if len(values) == 1 else None


def _full_dates(passage: Passage, atoms: frozenset[str], ground: Ground) -> Iterator[str]:
    """Yield the dates among atoms; the year that one leaves out is that of another of the passage, or this year."""
    years = [f"{day.year}" for day in ground.today]
    years += [atom[:4] for atom in passage.gives if _DATE.fullmatch(atom)]
    for atom in atoms:
        if _DATE.fullmatch(atom):
            yield atom
        elif atom.startswith("?-") and years and not atom.endswith("02-29"):
            yield f"{max(years)}{atom[1:]}"


def _when(passage: Passage, atoms: frozenset[str], ground: Ground) -> tuple[float, str] | None:
    """Return the next day among atoms as a count of days, from today or, for full dates, from the year 1."""
    past = max((today.toordinal() for today in ground.today), default=0)
    exact = [date.fromisoformat(day).toordinal() for day in _full_dates(passage, atoms, ground)]
    if exact:
        ahead = [day for day in exact if day >= past]
        return (float(min(ahead)), "date") if ahead else None
    days = [WEEKDAYS.index(atom) for atom in atoms if atom in WEEKDAYS]
    if not days or len(ground.today) != 1 or {MONTHLY, EVERY_OTHER_WEEK} & passage.gives:
        return None
    (today,) = ground.today
    return float(today.toordinal() + min((day - today.weekday()) % 7 for day in days)), "date"
