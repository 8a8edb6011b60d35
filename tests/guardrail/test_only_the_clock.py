from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

CLOCK = "Tuesday, March 09, 2027 at 11:20 AM PST"
QUIZ = "- Plan: Week: 6; Topic: Glaciers; Quiz: 2027-03-18 (plan.csv, line 7)"
BAND = "- Band: The band plays on Tuesdays at 4 PM in the barn. (band.md, line 2)"
POOL = "- Pool: The pool is open daily from 9 AM to 8 PM. (pool.md, line 2)"


def _flagged(passage: str, question: str, draft: str) -> list[str]:
    evidence = [Evidence("search_campus_info", passage), Evidence("get_current_time", CLOCK)]
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    ("passage", "question", "draft", "named"),
    [
        (QUIZ, "When is the quiz?", "The quiz is scheduled for Tuesday, March 9, 2027.", "March 9, 2027"),
        (QUIZ, "When is the essay due?", "The essay is due on March 9 at 11:20 AM.", "11:20 AM"),
        (BAND, "When does the band play?", "The band plays on Tuesdays at 11:20 AM.", "11:20 AM"),
        (POOL, "When does the pool open?", "The pool opens at 11:20 AM.", "11:20 AM"),
    ],
)
def test_the_time_that_a_clock_told_is_not_when_something_is(
    passage: str, question: str, draft: str, named: str
) -> None:
    assert named in _flagged(passage, question, draft)


@pytest.mark.parametrize(
    ("passage", "question", "draft"),
    [
        (BAND, "What time is it?", "It is 11:20 AM on Tuesday, March 9, 2027."),
        (BAND, "What is the date?", "Today's date is March 9, 2027, and the time is 11:20 AM."),
        (BAND, "Is there band practice today?", "Yes, the band plays today, March 9, at 4 PM."),
        (BAND, "When does the band play next?", "The band plays next on Tuesday, March 9, 2027 at 4 PM."),
        (POOL, "Is the pool open?", "Yes, the pool is open on Tuesday, March 9 at 11:20 AM."),
        (POOL, "Is the pool open?", "The pool is open right now: it is 11:20 AM."),
    ],
)
def test_it_is_what_time_it_is_and_what_is_so_then(passage: str, question: str, draft: str) -> None:
    assert _flagged(passage, question, draft) == []
