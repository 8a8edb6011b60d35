"""That the offline model answers about the very thing asked, and finds what is said in other words or in a column."""

from __future__ import annotations

from datetime import datetime

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from tests.models.test_offline_model import REFUSAL, Campus

MONDAY = datetime(2026, 4, 6, 9)

GUIDE = """# Guide

## Climbing wall

The climbing wall is open Tuesday from 7 AM to 10 AM and Friday from 3 PM to 9 PM. Wear clean shoes.

## Pottery studio

The pottery studio is open Monday from 9 AM to noon in the annex and Saturday from 1 PM to 5 PM. Aprons are provided.

## Advice

Advice is given Monday from 2 to 4 PM by Dr. Lin and Tuesday from 1 to 3 PM by Dr. Roy.

## Dentist

The dentist is open weekdays from 9 AM to 4 PM. Appointments: 555-0110.

## Prices

A student breakfast costs $5. Dinner is served from 5 PM to 8 PM.

## Parking

Overnight parking is not allowed in Lot C.

## Orchard Prize

The Orchard Prize pays $900 to gardeners. Applications are due by May 6, 2026.

## Halls

- Birch Hall houses 120 students. Dogs are allowed.
- Elm House is home to 300 students from far away and has a shared kitchen on each floor.
- Cedar House allows parrots and is home to 44 people.

## ZOO 110

The ZOO 110 midterm counts 25% and the final 40% of the grade.

## Teachers

ZOO 220 is taught by Professor Gale, whose office is Linden 14.

## Exams

The ART 330 midterm is on May 20, 2026. Professor Dunn sees students in Elm 5.
"""

TEAMS = """Team,Day,Time,Venue,Captain,Fee
Rowing Team,Monday,6 AM,Boathouse,Ana Duarte,$30
Frisbee Team,Tuesday,5 PM,Meadow,Leo Sand,free
Archery Team,Wednesday,4 PM,Range,Kim Osei,$12
Judo Team,Thursday,7 PM,Dojo,Pia Holm,$9
Fencing Team,Saturday,10 AM,Armory,Tom Reyes,$25
"""

PERMITS = """Permit,Price,Lot
Commuter,$85,Lot C
Evening,$30,Lot F
"""

