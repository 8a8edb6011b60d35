"""Tells whether a statement without a value says of one thing what the passages say of another.

A passage belongs to the thing that its title, or the first column of its row, names and no other does. What is said of
that thing in words that only the passage of another one has is the other's. Inside a passage, "oils into the blue can,
bases into the grey can" gives each its own: the same noun has another word before it where the rest is spoken of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise, permutations

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.words import fold, stem

# So many words of another thing's sentence are no chance; of a row, whose cells are all alike, one is enough.
_FOREIGN, _OF_A_ROW = 2, 1
# How many sentences and clauses of a passage are looked at, and how many sentences compared with each other.
_MOST, _COMPARED = 60, 12


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence: its stems, and those before its first verb."""

    stems: frozenset[str]
    lead: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Told:
    """A passage: its sentences, and its clauses as their stems and the pairs of neighbours among them."""

    sentences: tuple[_Part, ...]
    clauses: tuple[tuple[frozenset[str], frozenset[tuple[str, str]]], ...]


@dataclass(frozen=True)
class Belonging:
    """Looks for what belongs to something else than a draft says."""

    ground: Ground
    _read: dict[str, _Told] = field(default_factory=dict)

    def is_of_another(self, clause: Clause, sentence: Sentence) -> bool:
        """Whether a clause that holds no value says of its subject what the passages say of another one."""
        words = self.ground.lexicon
        compares = words.words("comparatives") | words.words("superlatives") | words.words("likening")
        compares -= words.words("ordinals")
        if compares.intersection(word for word, _ in clause.plain):
            return False
        said = [stem for stem in clause.subjects if stem in self.ground.weights and stem not in self._vague]
        whole = frozenset(stem for one in sentence.clauses for stem in one.subjects)
        return self._is_of_another_passage(said) or any(
            self._is_crossed(clause, frozenset(said), whole, passage)
            or self._is_crossed_over(frozenset(said), whole, passage)
            or self._is_split(frozenset(said), passage)
            for passage in self.ground.passages
        )

    def _is_crossed_over(self, said: frozenset[str], whole: frozenset[str], passage: Passage) -> bool:
        """Whether a statement names what one sentence begins with, and goes on with what another says of its own."""
        vague = self._vague | passage.title
        told = [one for one in self._told(passage).sentences if not said.isdisjoint(one.stems)]
        return any(
            (one.lead - vague - other.stems) & said
            and other.lead - vague - one.lead
            and not (other.lead - vague - one.lead) & whole
            and len((said & other.stems) - one.stems - other.lead - passage.title)
            >= (_FOREIGN - bool(one.lead & other.lead))
            and not said & (one.stems - other.stems - one.lead)
            for one, other in permutations(told[:_COMPARED], 2)
        )

    def _told(self, passage: Passage) -> _Told:
        if passage.text not in self._read:
            self._read[passage.text] = _Told(
                tuple(_Part(frozenset(_stems(one.clauses)), self._lead(one)) for one in passage.sentences[:_MOST]),
                tuple((frozenset(one.subjects), frozenset(_pairs(one))) for one in islice(passage.clauses, _MOST)),
            )
        return self._read[passage.text]

    def _lead(self, sentence: Sentence) -> frozenset[str]:
        """Return the stems before the first verb of a sentence."""
        first, finite = sentence.clauses[-1].end, self.ground.lexicon.words("finite")
        verb = next((at for one in sentence.clauses for word, at in one.plain if word in finite), first)
        lead = [word.stem for one in sentence.clauses for word in one.free if word.stem and word.start < verb]
        return frozenset(lead) if verb < first else frozenset()

    def _is_split(self, said: frozenset[str], passage: Passage) -> bool:
        """Whether half of a statement is what one sentence says, and half what another does, with nothing in common."""
        said = said - passage.title
        if not said <= passage.words:
            return False
        halves = [said & one.stems for one in self._told(passage).sentences if said & one.stems]
        return len(halves) == 2 and not halves[0] & halves[1] and min(map(len, halves)) >= _FOREIGN

    @cached_property
    def _vague(self) -> frozenset[str]:
        return self.ground.light - self.ground.people

    @cached_property
    def _owned(self) -> Sequence[frozenset[str]]:
        """By passage, the stems that name what it is about, and that name no other's."""
        aspects = {stem(fold(word), self.ground.language) for word in self.ground.lexicon.words("aspects")}
        return [
            frozenset(name for name in one.title | one.label if len(self.ground.holders[name]) == 1)
            - self._vague
            - aspects
            for one in self.ground.passages
        ]

    def _is_of_another_passage(self, said: Sequence[str]) -> bool:
        own = next((at for name in said for at, names in enumerate(self._owned) if name in names), None)
        if own is None:
            return False
        passage = self.ground.passages[own]
        strange = frozenset(said) - passage.words
        cells = (label for label, cell in pairwise(passage.clauses) if cell.denies and not cell.subjects)
        if passage.label and any(label.subjects and set(label.subjects) <= set(said) for label in cells):
            return True  # Lights: no
        return any(
            len(strange & sentence.stems) >= (_OF_A_ROW if passage.label and other.label else _FOREIGN)
            for at, other in enumerate(self.ground.passages)
            if at != own and self._owned[at]
            for sentence in self._told(other).sentences
        )

    def _is_crossed(self, clause: Clause, said: frozenset[str], whole: frozenset[str], passage: Passage) -> bool:
        """Whether the clause that speaks of the rest has another word before the noun, and another clause has this."""
        theirs = self._told(passage).clauses
        for before, noun in _pairs(clause):
            rest = said - {before, noun} - passage.title
            own = [stems for stems, pairs in theirs if (before, noun) in pairs]
            if not rest or not own or any(rest & stems for stems in own):
                continue
            if any(
                rest & stems and before not in stems and any(n == noun and b not in whole for b, n in pairs)
                for stems, pairs in theirs
            ):
                return True
        return False


def _stems(clauses: Iterable[Clause]) -> Iterable[str]:
    return (stem for clause in clauses for stem in clause.subjects)


def _pairs(clause: Clause) -> Iterable[tuple[str, str]]:
    """Yield the stems of neighbours, a word and the noun after it."""
    for one, other in pairwise(clause.free):
        if one.stem and other.stem and other.start - one.end <= 1:
            yield one.stem, other.stem
