"""Judges comparisons: whether what a draft calls sooner, cheaper or longer is so by the values of the passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.hours import Slot, read_hours
from campus_agent.guardrail.parts import weekdays
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.things import MOST_THINGS, OF_DAY, Thing, Things
from campus_agent.guardrail.words import special_stems, stems

# How many comparisons of a sentence, and facts of a question, are looked at.
_COMPARISONS, _FACTS = 10, 40
# How many characters before a comparative say of what it is.
_NEAR = 40
_DAY = 24 * 60  # minutes
# What is compared of hours, by the patterns of the words before a comparative.
_OF_HOURS = ("later_end", "later_start", "longer_open")


@dataclass(frozen=True)
class Comparisons:
    """Judges what a draft compares. `question` is what the person asked: it may name the other side."""

    question: Said
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of each comparison in a sentence of `said`; `places` are those of its clauses.

        A comparison whose two sides cannot be told is left alone.
        """
        words, text = self.ground.lexicon, said.text
        first = next((clause.start for clause in sentence.clauses if clause.subjects), sentence.start)  # behind "No,"
        denials = [one.end() for one in words.pattern("denied").finditer(text, first, sentence.end)]
        if sentence.asks or len(denials) > 1 or not self.ground.passages:
            return
        for match in list(words.pattern("compared").finditer(text, sentence.start, sentence.end))[:_COMPARISONS]:
            start, written = match.start(match.lastgroup or 0), match[match.lastgroup or 0]
            if denials and (denials[0] > start or text[denials[0] : start].strip()):
                continue  # it denies something else
            measure, sign = {**words.table("comparatives"), **words.table("orderings")}[written.lower()]
            told = self._differences(said, sentence, match, measure, same=not sign)
            if not told and (measure != "cost" or any(self.things.by_measure[measure])):
                continue
            right = any(_holds(sign, difference) != bool(denials) for difference, _ in told)
            claim = Fact(
                "comparison", written, (frozenset((written,)),), frozenset(), written, start, start + len(written)
            )
            yield Finding(claim, places[sentence.clause_at(start)], told[0][1] if right else None)

    def _differences(
        self, said: Said, sentence: Sentence, match: re.Match[str], measure: str, *, same: bool
    ) -> Sequence[tuple[float, Support]]:
        """Return by how much the first of two things exceeds the other, by each reading of what is compared."""
        start = match.start(match.lastgroup or 0)
        if measure == "when" and (gap := self._between_days(said, sentence, start)):
            return [(gap, Support(next(iter(self.ground.today.values()))))]
        than = self.ground.lexicon.pattern("other_side").search(said.text, match.start(), sentence.end)
        column = self.stems(said.text[match.end() : than.start()] if than and match.lastgroup == "word" else "")
        sides = self._sides(said.text, sentence, match, same=same)
        if sides is None:
            return ()
        told = self.question.words | self.stems(said.text[sentence.start : sentence.end])
        hours = self._by_hours(said, sentence, start)
        found = (
            pairs
            for things in (hours, *self.things.measured(measure, column))
            if (pairs := self._pairs(self._narrowed(things, *sides, told), *sides, same=same))
        )
        pairs = list(chain.from_iterable(found)) if measure == "when" else next(found, ())
        return [
            (one.value - other.value, Support(one.passage.source.source, one.passage.source)) for one, other in pairs
        ]

    def _between_days(self, said: Said, sentence: Sentence, at: int) -> int:
        """Return how many days the weekday before `at` comes after the one behind it; 0 if it is not of two days."""
        idle = self.ground.light | special_stems(self.ground.language).calendar
        told = [(fact.start > at, WEEKDAYS.index(day)) for fact in said.inside(sentence) for day in weekdays([fact])]
        if len(self.ground.today) != 1 or [behind for behind, _ in told] != [False, True]:
            return 0
        if not all(idle.issuperset(clause.subjects) for clause in sentence.clauses):
            return 0
        (today,) = self.ground.today
        one, other = ((day - today.weekday()) % len(WEEKDAYS) for _, day in told)
        return one - other

    def _sides(
        self, text: str, sentence: Sentence, match: re.Match[str], *, same: bool
    ) -> tuple[frozenset[str], frozenset[str]] | None:
        """Return the stems of the two things compared: around "than", or the second one out of the question.

        None where one side is a value: "more than $30".
        """
        words, start = self.ground.lexicon, match.start(match.lastgroup or 0)
        clause = sentence.clauses[sentence.clause_at(start)]
        left = self.stems(text[clause.start : start]) & self.ground.weights.keys()
        left = left or self.stems(text[sentence.start : start])
        than = words.pattern("other_side").search(text, start, sentence.end)
        if than:
            other = self.stems(than["rest"])
            return (left, other) if other or not any(map(str.isdigit, than["rest"])) else None
        named = words.pattern("named_after_it").match(text, match.end(), clause.end)
        left = left or self.stems(named["rest"] if named else "")
        offered = words.pattern("offered").search(self.question.text)
        sides = [self.stems(offered[name]) for name in ("one", "other")] if offered else [frozenset[str]()]
        if same:
            return sides[0], sides[-1]
        return left, min(sides, key=lambda side: len(side & left) / max(1, len(side)))

    @cached_property
    def things(self) -> Things:
        """What the passages give values of."""
        return Things(self.ground)

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
        best = max((self.things.score(thing, one) for thing in things), default=0.0)
        if other or best <= 0:
            return things
        first = [thing for thing in things if self.things.score(thing, one) == best]
        rest = [thing for thing in things if thing not in first]
        shared = {stem for stem in told | one for thing in first if stem in thing.words}
        shared &= {stem for thing in rest for stem in thing.words}
        alike = [thing for thing in things if shared and shared <= thing.words]
        alike = alike or [thing for thing in things if thing in first or (told - one) & thing.words]
        return alike if any(thing in rest for thing in alike) else things

    def _pairs(
        self, things: Sequence[Thing], one: frozenset[str], other: frozenset[str], *, same: bool
    ) -> Sequence[tuple[Thing, Thing]]:
        """Return the two things that the words name, once for each column that both have; nothing if they do not tell.

        Without an `other` it is any other, and without both, where they are said to be the same, any two.
        """
        alike = [(first, second) for first, second in permutations(things, 2) if first.is_like(second)]
        if same and not one | other:
            return alike if len({thing.passage.text for thing in things}) > 1 else ()
        if not one - other:
            return ()
        one, other = (one - other, other - one) if other - one else (one, other)
        score = self.things.score
        scored = [
            (score(first, one) + score(second, other) * bool(other), first, second)
            for first, second in alike
            if score(first, one) > 0 and (not other or score(second, other) > 0)
        ]
        best = max((points for points, _, _ in scored), default=0.0)
        pairs = [(first, second) for points, first, second in scored if points == best]
        if not other:
            return pairs if len({first.value for first, _ in pairs}) == 1 else ()
        of_several = {
            (first.passage.text, second.passage.text)
            for first, second in pairs
            if first.passage.label or first.unit == OF_DAY
        }
        values = {(first.value, second.value) for first, second in pairs}
        return pairs if len(of_several or values) == 1 else ()

    def _by_hours(self, said: Said, sentence: Sentence, at: int) -> Sequence[Thing]:
        """Return what opens and closes, where the words before `at` compare that: with its hours, each different one.

        They are those of the days of the sentence, or of the question; where neither names one, those of any day.
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
            things += [Thing(passage, passage.words, passage.title, value, OF_DAY) for value in sorted(values)]
        return things[:MOST_THINGS]


def _holds(sign: int, difference: float) -> bool:
    """Whether a difference is of a sign; of the sign 0, whether there is none."""
    return sign * difference > 0 if sign else difference == 0


def _of_hours(slot: Slot) -> Mapping[str, float]:
    """Return when a slot closes and opens, and how long it lasts, in minutes, by the words that compare it."""
    start, end = (int(one[:2]) * 60 + int(one[3:]) for one in (slot.start or "", slot.end or ""))
    lasts = (end - start) % _DAY
    return {"later_end": start + lasts, "later_start": start, "longer_open": lasts}
