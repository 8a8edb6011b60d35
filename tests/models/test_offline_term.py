"""The offline model over the dates of a term: first and last days, what is under way, coming dates, coded rooms."""

from __future__ import annotations

from datetime import datetime

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.dates import blank_dates, read_dates
from campus_agent.models.offline.question import Want
from campus_agent.models.offline.wanted import fits
from tests.models.test_offline_model import REFUSAL, Campus

APRIL = datetime(2027, 4, 5, 9)
MAY = datetime(2027, 5, 12, 10)

GUIDE = """# Larkfield Conservatory

## Dates

| What | Date |
| --- | --- |
| Auditions begin | March 8, 2027 |
| Midterm recess | March 15 to 19, 2027 |
| Last day to change instruments | February 19, 2027 |
| Rehearsals end | May 7, 2027 |
| Juries | May 10-14, 2027 |
| Autumn instruction begins | September 6, 2027 |
| Last day of instruction | May 7, 2027 |
| Fitting of gowns | May 3, 2027 |

## Jury schedule

- MUS 110: Monday, May 10, 9:00 AM to 11:00 AM, ARN 204
- MUS 220: Tuesday, May 11, 1:00 PM to 4:00 PM, ARN 31
- MUS 330: Wednesday, May 12, 10:00 AM to noon, OPH 7

There is no jury in MUS 105.

## Madrigal Society

The Madrigal Society meets every other Wednesday at 6 PM in ARN 110. The next meetings are April 7, 21 and 28, 2027.

## Harmonium Circle

The Harmonium Circle gathers on Tuesdays at 7 PM in ARN 9.
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("term")
    (folder / "guide.md").write_text(GUIDE, encoding="utf-8")
    return KnowledgeBase.load([folder])


def _asked(base: KnowledgeBase, *questions: str, now: datetime = APRIL) -> str:
    """Return the answer to the last of some questions, which the guardrail lets through as it stands."""
    campus = Campus(base, now)
    *_, answer = [campus.ask(question).answer for question in questions]
    review = Guardrail(refusal=REFUSAL).review(answer, question=questions[-1], evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == [], answer
    return answer


@pytest.mark.parametrize(
    ("question", "expected", "other"),
    [
        ("when is the last day of instruction", "May 7, 2027", "September"),
        ("what is the last day of instruction?", "May 7, 2027", "September"),
        ("last day of instruction", "May 7, 2027", "September"),
        ("when is the first day of instruction", "September 6, 2027", "May 7"),
        ("when does instruction end", "May 7, 2027", "September"),
        ("when is the last day to change instruments", "February 19, 2027", "September"),
        ("when is the last day of rehearsals", "Rehearsals end; Date: May 7, 2027", "March"),
        ("when is the last day of juries", "May 10-14, 2027", "May 7"),
        (
            "how many days until the last day of instruction",
            "The last day of instruction is in 32 days, on Friday, May 07, 2027.",
            "September",
        ),
        ("how many days until instruction ends", "Instruction ends in 32 days, on Friday, May 07, 2027.", "September"),
        ("how many days until instruction begins", "Instruction begins in 154 days", "May 07"),
        ("how many days until the last day of juries", "in 39 days, on Friday, May 14, 2027", "in 35 days"),
    ],
)
def test_the_first_and_the_last_day_of_something_are_told_apart(
    base: KnowledgeBase, question: str, expected: str, other: str
) -> None:
    answer = _asked(base, question)
    assert expected in answer
    assert other not in answer


@pytest.mark.parametrize(
    "question",
    [
        "when is the last day of auditions",
        "how many days until auditions end",
        "when is the first day of rehearsals",
        "when is the last day of the fitting",
    ],
)
def test_the_other_end_is_no_answer_where_one_end_is_asked_for(base: KnowledgeBase, question: str) -> None:
    assert _asked(base, question) == REFUSAL


@pytest.mark.parametrize(
    ("question", "now", "expected"),
    [
        ("how many days until juries", MAY, "Juries are going on until Friday, May 14, 2027."),
        ("how many days until juries", datetime(2027, 5, 14, 10), "Juries end today, Friday, May 14, 2027."),
        ("how many days until juries", datetime(2027, 5, 17, 10), "Juries ended 3 days ago, on Friday, May 14, 2027."),
        ("how many days until juries", datetime(2027, 5, 10, 8), "Juries are today, Monday, May 10, 2027."),
        ("how many days until the midterm recess", APRIL, "The midterm recess ended 17 days ago"),
        ("how many days until the fitting of gowns", MAY, "The fitting of gowns was 9 days ago"),
    ],
)
def test_what_lasts_several_days_is_under_way_until_its_last_one_and_what_is_over_is_named(
    base: KnowledgeBase, question: str, now: datetime, expected: str
) -> None:
    assert _asked(base, question, now=now).startswith(expected)


def test_a_date_with_a_weekday_and_no_year_is_not_counted_to_the_next_year(base: KnowledgeBase) -> None:
    answer = _asked(base, "how many days until the MUS 110 jury", now=MAY)
    assert "May 10" in answer
    assert "days" not in answer


@pytest.mark.parametrize(
    ("question", "now", "expected"),
    [
        ("how many days until the next madrigal society meeting", APRIL, "in 2 days, on Wednesday, April 07, 2027"),
        ("how many days until the next madrigal society meeting", datetime(2027, 4, 9, 9), "on Wednesday, April 21"),
        ("does the madrigal society meet on april 14", APRIL, "No, not on Wednesday, April 14, 2027."),
        ("does the madrigal society meet on april 21", APRIL, "Yes, on Wednesday, April 21, 2027."),
        ("does the madrigal society meet on may 5", APRIL, "The Madrigal Society meets every other"),
        ("does the madrigal society meet on march 31", APRIL, "The Madrigal Society meets every other"),
        ("how many days until the next madrigal society meeting", MAY, "The Madrigal Society meets every other"),
    ],
)
def test_coming_dates_that_a_sentence_lists_are_counted_and_tell_of_the_days_between(
    base: KnowledgeBase, question: str, now: datetime, expected: str
) -> None:
    answer = _asked(base, question, now=now)
    assert expected in answer[:110]


def test_the_days_of_a_month_that_are_listed_are_dates() -> None:
    assert read_dates("on April 7, 21 and 28, 2027.") == ("April 7, 2027", "April 21, 2027", "April 28, 2027")
    assert read_dates("May 3 and 10 at noon") == ("May 3", "May 10")
    assert read_dates("May 3 and 40 people") == ("May 3",)
    assert blank_dates("on April 7 and 21, 2027.").split() == ["on", "."]


@pytest.mark.parametrize("question", ["when does the harm circle gather", "where does the harm circle gather"])
def test_a_name_is_found_by_the_beginning_of_its_first_word(base: KnowledgeBase, question: str) -> None:
    assert _asked(base, question).startswith("The Harmonium Circle gathers on Tuesdays at 7 PM in ARN 9.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MUS 110: Monday, May 10, 9:00 AM to 11:00 AM, ARN 204", True),
        ("The society meets at 6 PM in ARN 110.", True),
        ("Scores are lent at the desk in ARN 15.", True),
        ("There is no jury exam in ARN 105.", False),
        ("Students in ARN 110 pay nothing.", False),
        ("A grade of C or better in ARN 110 is needed.", False),
        ("The jury of MUS 110 is at 9 AM in MUS 110.", False),
        ("Week: 4; Experiment: Lab 3 Pendulum", False),
        ("It is kept in lab 3.", True),
    ],
)
def test_a_room_that_is_a_code_is_a_place_and_a_course_that_is_one_is_none(text: str, expected: bool) -> None:
    assert fits(text, Want.WHERE, read_question("where is the jury of mus 110")) is expected


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (("where does the madrigal society meet",), "ARN 110"),
        (("where is the mus 220 jury",), "ARN 31"),
        (("when is the mus 220 jury", "And where is that?"), "ARN 31"),
        (("when is the mus 220 jury", "what room", "what time"), "MUS 220: Tuesday, May 11, 1:00 PM to 4:00 PM"),
        (("when is the mus 220 jury", "how much does that cost", "How many days until that?"), "in 36 days"),
        (("when does the madrigal society meet", "how many days until then"), "in 2 days"),
    ],
)
def test_a_follow_up_goes_on_about_the_one_thing_that_was_told(
    base: KnowledgeBase, questions: tuple[str, ...], expected: str
) -> None:
    answer = _asked(base, *questions)
    assert expected in answer
    assert "MUS 330" not in answer


def test_after_another_thing_was_asked_for_in_vain_the_thread_does_not_go_back(base: KnowledgeBase) -> None:
    assert _asked(base, "when is the mus 220 jury", "when is the ferry", "how many days until that?") == REFUSAL
