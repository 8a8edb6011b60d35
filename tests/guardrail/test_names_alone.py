"""Names that are all of a sentence, as in the answer to "Who runs it?"."""

from __future__ import annotations

import pytest

from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

DARKROOM = "- Darkroom: The darkroom is open on weekdays. Nadia Osei looks after it. (d.md, line 1)"


@pytest.mark.parametrize(
    "text",
    ["Tomas Brandt", "Tomas Brandt.", "**Tomas Brandt**", "Tomas Brandt (ext. 5)", "Tomas Brandt is there.", "Brandt."],
)
def test_a_name_that_is_all_of_a_text_or_says_who_somebody_is_is_a_name(text: str) -> None:
    assert any(fact.kind == "name" and fact.text.endswith("Brandt") for fact in facts(text))


@pytest.mark.parametrize("text", ["Tomás Robles.", "Elena Prado, los lunes.", "Robles."])
def test_so_it_is_in_spanish(text: str) -> None:
    assert any(fact.kind == "name" for fact in facts(text, "spanish"))


@pytest.mark.parametrize(
    "text",
    [
        *("Yes.", "No!", "Certainly!", "Probably.", "Both.", "Goodbye!", "Thanks!", "Understood.", "Correct."),
        *("Good Morning", "The Library", "The Library.", "Great Question!", "Have Fun!", "Happy Hacking!"),
        *("Opening Hours", "Study Tips:", "Next Steps", "Fingers Crossed!", "Game On!", "No Problem!", "Stay Safe!"),
        *("Bring Goggles on the first day.", "Attend TechFest."),
    ],
)
def test_what_is_written_like_a_name_and_is_talk_a_heading_or_an_order_is_none(text: str) -> None:
    assert not any(fact.kind == "name" and fact.text == text.strip(".!") for fact in facts(text))


@pytest.mark.parametrize(
    "text", ["Sí.", "Claro.", "Exacto.", "Hola.", "Buenos Días.", "Muchas Gracias.", "La Biblioteca."]
)
def test_nor_is_it_in_spanish(text: str) -> None:
    assert facts(text, "spanish") == ()


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("Nadia Osei.", []),
        ("Osei.", []),
        ("Nadia Osei is who looks after it.", []),
        ("Tomas Brandt.", ["Tomas Brandt"]),
        ("Brandt.", ["Brandt"]),
        ("Tomas Brandt, on weekdays.", ["Tomas Brandt"]),
    ],
)
def test_who_does_something_is_checked_although_nothing_else_is_said(draft: str, named: list[str]) -> None:
    evidence = (Evidence("search_campus_info", DARKROOM),)
    review = Guardrail(refusal=REFUSAL).review(draft, question="Who looks after the darkroom?", evidence=evidence)
    assert [fact.text for fact in review.unsupported] == named
