"""The offline model where what is on every week is not on at some dates, or is told to some people only."""

from __future__ import annotations

from datetime import datetime

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.models.chat_model import UserMessage
from campus_agent.models.offline.exceptions import Bearing, bearing, without_exceptions
from tests.models.test_offline_model import REFUSAL, Campus

MONDAY = datetime(2027, 4, 5, 9)

GUIDE = """# Larkfield Conservatory

## Dates

| What | Date |
| --- | --- |
| Auditions | March 8, 2027 |
| Juries | May 10-14, 2027 |

## Jury schedule

- MUS 110: Monday, May 10, 9:00 AM to 11:00 AM, ARN 204
- MUS 220: Tuesday, May 11, 1:00 PM to 4:00 PM, ARN 31
- MUS 330: Wednesday, May 12, 10:00 AM to noon, OPH 7

There is no jury in MUS 105.

## Rehearsal rooms

The rehearsal rooms are open Monday to Friday from 7 AM to 10 PM. They are closed on weekends. During jury week the
rehearsal rooms close at 6 PM.

## Instrument store

The instrument store is open Tuesday to Friday from 10 AM to 4 PM. It is closed on May 11, 2027.

## Reed clinic

Reed clinics are held on Thursdays from 3 PM to 5 PM in OPH 12. Sign up with Ines Vale by Tuesday at noon.

## Jazz Ensemble

The Jazz Ensemble rehearses on Monday and Thursday at 5 PM. No rehearsal on April 12, 2027.
"""

