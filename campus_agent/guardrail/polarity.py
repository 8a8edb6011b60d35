"""Judges whether a draft says that something is allowed, needed or included where a passage says the opposite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.statements import HAPPENING, NEEDED, Statement, statements
from campus_agent.guardrail.words import stems

# One in so many words of a statement has to be shared by what turns it round.
_FEW = 3
# So many words of a statement are enough to bear out what is asked in others.
_MUCH = 2
# A passage that is less near than this, beside the nearest, speaks of something else.
_NEAR = 0.8


@dataclass(frozen=True)
class Polarity:
    """Compares what a draft affirms or denies with what the passages do. `question` is what the person asked."""

    question: Said
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place], *, denied: bool = False) -> Iterator[Finding]:
        """Yield what is turned round in a sentence of `said`; `places` are those of its clauses.

        With `denied`, the sentence is what a bare no says not to be so.
        """
        for place in () if sentence.asks else places:
            for statement in statements(place.clause, self.ground.language):
                statement = replace(statement, denied=statement.denied != denied)
                if self._is_turned_round(statement, place):
                    yield Finding(_claim(said.text, statement), place, None)

    def agrees(self, asked: Said, *, denied: bool) -> bool:
        """Whether a yes to `asked`, or with `denied` a no, says what a statement of the passages does."""
        return any(
            self._is_said(replace(statement, denied=statement.denied != denied), frozenset(clause.subjects))
            for clause in asked.clauses
            for statement in statements(clause, self.ground.language)
        )

    def _is_said(self, statement: Statement, about: frozenset[str]) -> bool:
        return any(
            other.denied == statement.denied and self._is_of(statement, other, passage.title, about)
            for passage in self.ground.passages
            for other in passage.statements
            if other.sense == statement.sense
        )

    def _is_of(self, one: Statement, other: Statement, title: frozenset[str], about: frozenset[str]) -> bool:
        """Whether a statement bears out another: what is forbidden with a thing is, and much of what is allowed."""
        if one.wide:
            return bool((other.about | title) & about) if one.denied else len(other.about & about) >= _MUCH
        return bool(other.about & about)

    def _is_turned_round(self, statement: Statement, place: Place) -> bool:
        """Whether the nearest statements of the passages with the same sense all say the opposite."""
        asked = frozenset(stem for clause in self.question.clauses for stem in clause.subjects)
        about = statement.about or frozenset(place.subject.subjects) or asked
        scores = self.ground.scores(dict.fromkeys(about, 1.0))
        best = max(scores.values(), default=0.0)
        others = [
            ((len(about & (other.about | other.lent)), len(about & other.about)), other)
            for index, passage in enumerate(self.ground.passages)
            if scores.get(index, 0.0) >= _NEAR * best and not self._excepts(passage, about)
            for other in passage.statements
            if other.sense == statement.sense and _may_compare(statement, other, about)
        ]
        nearest = max((shared for shared, _ in others), default=(0, 0))
        found = [other for shared, other in others if shared == nearest]
        return nearest[1] * _FEW >= max(1, len(about)) and all(other.denied != statement.denied for other in found)

    def _excepts(self, passage: Passage, about: frozenset[str]) -> bool:
        """Whether a passage makes an exception of what a statement is about: "no candles, except for electric ones"."""
        cases = self.ground.lexicon.pattern("all_but").finditer(passage.text)
        return any(not about.isdisjoint(stems(one["whom"], self.ground.language)) for one in cases)


def _may_compare(one: Statement, other: Statement, about: frozenset[str]) -> bool:
    """Whether two statements of one sense are of the same: what a "may" says holds of whatever includes all of it."""
    if one.sense == HAPPENING and one.about - other.about:
        return False  # what takes place does not in another hall
    if not (one.wide or other.wide):
        return True
    if one.limited or other.limited:
        return False
    return len(other.about - about) <= (1 if one.sense == NEEDED else 0)  # a cap is a swim cap


def _claim(text: str, statement: Statement) -> Fact:
    """Return the predicate, with the word that denies it, as a fact of the draft."""
    start = statement.start
    written = text[start : statement.end]
    words = f"not {written}" if statement.denied else written
    return Fact("claim", words, (frozenset((words,)),), frozenset(), written, start, statement.end)
