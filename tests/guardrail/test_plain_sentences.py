from __future__ import annotations

from collections import Counter

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from tests.guardrail.plain import load_plain
from tests.guardrail.triples import REFUSAL, Triple

PLAIN = load_plain("plain_campus.json")


def is_flagged(triple: Triple) -> bool:
    review = Guardrail(refusal=REFUSAL).review(triple.draft, question=triple.question, evidence=triple.evidence)
    return bool(review.unsupported) or review.off_topic


@pytest.mark.parametrize("kind", ["room", "day", "phone"])
def test_however_it_is_told_asked_and_answered_the_value_of_another_thing_is_named(kind: str) -> None:
    told = [triple for triple in PLAIN if triple.sort == kind]
    assert len(told) > 500
    assert [(one.question, one.draft) for one in told if is_flagged(one) != bool(one.unsupported)] == []


def test_ordinary_sentences_multiplied_are_told_apart() -> None:
    counts = Counter((is_flagged(one), bool(one.unsupported)) for one in PLAIN)
    assert counts[True, True] >= 0.98 * (counts[True, True] + counts[False, True])
    assert counts[True, True] >= 0.98 * (counts[True, True] + counts[True, False])
