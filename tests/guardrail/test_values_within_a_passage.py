from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from campus_agent.tools.tool import Source
from tests.guardrail.triples import REFUSAL

WEDNESDAY = Evidence("get_current_time", "Wednesday, October 07, 2026 at 10:15 AM PDT")

ARCHIVE = "The archive is open Mon-Thu 9 AM to 7 PM and Friday 9 AM to 4 PM."
RINK = "The rink is open Monday to Friday 7 AM to 11 PM and weekends 10 AM to 5 PM."
SAUNA = "In summer the sauna closes at 7 PM. In winter it closes at 10 PM."
STUDIO = "Term: Mon-Fri 7:00-22:00, Sat-Sun 9:00-19:00. Break: Mon-Fri 9:00-17:00, closed on weekends."
ROWING = (
    "Ines Duarte (head coach, crew 2) trains on Mondays in Tilden Hall. "
    "Tomas Weller (head coach, crew 1) trains on Fridays in Baker Hall."
)
STAFF = (
    "Instructor: Dr. Mira Solberg, office hours Thursday 2 PM to 4 PM; "
    "Teaching assistant, Monday section: Owen Castell, office hours Wednesday 11 AM to 1 PM; "
    "Teaching assistant, Friday section: Lena Brandt, office hours Tuesday 3 PM to 5 PM."
)

WRONG = [
    ("Archive", ARCHIVE, "When does the archive close?", "The archive closes at 4 PM on Mondays."),
    ("Archive", ARCHIVE, "When does the archive close?", "On Thursday the archive is open until 4 PM."),
    ("Rink", RINK, "When is the rink open?", "Monday to Friday the rink is open 10 AM to 5 PM."),
    ("Rink", RINK, "When is the rink open?", "On Tuesdays the rink is open from 10 AM to 5 PM."),
    ("Sauna", SAUNA, "When does the sauna close?", "In winter the sauna closes at 7 PM."),
    ("Sauna", SAUNA, "When does the sauna close?", "In summer the sauna closes at 10 PM."),
    ("Studio hours", STUDIO, "When is the studio open?", "During the term the studio is open Mon-Fri 9:00-17:00."),
    ("Rowing", ROWING, "Who is the head coach?", "The head coach of crew 1 is Ines Duarte."),
    ("BIO 210", STAFF, "Who is the instructor?", "The instructor is Owen Castell."),
    ("BIO 210", STAFF, "Who is the TA?", "The teaching assistant for the Monday section is Lena Brandt."),
]
RIGHT = [
    ("Archive", ARCHIVE, "When does the archive close?", "The archive closes at 7 PM on Mondays."),
    ("Archive", ARCHIVE, "Is the archive open on Monday at 4 PM?", "The archive is open on Mondays at 4 PM."),
    ("Rink", RINK, "When is the rink open?", "On weekends the rink is open 10 AM to 5 PM."),
    ("Rink", RINK, "Is the rink open on Tuesday from 8 AM to 9 AM?", "Yes, it is open on Tuesday from 8 AM to 9 AM."),
    ("Sauna", SAUNA, "When does the sauna close?", "In winter the sauna closes at 10 PM."),
    ("Sauna", SAUNA, "When does the sauna close?", "The sauna closes at 7 PM in summer."),
    ("Studio hours", STUDIO, "When is the studio open?", "During the term the studio is open Mon-Fri 7:00-22:00."),
    ("Rowing", ROWING, "Who is the head coach?", "The head coach of crew 1 is Tomas Weller."),
    ("Rowing", ROWING, "Who is the head coach?", "The head coach of crew 2 is Ines Duarte."),
    ("BIO 210", STAFF, "Who is the instructor?", "The instructor is Dr. Mira Solberg."),
    ("BIO 210", STAFF, "Who is the TA?", "The teaching assistant for the Monday section is Owen Castell."),
]


def unsupported(title: str, text: str, question: str, draft: str, *more: Evidence) -> list[str]:
    source = Source(title=title, text=text, source="base.md", line=1)
    evidence = (Evidence("search_campus_info", f"- {title}: {text} (base.md, line 1)", (source,)), *more)
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


@pytest.mark.parametrize(("title", "text", "question", "draft"), WRONG)
def test_a_value_that_a_passage_gives_to_another_of_its_own_cases_is_found(
    title: str, text: str, question: str, draft: str
) -> None:
    assert unsupported(title, text, question, draft)


@pytest.mark.parametrize(("title", "text", "question", "draft"), RIGHT)
def test_a_value_that_a_passage_gives_to_that_very_case_is_supported(
    title: str, text: str, question: str, draft: str
) -> None:
    assert not unsupported(title, text, question, draft)


def test_who_is_there_on_another_day_is_not_there_today() -> None:
    question = "Can I see Dr. Solberg today?"
    assert unsupported("BIO 210", STAFF, question, "Yes, you can see Dr. Solberg today.", WEDNESDAY)


def test_who_is_there_on_wednesdays_is_there_today() -> None:
    question = "Can I see Owen Castell today?"
    assert not unsupported("BIO 210", STAFF, question, "Yes, you can see Owen Castell today.", WEDNESDAY)
