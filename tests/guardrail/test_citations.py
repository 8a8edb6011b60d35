"""A reference that a model puts behind a sentence: it belongs to that sentence, and says nothing of the next."""

from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.tools.tool import Source
from tests.guardrail.test_guardrail import CLUB, COUNTED, OFFICE, found
from tests.guardrail.triples import REFUSAL


@pytest.mark.parametrize("reference", ["", "(clubs.md, line 3) ", "[1] ", "[clubs.md] ", "(see faculty.md, page 3) "])
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


@pytest.mark.parametrize(
    ("end", "named"),
    [
        (".", []),
        (" (clubs.md, line 3).", []),
        (". Source: clubs.md", []),
        (". Source: the knowledge base", []),
        (" (see handbook.pdf, page 12).", ["handbook.pdf"]),
        (" (docs/handbook.pdf).", ["handbook.pdf"]),
        (" (see the student handbook, page 12).", ["the student handbook"]),
        (" (source: events.md).", ["events.md"]),
        (", as https://example.edu/rules.pdf says.", ["rules.pdf"]),
    ],
)
def test_a_source_that_nothing_found_came_from_is_unsupported(end: str, named: list[str]) -> None:
    review = Guardrail(refusal=REFUSAL).review(
        f"The AI Club meets every Thursday at 5 PM{end}",
        question="When does the AI Club meet?",
        evidence=(found(CLUB),),
    )
    assert [fact.text for fact in review.unsupported if fact.kind == "name"] == named


def test_a_document_that_a_passage_or_the_question_names_may_be_named() -> None:
    passage = Source(title="Ferry pass", source="ferry.md", line=2, text="Hand in pass-form.pdf at the pier.")
    for question in ("How do I get a ferry pass?", "Do I need id.pdf for the ferry pass?"):
        review = Guardrail(refusal=REFUSAL).review(
            "Hand in pass-form.pdf.", question=question, evidence=(found(passage),)
        )
        assert review.unsupported == ()
