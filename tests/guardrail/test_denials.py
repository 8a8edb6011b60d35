from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from campus_agent.tools.tool import Source
from tests.guardrail.triples import REFUSAL

LABS = (
    ("Labs › Print lab", "The print lab is in Ostrom Hall room 305. Prints cost $4 each."),
    ("Labs › Wood shop", "The wood shop is in Rossi Hall room 110. A cut costs $6."),
)
LESSONS = (("Lessons", "Harp is taught on Mondays by Ida Nowak. Oboe is taught on Fridays by Sam Ortiz."),)
HARP = (
    ("Lessons › Harp", "Harp lessons: Mondays, 4 PM. Contact: Ida Nowak."),
    ("Lessons › Oboe", "Oboe lessons: Fridays, 3 PM. Contact: Sam Ortiz."),
)
REGATTA = (
    ("Regatta", "Entry is free for members and costs $9 for visitors."),
    ("Alumni day", "Registration is free for students; alumni pay $15."),
)
RULES = (
    (
        "Halls › Kitchen",
        "Kettles are permitted in the kitchen; toasters are not. Aprons are advised but not required.",
    ),
    ("Halls › Rooms", "Candles are banned, except for electric ones. Pets are not permitted, except for fish."),
)
ROWS = (
    ("Piers › Rent", "Pier One houses 40 boats. Pier Two houses 60. Rent on Pier One is $70; on Pier Two it is $90."),
    ("Piers › Ferry", "The ferry runs every 20 minutes. It does not run on Sundays."),
)
OFFICES = (
    ("Choir", "The choir sings in Nord Chapel and Ziegler Hall. Contact: choir@lakeside.edu."),
    ("Aid › Aid Office", "The Aid Office is in Rossi Hall room 12. The director is Olga Brandt."),
)
HELP = (
    ("Help › Physics", "Physics help runs Mondays 3-5 PM and requires a booking."),
    ("Help › Latin", "Latin help is free; no booking is needed."),
    ("Help › Prints", "Colour pages cost 50 cents, black-and-white pages 10 cents."),
)
RIGHT = [
    (LABS, "Is the print lab in room 110?", "No."),
    (LABS, "Is the print lab in room 110?", "No, the print lab is not in room 110. It is in Ostrom Hall room 305."),
    (LABS, "Is the wood shop in Ostrom Hall?", "The wood shop is not in Ostrom Hall but in Rossi Hall."),
    (LABS, "Does a print cost $6?", "No, a print does not cost $6."),
    (LESSONS, "Is harp taught on Fridays?", "No, it is not taught on Fridays."),
    (LESSONS, "Is harp taught on Fridays?", "Harp is not taught on Fridays."),
    (HARP, "Does Sam Ortiz teach harp?", "No."),
    (REGATTA, "Is entry free for visitors?", "No, visitors pay $9."),
    (REGATTA, "Do alumni pay?", "Yes, registration costs $15 for alumni."),
    (RULES, "Are toasters allowed in the kitchen?", "No, toasters are not allowed in the kitchen."),
    (RULES, "Are kettles allowed?", "Yes, kettles are allowed; toasters are not."),
    (RULES, "Do I need an apron?", "No, aprons are advised but not required."),
    (RULES, "Are dogs allowed?", "No, dogs are not allowed."),
    (RULES, "Are dogs allowed?", "No, pets are not permitted, except for fish."),
    (RULES, "Are fish allowed?", "Yes, fish are allowed."),
    (RULES, "Are electric candles permitted?", "Yes, electric candles are permitted."),
    (ROWS, "What is the rent?", "Rent on Pier One is $70, and on Pier Two it is $90."),
    (ROWS, "Does the ferry run every 30 minutes?", "No, it runs every 20 minutes."),
    (
        OFFICES,
        "What is the choir's phone number?",
        "I have no phone number for it, but write to choir@lakeside.edu.",
    ),
    (OFFICES, "Who directs the Aid Office?", "The director of the Aid Office is Olga Brandt."),
    (OFFICES, "Where does the choir sing?", "It sings in Nord Chapel and in Ziegler Hall."),
    (HELP, "Do I need a booking for physics help?", "Yes, physics help requires a booking."),
    (HELP, "What does a color page cost?", "Color pages cost 50 cents."),
]
WRONG = [
    (LABS, "Is the print lab in room 305?", "No."),
    (LABS, "Is the print lab in room 305?", "No, it is not in room 305."),
    (LABS, "Is the print lab in room 305?", "No, the print lab isn't in Ostrom Hall room 305."),
    (LABS, "Is the wood shop in Rossi Hall?", "The wood shop is not in Rossi Hall."),
    (LABS, "Does a print cost $4?", "A print does not cost $4."),
    (LESSONS, "Is harp taught on Mondays?", "No, it is not taught on Mondays."),
    (HARP, "Does Ida Nowak teach harp?", "No."),
    (REGATTA, "Is entry free for visitors?", "Yes, it is free for visitors."),
    (REGATTA, "Do alumni pay?", "No, registration is free for alumni."),
    (RULES, "Are toasters allowed in the kitchen?", "Yes, toasters are allowed in the kitchen."),
    (RULES, "Are kettles allowed?", "No, kettles are not allowed, but toasters are."),
    (RULES, "Are dogs allowed?", "Yes, dogs are allowed."),
    (RULES, "Are fish allowed?", "No, fish are not allowed."),
    (RULES, "Are pets permitted?", "Yes, pets are permitted, except for fish."),
    (OFFICES, "Who directs the Aid Office?", "The director of the Aid Office is Eva Stein."),
    (HELP, "Do I need a booking for Latin help?", "Yes, Latin help requires a booking."),
]


def is_refused(passages: tuple[tuple[str, str], ...], question: str, draft: str) -> bool:
    sources = tuple(
        Source(title=one, source="campus.md", line=at, text=text) for at, (one, text) in enumerate(passages, 1)
    )
    told = "\n".join(f"- {one.title}: {one.text} ({one.source}, line {one.line})" for one in sources)
    evidence = [Evidence("search_campus_info", told, sources)]
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


@pytest.mark.parametrize(("passages", "question", "draft"), RIGHT)
def test_what_is_not_so_may_be_denied_and_what_is_so_affirmed(
    passages: tuple[tuple[str, str], ...], question: str, draft: str
) -> None:
    assert not is_refused(passages, question, draft)


@pytest.mark.parametrize(("passages", "question", "draft"), WRONG)
def test_what_is_so_may_not_be_denied_nor_what_is_not_so_affirmed(
    passages: tuple[tuple[str, str], ...], question: str, draft: str
) -> None:
    assert is_refused(passages, question, draft)
