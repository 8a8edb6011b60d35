from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

KITCHENS = "Hall › Kitchens: Rice cookers are allowed in rooms. Air fryers, grills and candles are not."
READING = "Archive › Reading room: Pens are not allowed; pencils are."
PLAN = "Insurance › Dental: The plan covers cleanings and fillings, but not braces. Claims go to the Harrow desk."
LESSONS = "Music › Lessons: The first lesson lasts 60 minutes, later lessons 40 minutes."
SOUPS = "Canteen › Soups: Lentil on Mondays, tomato on Tuesdays, barley on Thursdays; always noon at the Reed Counter."
NIGHTS = "Hostel › Nights: A cousin may stay up to 2 nights in a row and no more than 5 nights a month."
HELP = "Physics › Help room: Monday to Friday 1 PM to 5 PM. For courses numbered 100 to 199. No appointment."
LADDERS = "Tools › Loans: Ladders may be borrowed by anybody. Borrowers must be 18 or older."
BOND = "Leases › Leaving: Give notice before March 1, 2028 and the $300 bond is refunded. After that date it is kept."
FUND = "Aid › Hardship fund: Up to $600, once per term. It does not have to be paid back."
SHOTS = "Clinic › Travel vaccines: Vaccines are free for students and $30 for employees."
VAN = "Transit › Night van: The night van is for residents of Elm Village. Rides are booked in Hoppa."
DROP_IN = "Tutoring › Drop-in: Monday to Wednesday 6 PM to 9 PM in the Wren Room."


def is_right(draft: str, question: str, passage: str, now: str = "") -> bool:
    evidence = [Evidence("search_campus_info", f"- {passage} (base.md, line 1)")]
    evidence += [Evidence("get_current_time", now)] if now else []
    return not Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported


@pytest.mark.parametrize(
    ("passage", "question", "right", "wrong"),
    [
        (KITCHENS, "What may I have?", "Grills, air fryers and candles aren't permitted.", "Air fryers are permitted."),
        (KITCHENS, "What may I have?", "A rice cooker is fine, but grills and candles aren't.", "Grills are fine."),
        (READING, "May I bring a pencil?", "Yes, pencils are allowed.", "No, pencils are not allowed."),
        (READING, "What of pencils?", "Pencils are allowed.", "Pencils have to be removed."),
    ],
)
def test_what_leaves_its_verb_out_says_what_the_verb_before_or_after_it_does(
    passage: str, question: str, right: str, wrong: str
) -> None:
    assert (is_right(right, question, passage), is_right(wrong, question, passage)) == (True, False)


@pytest.mark.parametrize(
    ("passage", "right", "wrong"),
    [
        (LESSONS, "The first one lasts 60 minutes.", "The first lesson is 40 minutes."),
        (LESSONS, "Later ones are 40 minutes.", "Your first is 40 minutes and later ones are 60 minutes."),
        (SOUPS, "- Tuesday: tomato\n- Thursday: barley", "- Tuesday: barley\n- Thursday: tomato"),
        (SOUPS, "| Tuesday | Tomato |", "| Tuesday | Barley |"),
        (NIGHTS, "At most two nights in a row and five nights in a month.", "At most 3 nights in a row."),
        (SHOTS, "Employees pay $30 for a vaccine.", "Employees get their vaccines free."),
        (VAN, "It's for residents of Elm Village.", "It's for employees of Elm Village."),
        (VAN, "Reserve on Hoppa.", "Reserve on Hoppa with your wristband and umbrella."),
        (FUND, "You don't have to repay it.", "It has to be paid back."),
    ],
)
def test_values_are_given_to_what_the_passage_gives_them_to(passage: str, right: str, wrong: str) -> None:
    question = "Can you tell me more about that?"
    assert (is_right(right, question, passage), is_right(wrong, question, passage)) == (True, False)


@pytest.mark.parametrize(
    ("passage", "within", "beyond"),
    [
        (HELP, "I'm in Physics 140, can I get help there?", "I'm in Physics 240, can I get help there?"),
        (LADDERS, "I'm 20, can I borrow a ladder?", "I'm 17, can I borrow a ladder?"),
        (
            BOND,
            "If I give notice on February 4, 2028, is the bond refunded?",
            "If I give notice on April 4, 2028, is the bond refunded?",
        ),
    ],
)
def test_a_yes_is_no_answer_to_a_case_beyond_every_bound(passage: str, within: str, beyond: str) -> None:
    assert (is_right("Yes, you can.", within, passage), is_right("Yes, you can.", beyond, passage)) == (True, False)
    assert is_right("No.", beyond, passage)


@pytest.mark.parametrize(("day", "right"), [("Wednesday, March 03", True), ("Thursday, March 04", False)])
def test_what_is_going_on_now_is_judged_by_the_hours(day: str, right: bool) -> None:
    now = f"{day}, 2027 at 07:00 PM PST"
    draft = "Yes, drop-in is going on right now in the Wren Room."
    assert is_right(draft, "Is drop-in on?", DROP_IN, now) == right


def test_an_hour_that_the_asker_gives_is_not_affirmed() -> None:
    now = "Wednesday, March 03, 2027 at 07:00 PM PST"
    draft = "Yes. Drop-in runs until 9 PM on Wednesdays, and it's 7:00 PM."
    assert is_right(draft, "It's past six, is somebody still there?", DROP_IN, now)


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("A locker is $4 a week.", True),
        ("A locker is $4 per week.", True),
        ("Trucks must be washed.", True),
    ],
)
def test_an_amount_and_a_duty_are_of_what_they_are_said_of(draft: str, right: bool) -> None:
    passage = "Rink › Rules: Lockers cost $4 a week. Trucks must be washed; skates must be sharpened."
    assert is_right(draft, "What are the rules?", passage) == right
