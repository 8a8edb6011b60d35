"""Accepts a value of the question that a draft only repeats: denied, spoken of, or beside a supported one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campus_agent.guardrail.by_tool import ByTool
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import QUESTION, Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.holders import Holders
from campus_agent.guardrail.limits import turns_limit
from campus_agent.guardrail.relation import Place, has_subject
from campus_agent.guardrail.segments import Segments

# What is said to cost something, or nothing: the word that denies is part of the value.
_FREE_OR_NOT = ("not free", "for free")


@dataclass(frozen=True)
class Repeated:
    """Compares the values of one draft with those of the question.

    Attributes:
        held: finds the passages that hold a value; `tools` what other tools say of it; `segments` whose it is there.
        affirms: whether the draft is what a yes to the question states, so that to repeat it excuses nothing.
    """

    draft: Said
    question: Said
    ground: Ground
    held: Holders
    tools: ByTool
    segments: Segments
    affirms: bool

    def support(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        """Return the question as the support of a value of it that is not affirmed, or None."""
        known = self.question.words | self.question.atoms if fact.kind == "name" else self.question.atoms
        if not fact.supported_by(known):
            return None
        words, clause = self.ground.lexicon, place.clause
        spoken_of = bool(words.words("mentions").intersection(clause.before(fact.start))) or place.sentence.asks
        if self.affirms:
            return Support(QUESTION) if spoken_of or self._beside_another(fact, place, inside) else None
        if self._is_wrong(fact, place) or (fact.normal in _FREE_OR_NOT and not spoken_of):
            return None
        refuses = place.sentence.clauses[0].plain[0][0] in words.words("no_first")
        if clause.denies or spoken_of or (refuses and not has_subject(clause, self.ground)):
            return Support(QUESTION)
        return Support(QUESTION) if self._beside_another(fact, place, inside) else None

    def _is_wrong(self, fact: Fact, place: Place) -> bool:
        """Whether a limit is turned round, or something denied that a passage says, in a sentence about it."""
        if not place.clause.denies and turns_limit(fact, self.draft.text, self.question, self.ground):
            return True
        at = self.tools.contradicted(fact, place)
        return at is not None and not self.segments.are_of_another(fact, place, self.ground.passages[at])

    def _beside_another(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> bool:
        """Whether another clause holds a supported value of the kind, as in "5 PM, after your class at 3 PM"."""
        if fact.kind in ("weekday", "name"):
            return False
        if fact.kind == "number" and not self.affirms and inside[-1].start > fact.start:
            return True  # for 4 years you pay ...
        clause = place.sentence.clause_at(fact.start)
        return any(
            other.kind == fact.kind
            and place.sentence.clause_at(other.start) != clause
            and self.held.value(other, denied=place.sentence.denies)
            for other in inside
            if other is not fact and other.normal != fact.normal
        )
