from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from tests.guardrail.triples import REFUSAL, Triple, load, load_fresh

TRIPLES = load()
TUNED = [triple for triple in TRIPLES if triple.half == "tuned"]
UNTOUCHED = [triple for triple in TRIPLES if triple.half == "untouched"]


def unsupported(triple: Triple) -> tuple[str, ...]:
    review = Guardrail(refusal=REFUSAL).review(triple.draft, question=triple.question, evidence=triple.evidence)
    return tuple(fact.text for fact in review.unsupported)


@pytest.mark.parametrize("triple", TUNED, ids=lambda triple: f"{triple.sort}: {triple.draft[:50]!r}")
def test_exactly_the_facts_that_nothing_supports_are_named(triple: Triple) -> None:
    assert unsupported(triple) == triple.unsupported


def test_nearly_all_drafts_of_the_other_half_are_judged_rightly() -> None:
    right = sum(bool(unsupported(triple)) == bool(triple.unsupported) for triple in UNTOUCHED)
    assert right >= 0.95 * len(UNTOUCHED)


def test_no_right_answer_of_the_untouched_half_is_rejected() -> None:
    assert [triple.draft for triple in UNTOUCHED if not triple.unsupported and unsupported(triple)] == []


@pytest.mark.parametrize(
    ("name", "half", "least"),
    [
        ("fresh.json", "first", 0.98),
        ("fresh.json", "held out", 0.95),
        ("chatty.json", "first", 0.97),
        ("chatty.json", "held out", 0.95),
    ],
)
def test_of_other_drafts_few_right_ones_are_rejected_and_few_wrong_ones_pass(
    name: str, half: str, least: float
) -> None:
    drafts = [triple for triple in load_fresh(name) if triple.half == half]
    flagged = [triple for triple in drafts if unsupported(triple)]
    wrong = [triple for triple in drafts if triple.unsupported]
    both = sum(bool(triple.unsupported) for triple in flagged)
    assert both >= least * len(flagged)
    assert both >= least * len(wrong)
