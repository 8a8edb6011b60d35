"""Judges superlatives: what a draft calls the cheapest or the largest has to be so by all values of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.comparing import Comparisons, Thing
from campus_agent.guardrail.finding import Finding, Said, Support, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import stem

# How many superlatives of a sentence are looked at.
_MOST = 10


@dataclass(frozen=True)
class Superlatives:
    """Judges them by the values that `comparisons` reads off the passages."""

    comparisons: Comparisons
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of each superlative in a sentence of `said`.

        One that no passage says, and no values bear out, is unsupported.
        """
        words = self.ground.lexicon
        if sentence.asks or sentence.denies or not self.ground.passages:
            return
        for match in list(words.pattern("superlative").finditer(said.text, sentence.start, sentence.end))[:_MOST]:
            clause = sentence.clauses[sentence.clause_at(match.start())]
            left = self.comparisons.stems(said.text[clause.start : match.start()])
            left = (left & self.ground.weights.keys()) - self._measuring
            noun = self.comparisons.stems(said.text[match.end() : clause.end])
            column = noun if self._takes_a_noun(match[0]) else frozenset[str]()
            support = self._said(match[0], left or noun) or self._by_values(match[0], left or noun, column, said.atoms)
            yield Finding(
                claim(match[0], match.start(), "comparison"), places[sentence.clause_at(match.start())], support
            )

    def _takes_a_noun(self, written: str) -> bool:
        """Whether what follows says what is counted, as in "the most beds", not what is called so."""
        return not self.ground.lexicon.words("of_a_noun").isdisjoint(written.lower().split())

    @property
    def _measuring(self) -> frozenset[str]:
        """The stems of the verbs that say how much something is, not what."""
        language = self.ground.language
        return frozenset(stem(word, language) for word in self.ground.lexicon.words("measuring"))

    def _said(self, written: str, subject: frozenset[str]) -> Support | None:
        """Return the passage that says the same of the subject."""
        for passage in self.ground.passages:
            if f" {written.lower()} " in passage.plain and (not subject or subject & passage.words):
                return Support(passage.source.source, passage.source)
        return None

    def _by_values(
        self, written: str, subject: frozenset[str], column: frozenset[str], atoms: frozenset[str]
    ) -> Support | None:
        measure, sign = self.ground.lexicon.table("superlatives")[written.lower()]
        for things in self.comparisons.measured(measure, column):
            named = self._named(things, subject) or next((one for one in things if _written(one) in atoms), None)
            if named is None:
                continue
            rivals = [one for one in things if one.unit == named.unit and self._is_alike(one, named)]
            if len(rivals) > 1 and all(sign * (named.value - one.value) >= 0 for one in rivals):
                return Support(named.passage.source.source, named.passage.source)
            return None
        return None

    def _named(self, things: Sequence[Thing], subject: frozenset[str]) -> Thing | None:
        """Return the one thing that the words name best; None where two are named as well, with other values."""
        scored = [(self.comparisons.score(thing, subject), thing) for thing in things]
        best = max((score for score, _ in scored), default=0.0)
        found = [thing for score, thing in scored if score == best > 0]
        return found[0] if len({thing.value for thing in found}) == 1 else None

    def _is_alike(self, one: Thing, other: Thing) -> bool:
        """Whether two values are of one list: of one passage, or of passages of one document."""
        return _document(one) == _document(other)


def _written(thing: Thing) -> str:
    """Return a value as the atom of a draft: "$4"."""
    return f"{thing.unit}{thing.value:g}" if thing.unit == "$" else f"{thing.value:g}{thing.unit}"


def _document(thing: Thing) -> str:
    """Return where a thing stands, without the row or line."""
    return thing.passage.source.source.partition(",")[0]
