"""Judges limits: "less than $100" is so of what costs $95, "more than 20 seats" of what has 24."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.senses import Senses

_AMOUNT = re.compile(r"(?P<before>[^\d.-]*)(?P<figure>\d+(?:\.\d+)?)(?P<unit>\D*)")
_AMOUNTS = frozenset(("number", "money", "percent"))
# How many values of a passage are looked at.
_MOST = 200


def within_limit(fact: Fact, text: str, question: Said, ground: Ground) -> Iterator[Fact]:
    """Yield the values of passages for which a limit that was asked about holds, as `text` says, each in its place."""
    asked = fact.kind in _AMOUNTS and fact.supported_by(question.atoms)
    sense = Senses(ground.lexicon).limit(fact, text) if asked else ""
    for amount, one in _amounts(fact, ground) if sense else ():
        if amount > _figure(fact) if sense == "more" else amount < _figure(fact):
            yield replace(fact, normal=one.normal, needs=one.needs, gives=one.gives)


def exceeds(fact: Fact, text: str, question: Said, ground: Ground) -> bool:
    """Whether `text` says "more" than an amount of which the question says "less", or otherwise limits it."""
    senses = Senses(ground.lexicon)
    asked = {senses.limit(one, question.text) for one in question.facts[:_MOST] if one.normal == fact.normal}
    return bool(sense := senses.limit(fact, text)) and sense not in asked


def _amounts(fact: Fact, ground: Ground) -> Iterator[tuple[float, Fact]]:
    """Yield the values of the kind and unit of a fact, each once."""
    seen = set()
    limit = _AMOUNT.fullmatch(fact.normal)
    for passage in ground.passages if limit else ():
        for one in passage.facts[:_MOST]:
            amount = _AMOUNT.fullmatch(one.normal) if one.kind == fact.kind and one.normal not in seen else None
            if limit and amount and limit.group("before", "unit") == amount.group("before", "unit"):
                seen.add(one.normal)
                yield float(amount["figure"]), one


def _figure(fact: Fact) -> float:
    amount = _AMOUNT.fullmatch(fact.normal)
    return float(amount["figure"]) if amount else 0.0