HOURS = """Tutor,Subject,Day,Time,Room,Notes
Ada Brenn,Voice,Monday and Thursday,2:00 PM - 4:00 PM,ARN 301,No office hours on April 12
Kofi Lund,Piano,Tuesday,9:00 AM - 11:00 AM,ARN 302,Away April 6
Mira Sato,Theory,Wednesday to Friday,1:00 PM - 3:00 PM,ARN 303,Hours end April 30
Jon Pell,Violin,Monday to Friday,10:00 AM - 3:00 PM,ARN 304,Closed 12:00 PM - 1:00 PM for lunch
Rosa Quint,Flute,,,ARN 305,By appointment only: call 555-0188
Evi Tamm,Organ,Wednesday,9:00 AM - 10:00 AM,Chapel,Moved online after April 9
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("larkfield")
    (folder / "guide.md").write_text(GUIDE, encoding="utf-8")
    (folder / "office_hours.csv").write_text(HOURS, encoding="utf-8")
    return KnowledgeBase.load([folder])


def _asked(base: KnowledgeBase, *questions: str, now: datetime = MONDAY) -> str:
    """Return the answer to the last of some questions, which the guardrail lets through as it stands."""
    campus = Campus(base, now)
    *_, answer = [campus.ask(question).answer for question in questions]
    review = Guardrail(refusal=REFUSAL).review(answer, question=questions[-1], evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == [], answer
    return answer


@pytest.mark.parametrize(
    ("note", "day", "expected"),
    [
        ("No office hours on April 12", "April 12, 2027", Bearing.OFF),
        ("No office hours on April 12", "April 19, 2027", Bearing.NONE),
        ("Away April 6 to 9", "April 8, 2027", Bearing.OFF),
        ("Hours end April 30", "April 30, 2027", Bearing.NONE),
        ("Hours end April 30", "May 3, 2027", Bearing.OFF),
        ("No meetings after April 30, 2027", "May 3, 2027", Bearing.OFF),
        ("Cancelled until April 20", "April 12, 2027", Bearing.OFF),
        ("Moved online after April 9", "April 5, 2027", Bearing.NONE),
        ("Moved online after April 9", "April 12, 2027", Bearing.UNSURE),
        ("Starts April 26", "April 12, 2027", Bearing.UNSURE),
        ("Register by April 9", "April 12, 2027", Bearing.NONE),
        ("Open until 8 PM on April 12", "April 12, 2027", Bearing.UNSURE),
        ("Open until 8 PM on April 12", "April 19, 2027", Bearing.NONE),
        ("On April 12 open until 8 PM", "April 19, 2027", Bearing.NONE),
        ("Closed 2:00 PM - 3:00 PM on April 12", "April 12, 2027", Bearing.UNSURE),
        ("Hours end at 2 PM on April 9", "April 12, 2027", Bearing.NONE),
        ("Hours end early on April 9", "April 12, 2027", Bearing.NONE),
        ("April 12 cancelled", "April 12, 2027", Bearing.OFF),
        ("After April 9 only by telephone", "April 12, 2027", Bearing.UNSURE),
    ],
)
def test_a_note_of_a_row_tells_for_which_dates_its_hours_do_not_hold(note: str, day: str, expected: Bearing) -> None:
    row = f"Tutor: Ada Brenn; Day: Monday; Time: 2:00 PM - 4:00 PM; Notes: {note}"
    assert bearing(row, day) is expected
    assert without_exceptions(row, frozenset()) == "Tutor: Ada Brenn; Day: Monday; Time: 2:00 PM - 4:00 PM"


@pytest.mark.parametrize(
    "text",
    [
        "The hall is open Monday to Friday. The fair, on April 12, 2027, is free, no ticket needed.",
        "The hall is open Monday to Friday. No tickets are needed any more for the fair there on April 12, 2027.",
    ],
)
def test_a_no_that_is_said_of_something_else_makes_no_exception_of_a_date(text: str) -> None:
    assert bearing(text, "April 12, 2027") is not Bearing.OFF


def test_a_date_of_what_is_on_once_is_no_exception() -> None:
    text = "The swap is on Tuesday, April 6, 2027. It is not held on April 13."
    assert without_exceptions(text, frozenset()) == text


@pytest.mark.parametrize(
    ("question", "now", "expected"),
    [
        ("how many days until ada brenn's next office hours", datetime(2027, 4, 12, 8), "in 3 days, on April 15, 2027"),
        ("how many days until ada brenn's next office hours", MONDAY, "The next Monday is today."),
        ("how many days until mira sato's next office hours", MONDAY, "in 2 days, on April 07, 2027"),
        ("how many days until the next jazz ensemble rehearsal", datetime(2027, 4, 12, 8), "in 3 days, on April 15"),
        ("when is the next reed clinic", MONDAY, "in 3 days, on Thursday, April 08, 2027"),
        ("how many days until ada brenn's next office hours", datetime(2027, 4, 5, 17), "in 3 days, on April 08, 2027"),
    ],
)
def test_the_next_time_is_counted_past_the_days_on_which_it_is_not_held(
    base: KnowledgeBase, question: str, now: datetime, expected: str
) -> None:
    assert expected in _asked(base, question, now=now)


@pytest.mark.parametrize(
    ("question", "now"),
    [
        ("how many days until kofi lund's next office hours", MONDAY),
        ("how many days until mira sato's next office hours", datetime(2027, 5, 3, 9)),
        ("how many days until evi tamm's next office hours", datetime(2027, 4, 12, 9)),
        ("how many days until i have to sign up for a reed clinic", MONDAY),
    ],
)
def test_nothing_is_counted_where_the_coming_days_are_excepted_or_a_limit_is_asked_for(
    base: KnowledgeBase, question: str, now: datetime
) -> None:
    answer = _asked(base, question, now=now)
    assert answer != REFUSAL
    assert " is in " not in answer
    assert " days" not in answer


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("does ada brenn have office hours on april 12", "No, not on Monday, April 12, 2027."),
        ("does ada brenn have office hours on april 15", "Yes, on Thursday, April 15, 2027."),
        ("does kofi lund have office hours tomorrow", "No, not tomorrow."),
        ("does mira sato have office hours on may 5", "No, not on Wednesday, May 05, 2027."),
        ("does the jazz ensemble rehearse on april 12", "No, not on Monday, April 12, 2027."),
        ("does the jazz ensemble rehearse on april 15", "Yes, on Thursday, April 15, 2027."),
        ("is the instrument store open on may 11", "The instrument store is closed on May 11, 2027."),
        ("is the instrument store open on may 12", "The instrument store is open on Wednesday, May 12, 2027."),
        ("are the rehearsal rooms open right now", "The rehearsal rooms are open right now"),
        ("are the rehearsal rooms open on saturday", "No."),
        ("are the rehearsal rooms open at 11 pm on monday", "No."),
        ("are the rehearsal rooms open at 8 pm tomorrow", "The rehearsal rooms are open at that time tomorrow."),
    ],
)
def test_a_day_is_judged_by_the_regular_hours_and_by_the_exceptions_that_are_about_it(
    base: KnowledgeBase, question: str, expected: str
) -> None:
    assert _asked(base, question).startswith(expected)


@pytest.mark.parametrize("now", [datetime(2027, 5, 11, 19), datetime(2027, 5, 7, 19), datetime(2026, 10, 5, 9)])
def test_nothing_is_judged_in_or_near_a_named_period_or_far_from_every_known_one(
    base: KnowledgeBase, now: datetime
) -> None:
    answer = _asked(base, "are the rehearsal rooms open right now", now=now)
    assert "right now" not in answer
    assert "During jury week" in answer


@pytest.mark.parametrize("now", [MONDAY, datetime(2027, 4, 12, 8)])
def test_a_draft_that_was_sent_back_is_only_quoted_where_an_exception_holds(base: KnowledgeBase, now: datetime) -> None:
    campus = Campus(base, now)
    campus.ask("does ada brenn have office hours on april 12")
    campus.messages.append(UserMessage("Your draft states what no passage says."))
    assert campus.model.reply(campus.request()).text.startswith("Tutor: Ada Brenn")


@pytest.mark.parametrize(
    ("question", "expected", "others"),
    [
        ("Who has office hours on Friday?", ["Mira Sato", "Jon Pell"], ["Rosa Quint", "Evi Tamm", "Kofi Lund"]),
        ("who has office hours on wednesday", ["Mira Sato", "Jon Pell", "Evi Tamm"], ["Rosa Quint", "Ada Brenn"]),
        ("who has office hours today", ["Ada Brenn", "Jon Pell"], ["Rosa Quint", "Evi Tamm"]),
        ("who has office hours tomorrow", ["Jon Pell"], ["Kofi Lund", "Rosa Quint"]),
        ("which tutors have office hours on thursday", ["Ada Brenn", "Mira Sato"], ["Rosa Quint", "Kofi Lund"]),
    ],
)
def test_who_is_there_at_a_day_is_told_by_the_rows_of_that_day_and_not_as_if_they_were_all(
    base: KnowledgeBase, question: str, expected: list[str], others: list[str]
) -> None:
    answer = _asked(base, question)
    assert [name for name in expected if name not in answer] == []
    assert [name for name in others if name in answer] == []
    assert answer.endswith("There may be others.")


def test_where_nobody_is_there_at_a_day_no_row_of_another_day_is_an_answer(base: KnowledgeBase) -> None:
    assert _asked(base, "who has office hours on sunday") == "Sunday is not among the days that I found."


@pytest.mark.parametrize("question", ["which juries are on may 11", "What juries are on May 11?"])
def test_what_is_on_at_a_date_is_searched_for_by_that_date(base: KnowledgeBase, question: str) -> None:
    answer = _asked(base, question)
    assert "MUS 220: Tuesday, May 11" in answer
    assert "MUS 110" not in answer


def test_that_nothing_is_listed_is_not_said_where_more_may_be_than_was_seen(base: KnowledgeBase) -> None:
    answer = _asked(base, "which juries are on may 20")
    assert "nothing that is listed" not in answer
    assert answer.startswith("This is all that I found.")
