from __future__ import annotations

import pytest

from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from campus_agent.guardrail.rows import rows
from tests.guardrail.triples import REFUSAL

BOATS = (
    "- Boats (table): Boat: Heron | Seats: 8 | Built: 1974 | Length: 12 m. Boat: Plover | Seats: 4 | Built: 1999 | "
    "Length: 7 m. Boat: Coot | Seats: 2 | Built: 2015 | Length: 5 m. (boats.csv, rows 1-3)"
)
HALLS = (
    "- Halls: Ash Hall was built in 1902 and houses 120 students. Birch Hall was built in 1967 and houses 340 "
    "students. (h.md)"
)
BINDING = (
    "- Copy desk › Binding: Spiral binding $4, ready the same day. Glued binding $12, ready in 3 working days. (b.md)"
)
SHOWS = (
    "- Shows: March 4, 2027: 'Salt', directed by Ada Winter. April 8, 2027: 'Tides', directed by Omar Reyes. "
    "Doors open at 6 PM. (s.md)"
)
LABS = "- Labs: Elm Lab has 24 seats. It closes at 6 PM. Fir Lab has 40 seats. It closes at 9 PM. (l.md)"
FEES = "- Fees: Membership costs $40. Pool entry is $5 for guests. Lockers are $2. (f.md)"
WORKSHOP = (
    "- Workshop › Kiln: The kiln may be used by ceramics students who attended the glaze workshop. (w.md, line 2)\n"
    "- Workshop › Loom: The loom is for fibre students only. It is booked with the studio keeper. (w.md, line 5)"
)
WASTE = "- Waste: Pour oils into the blue drum, acids into the grey drum. Broken glass goes to the white bin. (w.md)"
GATES = "- Gates: The north gate is for buses. The south gate is for bicycles. (g.md)"
FARM = (
    "- Farm › Shop: The shop sells eggs and honey from the campus hives. Volunteers feed the goats every morning. "
    "Compost bins stand behind the greenhouse. (f.md)"
)
COURTS = (
    "- Sports › Courts (table): Court: Tennis A | Surface: clay | Lights: yes. Court: Tennis B | Surface: hard | "
    "Lights: no. Court: Squash | Surface: wood | Lights: yes. (courts.csv, rows 1-3)"
)
EXAMS = (
    "- Exams (table): Exam: Latin I | Room: Cole 101 | Length: 2 hours. Exam: Latin II | Room: Cole 204 | "
    "Length: 3 hours. (ex.csv, rows 1-2)"
)
ROUTES = (
    "- Shuttles (table): Route: Red | Runs: every 15 minutes | Last bus: 11:30 PM. Route: Green | "
    "Runs: every 40 minutes | Last bus: 9 PM. (s.csv, rows 1-2)"
)
LOST = (
    "- Lost property: Phones and wallets are kept for 60 days, clothes for 30 days. Food is thrown away at once. "
    "Keys are handed to Security. (lost.md, line 1)"
)
MACHINES = (
    "- Vending › Machines: The machine in Ridge Hall sells snacks and takes cards. The machine in Vale Hall sells "
    "drinks and takes coins only. (v.md)"
)
SAILING = "- Sailing: Level 1 sailors use the dinghies. Level 3 sailors may sail at night. (sail.md)"
TOWER = "- Tower: The stairs have 96 steps. Tickets are sold on Level 2 of Gull House. Tours are $30 a week. (t.md)"


def rejects(draft: str, passage: str, question: str = "Tell me about it") -> bool:
    evidence = (Evidence("search_campus_info", passage),)
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


def test_a_text_in_which_its_first_label_comes_again_is_one_row_after_another() -> None:
    text = "Plan: Red | Price: $5. Plan: Blue | Price: $9. Both last a year."
    assert list(rows(text)) == ["Plan: Red | Price: $5.", "Plan: Blue | Price: $9", "Both last a year."]
    assert list(rows("Note: The gate: open. Price: $5.")) == ["Note: The gate: open. Price: $5."]


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        ("The Plover seats 4 and was built in 1999.", False),
        ("The Plover seats 4 and was built in 1974.", True),
        ("The Heron is 7 m long.", True),
        ("There are three boats: the Heron (8 seats), the Plover (4 seats) and the Coot (2 seats).", False),
        ("The Heron is older than the Plover.", False),
        ("The Plover is older than the Heron.", True),
        ("The Coot is the newest boat.", False),
        ("The Plover is the newest boat.", True),
        ("The Coot, the smallest boat, has 2 seats.", False),
        ("The Heron has the greatest number of seats.", False),
        ("The Coot has the greatest number of seats.", True),
        ("The longest boat is the Heron at 12 m.", False),
        ("The longest boat is the Plover at 7 m.", True),
        ("The Coot is longer than the Heron.", True),
    ],
)
def test_a_row_among_others_of_one_passage_gives_its_values_to_what_it_begins_with(draft: str, wrong: bool) -> None:
    assert rejects(draft, BOATS) == wrong


