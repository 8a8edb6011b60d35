from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from tests.guardrail.test_guardrail import CLUB, found
from tests.guardrail.triples import REFUSAL

TOPICS = "Clubs, Library, Parking, Dining, Housing, Labs, Advising, Health, Tutoring, Registration, Fees, Events"
ESSAY = (
    "Photosynthesis turns sunlight into chemical energy inside green plants. Chlorophyll absorbs red and blue light, "
    "exciting electrons that travel along a membrane, pumping protons, which drive an enzyme making fuel. That fuel "
    "powers a cycle that binds carbon dioxide into sugars, releasing oxygen as waste, feeding nearly every animal, "
    "fungus and bacterium living upon our planet, directly or through longer food chains."
)
CODE = [
    "Sure:\n```python\nprint('hi')\n```",
    "def add(a, b):\n    return a + b",
    "import os\nfor name in os.listdir('.'):\n    print(name)",
    "SELECT name FROM students\nfor (i = 0; i < 3; i++) {",
]


def off_topic(draft: str, mode: str = "strict") -> bool:
    guardrail = Guardrail(mode=mode, refusal=REFUSAL, allowed=f"Campus base, {TOPICS}")  # type: ignore[arg-type]
    return guardrail.review(draft, question="Can you do that for me?", evidence=()).off_topic


@pytest.mark.parametrize("draft", [ESSAY, *CODE])
def test_code_and_essays_that_no_observation_bears_out_are_off_topic(draft: str) -> None:
    assert off_topic(draft)
    assert not off_topic(draft, mode="off")


@pytest.mark.parametrize(
    "draft",
    [
        "Hello! How can I help you today?",
        "You're welcome! Good luck with your exams.",
        f"I can help you with these topics of the campus base: {TOPICS}. Just ask me about any of them.",
        "I'm doing well, thank you for asking. I look things up in the campus base, so ask me about campus life.",
        "I don't know.",
        REFUSAL,
        "",
    ],
)
def test_small_talk_and_offers_of_help_are_not(draft: str) -> None:
    assert not off_topic(draft)


def test_what_an_observation_bears_out_is_on_topic_however_long() -> None:
    draft = f"The AI Club meets every Thursday at 5 PM in room 204. {ESSAY}"
    review = Guardrail(refusal=REFUSAL).review(draft, question="When?", evidence=(found(CLUB),))
    assert not review.off_topic
