from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence, Review
from tests.guardrail.test_guardrail import CLUB, found
from tests.guardrail.triples import REFUSAL

SATURDAY = Evidence("get_current_time", "Saturday, June 13, 2026 at 10:00 AM PDT")


def review(draft: str, question: str, *evidence: Evidence) -> Review:
    return Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)


def unsupported(draft: str, question: str, *evidence: Evidence) -> list[str]:
    return [fact.text for fact in review(draft, question, *evidence).unsupported]


YES = [
    "Yes.",
    "yes",
    "Yes, it does.",
    "That's right.",
    "Correct, it does.",
    "Yep!",
    "It does.",
    "Absolutely.",
    "**Yes**",
]


@pytest.mark.parametrize("draft", YES)
def test_a_bare_yes_states_the_values_of_the_question(draft: str) -> None:
    assert unsupported(draft, "Does the AI Club meet on Friday?", found(CLUB)) == ["Friday"]
    assert unsupported(draft, "Does the AI Club meet on Friday?") == ["Friday"]
    assert unsupported(draft, "Does the AI Club meet on Thursday in room 204?", found(CLUB)) == []


def test_what_a_yes_rests_on_is_its_source() -> None:
    checked = review("Yes.", "Is the AI Club meeting in room 204?", found(CLUB))
    assert [(fact.text, fact.source) for fact in checked.facts] == [("room 204", "clubs.md")]
    assert (checked.states_something, checked.sources) == (True, (CLUB,))


@pytest.mark.parametrize("draft", ["No.", "Nope.", "No, it doesn't.", "It does not.", "Yes and no.", "I don't know."])
def test_what_is_denied_needs_no_support(draft: str) -> None:
    assert unsupported(draft, "Does the AI Club meet on Friday?", found(CLUB)) == []


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("Is there an AI club?", "Yes."),
        ("Is there a USC AI Club?", "Yes, there is."),
        ("When does the AI Club meet after Friday?", "Right, it meets on Thursdays."),
        ("Can you tell me whether the AI Club meets on Friday?", "Sure! It meets on Thursdays."),
        ("I have class until 3 PM on Thursday, can I make the AI Club?", "Yes."),
        ("Does it meet on Thursday or Friday?", "Yes, on Thursday."),
        ("Does it meet on Friday?", "Yes, there is a meeting, but it is on Thursday."),
    ],
)
def test_a_yes_does_not_state_what_is_only_asked_for_or_replaced(question: str, draft: str) -> None:
    assert unsupported(draft, question, found(CLUB)) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Isn't it on Friday?", ["Friday"]),
        ("Isn't it on Thursday?", []),
        ("The AI Club meets on Friday, right?", ["Friday"]),
        ("So it is at 6 PM in the library?", ["6 PM", "library"]),
        ("Does the AI Club meet in Baker Hall?", ["Baker Hall"]),
        ("Is Erik Lund the president of the AI Club?", ["Erik Lund"]),
        ("Does the AI Club meet every other week?", ["every other week"]),
        ("Is the AI Club meeting tomorrow?", ["tomorrow"]),
    ],
)
def test_a_yes_is_read_with_every_kind_of_question_and_value(question: str, expected: list[str]) -> None:
    assert unsupported("Yes.", question, found(CLUB), SATURDAY) == expected
