"""Judges superlatives: what a draft calls the cheapest or the largest has to be so by all values of its kind.

Or a passage says it itself: "The lowest quiz is dropped."
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.comparing import Comparisons, Thing
from campus_agent.guardrail.finding import Finding, Said, Support, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import squeezed
from campus_agent.guardrail.relation import Place

# How many superlatives of a sentence, and sentences of a passage, are looked at.
_MOST, _SENTENCES = 10, 60


@dataclass(frozen=True)
class Superlatives:
    """Judges them by the values that `comparisons` reads off the passages."""

    comparisons: Comparisons
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of each superlative in a sentence of `said`.

        One that no values bear out is unsupported.
        """
        words = self.ground.lexicon
        if sentence.asks or sentence.denies or not self.ground.passages:
            return
        for match in list(words.pattern("superlative").finditer(said.text, sentence.start, sentence.end))[:_MOST]:
            clause = sentence.clauses[sentence.clause_at(match.start())]
            left = self.comparisons.stems(said.text[clause.start : match.start()])
            left &= self.ground.weights.keys()
            noun = self.comparisons.stems(said.text[match.end() : clause.end])
            told = self.comparisons.stems(said.text[clause.start : clause.end]) & self.ground.weights.keys()
            support = self._by_passage(match[0], told) or self._by_values(match[0], left or noun, said.atoms)
            yield Finding(
                claim(match[0], match.start(), "comparison"), places[sentence.clause_at(match.start())], support
            )

    def _by_passage(self, written: str, told: frozenset[str]) -> Support | None:
        """Return the passage of which a sentence says the superlative of all that a clause speaks of."""
        for passage in self.ground.passages:
            for sentence in passage.sentences[:_SENTENCES]:
                text = passage.text[sentence.start : sentence.end]
                if squeezed(written) in squeezed(text) and told <= self.comparisons.stems(text) | passage.title:
                    return Support(passage.source.source, passage.source)
        return None

    def _by_values(self, written: str, subject: frozenset[str], atoms: frozenset[str]) -> Support | None:
        measure, sign = self.ground.lexicon.table("superlatives")[written.lower()]
        for things in self.comparisons.measured(measure, frozenset()):
            found = self._named(things, subject) or [one for one in things if _written(one) in atoms][:1]
            for named in found:
                rivals = [one for one in things if one.is_like(named) and _document(one) == _document(named)]
                if len(rivals) > 1 and all(sign * (named.value - one.value) >= 0 for one in rivals):
                    return Support(named.passage.source.source, named.passage.source)
            if found:
                return None
        return None

    def _named(self, things: Sequence[Thing], subject: frozenset[str]) -> Sequence[Thing]:
        """Return what the words name best: one thing, or the values of one row; nothing where they do not tell."""
        scored = [(self.comparisons.score(thing, subject), thing) for thing in things]
        best = max((score for score, _ in scored), default=0.0)
        found = [thing for score, thing in scored if score == best > 0]
        of_one_row = found and found[0].passage.label and all(one.passage is found[0].passage for one in found)
        return found if of_one_row or len({thing.value for thing in found}) == 1 else []


def _written(thing: Thing) -> str:
    """Return a value as the atom of a draft: "$4", "40%", "number 4" or "4 day"."""
    if thing.unit in "$€£":
        return f"{thing.unit}{thing.value:g}"
    if thing.unit == "number":
        return f"number {thing.value:g}"
    return f"{thing.value:g}{thing.unit}" if thing.unit == "%" else f"{thing.value:g} {thing.unit}"


def _document(thing: Thing) -> str:
    """Return where a thing stands, without the row or line."""
    return thing.passage.source.source.partition(",")[0]
