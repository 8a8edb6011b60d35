"""Judges what is so of one thing alone: where only the annex is open, a draft may not say so of the library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import stems

# How many sentences of a passage are looked at.
_MOST = 60


@dataclass(frozen=True, slots=True)
class _Alone:
    """That a sentence of `passage` says `what` of nothing but `whom`, in the case or the title `when`; as stems."""

    whom: frozenset[str]
    what: frozenset[str]
    when: frozenset[str]
    passage: Passage


@dataclass(frozen=True)
class Exclusives:
    """Compares what a draft says of a thing with what passages say of another alone. `question` was asked."""

    question: Said
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each clause of a sentence of `said` that says of a thing what is so of another alone."""
        plain = {word for clause in sentence.clauses for word, _ in clause.plain}
        if sentence.asks or not plain.isdisjoint(self.ground.lexicon.words("limits")):
            return
        for place in places:
            own = frozenset(place.clause.subjects)
            if not place.clause.denies and any(self._is_of_another(own, one) for one in self._alone):
                text = said.text[place.clause.start : place.clause.end].strip(" ,;.\n")
                yield Finding(claim(text, place.clause.start), place, None)

    def _is_of_another(self, own: frozenset[str], one: _Alone) -> bool:
        telling = frozenset(stem for stem in own if self.ground.distinctive(stem))
        if own & one.whom or not telling - one.passage.words or own.isdisjoint(one.what):
            return False
        if one.when.isdisjoint(own | self.question.words):
            return False
        said = telling | (own & one.what)
        return not any(said <= other.words for other in self.ground.passages if other is not one.passage)

    @cached_property
    def _alone(self) -> Sequence[_Alone]:
        return [one for passage in self.ground.passages for one in self._told(passage)]

    def _told(self, passage: Passage) -> Iterator[_Alone]:
        language, text = self.ground.language, passage.text
        light = self.ground.light - self.ground.people
        for sentence in passage.sentences[:_MOST]:
            for name in ("alone", "one_of"):
                if match := self.ground.lexicon.pattern(name).search(text, sentence.start, sentence.end):
                    start, end = match.span("whom")
                    clause = sentence.clauses[sentence.clause_at(end)]
                    whom, what = stems(text[start:end], language), stems(text[end : clause.end], language)
                    when = stems(text[sentence.start : start], language) - light - passage.title - whom
                    yield _Alone(whom, what, when or passage.title, passage)
