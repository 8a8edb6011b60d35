"""Reads what a clause says to be needed, allowed, included or the like, in whatever word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.words import special_stems


@dataclass(frozen=True, slots=True)
class Statement:
    """That something is allowed, needed or the like, or is not.

    Attributes:
        sense: what is said, the same for "required" and "necessary".
        about: the stems of the other words of its clause; `lent` those of the clause before it in the sentence.
        denied: whether it is said not to be so: "not required", "optional".
        start: where the word that says so begins; it ends at `end`.
    """

    sense: str
    about: frozenset[str]
    denied: bool
    start: int
    end: int
    lent: frozenset[str] = frozenset()


def statements(clause: Clause, language: str) -> Iterator[Statement]:
    """Yield what a clause says to be so; nothing for a condition such as "if it is required"."""
    words, special = lexicon(language), special_stems(language)
    if words.words("conditions").intersection(word for word, _ in clause.plain[:1]):
        return
    senses = words.table("predicates")
    for word in clause.free:
        if word.folded in senses:
            sense, sign = senses[word.folded]
            about = frozenset(clause.subjects) - {word.stem} - (special.light - special.people)
            yield Statement(sense, about, clause.denies == (sign > 0), word.start, word.end)
