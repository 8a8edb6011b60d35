"""How the offline model names things, follows up, and finds what is said in other words."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.models.offline.certainty import is_certain
from campus_agent.models.offline.hours import read_schedule
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.rows import read_row, row_name, told
from campus_agent.models.offline.sections import narrow
from campus_agent.models.offline.words import stem_set
from tests.models.test_offline_model import REFUSAL, Answered, Campus

MONDAY = datetime(2026, 4, 6, 9, 0)

HARBOUR = """# Harbour school

## Sailing club

The sailing club meets every Thursday at 5 PM on pier 3.

## Sailing club regatta

Knots are the topic of the next sailing club regatta.

## Skippers' dinner

The yearly skippers' dinner is on April 14 at 7 PM in the Boat House.

## Office hours

The pilots of the harbour hold office hours on Tuesdays, 2-4 PM.

## Chart reading

Chart reading at the harbour helps with first maps, Wednesdays from 1 PM to 3 PM, with Nora Quay.

## Radio licence

Taking the radio licence course is free for residents.

## Workshop

In the harbour workshop, nobody may use the welding bench before the fire lesson.
"""

TABLE = """event,date,time,price
Quiz Supper,every Monday,19:30,€3
Tango Class,Tuesdays and Thursdays,18:30-20:00,€6
Rowing Circle,Wednesdays,07:00,free
"""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("places")
    (folder / "harbour.md").write_text(HARBOUR, encoding="utf-8")
    (folder / "events.csv").write_text(TABLE, encoding="utf-8")
    return {name: KnowledgeBase.load([folder / name]) for name in ("harbour.md", "events.csv")}


def _last(base: KnowledgeBase, *questions: str, now: datetime = MONDAY) -> tuple[Answered, Campus]:
    campus = Campus(base, now)
    *_, last = [campus.ask(question) for question in questions]
    return last, campus


ASKED = [
    ("harbour.md", ["How many days until the yearly skippers' dinner?"], "The yearly skippers' dinner is in 8 days"),
    ("harbour.md", ["Are the office hours open now?"], "The office hours are closed right now"),
    ("harbour.md", ["Is the office hours open now?"], "The office hours are closed right now"),
    ("harbour.md", ["How many days until the sailing club?", "and until chart reading?"], "Chart reading is in 2 days"),
    ("harbour.md", ["How many days until the sailing club?", "what about office hours?"], "Office hours are in 1 day"),
    ("harbour.md", ["When is chart reading?", "is it today?"], "No, not today."),
    ("harbour.md", ["When is chart reading?", "is that on Wednesday?"], "Yes."),
    ("harbour.md", ["Is chart reading today?", "and the sailing club?"], "No, not today."),
    ("harbour.md", ["When is chart reading?", "is it open now?"], "Chart reading is closed right now"),
    ("harbour.md", ["Is chart reading tomorrow?", "what about office hours?"], "Yes, tomorrow."),
    ("harbour.md", ["who can help me with first maps?"], "Chart reading at the harbour"),
    ("harbour.md", ["Who helps with maps?"], "Chart reading at the harbour"),
    ("harbour.md", ["where can I learn chart reading?"], "Chart reading at the harbour"),
    ("harbour.md", ["who teaches chart reading?"], "Chart reading at the harbour"),
    ("harbour.md", ["good morning, when does the sailing club meet?"], "The sailing club meets"),
    ("harbour.md", ["hey can u tell me when sailing club is"], "The sailing club meets"),
    ("harbour.md", ["may I use the welding bench without the fire lesson?"], "In the harbour workshop"),
    ("harbour.md", ["does the radio licence course cost money?"], "Taking the radio licence course is free"),
    ("harbour.md", ["how many hours until the sailing club?"], "The sailing club is in 3 days, on Thursday"),
    ("harbour.md", ["sailing club"], "The sailing club meets"),
    ("harbour.md", ["sailing club friday?"], "Friday is not among the days given. The sailing club meets"),
    ("harbour.md", ["do I need the fire lesson to enter the workshop?"], "This is all that I found. In the harbour"),
    ("harbour.md", ["Is the workshop open now?", "and the sailing club?"], "No, not today."),
    ("harbour.md", ["Is the sailing club on Thursday at 5 in the afternoon?"], "Yes."),
    ("events.csv", ["how many days until the tango class?"], "The Tango Class is in 1 day"),
    ("events.csv", ["How many days until the next quiz supper?"], "The next Quiz Supper is today"),
    ("events.csv", ["Which is sooner, the quiz supper or the rowing circle?"], "The Quiz Supper comes first: today"),
    (
        "events.csv",
        ["When is the tango class?", "When is the rowing circle?", "which of those is sooner?"],
        "Tango Class",
    ),
]


@pytest.mark.parametrize(("place", "questions", "start"), ASKED)
def test_an_answer_begins_with_what_was_asked_in_its_own_name(places, place, questions, start):
    run, campus = _last(places[place], *questions)
    assert run.answer.startswith(start)
    review = Guardrail(refusal=REFUSAL).review(run.answer, question=run.question, evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == []


@pytest.mark.parametrize(
    "question",
    ["is it free to join the sailing club?", "is it free to use the workshop?", "who runs the sailing club?"],
)
def test_what_is_not_told_of_a_thing_is_refused_whatever_else_is_told_of_it(places, question):
    assert Campus(places["harbour.md"]).ask(question).answer == REFUSAL


@pytest.mark.parametrize("question", ["what time does the sailing club end?", "how long does the sailing club last?"])
def test_an_end_that_is_not_given_is_said_to_be_so(places, question):
    answer = Campus(places["harbour.md"], MONDAY).ask(question).answer
    assert answer.endswith("5 PM on pier 3. When it ends is not given.")


def test_of_all_that_was_counted_the_soonest_and_the_latest_can_be_asked_for(places):
    counted = [f"how many days until {name}?" for name in ("the sailing club", "office hours", "chart reading")]
    soonest, _ = _last(places["harbour.md"], *counted, "which of them is the soonest?")
    latest, _ = _last(places["harbour.md"], *counted, "and the latest?")
    assert soonest.answer.startswith("Office hours come first: in 1 day")
    assert latest.answer.startswith("Sailing club comes last: in 3 days")
    assert all(
        date in run.answer
        for run in (soonest, latest)
        for date in ("April 07, 2026", "April 08, 2026", "April 09, 2026")
    )


def test_what_has_begun_today_is_named_or_called_it(places):
    run, _ = _last(places["events.csv"], "how many days until the tango class?", now=datetime(2026, 4, 7, 19))
    assert run.answer.startswith("It has begun or passed today; the next is in 2 days, on Thursday, April 09, 2026.")


# ---- rows and certainty --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "read"),
    [
        ("place: Bar; day: Friday; opens: 16:00; closes: 01:00", "Friday 16:00-01:00"),
        ("place: Bar; day: Sunday; opens: closed", "Sunday closed"),
        ("Mon-Fri; open: 08:00; close: 20:00", "Mon-Fri; open: 08:00; close: 20:00"),
        ("days: Mon-Fri; open: 8; close: 5", "Mon-Fri 8-5"),
        ("day: Monday; from: 08:00; to: 12:00", "Monday 08:00-12:00"),
        ("class: Tango; weekday: Tuesday; start: 6 PM", "Tuesday 6 PM"),
        ("place: Bar; mon: 9-17; tue: closed", "Monday: 9-17; Tuesday: closed"),
        ("The bar is open.", "The bar is open."),
    ],
)
def test_the_columns_of_a_row_are_put_together_into_days_with_hours(row, read):
    assert told(row) == read


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("name: Rope Club; place: Pier", "Rope Club"),
        ("what we do: Knots; day: Monday", "Knots"),
        ("day: Monday; from: 9:00", ""),
    ],
)
def test_a_row_is_called_by_the_column_that_names_it(text, name):
    assert row_name(read_row(text)) == name


def test_a_title_that_only_says_hours_gives_way_to_the_one_above_it():
    assert Passage("Kiosk › opening_hours", "day: Monday; from: 08:00; to: 12:00").name == "Kiosk"


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("The hall is open Monday to Friday from 9 AM to 5 PM.", True),
        ("The hall is open daily 9-5 except Sundays.", True),
        ("The hall is open daily 9-5, but not on Sundays.", True),
        ("The office is open weekdays 9 to 5 PM and closed for lunch between noon and 1 PM.", True),
        ("The hall is open on Mondays from 9 AM in March.", False),
        ("The hall is open on Mondays at 9 o'clock.", False),
        ("The hall doesn't open on Mondays.", False),
        ("The hall is open MWF 9-5.", False),
    ],
)
def test_a_text_is_certain_only_where_every_word_on_days_and_hours_is_read(text, certain):
    assert is_certain(text) is certain


@pytest.mark.parametrize("dash", ["-", "–", " - ", " to "])
@pytest.mark.parametrize("between", [", ", "; ", " and "])
def test_hours_without_a_space_keep_every_day_of_a_list(dash, between):
    text = f"The bowl is open Mon-Fri 9am{dash}5pm{between}Sat 10am{dash}2pm{between}Sun closed."
    schedule = read_schedule(narrow(text, stem_set("bowl open"), frozenset()))
    hours = [[(span.start.minutes // 60, span.ends // 60) for span in schedule.spans(day)] for day in (0, 5, 6)]
    assert hours == [[(9, 17)], [(10, 14)], []]
    assert schedule.closed_days == {6}
