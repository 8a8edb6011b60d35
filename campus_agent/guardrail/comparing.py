"""Judges comparisons: whether what a draft calls sooner, cheaper or longer is so by the values of the passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import islice, pairwise, permutations
from operator import attrgetter

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.hours import Slot, read_hours
from campus_agent.guardrail.parts import weekdays
from campus_agent.guardrail.passages import Part, Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.relative import EVERY_OTHER_WEEK, MONTHLY
from campus_agent.guardrail.words import stems

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
# How many comparisons of a sentence, things of the passages, and facts of a question are looked at.
_COMPARISONS, _THINGS, _FACTS = 10, 30, 40
# How many characters before a comparative say of what it is.
_NEAR = 40
_DAY = 24 * 60  # minutes
# What is compared of hours, by the patterns of the words before a comparative.
_OF_HOURS = ("later_end", "later_start", "longer_open")


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
        in_rows = self.passage.label and other.passage.label
        return self.unit == other.unit and (not in_rows or not self.column or bool(self.column & other.column))


@dataclass(frozen=True)
class Comparisons:
    """Judges what a draft compares. `question` is what the person asked: it may name the other side."""

    question: Said
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of each comparison in a sentence of `said`; `places` are those of its clauses.

        A comparison whose two sides cannot be told is left alone.
        """
        words = self.ground.lexicon
        denied = words.pattern("denied").search(said.text, sentence.start, sentence.end)  # not so by "closes"
        if sentence.asks or denied or not self.ground.passages:
            return
        for match in list(words.pattern("compared").finditer(said.text, sentence.start, sentence.end))[:_COMPARISONS]:
            written = match["word"] or match["alone"]
            start = match.start("word" if match["word"] else "alone")
            measure, sign = words.table("comparatives")[written.lower()]
            than = words.pattern("than").search(said.text, match.start(), sentence.end)
            column = self.stems(said.text[match.end() : than.start()] if than and match["word"] else "")
            sides = self._sides(said.text, sentence, match)
            told = self.question.words | self.stems(said.text[sentence.start : sentence.end])
            found = (
                pairs
                for things in self._by_hours(said, sentence, start) or self.measured(measure, column)
                if (pairs := self._pairs(self._narrowed(things, *sides, told), *sides))
            )
            pairs = next(found, ())
            if not pairs and (any(self._measured[measure]) or measure != "cost"):
                continue
            right = any(sign * (one.value - other.value) > 0 for one, other in pairs)
            source = pairs[0][0].passage.source if pairs else None
            claim = Fact(
                "comparison", written, (frozenset((written,)),), frozenset(), written, start, start + len(written)
            )
            support = Support(source.source, source) if right and source else None
            yield Finding(claim, places[sentence.clause_at(start)], support)

    def _sides(self, text: str, sentence: Sentence, match: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the stems of the two things compared: around "than", or the second one out of the question."""
        words, start = self.ground.lexicon, match.start("word" if match["word"] else "alone")
        clause = sentence.clauses[sentence.clause_at(start)]
        left = self.stems(text[clause.start : start]) & self.ground.weights.keys()
        left = left or self.stems(text[sentence.start : start])
        than = words.pattern("than").search(text, start, sentence.end)
        if than:
            return left, self.stems(than["rest"])
        offered = words.pattern("offered").search(self.question.text)
        sides = [self.stems(offered[name]) for name in ("one", "other")] if offered else [frozenset[str]()]
        return left, min(sides, key=lambda side: len(side & left) / max(1, len(side)))

    def stems(self, text: str) -> frozenset[str]:
        """Return the stems of `text` that may name what is compared."""
        return stems(text, self.ground.language) - self.ground.light | (
            stems(text, self.ground.language) & self.ground.people
        )

    def _narrowed(
        self, things: Sequence[Thing], one: frozenset[str], other: frozenset[str], told: frozenset[str]
    ) -> Sequence[Thing]:
        """Return what can be compared with the first thing, where no second is named: what is of its sort.

        Of its sort is what shares the words with it that the text `told` or the name of the first has.
        """
        best = max((self.score(thing, one) for thing in things), default=0.0)
        if other or best <= 0:
            return things
        first = [thing for thing in things if self.score(thing, one) == best]
        rest = [thing for thing in things if thing not in first]
        shared = {stem for stem in told | one for thing in first if stem in thing.words}
        shared &= {stem for thing in rest for stem in thing.words}
        alike = [thing for thing in things if shared and shared <= thing.words]
        alike = alike or [thing for thing in things if thing in first or (told - one) & thing.words]
        return alike if any(thing in rest for thing in alike) else things

    def _pairs(
        self, things: Sequence[Thing], one: frozenset[str], other: frozenset[str]
    ) -> Sequence[tuple[Thing, Thing]]:
        """Return the two things that the words name, once for each column that both have; nothing if they do not tell.

        Without an `other` it is the only other.
        """
        if not one - other or (not other and len(things) != 2):
            return ()
        one, other = (one - other, other - one) if other - one else (one, other)
        scored = [
            (self.score(first, one) + self.score(second, other), first, second)
            for first, second in permutations(things, 2)
            if first.is_like(second) and self.score(first, one) > 0 and (not other or self.score(second, other) > 0)
        ]
        best = max((score for score, _, _ in scored), default=0.0)
        pairs = [(first, second) for score, first, second in scored if score == best]
        of_rows = {(first.passage.text, second.passage.text) for first, second in pairs if first.passage.label}
        values = {(first.value, second.value) for first, second in pairs}
        return pairs if len(of_rows or values) == 1 else ()

    def score(self, thing: Thing, words: frozenset[str]) -> float:
        """Return how well words name a thing."""
        own, title = words & thing.words, words & thing.title - thing.words
        return sum(self.ground.weights.get(word, 0.0) * (1 if word in own else _TITLE) for word in own | title)

    @cached_property
    def _measured(self) -> Mapping[str, Sequence[Sequence[Thing]]]:
        """For each measure the things that have a value of it, for each way of writing one."""
        ways = {"when": ("", _CLOCK), **_MEASURES}
        return {
            measure: [list(islice(self._things(measure, pattern), _THINGS)) for pattern in patterns]
            for measure, patterns in ways.items()
        }

    def _by_hours(self, said: Said, sentence: Sentence, at: int) -> Sequence[Sequence[Thing]]:
        """Return what opens and closes, where the words before `at` compare that: each with its hours of one day.

        The day is that of the sentence, or of the question; where neither names one, the hours have to be the same.
        """
        words, text = self.ground.lexicon, said.text[max(sentence.start, at - _NEAR) : at]
        name = next((name for name in _OF_HOURS if words.pattern(name).search(text)), None)
        if name is None:
            return ()
        days = weekdays(said.inside(sentence)) or weekdays(self.question.facts[:_FACTS])
        things = []
        for passage in self.ground.passages:
            hours = read_hours(passage, self.ground.language)
            slots = [slot for slot in (hours.slots if hours else ()) if slot.days & days or not days]
            values = {_of_hours(slot)[name] for slot in slots if slot.start and slot.end}
            if len(values) == 1:
                things.append(Thing(passage, passage.words, passage.title, values.pop(), "clock"))
        return (things[:_THINGS],)

    def measured(self, measure: str, said: frozenset[str]) -> Iterator[Sequence[Thing]]:
        """Yield the things that have a value of a measure, for each way of writing one.

        Where the words `said` name some columns or some nouns beside the values, only things of those.
        """
        for things in self._measured[measure]:
            named = [thing for thing in things if thing.column & said]
            yield named or things

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


def _of_hours(slot: Slot) -> Mapping[str, float]:
    """Return when a slot closes and opens, and how long it lasts, in minutes, by the words that compare it."""
    start, end = (int(one[:2]) * 60 + int(one[3:]) for one in (slot.start or "", slot.end or ""))
    lasts = (end - start) % _DAY
    return {"later_end": start + lasts, "later_start": start, "longer_open": lasts}


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
