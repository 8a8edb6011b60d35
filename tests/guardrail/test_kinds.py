"""What a draft may say of a passage in other words, and what it may not: one test for each kind of fault once found."""

from __future__ import annotations

import random

import pytest

from campus_agent.guardrail.facts import equal, facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL, load_fresh

MAKER = (
    "- Makerspace: The makerspace is in Salvatori Hall, room 132. A course of 90 minutes is required. (m.md, line 1)"
)
OWL = "- Night Owl: The Night Owl café, next to the Leavey Library, opens at 8 PM. Coffee is $2.25. (food.md, line 1)"
FERRY = "- Ferry: The ferry leaves at 8:10 AM and 5:20 PM every day except Mondays. (ferry.md, line 1)"
SEWING = "- Sewing: The Sewing Circle meets on the third Thursday of the month in Baca Hall. (s.md, line 1)"
LABS = "- BIO 1 › Marks: Quizzes count 15% and labs 30%. Tea is free for members, otherwise $2. (b.md, line 1)"
TUTORS = "- Tutors: Priya Raman holds hours on Mondays in Norris 214. Tom Ortega comes by appointment. (t.md, line 1)"


def unsupported(draft: str, *passages: str, question: str = "Tell me about it") -> list[str]:
    evidence = (Evidence("search_campus_info", "\n".join(passages)),)
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("The makerspace is in Salvatori.", []),
        ("The makerspace is in **Salvatori**, room 132.", []),
        ("The makerspace is in Doheny.", ["Doheny"]),
        ("The makerspace is across from Doheny.", ["Doheny"]),
        ("The makerspace is in Leavey.", ["Leavey"]),
        ("The Night Owl is next to Leavey.", []),
        ("The Night Owl is behind the Salvatori.", ["Salvatori"]),
        ("The makerspace is in Salvatori Tower.", ["Salvatori Tower"]),
        ("The makerspace is in Salvatori Library.", ["Salvatori Library"]),
        ("Ask me in English if you like.", []),
    ],
)
def test_a_place_needs_no_noun_to_be_one(draft: str, named: list[str]) -> None:
    assert unsupported(draft, MAKER, OWL, question="Where is it?") == named


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("The ferry isn't on Mondays.", []),
        ("The ferry isn't on Thursdays.", ["Thursdays"]),
        ("The ferry leaves at 8:10 AM, but not on Fridays.", ["Fridays"]),
        ("The ferry runs every day except Mondays.", []),
        ("The ferry runs every day but Monday.", []),
        ("The ferry runs each day.", ["each day"]),
        ("The ferry runs twice a day.", []),
        ("The ferry runs three times a day.", ["three times a day"]),
    ],
)
def test_on_which_days_something_is_not(draft: str, named: list[str]) -> None:
    assert unsupported(draft, FERRY) == named


@pytest.mark.parametrize(
    "written", ["daily", "each day", "every single day", "all week long", "seven days a week", "any day of the week"]
)
def test_every_day_is_written_in_many_ways(written: str) -> None:
    (one,), (other,) = facts(f"It is open {written}."), facts("It is open every day.")
    assert equal(one, other)
    assert unsupported(f"The pool is open {written}.", "- Pool: The pool is open daily. (p.md, line 1)") == []


def test_a_fine_for_each_day_puts_nothing_on_every_day() -> None:
    assert facts("You pay 5% for each day.")[0].kind == "percent"
    assert [fact.kind for fact in facts("You lose 5% each day it is late.")] == ["percent"]


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("It meets on the third Thursday of each month.", []),
        ("It meets on the 3rd Thursday.", []),
        ("It meets on the first Thursday of the month.", ["first Thursday"]),
        ("It meets on the last Thursday of the month.", ["last Thursday"]),
        ("It meets on the first and third Thursdays.", ["first and third Thursdays"]),
    ],
)
def test_which_weekday_of_a_month_is_part_of_it(draft: str, named: list[str]) -> None:
    assert unsupported(f"The Sewing Circle: {draft}", SEWING) == named


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("Canoes are rented from May through September.", []),
        ("You can rent a canoe in July.", []),
        ("Canoes are rented from May to November.", ["May to November"]),
        ("You can rent a canoe in April.", ["April"]),
    ],
)
def test_a_range_of_months_holds_those_between(draft: str, named: list[str]) -> None:
    assert unsupported(draft, "- Canoes: Canoes are rented from May to September. (c.md, line 1)") == named


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("You need a course.", []),
        ("A course is mandatory.", []),
        ("You don't need a course.", ["need"]),
        ("A course is optional.", ["optional"]),
        ("No course is necessary.", ["necessary"]),
        ("If you need a course, ask.", []),
    ],
)
def test_what_is_needed_is_needed_in_any_word(draft: str, named: list[str]) -> None:
    assert unsupported(draft, MAKER) == named


@pytest.mark.parametrize(("draft", "named"), [("Yes.", []), ("No.", ["required"]), ("Nope, it isn't.", ["required"])])
def test_a_bare_no_denies_what_was_asked(draft: str, named: list[str]) -> None:
    assert unsupported(draft, MAKER, question="Is a course required?") == named


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("- Quizzes: 15%\n- Labs: 30%", []),
        ("- Quizzes: 30%\n- Labs: 15%", ["30%", "15%"]),
        ("Without a membership, tea is $2.", []),
        ("If you are a member, tea is free; if you aren't, it's $2.", []),
    ],
)
def test_a_value_belongs_to_what_the_passage_gives_it_to(draft: str, named: list[str]) -> None:
    assert unsupported(draft, LABS) == named


def test_the_hours_of_one_person_are_not_those_of_another() -> None:
    assert unsupported("Priya Raman's hours are on Mondays.", TUTORS) == []
    assert unsupported("Tom Ortega's hours are on Mondays.", TUTORS) == ["Mondays"]


def test_pages_and_their_price_are_no_page_numbers() -> None:
    assert [fact.normal for fact in facts("color pages 22 cents, see page 22")] == ["$0.22"]


def test_a_time_asked_for_as_a_bare_hour_may_be_affirmed_when_it_is_within_the_hours() -> None:
    mail = "- Mail room: The mail room is open weekdays 8:30 AM-4:30 PM. (m.md, line 1)"
    assert unsupported("Yes, it is.", mail, question="Is the mail room open on weekdays at 4?") == []
    assert unsupported("Yes, it is.", mail, question="Is the mail room open on weekdays at 6?") == ["6"]


def test_a_review_never_raises_whatever_is_said_of_whatever_was_found() -> None:
    pick = random.Random(7)
    triples = load_fresh("chatty.json")
    pieces = [word for triple in triples for one in (triple, *triple.evidence) for word in _text(one).split()]
    for _ in range(150):
        passages = [
            f"- {' '.join(pick.choices(pieces, k=3))}: {' '.join(pick.choices(pieces, k=30))} (x.md)" for _ in "ab"
        ]
        clock = pick.choice([()] + [triple.evidence[-1:] for triple in triples])
        evidence = (Evidence("search_campus_info", "\n".join(passages)), *clock)
        draft, question = (" ".join(pick.choices(pieces, k=length)) for length in (40, 8))
        draft = pick.choice(["Yes. ", "No. ", "It is open right now. ", ""]) + draft
        review = Guardrail(refusal=REFUSAL).review(draft, question=f"Is {question} open now?", evidence=evidence)
        assert len(review.facts) >= len(review.unsupported)


def _text(one: object) -> str:
    return str(getattr(one, "draft", "") or getattr(one, "text", ""))
