from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

SAUNA = "- Spa › Sauna: The sauna is open Monday to Friday 7 AM to 9 PM and on weekends 10 AM to 5 PM. (spa.md, line 3)"
EARLY = "Sunday, November 08, 2026 at 08:15 AM PST"  # closed until 10
EVENING = "Tuesday, November 10, 2026 at 06:40 PM PST"  # open until 9


def _is_flagged(question: str, draft: str, clock: str) -> bool:
    evidence = [Evidence("search_campus_info", SAUNA)]
    evidence += [Evidence("get_current_time", clock)] if clock else []
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


@pytest.mark.parametrize("question", ["Is the sauna open?", "sauna open?", "Is the sauna open right now?"])
@pytest.mark.parametrize(
    ("clock", "wrong", "right"),
    [
        (EARLY, "Yes.", "No."),
        (EARLY, "Yes, it is.", "No, it is not."),
        (EARLY, "Yes, it is open until 5 PM.", "No, it opens at 10 AM."),
        (EARLY, "The sauna is open.", "The sauna is closed."),
        (EVENING, "No.", "Yes."),
        (EVENING, "No, it closed at 5 PM.", "Yes, until 9 PM."),
        (EVENING, "The sauna is closed.", "It is open until 9 PM."),
    ],
)
def test_a_question_without_a_day_is_of_now_once_a_clock_was_read(
    question: str, clock: str, wrong: str, right: str
) -> None:
    assert _is_flagged(question, wrong, clock)
    assert not _is_flagged(question, right, clock)


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("When is the sauna open?", "The sauna is open Monday to Friday from 7 AM to 9 PM."),
        ("Is the sauna open on Saturday?", "Yes, from 10 AM to 5 PM."),
        ("Is the sauna open on weekends?", "Yes."),
    ],
)
def test_a_question_of_a_day_is_not_of_now(question: str, draft: str) -> None:
    assert not _is_flagged(question, draft, EARLY)
