"""That the offline model reads lists, dated plans and tables of hours item by item, day by day, column by column."""

from __future__ import annotations

from datetime import datetime

import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.question import Want
from campus_agent.models.offline.wanted import fits
from tests.models.test_offline_model import REFUSAL, Campus

WEDNESDAY = datetime(2026, 4, 8, 10)

CALENDAR = """# Calendar

## Days off

The school is closed on these days:

- Founders Day: April 14, 2026
- Harvest break: October 5-9, 2026
- Easter: April 20-21, 2026
- Summer recess: June 22, 2026 to August 14, 2026

## Workshops this term

- Knots for sailors: April 9, 2026 at 4 PM in room 12
- Reading a chart: April 15, 2026 at 3 PM in room 14
- First steps in Latin: May 20, 2026 at 1 PM, online

## Kiln shop

Monday to Thursday: 7:30 AM - 6 PM
Friday: 7:30 AM - 7 PM
Saturday: 10 AM - 4 PM
Sunday: closed

The kiln shop is closed on April 22, 2026. During fairs, May 4 to 6, 2026, the kiln shop is open around the clock.

## Fees

| Charge | Amount |
| --- | --- |
| Boat fee, in state | $90 per term |
| Boat fee, out of state | $240 per term |

A canoe is $30 a day. The harbour walk costs nothing.

## Work

Late essays: You have four late days for the whole term. After that an essay loses marks.

Graduate rowers may keep 5 oars, all others 2.
"""

HOURS = """<html><head><title>Bath house</title></head><body><main><h1>Bath house</h1><h2>Hours</h2>
<table><tr><th>Day</th><th>Hall</th><th>Sauna</th><th>Slide</th></tr>
<tr><td>Monday-Thursday</td><td>6 am - 11 pm</td><td>7 am - 9 am, 12 pm - 8 pm</td><td>3 pm - 9 pm</td></tr>
<tr><td>Friday</td><td>6 am - 9 pm</td><td>7 am - 9 am</td><td>3 pm - 7 pm</td></tr>
<tr><td>Saturday</td><td>9 am - 7 pm</td><td>10 am - 5 pm</td><td>noon - 5 pm</td></tr>
<tr><td>Sunday</td><td>10 am - 10 pm</td><td>closed</td><td>noon - 6 pm</td></tr></table></main></body></html>
"""

PLAN = """Date,Week,Topic,Reading,Due,Points
2026-04-01,1,Tides,Chapter 1,,
2026-04-08,2,Winds,Chapter 2,,
2026-04-10,2,Lab: barometer,Manual p. 4,Lab sheet 1,5
2026-04-15,3,Clouds and rain,Chapter 3,Rain outline,10
2026-04-22,4,Oral exam,,Oral exam,100
2026-05-06,6,Storms,Chapter 4,Cloud paper,50
"""

FAQ = """question,answer
Can I take the oral exam early?,"No. There is one other date, April 29, 2026."
What do I need for the lab?,A ruler and closed shoes.
"""

SYLLABUS = """Weather 101

Instructor: Prof. Ines Holt, office Lowell 318.

Cloud paper 20%

Final exam 25%

Final exam: Thursday, June 18, 2026, in Garner Hall.
"""


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    folder = tmp_path_factory.mktemp("school")
    (folder / "calendar.md").write_text(CALENDAR)
    (folder / "hours.html").write_text(HOURS)
    return KnowledgeBase.load([str(folder)])


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    (folder / "plan.csv").write_text(PLAN)
    (folder / "faq.csv").write_text(FAQ)
    (folder / "syllabus.txt").write_text(SYLLABUS)
    return KnowledgeBase.load([str(folder)])


def _said(base: KnowledgeBase, question: str) -> str:
    return Campus(base, WEDNESDAY).ask(question).answer


@pytest.mark.parametrize(
    ("question", "days", "other"),
    [
        ("how many days until founders day", "in 6 days", "Harvest"),
        ("how many days until easter break", "in 12 days", "Harvest"),
        ("how many days until summer break", "in 75 days", "Harvest"),
        ("how many days until the latin workshop", "in 42 days", "Knots"),
    ],
)
def test_days_are_counted_to_the_item_of_a_list_that_is_asked_for(school, question, days, other):
    answer = _said(school, question)
    assert days in answer
    assert other not in answer


def test_days_to_what_no_item_of_a_list_is_called_are_not_counted(school):
    assert "days" not in _said(school, "how many days until the founders break").replace("these days", "")


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("what workshops are there this week", "Knots", "Latin"),
        ("what workshops are next week", "chart", "Knots"),
        ("any workshops tomorrow", "Knots", "Latin"),
        ("is there a workshop on april 15", "chart", "Knots"),
    ],
)
def test_of_a_list_only_the_items_of_the_asked_time_are_told(school, question, told, not_told):
    answer = _said(school, question)
    assert told in answer
    assert not_told not in answer


