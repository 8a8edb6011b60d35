from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

LOTS = "- Parking › Fees: A permit for lot D is $120 per year; lot E is $85 per year. (parking.md, line 4)"
WINGS = "- Storage: A locker in wing A costs $9 a month, one in wing B $6. (storage.md, line 2)"


def _unsupported(passage: str, question: str, draft: str) -> bool:
    evidence = (Evidence("search_campus_info", passage),)
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


@pytest.mark.parametrize(
    ("passage", "question", "draft"),
    [
        (LOTS, "How much is lot E?", "Lot E is $120 per year."),
        (LOTS, "How much is lot E?", "A permit for lot E costs $120 per year."),
        (LOTS, "Which lot is cheaper?", "Lot D is cheaper than lot E."),
        (WINGS, "What is a locker in wing B?", "A locker in wing B is $9 a month."),
    ],
)
def test_what_is_of_the_place_with_another_letter_is_unsupported(passage: str, question: str, draft: str) -> None:
    assert _unsupported(passage, question, draft)


@pytest.mark.parametrize(
    ("passage", "question", "draft"),
    [
        (LOTS, "How much is lot E?", "Lot E is $85 per year."),
        (LOTS, "How much are the lots?", "Lot D costs $120 and lot E $85 per year."),
        (LOTS, "Which lot is cheaper?", "Lot E is cheaper than lot D."),
        (WINGS, "What is a locker in wing B?", "A locker in wing B is $6 a month."),
    ],
)
def test_what_is_of_the_place_with_that_letter_is_supported(passage: str, question: str, draft: str) -> None:
    assert not _unsupported(passage, question, draft)
