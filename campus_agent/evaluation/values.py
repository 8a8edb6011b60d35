"""The facts of an expectation, and those of the texts that it is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.lexicon import ENGLISH, languages
from campus_agent.guardrail.words import stems

_NAMED = 12  # facts


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

    def hold(self, text: str) -> bool:
        """Whether every fact of `text` is among these, however it is written; a name may be written as words."""
        return all(
            fact.supported_by(self.atoms | self.words if fact.kind == "name" else self.atoms)
            for fact in facts_expected(text, self.language)
        )

    def __str__(self) -> str:
        named = list(dict.fromkeys(fact.text for fact in self.facts))
        return ", ".join(named[:_NAMED]) + (", ..." if len(named) > _NAMED else "") or "no fact"
