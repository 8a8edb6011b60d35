from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

FOUND = Evidence(
    "search_campus_info",
    "- Judo: The Judo Club trains Thursdays 17:30-19:00. The fee is 90 euros. (a.md, line 1)\n"
    "- Swimming: The Swim Team trains Tuesdays 6-7:30 AM and pays a fee of 120 euros. (a.md, line 2)\n"
    "- Exams: The chemistry exam is on May 6, 2027 and lasts 3 hours. The biology exam is on May 10, 2027 and lasts "
    "2 hours. (b.md, line 1)\n"
    "- Deli: A soup is $4.50, a sandwich $6.25 and a salad $7. (c.md, line 1)",
)
TODAY = Evidence("get_current_time", "Wednesday, April 14, 2027 at 10:00 AM EDT")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Judo is sooner than swimming.", "Swimming is sooner than judo."),
        ("The swim training is later than judo.", "The judo training is later than swimming."),
        ("The chemistry exam comes before the biology exam.", "The biology exam comes before the chemistry exam."),
        ("Judo is cheaper than swimming.", "Swimming is cheaper than judo."),
        ("Swimming is more expensive than judo.", "Judo is more expensive than swimming."),
        ("The chemistry exam is longer than the biology exam.", "The biology exam is longer than the chemistry exam."),
        ("A soup is cheaper than a salad.", "A salad is cheaper than a soup."),
        ("A sandwich costs more than a soup.", "A soup costs more than a sandwich."),
    ],
)
def test_a_comparison_is_supported_only_if_the_values_say_so(right: str, wrong: str) -> None:
    assert unsupported(right, "Which one?") == []
    assert len(unsupported(wrong, "Which one?")) == 1


def unsupported(draft: str, question: str) -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=(FOUND, TODAY))
    return [fact.text for fact in review.unsupported if fact.kind == "comparison"]


def test_the_other_side_may_stand_in_the_question() -> None:
    asked = "Which is sooner, judo or swimming?"
    assert unsupported("Judo is sooner.", asked) == []
    assert unsupported("Swimming is sooner.", asked) == ["sooner"]


@pytest.mark.parametrize(
    "draft", ["It is cheaper.", "Rowing is sooner than judo.", "It is no longer open.", "Is it sooner?"]
)
def test_a_comparison_whose_sides_cannot_be_told_is_left_alone(draft: str) -> None:
    assert unsupported(draft, "Which one?") == []


SEVERAL = Evidence(
    "search_campus_info",
    "- Sports › Archery Club: The Archery Club trains on Thursdays from 5:30 PM to 7 PM. The fee is $90 a semester. "
    "(a.md, line 1)\n"
    "- Sports › Fencing Club: The Fencing Club trains on Fridays from 6 PM to 8:30 PM. The fee is $120 a semester. "
    "(a.md, line 2)\n"
    "- Lockers: A small locker is $12 a year; a large locker is $20 a year; a bicycle box is $20 a year. "
    "(b.md, line 1)\n"
    "- Hours › Print shop: The print shop is open Monday to Friday 8 AM to 6 PM and Saturdays 10 AM to 2 PM. "
    "(c.md, line 1)\n"
    "- Hours › Bookshop: The bookshop is open Monday to Saturday 11 AM to 5 PM. (c.md, line 2)\n"
    "- Events › Spring Recital: On Saturday, May 8, 2027: Spring Recital. Sales begin on April 20. (d.md, line 1)\n"
    "- Events › Faculty Recital: On Saturday, April 24, 2027: Faculty Recital. (d.md, line 2)\n"
    "- Events › Winter Recital: On Saturday, February 6, 2027: Winter Recital. (d.md, line 3)\n"
    "- Events › Dress rehearsal: On Friday, April 23, 2027: Rehearsal of the Faculty Recital. (d.md, line 4)",
)


def wrong(draft: str, question: str = "Which one?") -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=(SEVERAL, TODAY))
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    ("right", "not_so"),
    [
        ("The Archery Club costs less.", "The Fencing Club costs less."),
        ("The cheaper one is the Archery Club.", "The cheaper one is the Fencing Club."),
        ("Of the two, the Archery Club costs less.", "Of the two, the Fencing Club costs less."),
        ("A large locker costs the same as a bicycle box.", "A small locker costs the same as a bicycle box."),
        ("A large locker costs as much as a bicycle box.", "A small locker costs as much as a bicycle box."),
        (
            "The Archery Club isn't more expensive than the Fencing Club.",
            "The Archery Club is not cheaper than the Fencing Club.",
        ),
        (
            "The Archery Club does not cost more than the Fencing Club.",
            "The Archery Club does not cost less than the Fencing Club.",
        ),
        ("The Archery Club is sooner.", "The Fencing Club is sooner."),
        ("The Archery Club trains before the Fencing Club.", "The Fencing Club trains before the Archery Club."),
        ("The Fencing Club meets after the Archery Club.", "The Archery Club meets after the Fencing Club."),
        ("Thursday is sooner than Tuesday.", "Tuesday is sooner than Thursday."),
        ("The print shop opens earlier than the bookshop.", "The bookshop opens earlier than the print shop."),
    ],
)
def test_a_comparison_in_ordinary_words_is_judged_by_the_values(right: str, not_so: str) -> None:
    assert wrong(right) == []
    assert len(wrong(not_so)) == 1


