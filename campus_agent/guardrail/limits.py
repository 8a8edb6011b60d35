"""Judges limits: "less than $100" is so of what costs $95, "more than 20 seats" of what has 24."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.senses import Senses

# How many values of a passage, or of a question, are looked at.
_MOST = 200


def within_limit(fact: Fact, text: str, question: Said, ground: Ground) -> Iterator[Fact]:
    """Yield the values of passages for which a limit that was asked about holds, as `text` says, each in its place."""
    if fact.amount is None or not fact.supported_by(question.atoms):
        return
    unit, limit = fact.amount
    sense = Senses(ground.lexicon).limit(fact, text)
    told = (one for passage in ground.passages for one in passage.facts[:_MOST]) if sense else ()
    amounts = {one.normal: (one, one.amount[1]) for one in told if one.amount and one.amount[0] == unit}
    for one, size in amounts.values():
        if size > limit if sense == "more" else size < limit:
            yield replace(fact, normal=one.normal, needs=one.needs, gives=one.gives)


def turns_limit(fact: Fact, text: str, question: Said, ground: Ground) -> bool:
    """Whether `text` says "more" than an amount of which the question says "less", or the other way round."""
    senses = Senses(ground.lexicon)
    asked = {senses.limit(one, question.text) for one in question.facts[:_MOST] if one.normal == fact.normal}
    return bool(sense := senses.limit(fact, text)) and sense not in asked
