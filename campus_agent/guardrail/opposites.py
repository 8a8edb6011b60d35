"""Tells whether a draft says of the final exam, of lunch or of adults what a passage says of the opposite alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.part import Part
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import fold, stem


@cache
def opposites(language: str) -> Mapping[str, frozenset[str]]:
    """Return, by the stem of a noun, the stems of those that are never the same thing."""
    lines = [line.split() for line in lexicon(language).listed("opposites")]
    groups = [frozenset(stem(fold(word), language) for word in line) for line in lines]
    nouns = frozenset[str]().union(*groups)
    return {noun: frozenset[str]().union(*(group for group in groups if noun in group)) - {noun} for noun in nouns}


@dataclass(frozen=True)
class Opposites:
    """Compares the nouns of a draft that rule each other out with those of the passages."""

    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each clause of a sentence of `said` that has the one noun where what it rests on has the other."""
        groups = opposites(self.ground.language)
        if sentence.asks or sentence.denies:
            return
        for place in places:
            own = frozenset(place.clause.subjects)
            text = said.text[place.clause.start : place.clause.end].strip(" ,;.\n")
            if self._is_on_the_other_side(text):
                yield Finding(claim(text, place.clause.start), place, None)
                continue
            swapped = [noun for noun in own & groups.keys() if not self.ground.weights.get(noun)]
            if not swapped:
                continue
            told = frozenset[str]().union(*(part.words for part in self._nearest(said, place.clause, own)))
            if any(groups[noun] & told - own for noun in swapped):
                yield Finding(claim(text, place.clause.start), place, None)

    def _is_on_the_other_side(self, text: str) -> bool:
        """Whether something is said to be behind what it is in front of by the passages, and never behind."""
        pattern, sides = self.ground.lexicon.pattern("side"), self.ground.lexicon.table("sides")
        said = {(match["side"].lower(), fold(match["of"])) for match in pattern.finditer(text)}
        if not said:
            return False
        texts = [one.text for one in self.ground.passages]
        told = {(match["side"].lower(), fold(match["of"])) for one in texts for match in pattern.finditer(one)}
        return any((side, of) not in told and any((other, of) in told for other in sides[side]) for side, of in said)

    def _nearest(self, said: Said, clause: Clause, own: frozenset[str]) -> Iterator[Part]:
        """Yield the parts of passages that share most with a clause: values first, then words."""
        values = [fact for fact in said.inside(clause) if fact.kind != "name"]
        shared = [
            ((sum(fact.supported_by(part.gives) for fact in values), len(own & part.words - self.ground.light)), part)
            for passage in self.ground.passages
            for part in passage.parts
        ]
        best = max((key for key, _ in shared), default=(0, 0))
        return (part for key, part in shared if key == best and any(key))