@pytest.mark.parametrize(
    ("draft", "passage", "question", "wrong"),
    [
        ("Birch Hall houses 340 students.", HALLS, "", False),
        ("Birch Hall houses 120 students.", HALLS, "", True),
        ("A spiral binding costs $4 and is ready the same day.", BINDING, "How fast is spiral binding?", False),
        ("A glued binding costs $12 and is ready in 3 working days.", BINDING, "How fast is glued binding?", False),
        ("A glued binding costs $12 and is ready the same day.", BINDING, "How fast is glued binding?", True),
        ("It's ready the same day.", BINDING, "How fast is glued binding?", True),
        ("Spiral binding is ready in 3 working days.", BINDING, "", True),
        ("Ada Winter directs 'Salt' in March.", SHOWS, "Who directs the March show?", False),
        ("Ada Winter.", SHOWS, "Who directs the March show?", False),
        ("'Tides' is directed by Ada Winter.", SHOWS, "Who directs Tides?", True),
        ("Doors open at 6 PM for 'Tides'.", SHOWS, "", False),
        ("Elm Lab (24 seats) closes at 6 PM; Fir Lab (40 seats) closes at 9 PM.", LABS, "", False),
        ("Fir Lab has 40 seats and closes at 6 PM.", LABS, "", True),
        ("Members pay $40, guests pay $5 to enter the pool.", FEES, "", False),
        ("A locker costs $5.", FEES, "How much is a locker?", True),
    ],
)
def test_a_value_is_of_the_sentence_that_names_the_subject_where_another_names_it_better(
    draft: str, passage: str, question: str, wrong: bool
) -> None:
    assert rejects(draft, passage, question or "Tell me about it") == wrong


@pytest.mark.parametrize(
    ("draft", "passage", "wrong"),
    [
        ("The kiln is open to ceramics students who've been to the glaze workshop.", WORKSHOP, False),
        ("The loom is only for fibre students; book it with the studio keeper.", WORKSHOP, False),
        ("The loom may be used by students who attended the glaze workshop.", WORKSHOP, True),
        ("The kiln is booked with the studio keeper.", WORKSHOP, True),
        ("Oils go into the blue drum and acids into the grey drum.", WASTE, False),
        ("Your oils should be poured into the drum that is blue.", WASTE, False),
        ("The north and south gates are for buses and bicycles respectively.", GATES, False),
        ("Volunteers feed goats in the morning.", FARM, False),
        ("You can buy honey from the campus hives in the shop.", FARM, False),
        ("Tennis A has a clay surface.", COURTS, False),
        ("The squash court has a clay surface.", COURTS, True),
        ("Tennis A has lights.", COURTS, False),
        ("Keys go to Security.", LOST, False),
        ("The machine in Ridge Hall takes cards; it sells snacks.", MACHINES, False),
    ],
)
def test_a_statement_without_a_value_keeps_to_what_is_said_of_its_subject(
    draft: str, passage: str, wrong: bool
) -> None:
    assert rejects(draft, passage) == wrong


@pytest.mark.parametrize(
    ("draft", "passage", "wrong"),
    [
        ("Latin II is in Cole 204 and lasts 3 hours.", EXAMS, False),
        ("Latin I lasts 3 hours.", EXAMS, True),
        ("Latin II is longer than Latin I.", EXAMS, False),
        ("Latin I is longer than Latin II.", EXAMS, True),
        ("The Red route runs later than the Green one.", ROUTES, False),
        ("The Green route runs later than the Red one.", ROUTES, True),
        ("Red runs more often than Green.", ROUTES, False),
        ("Green runs more often than Red.", ROUTES, True),
        ("Sailors at the third level may sail at night.", SAILING, False),
    ],
)
def test_what_a_number_tells_apart_is_compared_as_such(draft: str, passage: str, wrong: bool) -> None:
    assert rejects(draft, passage) == wrong


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        ("There are 96 steps.", False),
        ("There are 69 steps.", True),
        ("Tickets are sold on the second level of Gull House.", False),
        ("Tickets are sold on the third level of Gull House.", True),
        ("The weekly tour is $30.", False),
    ],
)
def test_steps_levels_and_rates_are_values_in_other_words(draft: str, wrong: bool) -> None:
    assert rejects(draft, TOWER) == wrong


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("four hundred seats", "400"),
        ("two hundred and fifty seats", "250"),
        ("a hundred seats", "100"),
        ("three hundred twenty-five seats", "325"),
        ("ready the next working day", "1 day"),
        ("back on the same day", "0 day"),
    ],
)
def test_numbers_in_words_and_turnarounds_are_numbers(written: str, normal: str) -> None:
    assert [found.normal for found in facts(written)] == [normal]


@pytest.mark.parametrize(
    "draft",
    [
        "Pool: Day: Tuesday; Hours: 7 AM to 2 PM.",
        "Pool: Day: Saturday and Sunday; Hours: closed.",
    ],
)
def test_a_row_that_is_quoted_with_its_title_speaks_of_what_the_title_names(draft: str) -> None:
    passages = (
        "- Pool: Day: Monday and Tuesday; Hours: 6 AM to 9 AM (p.md, line 5)\n"
        "- Pool: Day: Tuesday; Hours: 7 AM to 2 PM (p.md, line 6)\n"
        "- Pool: Day: Saturday and Sunday; Hours: closed (p.md, line 7)"
    )
    evidence = (Evidence("search_campus_info", passages),)
    review = Guardrail(refusal=REFUSAL).review(draft, question="when does the pool close", evidence=evidence)
    assert not review.unsupported
