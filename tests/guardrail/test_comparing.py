from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

FOUND = Evidence(
    "search_campus_info",
    "- Judo: The Judo Club trains Thursdays 17:30-19:00. The fee is 90 euros. (a.md, line 1)\n"
    "- Swimming: The Swim Team trains Tuesdays 6-7:30 AM and pays a fee of 120 euros. (a.md, line 2)\n"
    "- Exams: The chemistry exam is on May 6, 2027 and lasts 3 hours. The biology exam is on May 10, 2027 and lasts "
    "2 hours. (b.md, line 1)\n"
    "- Deli: A soup is $4.50, a sandwich $6.25 and a salad $7. (c.md, line 1)",
)
TODAY = Evidence("get_current_time", "Wednesday, April 14, 2027 at 10:00 AM EDT")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Judo is sooner than swimming.", "Swimming is sooner than judo."),
        ("The swim training is later than judo.", "The judo training is later than swimming."),
        ("The chemistry exam comes before the biology exam.", "The biology exam comes before the chemistry exam."),
        ("Judo is cheaper than swimming.", "Swimming is cheaper than judo."),
        ("Swimming is more expensive than judo.", "Judo is more expensive than swimming."),
        ("The chemistry exam is longer than the biology exam.", "The biology exam is longer than the chemistry exam."),
        ("A soup is cheaper than a salad.", "A salad is cheaper than a soup."),
        ("A sandwich costs more than a soup.", "A soup costs more than a sandwich."),
    ],
)
def test_a_comparison_is_supported_only_if_the_values_say_so(right: str, wrong: str) -> None:
    assert unsupported(right, "Which one?") == []
    assert len(unsupported(wrong, "Which one?")) == 1


def unsupported(draft: str, question: str) -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=(FOUND, TODAY))
    return [fact.text for fact in review.unsupported if fact.kind == "comparison"]


def test_the_other_side_may_stand_in_the_question() -> None:
    asked = "Which is sooner, judo or swimming?"
    assert unsupported("Judo is sooner.", asked) == []
    assert unsupported("Swimming is sooner.", asked) == ["sooner"]


@pytest.mark.parametrize(
    "draft", ["It is cheaper.", "Rowing is sooner than judo.", "It is no longer open.", "Is it sooner?"]
)
def test_a_comparison_whose_sides_cannot_be_told_is_left_alone(draft: str) -> None:
    assert unsupported(draft, "Which one?") == []
