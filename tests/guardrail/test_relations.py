from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL

CAMPUS = "\n".join(
    (
        "- Judo: The Judo Club trains in Hall C. The coach is Petra Novak. (a.md, line 1)",
        "- Swimming: The Swim Team trains at the Lakeside Pool. The coach is Ivan Brandt. (a.md, line 2)",
        "- Deli: A soup is $4.50 and a salad $7. Open weekdays 11 AM-2:30 PM, Saturdays noon-2 PM. (c.md, line 1)",
        "- Pool: Entry is free for students; the public pays $6. (c.md, line 4)",
        "- Library rules: Food is not allowed in the reading room. Drinks with a lid are allowed. (e.md, line 2)",
        "- Clinic: It is open Mondays and Fridays. Closed on Tuesdays and Thursdays. No appointment is needed. (e.md)",
        "- Committee: President: Ada Brooks. Treasurer: Ben Cole. (g.md, line 1)",
        "- Forms: The add form is due on May 6, 2027, the drop form on May 20, 2027. (h.md, line 1)",
    )
)
COUNTS = (
    Evidence("days_until_date", "May 06, 2027 is in 22 day(s), on a Thursday."),
    Evidence("days_until_date", "May 20, 2027 is in 36 day(s), on a Thursday."),
)


def unsupported(draft: str, question: str) -> list[str]:
    evidence = (Evidence("search_campus_info", CAMPUS), *COUNTS)
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(
    ("question", "right", "wrong", "named"),
    [
        ("Who coaches judo?", "Petra Novak coaches it.", "Ivan Brandt coaches the Judo Club.", ["Ivan Brandt"]),
        ("Who is treasurer?", "The treasurer is Ben Cole.", "The treasurer is Ada Brooks.", ["Ada Brooks"]),
        ("What is a salad?", "A salad is $7.", "A salad is $4.50.", ["$4.50"]),
        ("The deli on Saturday?", "On Saturdays until 2 PM.", "On Saturdays until 2:30 PM.", ["2:30 PM"]),
        ("When does the deli close on Saturday?", "It closes at 2 PM.", "It closes at 2:30 PM.", ["2:30 PM"]),
        ("Do students pay?", "No, students get in free.", "Students pay $6.", ["$6"]),
        ("Is the pool free?", "It is free for students.", "Students do not get in free.", ["do not get in free"]),
        ("When is the drop form due?", "The drop form is due on May 20.", "The drop form is due on May 6.", ["May 6"]),
        (
            "How long to the drop form?",
            "The drop form is due in 36 days.",
            "The drop form is due in 22 days.",
            ["22 days"],
        ),
    ],
)
def test_a_value_belongs_to_what_the_passage_gives_it_to(
    question: str, right: str, wrong: str, named: list[str]
) -> None:
    assert unsupported(right, question) == []
    assert unsupported(wrong, question) == named


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("May I eat?", "No, food is not allowed in the reading room.", "Food is allowed in the reading room."),
        ("May I drink?", "Drinks with a lid are allowed.", "Drinks with a lid are not allowed."),
        ("Do I need an appointment?", "No appointment is needed.", "Yes, an appointment is needed."),
        ("The clinic on Friday?", "The clinic is open on Fridays.", "The clinic is not open on Fridays."),
        ("The clinic on Friday?", "It is open Fridays.", "There is no clinic on Fridays."),
        ("The clinic on Tuesday?", "The clinic is closed on Tuesdays.", "The clinic is open on Tuesdays."),
        ("The clinic on Thursday?", "It is closed on Tuesdays and Thursdays.", "The clinic is open on Thursdays."),
    ],
)
def test_a_statement_may_not_be_turned_round(question: str, right: str, wrong: str) -> None:
    assert unsupported(right, question) == []
    assert len(unsupported(wrong, question)) == 1


def test_a_name_with_the_same_initials_is_another_name() -> None:
    assert unsupported("The coach is Paula Nemeth.", "Who coaches judo?") == ["Paula Nemeth"]


def test_a_day_may_not_be_denied_because_a_tool_counted_to_it() -> None:
    club = Evidence("search_campus_info", "- Club: The Go Club meets Thursdays at 5 PM. (a.md)")
    counted = Evidence("days_until_weekday", "The next Thursday is in 5 day(s), on June 18, 2026.")
    draft = "The Go Club does not meet on Thursdays."
    review = Guardrail(refusal=REFUSAL).review(draft, question="When?", evidence=(club, counted))
    assert [fact.text for fact in review.unsupported] == ["Thursdays"]
