from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.refusal import is_refusal
from campus_agent.guardrail.review import Evidence, Review
from campus_agent.tools.tool import Source
from tests.guardrail.test_guardrail import found
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


PIER = Source(title="Pier", source="pier.md", line=1, text="The pier is open Monday to Friday from 8 AM to 6 PM.")


@pytest.mark.parametrize("evidence", [(), (found(PIER),)])
@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "I'm not sure about that.",
        "I have no idea, sorry!",
        "I cannot answer that question.",
        "I have no information about the Chess Club.",
        "Sorry, I can't help with that. Is there anything else I can help you with?",
        "That's not something I can help with. I can only answer questions about the campus.",
        "I couldn't find anything about the ferry. Let me know if you have other questions!",
        "I was not able to find that in the knowledge base.",
        "There is no information about the ferry.",
        "The passages do not mention a ferry.",
        "Nothing was found about that.",
        "The ferry is not listed.",
        "Lo siento, no tengo información sobre eso.",
    ],
)
def test_a_refusal_in_words_of_its_own_is_one(text: str, evidence: tuple[Evidence, ...]) -> None:
    review = Guardrail(refusal=REFUSAL).review(text, question="When does the ferry leave?", evidence=evidence)
    assert review == Review(refusal=True)


@pytest.mark.parametrize(
    "text",
    [
        "Which ferry do you mean?",
        "I'm not sure which ferry you mean. The one to the island?",
        "I didn't understand that. Could you rephrase it?",
        "I can't help unless you tell me which ferry you mean.",
        "I don't have an age, I'm a program.",
        "I don't have ferry times, but the pier is open from 8 AM to 6 PM.",
        "I couldn't find the ferry. On Friday the pier is open from 8 AM to 6 PM.",
        "I don't know. Ask Ana Ruiz at 555-0101.",
        "No, there is no ferry.",
        "The pier is not open on Sunday.",
    ],
)
def test_a_part_answer_and_a_question_back_are_none(text: str) -> None:
    guardrail = Guardrail(refusal=REFUSAL)
    assert not guardrail.review(text, question="When does the ferry leave?", evidence=(found(PIER),)).refusal


def test_in_mode_off_only_the_line_itself_is_a_refusal() -> None:
    assert not Guardrail(mode="off", refusal=REFUSAL).review("I don't know.", question="When?", evidence=()).refusal
