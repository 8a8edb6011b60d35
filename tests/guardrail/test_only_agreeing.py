from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

COPY = "- Print shop › Posters: A poster costs $18. The shop prints them on Wednesdays. (shop.md, line 4)"
AGREES = ("Sounds right.", "That is what it costs.", "You got it right.", "Indeed, that is the price.", "That much.")


def _is_flagged(question: str, draft: str) -> bool:
    evidence = (Evidence("search_campus_info", COPY),)
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


@pytest.mark.parametrize("draft", AGREES)
def test_whatever_can_only_mean_a_yes_affirms_what_was_asked(draft: str) -> None:
    assert _is_flagged("Is a poster $25?", draft)
    assert not _is_flagged("Is a poster $18?", draft)


@pytest.mark.parametrize("draft", ["That day, yes.", "Sure, see you then!", "That is the day."])
def test_so_does_agreeing_to_a_day(draft: str) -> None:
    assert _is_flagged("Are posters printed on Mondays?", draft)
    assert not _is_flagged("Are posters printed on Wednesdays?", draft)


@pytest.mark.parametrize("draft", ["Do you mean a large one?", "If that is so depends.", "I would not know."])
def test_asking_back_or_leaving_it_open_affirms_nothing(draft: str) -> None:
    assert not _is_flagged("Is a poster $25?", draft)


def test_nothing_is_agreed_to_where_nothing_was_asked_for_a_yes() -> None:
    assert not _is_flagged("Two posters at $25, please", "Hello again!")
