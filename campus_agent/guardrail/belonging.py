"""Tells whether a statement without a value says of one thing what the passages say of another.

A passage belongs to the thing that its title, or the first column of its row, names and no other does. What is said of
that thing in words that only the passage of another one has is the other's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.words import listed_stems

# So many words of another thing's sentence are no chance; of a row, whose cells are all alike, one is enough.
_FOREIGN, _OF_A_ROW = 2, 1
# How many sentences of a passage are looked at.
_MOST = 60


@dataclass(frozen=True)
class Belonging:
    """Looks for what belongs to something else than a draft says."""

    ground: Ground
    _read: dict[str, Sequence[frozenset[str]]] = field(default_factory=dict)

    def is_of_another(self, clause: Clause) -> bool:
        """Whether a clause that holds no value says of its subject what the passages say of another one."""
        words = self.ground.lexicon
        compares = words.words("comparatives") | words.words("superlatives") | words.words("likening")
        if (compares - words.words("ordinals")).intersection(word for word, _ in clause.plain):
            return False
        said = [stem for stem in clause.subjects if stem in self.ground.weights and stem not in self._vague]
        own = next((at for name in said for at, names in enumerate(self._owned) if name in names), None)
        if own is None:
            return False
        passage = self.ground.passages[own]
        strange = frozenset(said) - passage.words
        return any(
            len(strange & stems) >= (_OF_A_ROW if passage.label and other.label else _FOREIGN)
            for at, other in enumerate(self.ground.passages)
            if at != own and self._owned[at]
            for stems in self._told(other)
        )

    def _told(self, passage: Passage) -> Sequence[frozenset[str]]:
        """Return the stems of each sentence of a passage."""
        if passage.text not in self._read:
            self._read[passage.text] = tuple(
                frozenset(stem for clause in sentence.clauses for stem in clause.subjects)
                for sentence in passage.sentences[:_MOST]
            )
        return self._read[passage.text]

    @cached_property
    def _vague(self) -> frozenset[str]:
        return self.ground.light - self.ground.people

    @cached_property
    def _owned(self) -> Sequence[frozenset[str]]:
        """By passage, the stems that name what it is about, and that name no other's."""
        aspects = listed_stems("aspects", self.ground.language)
        return [
            frozenset(name for name in one.title | one.label if len(self.ground.holders[name]) == 1)
            - self._vague
            - aspects
            for one in self.ground.passages
        ]
