from __future__ import annotations

from datetime import date

import pytest

from campus_agent.guardrail.facts import equal, facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.relative import implied
from campus_agent.guardrail.review import Evidence
from campus_agent.guardrail.today import clock_readings, todays
from tests.guardrail.test_guardrail import CLUB, QUESTION, found
from tests.guardrail.triples import REFUSAL


def unsupported(draft: str, *evidence: Evidence) -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=QUESTION, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    "text",
    [
        "Saturday, June 13, 2026 at 10:00 AM PDT",
        "Saturday, June 13, 2026 at 10:00 AM PDT (campus time, UTC: 'x' is not a time zone that is known)",
        "Today is Saturday (June 13, 2026) — that is 0 days away.",
        "Today is Saturday, June 13, 2026 — that is 0 days away.",
        "The next Thursday is in 5 day(s), on June 18, 2026.",
        "Thursday, June 18, 2026 is in 5 day(s).",
        "Wednesday, June 10, 2026 was 3 day(s) ago.",
    ],
)
def test_every_tool_that_counts_days_says_what_day_today_is(text: str) -> None:
    assert set(todays(text)) == {date(2026, 6, 13)}


@pytest.mark.parametrize(
    "text", ["", "June 13, 2026", "Today is Foo, Foober 40, 2026", "Monday, June 31, 2026 at 10:00 AM"]
)
def test_a_text_without_a_true_reading_gives_no_day(text: str) -> None:
    assert [*todays(text), *clock_readings(text)] == []


@pytest.mark.parametrize(
    ("observed", "named"),
    [
        ("The next Thursday is in 5 day(s), on June 18, 2026.", ["tomorrow"]),
        ("The next Thursday is in 1 day(s), on June 18, 2026.", []),
        ("The next Sunday is in 1 day(s), on June 14, 2026.", ["tomorrow"]),
        ("Wednesday, June 17, 2026 at 10:00 AM PDT", []),
        ("Thursday, June 18, 2026 at 10:00 AM PDT", ["tomorrow"]),
    ],
)
def test_tomorrow_is_a_day_like_any_other(observed: str, named: list[str]) -> None:
    assert unsupported("The AI Club meets tomorrow at 5 PM.", found(CLUB), Evidence("clock", observed)) == named


def test_without_a_clock_nobody_knows_what_tomorrow_is() -> None:
    assert unsupported("The AI Club meets tomorrow.", found(CLUB)) == ["tomorrow"]
    said_so = CLUB.model_copy(update={"text": "The USC AI Club meets tomorrow."})
    assert unsupported("The AI Club meets tomorrow.", found(said_so)) == []


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("Tomorrow is Sunday, June 14.", []),
        ("Today is Saturday; the day after tomorrow is Monday.", []),
        ("Tomorrow is Monday.", ["Monday"]),
        ("Today is Thursday.", ["Thursday"]),
    ],
)
def test_a_day_may_be_called_what_the_clock_makes_it(draft: str, named: list[str]) -> None:
    assert unsupported(draft, found(CLUB), Evidence("clock", "Saturday, June 13, 2026 at 10:00 AM PDT")) == named


@pytest.mark.parametrize(
    "text",
    [
        "How can I help you today?",
        "Join the club today!",
        "Please try again tomorrow.",
        "Today is Saturday.",
        "It's Saturday today.",
        "Based on today's date, that is soon.",
        "As of today nothing is planned.",
        "You can sign up today.",
    ],
)
def test_a_day_that_only_decorates_or_is_only_named_is_no_claim(text: str) -> None:
    assert [fact.text for fact in facts(text) if fact.kind == "date"] == []


@pytest.mark.parametrize(
    "forms",
    [
        ["every other week", "biweekly", "bi-weekly", "every two weeks", "fortnightly"],
        ["monthly", "once a month", "every month", "each month"],
        ["twice a week", "two times a week", "2 days per week"],
        ["weekly", "every week", "each week"],
    ],
)
def test_how_often_is_equal_however_written(forms: list[str]) -> None:
    found_in = [facts(form) for form in forms]
    assert all(len(found) == 1 and equal(found[0], found_in[0][0]) for found in found_in)


@pytest.mark.parametrize(
    ("passage", "atoms"),
    [
        ("It meets every Thursday.", {"on Thursday", "weekly", "1 a week"}),
        ("It meets Mondays and Wednesdays.", {"on Monday", "on Wednesday", "weekly", "2 a week"}),
        ("It meets every second Friday.", {"on Friday"}),
        ("It meets on the first Saturday of each month.", {"on Saturday", "1 a month"}),
        ("From June 1 to June 3.", {"on 06-01", "on 06-02", "on 06-03", "lasting 3 day"}),
        ("It has no times.", set()),
    ],
)
def test_a_passage_implies_on_which_days_and_how_often(passage: str, atoms: set[str]) -> None:
    assert implied(passage, facts(passage)) == atoms
