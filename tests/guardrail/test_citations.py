"""A reference that a model puts behind a sentence: it belongs to that sentence, and says nothing of the next."""

from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from tests.guardrail.test_guardrail import CLUB, COUNTED, OFFICE, found
from tests.guardrail.triples import REFUSAL


@pytest.mark.parametrize(
    "reference", ["", "(learning.md, line 9) ", "[1] ", "[clubs.md] ", "(see handbook.pdf, page 3) "]
)
def test_what_stands_behind_a_reference_is_a_sentence_of_its_own(reference: str) -> None:
    draft = f"The AI Club meets every Thursday at 5 PM. {reference}The next Thursday is in 5 days, on June 18, 2026."
    review = Guardrail(refusal=REFUSAL).review(
        draft, question="When does the AI Club meet?", evidence=(found(CLUB, OFFICE), COUNTED)
    )
    assert [fact.text for fact in review.unsupported] == []


@pytest.mark.parametrize("reference", ["(clubs.md, line 3)", "[1]"])
def test_a_reference_does_not_make_a_wrong_value_right(reference: str) -> None:
    draft = f"Office hours are Tuesdays. {reference} The AI Club meets every Tuesday."
    review = Guardrail(refusal=REFUSAL).review(
        draft, question="When does the AI Club meet?", evidence=(found(CLUB, OFFICE),)
    )
    assert "Tuesday" in [fact.text for fact in review.unsupported]
