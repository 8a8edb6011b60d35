from __future__ import annotations

import pytest

from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.guardrail import Guardrail
from tests.guardrail.test_guardrail import CLUB, QUESTION, ROBOTICS, found
from tests.guardrail.triples import REFUSAL


def unsupported(draft: str, question: str = QUESTION) -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=(found(CLUB, ROBOTICS),))
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It meets in the science building.", ["science building"]),
        ("It meets at the library on Thursday.", ["library", "Thursday"]),
        ("Inside the Engineering hall, room 204.", ["Engineering hall", "room 204"]),
        ("It is in room 204 of the science building.", ["room 204", "science building"]),
        ("It is in the student center.", ["student center"]),
        ("It is in the building.", []),
        ("It is in the center of town.", []),
        ("Please ask at the library desk.", []),
        ("Please check at the library.", []),
        ("The hours of the library vary.", []),
        ("It is in the evening, at home.", []),
    ],
)
def test_a_place_is_a_noun_after_in_or_at_with_what_tells_which(text: str, expected: list[str]) -> None:
    assert [fact.text for fact in facts(text)] == expected


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("It meets in the engineering building.", []),
        ("It meets in the building, room 204.", []),
        ("It meets inside the engineering hall.", []),
        ("Safety training is given in the robotics lab.", []),
        ("It is not in the library.", []),
        ("It meets in the science building.", ["science building"]),
        ("It meets in the library.", ["library"]),
        ("The AI Club meets in the robotics lab.", ["robotics lab"]),
        ("The AI Club meets in room 204 of the science building.", ["science building"]),
    ],
)
def test_a_place_needs_a_passage_about_the_subject_that_names_it(draft: str, named: list[str]) -> None:
    assert unsupported(draft) == named


def test_a_name_in_capitals_needs_no_such_nearness() -> None:
    library = CLUB.model_copy(update={"title": "Millbrook Public Library", "text": "The library is open on weekdays."})
    review = Guardrail(refusal=REFUSAL).review(
        "Millbrook Public Library is open on weekdays.", question="Is it open?", evidence=(found(library),)
    )
    assert review.unsupported == ()


def test_the_place_that_was_asked_about_may_be_denied_not_affirmed() -> None:
    asked = "Is it in the library?"
    assert unsupported("No, it is in the engineering building, not in the library.", asked) == []
    assert unsupported("Yes, it meets in the library.", asked) == ["library"]
