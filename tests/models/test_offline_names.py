"""What the offline model takes for the thing that is asked about: its name, number, time, and other words for it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.choosing import choose
from campus_agent.models.offline.passages import Found, Passage
from campus_agent.models.offline.subject import subject_of
from tests.models.test_offline_model import REFUSAL, Campus

MONDAY = datetime(2026, 4, 6, 9, 0)

TASKS = """Item,Due,Weight,Subject
Essay 1,"April 1, 2026",12,Rivers
Essay 3,"April 16, 2026",15,Harbours
Essay 4,"May 4, 2026",15,Bridges
Oral test,"April 28, 2026",40,All of it
Sketch 2,"April 10, 2026",5,Boats
"""

STAFF = """Name,Position,Phone
Ilse Brandt,Associate Bell Ringer,555-0171
Noor Haddad,Master Bell Ringer,555-0172
Tomas Reyes,Night Warden,555-0173
"""

PLACES = """# Places

Sketch 7 is in room 2 of the tower.

The residence halls open on August 20 at 9 AM.

The bell tower may not be entered before noon.

The tower was finished in 1911.

Tide keeper: Wen Osei, at the pier.

A folding stool costs 9 euros and is ready the same day.

# What if I miss the oral test?

Another oral test is on June 3, 2026.
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder: Path = tmp_path_factory.mktemp("base")
    (folder / "tasks.csv").write_text(TASKS, encoding="utf-8")
    (folder / "staff.csv").write_text(STAFF, encoding="utf-8")
    (folder / "places.md").write_text(PLACES, encoding="utf-8")
    return KnowledgeBase.load([folder])


def _said(base: KnowledgeBase, *questions: str) -> str:
    campus = Campus(base, MONDAY)
    *_, last = [campus.ask(question).answer for question in questions]
    return last


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        (["when is essay 3 due?"], "Essay 3;"),
        (["when is essay 3 due?", "and essay 4?"], "Essay 4;"),
        (["when is essay 4 due?", "how many weight"], "Essay 4;"),
        (["when is the oral test?"], "April 28"),
        (["when is the oral exam?"], "April 28"),
    ],
)
def test_a_row_is_told_by_its_name_with_the_number_in_it(base, questions, told):
    assert told in _said(base, *questions)


@pytest.mark.parametrize("question", ["when is essay 2 due?", "where is sketch 2", "when is essay 16 due?"])
def test_another_number_than_the_asked_one_is_another_thing(base, question):
    assert _said(base, question) == REFUSAL


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("when do the dorms open?", "The residence halls open on August 20"),
        ("when does the dormitory open", "The residence halls open on August 20"),
    ],
)
def test_what_the_search_read_as_other_words_is_taken_for_what_is_asked(base, question, told):
    assert _said(base, question).startswith(told)


def test_what_is_called_as_it_was_asked_counts_beside_what_the_search_read_it_as():
    told = ("The summer recess begins on June 9.", "On the summer break of the staff the boat house is shut in July.")
    question = read_question("when is the summer break?")
    subject = subject_of(question, Found(read_as=(("break", "recess"),)))
    passages = [Passage("", text) for text in told]
    assert choose(passages, question, subject) == passages


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("what is due this week", "Sketch 2", "Essay 1"),
        ("is anything due next week?", "Essay 3", "Sketch 2"),
        ("what is due in May", "Essay 4", "Essay 3"),
        ("what is happening in May?", "Essay 4", "Essay 1"),
        ("what is due on April 16?", "Essay 3", "Essay 4"),
        ("whats on 4/28", "Oral test", "Essay 4"),
    ],
)
def test_only_what_lies_in_the_asked_time_is_told(base, question, told, not_told):
    answer = _said(base, question)
    assert told in answer
    assert not_told not in answer


@pytest.mark.parametrize("question", ["what is due tomorrow", "is anything due today?", "what is due in February"])
def test_where_nothing_lies_in_the_asked_time_nothing_is_told(base, question):
    assert _said(base, question) == REFUSAL


def test_this_weekend_is_a_time_and_points_at_nothing(base):
    assert _said(base, "when is sketch 2 due?", "any events this weekend?") == REFUSAL


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who is the night warden?", "Tomas Reyes"),
        ("who is the bell ringer?", "Noor Haddad"),
        ("who is the associate bell ringer?", "Ilse Brandt"),
        ("who is the tide keeper?", "Wen Osei"),
    ],
)
def test_a_name_beside_the_asked_role_says_who(base, question, told):
    assert told in _said(base, question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how fast do i get a folding stool", "A folding stool"),
        ("can i take a folding stool home", "A folding stool"),
        ("when was the tower finished", "The tower was finished in 1911."),
    ],
)
def test_a_word_for_the_manner_need_not_stand_in_the_passage(base, question, told):
    assert told in _said(base, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the treasurer?", "The treasurer is Mina."),
        ("who are the stewards", "The stewards are Juan, Ada and Zoë."),
        ("who is the drummer?", "Name: Bo; Part: Drummer."),
        ("who sings", REFUSAL),
        ("who is the coach?", REFUSAL),
    ],
)
def test_somebody_with_a_first_name_alone_is_somebody(question: str, answer: str, tmp_path: Path) -> None:
    (tmp_path / "club.md").write_text("# Club\n\nThe treasurer is Mina.\n\nThe stewards are Juan, Ada and Zoë.\n")
    (tmp_path / "band.csv").write_text("Name,Part\nBo,Drummer\nLi,Fiddler\n")
    assert Campus(KnowledgeBase.load([tmp_path]), MONDAY).ask(question).answer == answer
