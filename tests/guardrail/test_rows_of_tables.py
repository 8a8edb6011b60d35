from __future__ import annotations

import pytest

from tests.guardrail.test_values_said_otherwise import _unsupported

MENU = (
    "- Menu: Weekday: Thursday; Hall: Larch Hall; Meal: Supper; Main dish: beef ragout; Vegan dish: mushroom stew "
    "(m.csv, line 4)\n"
    "- Menu: Weekday: Tuesday; Hall: Larch Hall; Meal: Supper; Main dish: fish pie; Vegan dish: bean chili "
    "(m.csv, line 2)\n"
    "- Menu: Weekday: Tuesday; Hall: Larch Hall; Meal: Lunch; Main dish: cheese toast; Vegan dish: rice bowl "
    "(m.csv, line 3)"
)
PASSES = (
    "- Passes: Pass: Heron; Rides: 12 per week; Locker Credit per term: $80; Price per term: $410 (p.md, line 3)\n"
    "- Passes: Pass: Stork; Rides: unlimited; Locker Credit per term: $20; Price per term: $590 (p.md, line 4)"
)
PLAN = (
    "- Plan: Date: 2027-03-12; Day: Friday; Topic: Quiz 2; Due: Essay 1 (s.csv, line 4)\n"
    "- Grading: Component: Quiz 2; Weight: 15% (g.md, line 3)\n"
    "- Plan: Date: 2027-03-10; Day: Wednesday; Topic: Practice for Quiz 2; Due: Map Sketch (s.csv, line 3)"
)
CABINS = (
    "- Cabins: Cabin: Alder Cabin; Beds: 6; Hot water: no; Wood stove: yes; Valley: Upper Tarn (c.csv, line 2)\n"
    "- Cabins: Cabin: Rowan Cabin; Beds: 9; Hot water: yes; Wood stove: no; Valley: Lower Tarn (c.csv, line 3)"
)
CRAFTS = (
    "- Wim Okafor: Name: Wim Okafor; Crafts: pottery, basketry; Room: Shed 3; Days: Monday (t.csv, line 3)\n"
    "- Ute Marsh: Name: Ute Marsh; Crafts: weaving, felting; Room: Shed 8; Days: Tuesday to Friday (t.csv, line 9)"
)
HOURS = (
    "- Otter Bar › Hours: Day: Monday to Friday; Open: 9:30 AM; Close: 9:00 PM (o.md, line 4)\n"
    "- Finch Café › Hours: Day: Monday to Thursday; Hours: 7:00 AM - 10:30 PM (f.md, line 4)\n"
    "- Otter Bar › Hours: Day: Saturday; Open: 11:00 AM; Close: 11:30 PM (o.md, line 5)\n"
    "- Finch Café › Hours: Day: Saturday; Hours: 8:00 AM - 6:00 PM (f.md, line 5)"
)
RULES = (
    "- Grading: The lowest essay is dropped. (g.md, line 9)\n- Plan: Date: 2027-03-10; Topic: Rivers (s.csv, line 3)"
)
CLOCK = "Tuesday, March 02, 2027 at 9:00 AM PST"
TONIGHT, TUESDAY, BOTH = "whats the vegan dish tonight", "supper on tuesday?", "supper on tuesday and thursday?"
CREDIT, DUE, WATER = "how much locker credit do i get with heron", "whats due", "does alder have hot water"
LATER = "is otter or finch open later on monday"


@pytest.mark.parametrize(
    ("passage", "question", "right", "wrong"),
    [
        (MENU, TONIGHT, "The vegan dish tonight is bean chili.", "The vegan dish tonight is mushroom stew."),
        (MENU, TONIGHT, "Tonight, Larch Hall has bean chili.", "Tonight, Larch Hall has mushroom stew."),
        (MENU, TONIGHT, "Bean chili.", "Mushroom stew."),
        (MENU, TONIGHT, "It's bean chili tonight, and mushroom stew on Thursday.", "It's mushroom stew tonight."),
        (MENU, TUESDAY, "On Tuesday:\n- Main dish: fish pie", "On Tuesday:\n- Main dish: beef ragout"),
        (MENU, BOTH, "On Tuesday it's fish pie and on Thursday beef ragout.", "On Thursday it's fish pie."),
        (PLAN, "when is quiz 2", "Quiz 2 is scheduled for March 12.", "Quiz 2 is scheduled for March 10, Wednesday."),
        (PLAN, "when is the practice", "The practice for the Quiz 2 is on Wednesday.", "The Essay 1 is on Wednesday."),
    ],
)
def test_what_a_row_holds_is_said_of_its_own_day(passage: str, question: str, right: str, wrong: str) -> None:
    assert _unsupported(passage, right, question, CLOCK) == ()
    assert _unsupported(passage, wrong, question, CLOCK)


