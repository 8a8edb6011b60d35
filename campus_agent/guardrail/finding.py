"""What the check of a draft works with: a text that was read, and what is found of each of its facts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from campus_agent.guardrail.clauses import Clause, Sentence, sentences
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.relative import resolved
from campus_agent.guardrail.review import CheckedFact
from campus_agent.guardrail.words import Kinds, stems
from campus_agent.tools.tool import Source

QUESTION = "question"
# How many clauses of a question are looked at.
_CLAUSES = 40
# How many facts of a clause are looked at.
_INSIDE = 40
_REMEMBERED = 12  # texts, read


@dataclass(frozen=True, slots=True)
class Support:
    """What a fact rests on: a passage, or else the name of a tool (or "question", for a value only repeated)."""

    source: str
    passage: Source | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact of the draft, its support if it has any, and where it stands."""

    fact: Fact
    place: Place
    support: Support | None

    @property
    def checked(self) -> CheckedFact:
        """The finding as a review carries it."""
        source = self.support.source if self.support else None
        return CheckedFact(text=self.fact.text, kind=self.fact.kind, supported=source is not None, source=source)


@dataclass(frozen=True)
class Said:
    """A text, read: its facts, their atoms, the stems of its words, its sentences and clauses."""

    text: str
    facts: tuple[Fact, ...]
    sentences: tuple[Sentence, ...]
    language: str

    @cached_property
    def atoms(self) -> frozenset[str]:
        """What its facts give."""
        return frozenset(atom for fact in self.facts for atom in fact.gives)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of its words."""
        return stems(self.text, self.language)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all sentences."""
        return tuple(clause for sentence in self.sentences for clause in sentence.clauses)[:_CLAUSES]

    def inside(self, clause: Clause | Sentence) -> Iterator[Fact]:
        """Yield the facts of a clause or a sentence; of a very long one, the first."""
        first = bisect_left(self.facts, clause.start, key=lambda fact: fact.start)
        return takewhile(lambda fact: fact.start < clause.end, islice(self.facts, first, first + _INSIDE))

    def names_a_day(self, clause: Clause) -> bool:
        """Whether a clause has a weekday or a date."""
        return any(fact.kind in ("weekday", "date") for fact in self.inside(clause))

    def stated(self) -> Said:
        """Return the same text with its questions read as statements."""
        return replace(self, sentences=tuple(replace(sentence, asks=False) for sentence in self.sentences))


def said(text: str, ground: Ground) -> Said:
    """Read a question or a draft, on the day of the observations; names that they abbreviate are read as initials."""
    return _said(text, frozenset(ground.today), ground.acronyms, ground.kinds, ground.language)


@lru_cache(_REMEMBERED)  # the question, and what is allowed, stay the same from one review to the next
def _said(text: str, today: frozenset[date], acronyms: frozenset[str], kinds: Kinds, language: str) -> Said:
    found = tuple(resolved(fact, today) for fact in facts(text, language))
    return Said(text, found, sentences(text, found, acronyms=acronyms, kinds=kinds, language=language), language)


def claim(text: str, start: int, kind: str = "claim") -> Fact:
    """Make a fact of what a draft states without a value, `text` at the character `start` of it."""
    return Fact(kind, text, (frozenset((text,)),), frozenset(), text, start, start + len(text))
