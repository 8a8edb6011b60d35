from __future__ import annotations

import pytest

from campus_agent.guardrail.facts import equal, facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

KILN = (
    "Kiln: The kiln is open Mondays 3-7 PM in Heron House 017. New potters must take a 40-minute firing course. "
    "To get a kiln key, bring a course slip to the Craft Desk."
)
LOCKERS = "Lockers: Lockers are in Heron House and in Quill Library. A locker may be kept for at most four weeks."
CREDITS = "Credits: Students may take 10 to 16 credits. More than 16 credits need approval from the registrar."
TUTORS = "Study barn: The Study Barn offers free tutoring in botany, geology and Latin. Walk-ins are welcome."
SAUNA = "Sauna: The sauna is open on weekdays from 7 AM to 9 PM and on weekends from 10 AM to 6 PM."
SUNDAY_NIGHT = "Sunday, October 11, 2026 at 08:30 PM EDT"


def rejected(draft: str, question: str, passage: str, *tools: Evidence) -> bool:
    evidence = (Evidence("search_campus_info", f"- {passage} (base.md, line 1)"), *tools)
    return bool(Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence).unsupported)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ext. 4410", "extension 4410"),
        ("dial 4410", "Call 4410"),
        ("room F310", "F-310"),
        ("QH-205", "in QH 205"),
        ("M-F", "weekdays"),
        ("professor Osei", "Prof. Osei"),
    ],
)
def test_what_is_called_met_or_found_is_equal_however_it_is_written(one: str, other: str) -> None:
    (first,), (second,) = facts(one), facts(other)

    assert equal(first, second)


@pytest.mark.parametrize(
    ("text", "kind", "written"),
    [("Go to Heron House 017.", "room", "Heron House 017"), ("Visit Quill Library 204.", "room", "Quill Library 204")],
)
def test_the_number_of_a_room_keeps_its_building(text: str, kind: str, written: str) -> None:
    assert [(fact.kind, fact.text) for fact in facts(text)] == [(kind, written)]


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        ("Lockers are in Heron House and Quill Library.", False),
        ("Lockers are in Heron House, Quill Library and the Student Center.", True),
        ("Lockers are in Heron House and the main office.", True),
        ("Lockers are in Quill Library and in the gym.", True),
    ],
)
def test_every_place_of_a_list_is_a_place(draft: str, wrong: bool) -> None:
    assert rejected(draft, "Where are the lockers?", LOCKERS) is wrong


@pytest.mark.parametrize(
    ("draft", "question", "passage", "wrong"),
    [
        ("Yes, you can keep it.", "Can I keep a locker for 6 weeks?", LOCKERS, True),
        ("No, for at most four weeks.", "Can I keep a locker for 6 weeks?", LOCKERS, False),
        ("Yes, you can keep it.", "Can I keep a locker for 20 days?", LOCKERS, False),
        ("Yes, with approval from the registrar.", "Can I take 19 credits?", CREDITS, False),
        ("Yes.", "Can I take 14 credits?", CREDITS, False),
    ],
)
def test_a_yes_to_more_than_a_limit_allows_is_unsupported(draft: str, question: str, passage: str, wrong: bool) -> None:
    assert rejected(draft, question, passage) is wrong


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        ("New potters must take a 40-minute firing course.", False),
        ("You have to take a firing course, which lasts 40 minutes.", False),
        ("Bring a course slip to the Craft Desk.", False),
        ("You need the slip of the firing course.", False),
        ("New potters must take a 40-minute firing course and sign a damage waiver.", True),
        ("Bring a tax record to the Craft Desk.", True),
        ("You can get a kiln key at the Craft Desk by bringing a passport.", True),
        ("The kiln is run by retired artists and is open Mondays 3-7 PM.", True),
    ],
)
def test_what_is_asked_of_people_and_who_does_it_is_named_by_a_passage(draft: str, wrong: bool) -> None:
    assert rejected(draft, "How do I get to use the kiln?", KILN) is wrong


@pytest.mark.parametrize(
    ("draft", "question", "wrong"),
    [
        ("Yes, the Study Barn offers free tutoring in geology.", "Is there tutoring in geology?", False),
        ("The Study Barn offers tutoring in Latin, botany and geology.", "What tutoring is there?", False),
        ("Yes, the Study Barn offers free tutoring in algebra.", "Is there tutoring in algebra?", True),
        ("The Study Barn offers tutoring in botany, algebra and Latin.", "What tutoring is there?", True),
        ("No, walk-ins are welcome.", "Do I need an appointment for tutoring?", False),
        ("Yes, you need an appointment.", "Do I need an appointment for tutoring?", True),
    ],
)
def test_a_member_of_a_list_or_a_need_that_no_passage_names_is_unsupported(
    draft: str, question: str, wrong: bool
) -> None:
    assert rejected(draft, question, TUTORS) is wrong


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        ("Yes, the sauna is open until 9 PM.", True),
        ("Yes, the sauna is open.", True),
        ("No, the sauna closed at 6 PM.", False),
    ],
)
@pytest.mark.parametrize("question", ["can I still get in the sauna", "May I use the sauna now?", "Can we go in?"])
def test_who_asks_to_go_in_is_told_of_now(question: str, draft: str, wrong: bool) -> None:
    assert rejected(draft, question, SAUNA, Evidence("get_current_time", SUNDAY_NIGHT)) is wrong


@pytest.mark.parametrize("question", ["How long until the next rowing practice?", "How long until Monday?"])
@pytest.mark.parametrize("days", ["3 day(s)", "3 days"])
def test_the_words_of_a_tool_are_supported_whatever_was_asked(question: str, days: str) -> None:
    counted = Evidence("days_until_weekday", "The next Monday is in 3 day(s), on June 22, 2026.")
    draft = f"The next Monday is in {days}, on June 22, 2026."

    assert not Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=(counted,)).unsupported


def test_who_asks_until_when_is_not_told_of_now() -> None:
    draft, question = "It is open until 6 PM.", "Until when can I stay in the sauna on Sunday?"

    assert not rejected(draft, question, SAUNA, Evidence("get_current_time", SUNDAY_NIGHT))


@pytest.mark.parametrize("question", ["Until when can I stay?", "How late may we use the sauna?"])
def test_an_open_question_with_a_clock_is_answered_with_the_hours(question: str) -> None:
    passage = "Sauna: The sauna is open until 6 PM."

    assert not rejected("The sauna is open until 6 PM.", question, passage, Evidence("get_current_time", SUNDAY_NIGHT))
