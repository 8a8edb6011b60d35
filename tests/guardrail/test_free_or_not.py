from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

PAID = "- Dock › Boats: A boat is not free; an hour costs $6. (dock.md, line 3)"
FREE = "- Dock › Boats: Boats are free on Sundays. (dock.md, line 3)"
SOME = "- Lab › Prints: Members get 40 free prints a term. After that a print costs 8 cents. (lab.md, line 2)"


def _unsupported(passage: str, question: str, draft: str) -> bool:
    evidence = (Evidence("search_campus_info", passage),)
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


@pytest.mark.parametrize(
    "draft",
    ["Boats are free.", "Yes.", "A boat costs nothing.", "There is no charge for a boat.", "Boats are for free."],
)
def test_what_is_said_not_to_be_free_makes_nothing_free(draft: str) -> None:
    assert _unsupported(PAID, "Are the boats free?", draft)


@pytest.mark.parametrize("draft", ["No.", "Boats are not free.", "An hour costs $6.", "No, an hour costs $6."])
def test_that_it_is_not_free_may_be_said(draft: str) -> None:
    assert not _unsupported(PAID, "Are the boats free?", draft)


def test_a_number_of_free_things_does_not_make_all_of_them_free() -> None:
    assert _unsupported(SOME, "Is printing free?", "Printing is free.")
    assert not _unsupported(SOME, "Is printing free?", "Members get 40 free prints.")


@pytest.mark.parametrize("draft", ["Boats are free on Sundays.", "On Sundays there is no charge for boats."])
def test_what_is_free_is_free_in_other_words(draft: str) -> None:
    assert not _unsupported(FREE, "Are the boats free?", draft)
