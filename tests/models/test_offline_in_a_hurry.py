"""The offline model on questions typed in a hurry, over the tables, lists and records of a base it never saw."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from tests.models.test_offline_model import REFUSAL, Campus

THURSDAY = datetime(2026, 3, 5, 9)

TREATMENTS = """Treatment,For whom,Form due,Cost
Rabies vaccine,Field biologists,"March 13, 2026",$48
Hearing check,Pilots,"April 2, 2026",free
Tetanus booster,Welders,"March 6, 2026",$21
"""

STUDIOS = """Studio,Places,Members,Guests,Extras
Blue Room,24,€6,€14,piano
Kiln Loft,9,free,€11,"two kilns, a sink"
Dark Room,4,€3,€8,enlarger
"""

PLAN = """Week,Tuesday group,Friday group,Unit,Sketch due,Remarks
1,2026-03-03,2026-03-06,Unit 1 Clay,2026-03-12,bring an apron
2,2026-03-10,2026-03-13,Unit 2 Glaze,2026-03-19,
3,2026-03-17,2026-03-20,no unit,,spring recess
"""

MARKS = """# Studio course

## Marks

| Part | Weight |
|---|---|
| Sketches | 35 % |
| Portfolio | 45 % |
| Talk | 20 % |

A late sketch loses 4 points per day.

## People

- Course head: Ines Okafor, office hours Monday 2 PM to 4 PM
- Studio guide, Tuesday group: Rolf Amsel, room K9
- Studio guide, Friday group: Mina Duarte, room K12

## Feeling ill

If you are ill, phone the studio desk before 8:30 AM.

A certificate is needed from the second week of illness.
"""

DATES = """# Dates of the Exchange Desk, 2026