ANSWERS = """question,answer
Do you have a bus to the airport?,Yes. The airport bus leaves at 6 AM and 2 PM on weekdays. It does not run at night.
Can I print in the library?,"No, printing is done in the copy shop."
Can I add a class?,You can add a class until April 1 2026.
Is there a sauna?,Yes.
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("same_thing")
    for name, text in (
        ("guide.md", GUIDE),
        ("teams.csv", TEAMS),
        ("permits.csv", PERMITS),
        ("faq.csv", ANSWERS),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return KnowledgeBase.load([folder])


def _asked(base: KnowledgeBase, *questions: str) -> str:
    """Return the answer to the last of some questions, which the guardrail lets through as it stands."""
    campus = Campus(base, MONDAY)
    *_, answer = [campus.ask(question).answer for question in questions]
    review = Guardrail(refusal=REFUSAL).review(answer, question=questions[-1], evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == [], answer
    return answer


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Is the climbing wall open on Friday at 5 PM?", "Yes."),
        ("Is the climbing wall open on Friday at 8 AM?", "No."),
        ("Is the climbing wall open on Tuesday at 8 AM?", "Yes."),
        ("Is the climbing wall open on Wednesday?", "No: Wednesday is not among the days given."),
        ("Is the pottery studio open on Saturday at 2 PM?", "Yes."),
        ("Is the pottery studio open on Monday at 2 PM?", "No."),
        ("Is the dentist open right now?", "The dentist is open right now:"),
    ],
)
def test_the_second_of_two_sets_of_hours_counts_whatever_follows(base, question, start):
    assert _asked(base, question).startswith(start)


def test_hours_that_are_each_of_another_person_give_no_verdict(base):
    assert _asked(base, "Does Dr. Lin give advice on Tuesday?").startswith("Advice is given Monday from 2 to 4 PM")


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Do you have a bus to the airport?", "Yes. The airport bus"),
        ("Is there a bus to the airport on Sunday?", "The airport bus leaves"),
        ("Does the airport bus run at 11 PM?", "The airport bus leaves"),
        ("Which bus goes to the airport?", "The airport bus leaves"),
        ("Can I print in the library?", "No, printing is done"),
        ("Can I print in the library on Sunday?", "This is all that I found. Printing is done"),
        ("Is there a sauna?", "Yes."),
    ],
)
def test_a_yes_or_no_is_given_only_to_the_question_that_it_answered(base, question, start):
    assert _asked(base, question).startswith(start)


@pytest.mark.parametrize(
    "question",
    [
        "Is there a sauna on Sunday?",
        "Are there classes on Sunday?",
        "What room is the ZOO 220 midterm in?",
        "How much is an evening permit in Lot C?",
        "Where is the armory?",
        "Where is the sand?",
        "When is the ZOO 110 midterm?",
        "Are dogs allowed in Cedar House?",
    ],
)
def test_what_is_told_only_of_another_thing_is_refused(base, question):
    assert _asked(base, question) == REFUSAL


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("How much does a student dinner cost?", "A student breakfast costs $5."),
        ("How many floors does Elm House have?", "Elm House"),
        ("Where is the ART 330 midterm?", "The ART 330 midterm is on May 20, 2026."),
    ],
)
def test_a_value_of_something_else_is_not_passed_off_as_the_one_asked_for(base, question, start):
    assert _asked(base, question).startswith(f"This is all that I found. {start}")


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Where does the Rowing Team meet?", "Venue: Boathouse"),
        ("Where is the Judo Team?", "Venue: Dojo"),
        ("Which dorm allows parrots?", "Cedar House allows parrots"),
        ("How many students live in Birch Hall?", "houses 120 students"),
        ("What percent of the grade is the ZOO 110 final?", "the final 40%"),
        ("When is the deadline of the Orchard Prize?", "due by May 6, 2026"),
        ("How many days until the Orchard Prize deadline?", "That is in 30 days, on Wednesday, May 06, 2026."),
        ("Can I leave my car in Lot C overnight?", "Overnight parking is not allowed in Lot C."),
    ],
)
def test_what_a_passage_says_in_a_column_or_in_other_words_is_found(base, question, part):
    assert part in _asked(base, question)


@pytest.mark.parametrize(
    ("question", "team"),
    [
        ("What teams meet today?", "Rowing"),
        ("What teams meet on Saturday?", "Fencing"),
        ("What teams meet tomorrow?", "Frisbee"),
    ],
)
def test_things_of_a_kind_are_looked_up_by_the_day_too(base, question, team):
    answer = _asked(base, question)
    assert f"Team: {team} Team" in answer
    assert answer.count("Captain:") == 1


def test_the_kind_in_a_comparison_is_none_of_the_things_compared(base):
    answer = _asked(base, "Which team meets sooner, the Judo Team or the Fencing Team?")
    assert answer.startswith("The Judo Team comes first: in 3 days")


def test_a_later_part_of_a_question_is_about_the_same_thing_and_quotes_it_once(base):
    answer = _asked(base, "Where does the Archery Team meet and how much is the fee?")
    assert answer == "Team: Archery Team; Day: Wednesday; Time: 4 PM; Venue: Range; Captain: Kim Osei; Fee: $12."


def test_follow_ups_about_a_row_are_answered_from_its_columns(base):
    asked = ["When does the Rowing Team meet?", "and the Archery Team?", "Who is its captain?", "Where is that?"]
    for end in range(2, len(asked) + 1):
        assert "Team: Archery Team;" in _asked(base, *asked[:end])
    counted = _asked(base, *asked, "How many days until that?")
    assert counted.startswith("That is in 2 days, on Wednesday, April 08, 2026.")