@pytest.mark.parametrize(
    ("question", "right", "not_so"),
    [
        ("Which is cheaper, a large locker or a bicycle box?", "They cost the same.", "The large locker costs less."),
        ("Which is cheaper, a small locker or a bicycle box?", "The small locker.", "They cost the same."),
        ("Which is cheaper, a large locker or a bicycle box?", "Both cost $20 a year.", "The bicycle box is cheaper."),
        ("Which is cheaper, archery or fencing?", "Archery costs less.", "Both cost $90 a semester."),
        ("Do they cost the same?", "No, the Archery Club is cheaper.", "No, the Fencing Club is cheaper."),
    ],
)
def test_both_sides_may_stand_in_the_question(question: str, right: str, not_so: str) -> None:
    assert wrong(right, question) == []
    assert wrong(not_so, question)


@pytest.mark.parametrize(
    ("right", "not_so"),
    [
        ("The next recital is the Faculty Recital on April 24.", "The next recital is the Spring Recital on May 8."),
        ("The next recital is on April 24.", "The next recital is on May 8."),
        ("The Faculty Recital is the next recital.", "The Spring Recital is the next recital."),
        ("The Faculty Recital is next.", "The Spring Recital is next."),
        ("Next recital: Faculty Recital, April 24.", "Next recital: Spring Recital, May 8."),
        ("The upcoming recital is on April 24, 2027.", "The upcoming recital is on May 8, 2027."),
        ("The next training is that of the Archery Club.", "The next training is that of the Fencing Club."),
        ("The first training is on Thursday.", "The first training is on Friday."),
    ],
)
def test_the_next_of_its_sort_is_the_soonest_that_is_still_to_come(right: str, not_so: str) -> None:
    assert wrong(right, "When is the next recital?") == []
    assert [one.lower() for one in wrong(not_so, "When is the next recital?")] in (["next"], ["first"], ["upcoming"])


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("When is the next recital?", "The next recital after that is the Spring Recital on May 8."),
        ("When is the next Spring Recital?", "The next Spring Recital is on May 8."),
        ("When does the Fencing Club train?", "The next training is on Friday."),
        ("What is on?", "For the Fencing Club, the next training is on Friday."),
        ("What is on?", "The Fencing Club's next training is on Friday."),
        ("What is on?", "I found two clubs. The first is the Fencing Club, the second is the Archery Club."),
        ("What is on?", "First, there is the Spring Recital on May 8."),
        ("What do lockers cost?", "The Archery Club and the Fencing Club do not cost the same."),
    ],
)
def test_what_is_next_of_something_named_or_in_an_enumeration_is_no_superlative(question: str, draft: str) -> None:
    assert wrong(draft, question) == []


@pytest.mark.parametrize(
    ("right", "not_so"),
    [
        ("El Club de Ajedrez cuesta menos.", "El Club de Teatro cuesta menos."),
        (
            "El Club de Teatro no es más barato que el Club de Ajedrez.",
            "El Club de Teatro cuesta lo mismo que el Club de Ajedrez.",
        ),
        ("El próximo ensayo es el del coro.", "El próximo ensayo es el de la orquesta."),
    ],
)
def test_ordinary_words_compare_in_spanish_too(right: str, not_so: str) -> None:
    found = Evidence(
        "search_campus_info",
        "- Club de Ajedrez: La cuota del Club de Ajedrez es de 20 €. (a.md, line 1)\n"
        "- Club de Teatro: La cuota del Club de Teatro es de 35 €. (a.md, line 2)\n"
        "- Coro: El coro ensaya los jueves a las 18:00. (b.md, line 1)\n"
        "- Orquesta: La orquesta ensaya los viernes a las 18:00. (b.md, line 2)",
    )
    guardrail = Guardrail(refusal=REFUSAL, language="spanish")
    judged = [guardrail.review(draft, question="¿Cuál?", evidence=(found, TODAY)) for draft in (right, not_so)]
    assert [bool(review.unsupported) for review in judged] == [False, True]