| What | Deadline |
|---|---|
| Sign-up for welcome week | 20 February 2026 |
| Booking of a locker, summer term | 7 March 2026 |
| Bursary for mountain schools | 30 March 2026 |
| Request for a place at island schools | 2 April 2026 |
| Request for a place at mountain schools | 9 May 2026 |
"""

ANSWERS = """question,answer
Where is the Exchange Desk?,It is in Alder House in room 2.07. The desk is open on Thursday from 10:00 to 12:00.
How do I get around?,Bus passes are sold in the kiosks. No bus runs at night.
May I cancel?,"A booking can be cancelled for nothing up to 48 hours before, later half is charged."
"""

SOCIETIES = [
    {"name": "Juggling Circle", "about": "Limited to 14 people.", "meets": "Thursday 18:00-20:00",
     "lead": "Tess Moran", "email": "juggle@alder.example", "fee": "€4 per term"},
    {"name": "Brass Union", "about": "Bring your own horn.", "meets": "Monday 19:00-21:00",
     "lead": "Olav Berg", "email": "brass@alder.example", "fee": "€9 per term"},
    {"name": "Night Walkers", "about": "Walks under the stars.", "meets": "Thursday 21:00-23:00",
     "lead": "Ada Finch", "email": "walk@alder.example", "fee": "free"},
]  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("hurry")
    for name, text in (
        ("treatments.csv", TREATMENTS),
        ("studios.csv", STUDIOS),
        ("plan.csv", PLAN),
        ("course.md", MARKS),
        ("dates.md", DATES),
        ("faq.csv", ANSWERS),
        ("societies.json", json.dumps(SOCIETIES)),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return KnowledgeBase.load([folder])


def _asked(base: KnowledgeBase, *questions: str) -> str:
    """Return the answer to the last of some questions, which the guardrail lets through as it stands."""
    campus = Campus(base, THURSDAY)
    *_, answer = [campus.ask(question).answer for question in questions]
    review = Guardrail(refusal=REFUSAL).review(answer, question=questions[-1], evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == [], answer
    return answer


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("where is the exchange desk", "room 2.07"),
        ("where is the exchnage desk", "room 2.07"),
        ("how much is the rabies vacine", "$48"),
        ("how much is the tetnus booster", "$21"),
        ("email of the brass society", "brass@alder.example"),
        ("how many people fit in juggling", "Limited to 14 people"),
        ("who do i call when im sick", "phone the studio desk"),
        ("when do i need a certificate", "from the second week"),
        ("how many points do i lose if im 3 days late with a sketch", "4 points per day"),
        ("who do i talk to when im sick", "phone the studio desk"),
        ("where can i buy a bus pass", "sold in the kiosks"),
        ("are there buses at night", "No bus runs at night"),
        ("can i cancel a booking the day before for free", "48 hours"),
        ("when do i have to request a place at island schools next year", "2 April 2026"),
    ],
)
def test_a_question_typed_in_a_hurry_is_answered(base, question, part):
    assert part in _asked(base, question)


@pytest.mark.parametrize(
    "question",
    [
        "how much is tuition",  # a word that means the same as the heading of a column names no row
        "how much is the mumps vaccine",
        "who is the lead of the student union",  # the Brass Union is another
        "when does the welcome week end",
        "when does the summer term end",  # only the booking of a locker has a date
        "what time does the welcome week start",  # a date is no time of day
        "which is cheaper, the sauna or the pool",
        "does the talk or the essay count more",
    ],
)
def test_what_only_looks_like_it_is_no_answer(base, question):
    assert _asked(base, question) == REFUSAL


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how much is the blue room for guests", "Studio: Blue Room; Guests: €14."),
        ("how many places has the kiln loft", "Studio: Kiln Loft; Places: 9."),
        ("what does the tetanus booster cost", "Treatment: Tetanus booster; Cost: $21."),
        ("price of the dark room for members", "Studio: Dark Room; Members: €3."),
        ("who is the studio guide of the friday group", "Studio guide, Friday group: Mina Duarte, room K12."),
    ],
)
def test_one_cell_is_answered_with_what_it_is_of_where_others_could_be_meant(base, question, answer):
    assert _asked(base, question) == answer


def test_a_row_stays_whole_where_no_column_is_named(base):
    assert _asked(base, "how much is the blue room").startswith("Studio: Blue Room; Places: 24; Members: €6")


@pytest.mark.parametrize(
    ("questions", "part", "other"),
    [
        (("how much is the rabies vaccine", "and the tetanus booster"), "$21", "$48"),
        (("how much are the sketches worth", "and the portfolio"), "45 %", "35 %"),
        (("when is the request for a place at island schools due", "and mountain schools"), "9 May", "30 March"),
        (("who do i call when im sick", "until what time"), "8:30 AM", "certificate"),
        (("where is the exchange desk", "when is it open"), "10:00", "deadline"),
        (("how much is the blue room for guests", "and the kiln loft"), "Kiln Loft", "Blue Room"),
    ],
)  # fmt: skip
def test_a_follow_up_leaves_to_the_question_before_what_it_does_not_say(base, questions, part, other):
    answer = _asked(base, *questions)
    assert part in answer
    assert other not in answer


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("what counts more the talk or the portfolio", "The portfolio counts more. "),
        ("does the portfolio or the talk count less", "Talk counts less. "),
        ("juggling or brass, which is cheaper", "Juggling is cheaper. "),
        ("which room holds more the blue room or the dark room", "The Blue Room holds more. "),
        ("whats more expensive, the rabies vaccine or the tetanus booster", "The rabies vaccine is more expensive. "),
    ],
)
def test_two_things_are_compared_by_the_value_that_the_base_gives_of_each(base, question, start):
    assert _asked(base, question).startswith(start)


@pytest.mark.parametrize(
    ("question", "part", "other"),
    [
        ("what unit do we have tomorrow", "Unit 1 Clay", "Glaze"),
        ("is there a unit the week of march 17", "no unit", "Clay"),
        ("is the welcome week sign-up still open", "That was 13 days ago", "in 2 days"),
        ("how many days until the rabies form is due", "in 8 days", "ago"),
        ("which societies meet today", "Juggling Circle", "Brass"),
        ("which societies meet today", "Night Walkers", "nothing that is listed"),
    ],
)
def test_a_day_is_looked_up_in_plans_deadlines_and_records(base, question, part, other):
    answer = _asked(base, question)
    assert part in answer
    assert other not in answer


def test_what_is_due_in_a_week_is_found_by_its_deadline_however_its_column_is_called(base):
    answer = _asked(base, "whats due this week")
    assert "locker" in answer
    assert "welcome" not in answer
    assert "island" not in answer
