from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.refusal import is_refusal
from tests.guardrail.triples import REFUSAL


@pytest.mark.parametrize(
    "text",
    [
        REFUSAL,
        f"  {REFUSAL}\n",
        f'"{REFUSAL}"',
        f"**{REFUSAL}**",
        "I don’t have that information — check with the USC AI Club.",
        "I don't have that information - check with the USC AI Club.",
        "I don't have that information – check with the USC AI Club",
        "i don't have that information — check with the usc ai club.",
        "I don't have that  information —\ncheck with the USC AI Club.",
        "I do not have that information — check with the USC AI Club.",
        "Sorry, I don't have that information — check with the USC AI Club.",
        "I'm sorry, but I don't have that information — check with the USC AI Club.",
        "Unfortunately, I don't have that information. Check with the USC AI Club.",
        "I don't have that information — please check with the USC AI Club.",
        "I don't have that information.",
        f"{REFUSAL} Is there anything else I can help you with?",
    ],
)
def test_the_refusal_line_is_recognised_however_it_is_written(text: str) -> None:
    assert is_refusal(text, REFUSAL)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello!",
        "I don't know.",
        "The USC AI Club meets every Thursday at 5 PM.",
        f"The AI Club meets Thursdays. As for its wifi: {REFUSAL}",
        f"{REFUSAL} The club meets Thursdays at 5 PM in room 204.",
        "Check with the USC AI Club.",
        REFUSAL * 50,
    ],
)
def test_a_text_that_says_something_else_is_no_refusal(text: str) -> None:
    assert not is_refusal(text, REFUSAL)


def test_another_campus_has_its_own_line() -> None:
    line = "No sé eso; pregunta en la secretaría."
    assert is_refusal("no se eso; pregunta en la secretaria", line)
    assert not is_refusal(REFUSAL, line)


LINES = [
    "Sorry, no idea. Call reception.",
    "I don't know. Thank you for asking.",
    "Sorry.",
    "no A",
    "I don't know that yet. Please feel free to ask at the library desk.",
    "Is there anything else?",
    "!",
]


@pytest.mark.parametrize("line", LINES)
def test_any_line_that_a_campus_writes_is_recognised(line: str) -> None:
    assert is_refusal(line, line)
    assert is_refusal(f" {line}\n", line)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("I'm sorry, I don't know. Thank you for asking.", LINES[1], True),
        ("I don't know that yet.", LINES[4], True),
        ("A", "no A", False),
        ("no B", "no A", False),
        ("Call reception.", LINES[0], False),
        ("Thank you for asking.", LINES[1], False),
        ("", "!", False),
    ],
)
def test_apologies_and_courtesies_are_left_out_of_both(text: str, line: str, expected: bool) -> None:
    assert is_refusal(text, line) is expected


@pytest.mark.parametrize("mode", ["strict", "warn", "off"])
def test_the_refusal_line_is_never_flagged(mode: str) -> None:
    review = Guardrail(mode=mode, refusal=REFUSAL).review(REFUSAL, question="What is the wifi password?", evidence=())
    assert (review.refusal, review.facts, review.states_something) == (True, (), False)
