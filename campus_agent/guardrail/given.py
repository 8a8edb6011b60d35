"""Compares what people say of their own case, an age, a course number or a date, with the bounds that passages set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.words import stem

_AMOUNTS = ("number", "money", "percent")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DAY = 1440  # minutes
# How many characters on each side of a value may say which bound it is, and how many values are looked at.
_NEAR, _MOST = 48, 40
# What a bound leaves over: whether a value below it, equal to it, above it is fine.
_FINE = {
    "least": (False, True, True),
    "more": (False, False, True),
    "after": (False, False, True),
    "most": (True, True, False),
    "fewer": (True, False, False),
    "before": (True, False, False),
}


@dataclass(frozen=True)
class Givens:
    """Finds a case of `question` that every bound in what the passages say of it leaves out."""

    question: Said
    ground: Ground

    def are_left_out(self, draft: Said) -> bool:
        """Whether a value that is given lies beyond a bound of the nearest passages, which `draft` does not give."""
        words = self.ground.lexicon
        stated = [one for fact in draft.facts[:_MOST] for one in _values(fact, draft.text, words)]
        given = [
            one
            for clause in self.question.clauses
            for fact in self.question.inside(clause)
            if is_only_given(fact, clause, words)
            for one in _values(fact, self.question.text, words)
        ]
        others = {kind for kind, value in stated if (kind, value) not in given}
        return any(kind not in others and set(self._fits(kind, value)) == {False} for kind, value in given)

    def fit(self, fact: Fact) -> bool:
        """Whether a value of the question lies within every bound that the nearest passages set it."""
        asked = _values(fact, self.question.text, self.ground.lexicon)
        return any(set(self._fits(kind, value)) == {True} for kind, value in asked)

    def are_too_late(self, words: frozenset[str]) -> bool:
        """Whether what `words` (stems and atoms) say may be done now had to be done earlier, by what is nearest."""
        told = []
        for passage in self.ground.passages:
            for sentence in passage.sentences[:_MOST]:
                inside = [one for one in passage.facts[:_MOST] if sentence.start <= one.start < sentence.end]
                named = words & {stem for clause in sentence.clauses for stem in clause.subjects}
                given = words & {atom for fact in inside for atom in fact.gives if fact.kind != "name"}
                near = len(named - passage.title) + bool(given), len(named)
                told.append((near, any(self._has_ended(passage.text, sentence, fact) for fact in inside)))
        best = max((near for near, _ in told), default=(0, 0))
        return best > (0, 0) and all(ended for near, ended in told if near == best)

    def _has_ended(self, text: str, sentence: Sentence, fact: Fact) -> bool:
        """Whether a sentence allows something until a day that has passed."""
        words, before = self.ground.lexicon, text[sentence.start : fact.start]
        days = [day for kind, day in _values(fact, text, words) if kind == "date"]
        if not days or not words.pattern("before_before").search(before[-_NEAR:]):
            return False
        closed = any(not status["open"] for status in words.pattern("status").finditer(before))
        today = min((float(f"{day:%Y%m%d}") for day in self.ground.today), default=0.0)
        return days[0] < today and not closed and not words.pattern("denied").search(before)

    def _fits(self, kind: str, value: float) -> list[bool]:
        """Return of each bound of the nearest passages whether a value lies within it."""
        near = [len(self.question.words & one.words) for one in self.ground.passages]
        best = max(near, default=0)
        nearest = (one for one, shared in zip(self.ground.passages, near, strict=True) if shared == best > 0)
        return [fine for passage in nearest for fine in self._allowed(passage, kind, value)]

    def _allowed(self, passage: Passage, kind: str, value: float) -> Iterator[bool]:
        """Yield of each bound of a passage whether a value lies within it."""
        for sentence in passage.sentences[:_MOST]:
            found = [
                (fact, sort, bound)
                for fact in passage.facts[:_MOST]
                if sentence.start <= fact.start < sentence.end
                for sort, bound in _values(fact, passage.text, self.ground.lexicon)
            ]
            for (one, _, low), (other, sort, high) in pairwise(found):
                between = passage.text[one.end : other.start]
                if sort == kind and re.fullmatch(self.ground.lexicon.range_mark, between):
                    yield low <= value <= high
            for fact, sort, bound in found:
                if sort == kind:
                    yield from self._within(passage.text, sentence, fact, value - bound)

    def _within(self, text: str, sentence: Sentence, fact: Fact, beyond: float) -> Iterator[bool]:
        words, start = self.ground.lexicon, max(sentence.start, fact.start - _NEAR)
        denies = bool(words.pattern("denied").search(text, fact.end, sentence.end))
        for name, fine in _FINE.items():
            before = words.pattern(f"{name}_before").search(text, start, fact.start)
            if before or words.pattern(f"{name}_after").match(text, fact.end):
                fits = fine[(beyond > 0) - (beyond < 0) + 1] != denies
                if fits or not words.pattern("on_condition").match(text, fact.end):
                    yield fits  # more than 18 credits need approval, and 15 are fine


def is_only_given(fact: Fact, clause: Clause, words: Lexicon) -> bool:
    """Whether the asker gives the value as a bound, as something of theirs, or as the case that is asked about."""
    before = clause.before(fact.start)
    plain = [word for word, _ in clause.plain]
    if words.words("own").intersection(plain):
        return True
    if plain[:1] == ["i"] or (plain[1:2] == ["i"] and plain[0] in words.words("joins")):
        return True
    if _may_be_a_time(fact) and (words.words("bounds") - words.words("likening")).intersection(before[-1:]):
        return True
    if fact.kind == "time" and words.words("bounds").intersection(before[-2:]):
        return True
    return fact.kind in _AMOUNTS and bool(words.words("amount_bounds").intersection(before[-3:]))


def _may_be_a_time(fact: Fact) -> bool:
    return fact.kind == "number" and any(atom.startswith("hour ") for group in fact.needs for atom in group)


def _values(fact: Fact, text: str, words: Lexicon) -> Iterator[tuple[str, float]]:
    """Yield a value of `text` as what can be compared: an amount of a unit, or of what it counts, or a day."""
    if fact.amount:
        unit, figure = fact.amount
        counted = None if unit else words.pattern("counted").match(text, fact.end)
        unit = stem(counted["what"]) if counted else unit
        ahead = " ahead" if words.pattern("in_advance").match(text, fact.end) else ""
        in_days = unit == "day"  # 2 days are beyond 24 hours
        yield f"{'minute' if in_days else unit or 'number'}{ahead}", figure * (_DAY if in_days else 1)
        if unit == "year":
            yield "number", figure  # at least 21 years old
    days = [atom for atom in fact.gives if _DATE.fullmatch(atom)] if fact.kind == "date" else []
    if len(days) == 1:
        yield "date", float(days[0].replace("-", ""))
