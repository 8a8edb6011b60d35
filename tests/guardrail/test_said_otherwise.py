from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL, Triple, load_fresh

POOL = (
    "- Pool › Hours: Lap swim is Monday to Friday 6:00-8:00 AM. Towels can be rented for $2. Caps are required. (p.md)"
)
ANSWER = "Lap swim is Monday to Friday from 6 to 8 AM."

SAID_BESIDE = [
    "Give me a shout if you're stuck.",
    "Ping me whenever.",
    "Drop me a line any time.",
    "Yikes.",
    "Oof, that's early.",
    "Fire away.",
    "Rest easy.",
    "Deep breath.",
    "Don't panic.",
    "Take a breath, you're still in time!",
    "Piece of cake.",
    "Crossing my fingers for you.",
    "Sending good vibes.",
    "In a nutshell.",
    "Here's the deal.",
    "Hope this helps, and have a lovely weekend!",
    "If in doubt, double-check with the staff.",
    "Not necessarily.",
    "Please don't.",
    "I know it's a lot to keep track of.",
    "My notes are silent on saunas.",
    "The material I have says nothing of saunas.",
    "I can't vouch for the sauna.",
    "There's nothing about saunas in what I found.",
]

CLAIMED_BESIDE = [
    "Wear goggles.",
    "Write to the dean.",
    "The sauna is heated.",
    "Bring your passport.",
    "Saunas are available.",
    "Evacuate if the siren sounds.",
]


def unsupported(draft: str, passage: str, question: str) -> list[str]:
    evidence = (Evidence("search_campus_info", passage),)
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize("triple", load_fresh("practised.json"), ids=lambda triple: triple.draft)
def test_other_words_exceptions_and_bare_answers_are_judged_by_what_they_say(triple: Triple) -> None:
    review = Guardrail(refusal=REFUSAL).review(triple.draft, question=triple.question, evidence=triple.evidence)
    assert bool(review.unsupported) == bool(triple.unsupported)


@pytest.mark.parametrize("beside", SAID_BESIDE)
def test_what_claims_nothing_of_the_campus_does_not_spoil_an_answer(beside: str) -> None:
    assert unsupported(f"{ANSWER} {beside}", POOL, "when is lap swim") == []
    assert unsupported(f"{beside} {ANSWER}", POOL, "when is lap swim") == []


@pytest.mark.parametrize("beside", CLAIMED_BESIDE)
def test_what_claims_something_beside_an_answer_is_still_judged(beside: str) -> None:
    assert unsupported(f"{ANSWER} {beside}", POOL, "when is lap swim")


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        ("No. Caps are required, so bring one.", False),
        ("No. Caps aren't required.", True),
        ("They don't. Towels can be rented, though.", False),
        ("They don't. Towels can't be rented.", True),
    ],
)
def test_a_sentence_ends_after_a_no_and_after_a_shortened_not(draft: str, wrong: bool) -> None:
    assert bool(unsupported(draft, POOL, "Do they lend caps?")) == wrong
