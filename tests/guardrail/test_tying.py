from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

MONDAY = Evidence("days_until_weekday", "The next Monday is in 2 day(s), on June 15, 2026.")
TUESDAY = Evidence("days_until_weekday", "The next Tuesday is in 3 day(s), on June 16, 2026.")
CLOCK = Evidence("get_current_time", "Saturday, June 13, 2026 at 10:00 AM PDT")
OFFICE = Evidence("search_campus_info", "- Faculty office hours: Tuesdays 2-4 PM. (f.md, line 1)")
GPU = Evidence("search_campus_info", "- GPU lab: The GPU lab has forty computers. (l.md, line 1)")
QUESTION = "How long is it until the faculty office hours?"


def unsupported(draft: str, *evidence: Evidence, question: str = QUESTION) -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize("evidence", [(MONDAY,), (MONDAY, GPU), (MONDAY, OFFICE)])
@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("It is 2 days until the faculty office hours.", ["2 days"]),
        ("The next office hours are in 2 days, on June 15, 2026.", ["2 days", "June 15, 2026"]),
        ("They are on Monday.", ["Monday"]),
        ("2 days.", ["2 days"]),
    ],
)
def test_a_count_says_nothing_of_what_no_observation_puts_on_that_day(
    draft: str, named: list[str], evidence: tuple[Evidence, ...]
) -> None:
    assert unsupported(draft, *evidence) == named


@pytest.mark.parametrize(
    "draft",
    [
        "It is 3 days until the faculty office hours.",
        "The next office hours are in 3 days, on June 16, 2026.",
        "The office hours are in 3 days, on Tuesday, June 16.",
        "3 days.",
        "They are on Tuesday.",
    ],
)
def test_it_does_when_a_passage_puts_it_there_in_whatever_turn(draft: str) -> None:
    assert unsupported(draft, TUESDAY, OFFICE) == []


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("How many days until Monday?", "2 days."),
        ("How many days until Monday?", "The next Monday is in 2 days."),
        ("How many days until June 15?", "It is in 2 days."),
        ("What is the date on Monday?", "Monday is June 15, 2026."),
        (QUESTION, "The next Monday is in 2 days, but I could not find the office hours."),
    ],
)
def test_a_day_itself_needs_no_passage(question: str, draft: str) -> None:
    assert unsupported(draft, MONDAY, question=question) == []


def test_a_holiday_is_a_thing_too_unless_the_question_gives_its_date() -> None:
    counted = Evidence("days_until_date", "Friday, December 25, 2026 is in 195 day(s).")
    assert unsupported("Christmas is in 195 days.", counted, question="How long until Christmas?") == ["195 days"]
    assert unsupported("It is in 195 days.", counted, question="How long until Christmas, December 25?") == []


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("The career fair is on June 13, 2026.", ["June 13, 2026"]),
        ("The shuttle leaves at 10 AM.", ["10 AM"]),
        ("The chess club meets on Saturday.", ["Saturday"]),
        ("It is Saturday, June 13, 2026, 10:00 AM.", []),
        ("Today is Saturday.", []),
        ("The current date on campus is June 13, 2026.", []),
    ],
)
def test_what_the_clock_reads_is_the_time_and_not_when_something_is(draft: str, named: list[str]) -> None:
    assert unsupported(draft, CLOCK, question="When is it?") == named


def test_another_tool_that_names_the_thing_ties_it() -> None:
    fair = Evidence("next_fair", "The career fair is in 2 day(s), on June 15, 2026.")
    assert unsupported("The career fair is in 2 days.", fair, question="When is the career fair?") == []


def test_a_date_is_judged_by_its_weekday_also_beside_the_date_of_another_thing() -> None:
    band = "- Band: The band plays Sundays at 2 PM. Auditions are on 28 September 2026. (b.md, line 1)"
    evidence = (
        Evidence("search_campus_info", band),
        Evidence("days_until_weekday", "The next Sunday is in 3 day(s), on October 04, 2026."),
        Evidence("days_until_weekday", "The next Monday is in 4 day(s), on October 05, 2026."),
    )
    assert unsupported("The band plays next on October 4.", *evidence, question="When does it play?") == []
    wrong = "The band plays next on October 5."
    assert unsupported(wrong, *evidence, question="When does it play?") == ["October 5"]
