from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

PLAN = """\
- Plan: Week: 5; Meeting: 2027-04-06; Topic: Lab 3 Dyes; Essay due: 2027-04-14 (plan.csv, line 6)
- Plan: Week: 3; Meeting: 2027-03-23; Topic: no meeting; Notes: spring break (plan.csv, line 4)
- Plan: Week: 2; Meeting: 2027-03-16; Topic: Lab 1 Salts; Essay due: 2027-03-25 (plan.csv, line 3)"""
CLOCK = "Tuesday, April 06, 2027 at 09:30 AM PDT"


def _is_flagged(question: str, draft: str) -> bool:
    evidence = (Evidence("search_campus_info", PLAN), Evidence("get_current_time", CLOCK))
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


def test_a_date_of_another_week_is_not_of_this_one() -> None:
    assert _is_flagged("What is due this week?", "The essay due this week is due on April 14.")
    assert not _is_flagged("What is due next week?", "The essay due next week is due on April 14.")
    assert not _is_flagged("What is on this week?", "The meeting this week is on April 6.")


def test_what_a_row_says_there_is_none_of_is_not_on_its_day() -> None:
    assert _is_flagged("Is there a meeting on March 23?", "Yes, there is a meeting on March 23.")
    assert not _is_flagged("Is there a meeting on March 23?", "No, there is no meeting on March 23.")
    assert not _is_flagged("Is there a meeting on March 16?", "Yes, there is a meeting on March 16.")


@pytest.mark.parametrize("draft", ["The Lab 3 essay is due on April 14, 2027.", "Lab 3 is on April 6."])
def test_the_number_of_something_else_names_no_row(draft: str) -> None:
    assert not _is_flagged("When is Lab 3, and when is its essay due?", draft)
