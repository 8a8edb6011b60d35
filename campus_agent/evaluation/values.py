"""The facts of an expectation, and those of the texts that it is compared with."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from campus_agent.guardrail.clauses import sentences
from campus_agent.guardrail.fact import Fact, blank
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.lexicon import ENGLISH, languages, lexicon
from campus_agent.guardrail.passages import says_not_on
from campus_agent.guardrail.words import stems

_NAMED = 12  # facts
_NEAR = 120  # characters before a fact in which it may be denied


def facts_expected(text: str, language: str = ENGLISH) -> tuple[Fact, ...]:
    """Return the facts of an expectation, in the language of the base or, where it holds none in it, in another one.

    A lone word that would only be a name may also be a day in another language: on a Spanish base `Monday` is lunes.
    """
    found = facts(text, language)
    if found and (" " in text or any(fact.kind != "name" for fact in found)):
        return found
    others = [facts(text, name) for name in sorted(languages() - {language})]
    values = (other for other in others if any(fact.kind != "name" for fact in other))
    return next(values, found or next(filter(None, others), ()))


def _itself(fact: Fact) -> Fact:
    """Return a bare number as one that only a number or a count holds, no room, hour or price of the same digits."""
    if fact.kind != "number" or f"bare {fact.normal}" not in fact.gives:
        return fact
    return replace(fact, needs=(frozenset(f"{sort} {fact.normal}" for sort in ("number", "bare", "count")),))


def _denied(answer: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield where the facts stand to which a denial leads right up in their clause, and the days that are closed."""
    told = facts(answer, language)
    starts = [start for sentence in sentences(answer, told, language=language) for start in sentence.starts]
    for fact in told:
        clause = starts[max(0, bisect_right(starts, fact.start) - 1)]
        before = answer[max(clause, fact.start - _NEAR) : fact.start]
        if says_not_on(answer, fact, language) or lexicon(language).pattern("not_so").search(before):
            yield fact.start, fact.end


@dataclass(frozen=True, slots=True)
class Values:
    """The facts of some texts, and all that they vouch for."""

    facts: tuple[Fact, ...]
    atoms: frozenset[str]
    words: frozenset[str]
    language: str

    @classmethod
    def of(cls, texts: Iterable[str], language: str, *also: str) -> Values:
        """Read texts in the language of the base and in others: the tools of this program speak English."""
        text = "\n".join(texts)
        read = dict.fromkeys((language, *also))
        found = tuple(fact for name in read for fact in facts(text, name))
        words = frozenset[str]().union(*(stems(text, name) for name in read))
        return cls(found, frozenset(atom for fact in found for atom in fact.gives), words, language)

    @classmethod
    def stated(cls, answer: str, language: str) -> Values:
        """Read an answer without the values that it denies in so many words: "it does not meet on Tuesday"."""
        return cls.of([blank(answer, _denied(answer, language))], language)

    def hold(self, text: str) -> bool:
        """Whether every fact of `text` is among these, however it is written; a name may be written as words."""
        return all(
            _itself(fact).supported_by(self.atoms | self.words if fact.kind == "name" else self.atoms)
            for fact in facts_expected(text, self.language)
        )

    def __str__(self) -> str:
        named = list(dict.fromkeys(fact.text for fact in self.facts))
        return ", ".join(named[:_NAMED]) + (", ..." if len(named) > _NAMED else "") or "no fact"
