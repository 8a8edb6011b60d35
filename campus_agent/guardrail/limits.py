"""Compares how much a draft says to be fine, or not to be, with the bound that a passage sets for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, Support, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import fold, stem

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(?: (\w+))?")
_NEXT = re.compile(r"[ \t-]([^\W\d_]{3,30})")
# How long a unit of time is, in minutes.
_MINUTES = {"minute": 1, "day": 1440, "night": 1440, "month": 43_200, "year": 525_600}
# How many characters before a value may say that it is a bound, and how many values of a passage are looked at.
_NEAR, _MOST = 48, 60


@dataclass(frozen=True, slots=True)
class _Bound:
    """The most of something that is fine (or, of what is denied, the most that is not); `about` says of what."""

    amount: float
    unit: str
    about: frozenset[str]
    passage: Passage


@dataclass(frozen=True)
class Limits:
    """Compares amounts of one unit: what is refused after 5 days is not taken after 7, and is after 3.

    Attributes:
        question: what was asked: an amount of it may be repeated.
        ground: the observations.
    """

    question: Said
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place], *, denied: bool = False) -> Iterator[Finding]:
        """Yield each clause of a sentence of `said` that is on the other side of a bound.

        With `denied`, the sentence is what a bare no says not to be so.
        """
        for place in () if sentence.asks else places:
            for fact in said.inside(place.clause):
                if fact.kind != "number":
                    continue
                given = (self.ground.tools.keys(), *(one.gives for one in self.ground.passages))
                told = any(fact.supported_by(atoms) for atoms in given)  # then it is one of its own, or was counted
                if not told and self._side(fact, place, said, denied=denied) is False:
                    text = said.text[place.clause.start : place.clause.end].strip(" ,;.\n")
                    yield Finding(claim(text, place.clause.start), place, None)
                    break

    def support(self, fact: Fact, place: Place, said: Said) -> Support | None:
        """Accept an amount that is on the right side of a bound."""
        bound = self._bound(fact, place, said) if fact.supported_by(self.question.atoms) else None
        if bound is None or not self._side(fact, place, said):
            return None
        return Support(bound.passage.source.source, bound.passage.source)

    def _side(self, fact: Fact, place: Place, said: Said, *, denied: bool = False) -> bool | None:
        """Whether an amount is said to be fine within a bound, or not beyond it; None where no bound tells."""
        bound, amount = self._bound(fact, place, said), _amount(fact, said.text, self.ground.language)
        if bound is None or amount is None:
            return None
        clause = place.clause
        denies = bool(self.ground.lexicon.pattern("denied").search(said.text, clause.start, clause.end))
        return (amount[0] <= bound.amount) != (denies != denied)

    def _bound(self, fact: Fact, place: Place, said: Said) -> _Bound | None:
        amount = _amount(fact, said.text, self.ground.language)
        if amount is None or self._is_meant_otherwise(said.text, fact):
            return None
        own = {stem for clause in (place.clause, *place.lenders) for stem in clause.subjects}
        found = [one for one in self._bounds if one.unit == amount[1] and own & one.about]
        return max(found, key=lambda one: len(own & one.about), default=None)

    def _is_meant_otherwise(self, text: str, fact: Fact) -> bool:
        """Whether a value is said to be a bound itself, or what each costs."""
        words, start = self.ground.lexicon, max(0, fact.start - _NEAR)
        return any(
            words.pattern(f"{name}_before").search(text, start, fact.start)
            or words.pattern(f"{name}_after").match(text, fact.end)
            for name in ("least", "most", "more", "fewer", "each")
        )

    @cached_property
    def _bounds(self) -> Sequence[_Bound]:
        return [
            _Bound(*amount, frozenset(stem for one in sentence.clauses for stem in one.subjects), passage)
            for passage in self.ground.passages
            for sentence in passage.sentences
            for fact in passage.facts[:_MOST]
            if fact.kind == "number"
            and sentence.start <= fact.start < sentence.end
            and self._is_bound(passage.text, fact, sentence)
            and (amount := _amount(fact, passage.text, self.ground.language))
        ]

    def _is_bound(self, text: str, fact: Fact, sentence: Sentence) -> bool:
        """Whether a value is said to be the most, or something is said not to be beyond it."""
        words, start = self.ground.lexicon, max(sentence.start, fact.start - _NEAR)
        if words.pattern("most_before").search(text, start, fact.start):
            return True
        if words.pattern("for_before").search(text, start, fact.start) and words.pattern("held").search(
            text, sentence.start, fact.start
        ):
            return True
        beyond = any(words.pattern(name).search(text, start, fact.start) for name in ("more_before", "after_before"))
        return beyond and bool(words.pattern("denied").search(text, start, fact.start))


def _amount(fact: Fact, text: str, language: str) -> tuple[float, str] | None:
    """Return how much of what a fact is: of a time in minutes, of a plain number with the noun after it."""
    found = _AMOUNT.fullmatch(fact.normal) if fact.kind == "number" else None
    after = _NEXT.match(text, fact.end) if found and not found[2] else None
    if not found or not (found[2] or after):
        return None
    unit = stem(fold(after[1]), language) if after else found[2]
    return float(found[1]) * _MINUTES.get(unit, 1), "minute" if unit in _MINUTES else unit
