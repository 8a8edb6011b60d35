"""How numbers, money and times are written, and for what each they are given."""

from __future__ import annotations

import pytest

from campus_agent.guardrail.facts import equal, facts
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

LOCKERS = "- Depot › Lockers: A locker costs $15. The depot has 300 lockers. (d.md, line 1)"
PRINTS = "- Depot › Prints: Members get 60 free prints per semester. A print is 10 cents a page. (d.md, line 2)"
STALLS = (
    "- Market › Stalls: A stall costs $420 a year; a table costs $35 a day. "
    "The monthly rent of a shed is $610. (m.md, line 1)"
)

KILN = "- Kiln: The kiln room is open on Tuesdays from 1 PM to 4 PM. Half of the shelves are kept for beginners. (k.md)"


def unsupported(draft: str, *passages: str, question: str = "Tell me about it") -> list[str]:
    evidence = (Evidence("search_campus_info", "\n".join(passages)),)
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


def only(text: str, language: str = "english"):
    (found,) = facts(text, language)
    return found


@pytest.mark.parametrize(
    "forms",
    [
        [
            "$2.5k",
            "$2,500",
            "2500 dollars",
            "2.5 thousand dollars",
            "two thousand five hundred dollars",
            "$2.5 thousand",
        ],
        ["$3 million", "$3M", "3 million dollars", "$3,000,000"],
        ["3 400 €", "€3400", "3,400 euros", "3\u00a0400 €"],
        ["¥15", "15 yen", "JPY 15"],
        ["24 chairs", "two dozen chairs", "twenty-four chairs"],
        ["one thousand chairs", "1000 chairs", "1,000 chairs", "a thousand chairs"],
        ["90 minutes", "an hour and a half", "1.5 hours", "one and a half hours", "1 hour and 30 minutes"],
        ["half of the seats", "50%", "fifty percent", "half the seats", "half"],
        ["17h", "5 PM", "17:00"],
        ["17h30", "5:30 PM", "half past five in the afternoon"],
        ["5 o'clock", "five o'clock"],
        ["9h-17h", "9:00-17:00"],
        ["weekends", "Sat and Sun", "Saturdays and Sundays", "Sunday & Saturday"],
        ["M/W/F", "MWF"],
        ["213-740-2311", "2137402311", "(213) 740-2311"],
    ],
)
def test_one_value_is_the_same_value_however_it_is_written(forms: list[str]) -> None:
    found = [only(form) for form in forms]
    assert all(equal(found[0], other) for other in found)


@pytest.mark.parametrize(
    "forms",
    [
        ["a las seis y media de la tarde", "18:30", "a las 18.30 h", "las 6:30 p. m."],
        ["a las siete menos cuarto de la mañana", "6:45 a. m."],
        ["a las ocho de la tarde", "20 h", "20h", "20:00"],
        ["de 9 a 17 h", "9:00-17:00"],
        ["lun-vie", "de lunes a viernes", "entre semana"],
        ["cada quincena", "cada dos semanas"],
        ["una hora y media", "hora y media", "90 minutos"],
        ["media hora", "treinta minutos"],
        ["1.200 euros", "1200 €", "mil doscientos euros", "1 200 €"],
        ["235 plazas", "doscientas treinta y cinco plazas"],
        ["1.200,50 €", "1200,5 euros"],
        ["una docena de sillas", "12 sillas", "doce sillas"],
        ["la mitad de las plazas", "50 %"],
        ["veinticinco sillas", "25 sillas"],
        ["915 551 234", "91 555 12 34"],
    ],
)
def test_one_value_is_the_same_value_however_it_is_written_in_spanish(forms: list[str]) -> None:
    found = [only(form, "spanish") for form in forms]
    assert all(equal(found[0], other) for other in found)


@pytest.mark.parametrize("text", ["$15k", "$15 million", "$15 thousand", "15 thousand dollars", "¥15", "-$15", "CA$15"])
def test_an_amount_in_thousands_in_other_money_or_below_zero_is_another(text: str) -> None:
    assert not only(text).supported_by(only("$15").gives)
    assert unsupported(f"A locker costs {text}.", LOCKERS) == [text]


@pytest.mark.parametrize("text", ["Thanks a million!", "The first half of the term is over.", "Take half a day off."])
def test_what_only_sounds_like_a_number_is_no_count_and_no_share(text: str) -> None:
    assert all(fact.kind != "percent" and fact.normal != "1000000" for fact in facts(text))


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("Members get 60 free prints a semester.", []),
        ("You get 60 free prints each term.", []),
        ("Members get 60 free prints per month.", ["60"]),
        ("That is 60 free prints/week.", ["60"]),
        ("60 a year.", ["60"]),
        ("A print costs 10 cents per page.", []),
        ("A locker costs $15.", []),
        ("A locker costs $15 per student.", []),
        ("A locker costs $15 a month.", ["$15"]),
        ("A locker costs $15 per key.", ["$15"]),
        ("Lockers are $15 off.", ["$15"]),
        ("A stall costs $420 annually.", []),
        ("A stall costs $420 per day.", ["$420"]),
        ("A table costs $35 per day.", []),
        ("A table costs $35 per year.", ["$35"]),
        ("The rent is $610 a month.", []),
        ("The rent is $610 a week.", ["$610"]),
    ],
)
def test_a_value_is_given_for_each_of_what_the_passage_gives_it(draft: str, named: list[str]) -> None:
    assert unsupported(draft, LOCKERS, PRINTS, STALLS) == named


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("The kiln room is open from 1 PM to 4 PM.", []),
        ("On Tuesdays the kiln room is open 1-4 PM.", []),
        ("The kiln room is open from 4 PM to 1 PM.", ["4 PM to 1 PM"]),
        ("50% of the shelves are for beginners.", []),
        ("30% of the shelves are for beginners.", ["30%"]),
    ],
)
def test_a_range_that_is_turned_round_is_another_range(draft: str, named: list[str]) -> None:
    assert unsupported(draft, KILN) == named
