from __future__ import annotations

import pytest

from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

CAMPUS = "\n".join(
    (
        "- Passes: A swim pass costs $12. The sauna pass is $90. You pay $150 for the climbing pass. (a.md, line 1)",
        "- Workshops: The kiln is run by Ada Moss. Tom Reyes is in charge of the forge. (b.md, line 1)",
        "- Closing: At 9 PM the pool closes. At 11 PM the gym closes. (c.md, line 1)",
        "- Where: The choir meets in Finch Library 204. The band meets in Room 12 of the Old Mill. (d.md, line 1)",
        "- Loans: Laptops may be kept for 14 days. Cameras may be kept for 3 days. (e.md, line 1)",
        "- Seats: Recital hall: 85 seats. Studio: 30 seats. (f.md, line 1)",
    )
)


def wrong(draft: str, question: str) -> list[str]:
    evidence = [Evidence("search_campus_info", CAMPUS)]
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    ("question", "right", "not_so"),
    [
        ("How much is the sauna pass?", "It costs $90.", "It costs $12."),
        ("How much is the sauna pass?", "You pay $90.", "You pay $150."),
        ("Who runs the forge?", "Tom Reyes.", "Ada Moss."),
        ("Who runs the forge?", "Ask Tom Reyes.", "Ask Ada Moss."),
        ("Does Ada Moss run the forge?", "No, Tom Reyes does.", "Yes, Ada Moss runs it."),
        ("Where does the choir meet?", "Go to Finch Library 204.", "Go to Room 12 of the Old Mill."),
        ("Where does the band meet?", "In Room 12 of the Old Mill.", "In Finch Library 204."),
        ("How many seats does the studio have?", "30 seats.", "85 seats."),
    ],
)
def test_what_an_answer_leaves_unsaid_is_what_was_asked(question: str, right: str, not_so: str) -> None:
    assert wrong(right, question) == []
    assert wrong(not_so, question) != []


def test_words_that_stand_together_only_across_two_sentences_are_no_quote() -> None:
    assert wrong("The pool closes at 9 PM.", "When does the pool close?") == []
    assert wrong("The pool closes at 11 PM.", "When does the pool close?") == ["11 PM"]


@pytest.mark.parametrize(
    ("question", "right", "not_so"),
    [
        ("Is the sauna pass less than $100?", "Yes, it is less than $100.", "No, it is more than $100."),
        ("Is the sauna pass less than $100?", "Yes, it costs $90.", "No, it costs $150."),
        ("Is the climbing pass under $100?", "No, it is more than $100.", "Yes, it is under $100."),
        ("Can I keep a laptop for more than a week?", "Yes.", "No, only for 3 days."),
        ("Can I keep a camera for more than a week?", "No, only for 3 days.", "Yes."),
    ],
)
def test_a_limit_that_was_asked_about_is_judged_by_the_value(question: str, right: str, not_so: str) -> None:
    assert wrong(right, question) == []
    assert wrong(not_so, question) != []


def test_a_number_with_a_limit_keeps_its_unit_and_a_label_is_no_room() -> None:
    assert [one.normal for one in facts("75 or more credits")] == ["75 credit"]
    assert [one.kind for one in facts("Recital hall: 85 seats")] == ["number"]
    assert [one.kind for one in facts("Room: 85")] == ["room"]