def test_that_no_item_of_a_list_is_on_at_a_day_is_said_before_the_others_are_quoted(school):
    assert _said(school, "is there a workshop on monday?").startswith("I found nothing that is listed for that time.")


@pytest.mark.parametrize(
    "question", ["is there school on april 14", "classes on tuesday?", "is the college open april 14"]
)
def test_what_closes_the_place_answers_whether_there_are_classes(school, question):
    assert "Founders Day: April 14, 2026" in _said(school, question)


def test_a_day_within_a_range_of_days_off_is_one_of_them(school):
    assert "Harvest break" in _said(school, "is there school on october 7?")


def test_weekly_hours_tell_nothing_of_whether_there_are_classes(school):
    assert _said(school, "is there school on april 16?") == REFUSAL


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("is the kiln shop open rn", "open right now"),
        ("is the kiln shop open on april 12", "Sunday: closed"),
        ("what time does the kiln shop close today", "6 PM"),
        ("kiln shop hours", "7:30 AM - 6 PM"),
    ],
)
def test_weekly_hours_go_before_what_is_of_other_dates(school, question, verdict):
    answer = _said(school, question)
    assert verdict in answer
    assert "around the clock" not in answer


def test_a_day_off_for_all_keeps_a_yes_by_weekly_hours_from_being_said(school):
    answer = _said(school, "is the kiln shop open on april 14?")
    assert "Founders Day" in answer
    assert "is open on" not in answer


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("is the sauna open now", "closed right now"),
        ("is the hall open now", "open right now"),
        ("is the sauna open on sunday", "No."),
        ("is the slide open on friday at 8 pm", "No."),
        ("is the slide open on friday at 5 pm", "Yes."),
    ],
)
def test_of_a_table_of_hours_the_column_that_is_asked_for_counts(school, question, verdict):
    assert verdict in _said(school, question)


def test_what_is_closed_on_other_weekdays_is_left_out(school):
    assert "April 22" not in _said(school, "is the kiln shop open on saturday")


def test_hours_until_closing_are_no_days_until_a_closure(school):
    answer = _said(school, "how many hours until the kiln shop closes")
    assert "7:30 AM - 6 PM" in answer
    assert "days" not in answer


def test_a_share_is_no_number_of_things():
    question = read_question("how many cloud papers are there")
    assert not fits("Cloud papers 20%", Want.NUMBER, question)
    assert fits("There are 2 cloud papers.", Want.NUMBER, question)


def test_hours_without_a_day_are_those_of_all_rows(school):
    answer = _said(school, "when is the slide open")
    assert all(day in answer for day in ("Monday-Thursday", "Friday", "Saturday", "Sunday"))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("when is the oral exam", "2026-04-22"),
        ("how many days till the oral exam", "in 14 days"),
        ("when is the cloud paper due", "2026-05-06"),
        ("what do i need for the lab", "A ruler"),
        ("what's due this week", "Lab sheet 1"),
        ("what are we doing in class today", "Winds"),
        ("what are we doing in class next wednesday", "Clouds and rain"),
        ("what do i read for next wednesday", "Chapter 3"),
        ("is there class on april 22", "Oral exam"),
    ],
)
def test_a_plan_by_dates_is_read_by_its_dates_and_by_what_its_columns_say(course, question, told):
    assert told in _said(course, question)


def test_a_plan_without_the_asked_day_tells_nothing_of_it(course):
    assert _said(course, "what do i read for april 17") == REFUSAL


def test_a_week_in_which_nothing_is_due_is_told_as_such_where_there_is_a_plan(course):
    answer = Campus(course, datetime(2026, 4, 27, 9)).ask("what is due this week").answer
    assert answer == "I found nothing that is listed for that time."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how much is the final worth", "25%"),
        ("how many points is the oral exam", "100"),
        ("where is prof holts office", "Lowell 318"),
    ],
)
def test_weights_and_offices_are_found_as_a_syllabus_writes_them(course, question, told):
    assert told in _said(course, question)


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("how much is the boat fee if im out of state", "$240", "$90"),
        ("how much is a canoe for 3 days", "$30", "$90"),
        ("how much does the harbour walk cost", "costs nothing", "$90"),
        ("how many late days do i get", "four late days", "$"),
        ("how many oars can a grad rower keep", "5 oars", "$"),
    ],
)
def test_small_words_amounts_and_short_forms_are_understood(school, question, told, not_told):
    answer = _said(school, question)
    assert told in answer
    assert not_told not in answer