def test_an_answer_of_another_day_that_says_so_answers_a_question_about_today() -> None:
    question = "when is there mushroom stew, i missed it today"
    assert _unsupported(MENU, "Mushroom stew is the vegan dish on Thursday.", question, CLOCK) == ()


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (CREDIT, "Heron comes with $80 locker credit per term.", "Heron comes with 12 locker credits per week."),
        (CREDIT, "You get 80.", "You get 12 per week."),
        (CREDIT, "Heron gives you 12 rides per week with an $80 locker credit.", "You get $410 locker credit."),
        ("which pass has 12 rides", "Heron, for $410 per term.", "Heron, with 80 rides."),
    ],
)
def test_a_value_is_that_of_the_column_that_is_named(question: str, right: str, wrong: str) -> None:
    assert _unsupported(PASSES, right, question) == ()
    assert _unsupported(PASSES, wrong, question)


@pytest.mark.parametrize(
    ("passage", "question", "right", "wrong"),
    [
        (
            PLAN,
            DUE,
            "There is a Map Sketch due on 2027-03-10, and an Essay 1 due on 2027-03-12.",
            "There is an Essay 1 due on 2027-03-10, and a Map Sketch due on 2027-03-12.",
        ),
        (
            PLAN,
            DUE,
            "On 2027-03-10 a Map Sketch is due, and Essay 1 on 2027-03-12.",
            "On 2027-03-10 Essay 1 is due, and on 2027-03-12 the Map Sketch.",
        ),
        (CRAFTS, "who teaches felting", "Ute Marsh teaches felting.", "Wim Okafor teaches felting."),
        (
            CRAFTS,
            "who does what",
            "Ute Marsh does felting, and basketry is with Wim Okafor.",
            "Wim Okafor does weaving.",
        ),
    ],
)
def test_what_stands_before_the_name_of_a_row_is_of_it_too(passage: str, question: str, right: str, wrong: str) -> None:
    assert _unsupported(passage, right, question) == ()
    assert _unsupported(passage, wrong, question)


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (WATER, "No, Alder Cabin has no hot water.", "Yes, Alder Cabin has hot water."),
        (WATER, "No, it doesn't have hot water.", "Yes, it has hot water."),
        ("does Rowan Cabin have hot water?", "Yes.", "No, Rowan Cabin does not have hot water."),
        (
            "tell me about alder",
            "Alder Cabin has 6 beds and a wood stove, but no hot water.",
            "Alder has no wood stove.",
        ),
        ("compare them", "- Alder Cabin: no hot water\n- Rowan Cabin: hot water", "- Rowan Cabin: no hot water"),
        ("tell me about alder", "Alder Cabin: 6 beds, wood stove: yes, hot water: no.", "Alder Cabin has hot water."),
    ],
)
def test_what_a_table_says_yes_or_no_to_is_not_turned_round(question: str, right: str, wrong: str) -> None:
    assert _unsupported(CABINS, right, question) == ()
    assert _unsupported(CABINS, wrong, question)


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (LATER, "Finch Café is open later on Monday.", "Otter Bar is open later on Monday."),
        (LATER, "Finch Café closes later.", "Finch Café closes earlier on Monday than Otter Bar."),
        (LATER, "Finch Café opens earlier.", "Otter Bar opens earlier on Mondays."),
        (LATER, "Finch Café is open longer on Mondays than Otter Bar.", "Otter Bar is open longer on Mondays."),
        ("is otter or finch open later on saturday", "Otter Bar is open later.", "Finch Café is open later."),
        ("when is otter open", "Otter Bar opens at 9:30 AM on Monday.", "Otter Bar closes at 9:30 AM on Monday."),
    ],
)
def test_hours_are_compared_on_the_day_that_is_spoken_of(question: str, right: str, wrong: str) -> None:
    assert _unsupported(HOURS, right, question, CLOCK) == ()
    assert _unsupported(HOURS, wrong, question, CLOCK)


def test_a_superlative_that_a_passage_says_needs_no_values() -> None:
    assert _unsupported(RULES, "Yes, they drop the lowest essay.", "do they drop an essay") == ()
    assert _unsupported(RULES, "Yes, they drop the highest essay.", "do they drop an essay")
