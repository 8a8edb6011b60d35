"""Finds the passages that hold a fact, whatever they say of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.passages import Passage, squeezed
from campus_agent.guardrail.places import is_place, stands_in

# How many facts of a question are looked at.
_LOOKED_AT = 40


@dataclass
class Holders:
    """The indexes of the passages that hold a fact; each fact is looked up once.

    Attributes:
        question: what was asked: a time or date of it may also lie within a span that a passage gives.
        allowed: text whose names carry no facts when repeated.
        ground: the observations.
        affirms: whether the facts are those of a question that is affirmed.
    """

    question: Said
    allowed: Said
    ground: Ground
    affirms: bool
    _found: dict[tuple[str, bool], list[int]] = field(default_factory=dict)

    @cached_property
    def with_weekdays(self) -> list[int]:
        """The passages that name a weekday."""
        return [index for index, passage in enumerate(self.ground.passages) if "weekday" in passage.kinds]

    @cached_property
    def with_days(self) -> list[int]:
        """The passages that name a weekday or a date."""
        return [index for index, passage in enumerate(self.ground.passages) if passage.kinds & {"weekday", "date"}]

    @cached_property
    def with_spans(self) -> list[int]:
        """The passages that give a span of time."""
        return [index for index, passage in enumerate(self.ground.passages) if passage.spans]

    def value(self, fact: Fact, *, denied: bool) -> list[int]:
        """Return the passages that hold a value; with `denied`, also those that say that something is not that day."""
        key = (f"{fact.kind} {fact.normal}", denied)
        if key not in self._found:
            asked = fact.supported_by(self.question.atoms) and not (self.affirms and denied)
            within = fact.kind in ("time", "date") and asked
            self._found[key] = [
                index
                for index, passage in enumerate(self.ground.passages)
                if fact.supported_by(passage.gives | passage.denied if denied else passage.gives)
                or (within and passage.within(fact))
            ]
        return self._found[key]

    def name(self, fact: Fact) -> list[int]:
        """Return the passages that hold every telling word of a name; of a place, near each other."""
        key = (f"name {fact.normal}", False)
        if key not in self._found:
            allowed, language = self.allowed.words, self.ground.language
            self._found[key] = [
                index
                for index, passage in enumerate(self.ground.passages)
                if all(
                    group & passage.words or group & passage.gives or group & allowed or _phrased(group, passage)
                    for group in fact.needs
                )
                and (not is_place(fact) or stands_in(fact, passage.text, language))
                and not _is_another_house(fact, passage, language)
            ]
        return self._found[key]

    def asked(self, sentence: Sentence) -> tuple[Clause, ...]:
        """Return the clauses of the question; for a sentence that denies, without the places that no passage knows."""
        return self._asked_elsewhere if sentence.denies else self.question.clauses

    @cached_property
    def _asked_elsewhere(self) -> tuple[Clause, ...]:
        clauses = self.question.clauses
        for fact in self.question.facts[:_LOOKED_AT]:
            if is_place(fact) and not self.name(fact):
                clauses = tuple(clause.without(fact) for clause in clauses)
        return clauses


def _is_another_house(fact: Fact, passage: Passage, language: str) -> bool:
    """Whether a passage calls another kind of place by the name: Loomis Chapel where the draft has Loomis Hall."""
    heads = lexicon(language).words("place_heads")
    *_, before, head = ["", "", *squeezed(fact.text).split()]
    if head not in heads or not before or is_place(fact):
        return False
    named = re.findall(rf" {re.escape(before)} (\w+)", passage.plain)
    return bool(named) and head not in named and all(other in heads for other in named)


def _phrased(group: Iterable[str], passage: Passage) -> bool:
    """Whether a passage holds one of the atoms of several words."""
    return any(" " in words and f" {words} " in passage.plain for words in group)
