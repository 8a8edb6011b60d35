from __future__ import annotations

from datetime import UTC, datetime

import pytest

from campus_agent.evaluation.starter import draft_cases, refusal_case, write_suite
from campus_agent.evaluation.suite import read_suites
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage

NOW = datetime(2026, 6, 13, 10, tzinfo=UTC)


def drafts(*passages: Passage, language: str = "english"):
    return list(draft_cases(KnowledgeBase("Base", passages, language=language)))


@pytest.mark.parametrize(
    ("title", "text", "question", "facts"),
    [
        ("Clubs › Chess", "Chess is on Mondays at noon in room 12.", "When is Chess?", ("Mondays", "noon")),
        ("Library", "It is open 9 AM to 5 PM.", "When is the Library open?", ("9 AM to 5 PM",)),
        ("Opening hours", "Open 9 AM to 5 PM.", "What are the Opening hours?", ("9 AM to 5 PM",)),
        ("The gym", "It is in room 12.", "Where is The gym?", ("room 12",)),
        ("Tickets", "Tickets cost $6.", "How much do Tickets cost?", ("$6",)),
        ("Desk", "Write to the desk: desk@college.edu.", "How can I reach the Desk?", ("desk@college.edu",)),
        ("Clubs", "Club: Kayak Club; Day: Tuesday; Time: 5 PM", "Tell me about Kayak Club.", ("Tuesday", "5 PM")),
        ("Hours", "Who: Prof. Ann Lee; Day: Friday; Room: 12", "Tell me about Prof. Ann Lee.", ("Friday",)),
        ("Clubs", "The Kayak Club meets on Tuesday.", "Tell me about Clubs.", ("Tuesday",)),
        ("Kayak Club", "The Kayak Club meets on Tuesday.", "When does the Kayak Club meet?", ("Tuesday",)),
        ("North Grant", "Apply for the North Grant by Friday.", "Tell me about North Grant.", ("Friday",)),
        ("Library", "The library opens at 9 AM.", "When is the Library open?", ("9 AM",)),
        ("How do I join", "Call Room 12 on Fridays.", "How do I join?", ("Fridays",)),
        ("Fall break. No classes.", "On Monday, not in room 3.", "When is Fall break?", ("Monday",)),
        ("Printing", "Printing costs $0.10. Pay in room B12.", "How much does Printing cost?", ("$0.10",)),
        ("Contact", "Call (555) 010-2030.", "Tell me about Contact.", ("(555) 010-2030",)),
        ("Chess\u200b \u2060Club", "The Chess Club meets on Monday.", "When does the Chess Club meet?", ("Monday",)),
    ],
)
def test_a_question_is_made_of_the_title_and_asks_for_the_facts_of_the_passage(title, text, question, facts):
    (one,) = drafts(Passage(title, text, "a.md", 1))
    assert (one.question, one.expect.facts, one.expect.sources) == (question, facts, ("a.md",))
    assert (one.expect.outcome, one.expect.grounded) == (("answered",), True)


def test_a_question_that_the_base_knows_itself_is_taken_as_it_is():
    (one,) = drafts(Passage("", "On Mondays.", "faq.csv", 2, phrasings=("When is chess?",)))
    assert (one.name, one.question) == ("When is chess?", "When is chess?")


@pytest.mark.parametrize("where", ["title", "phrasing"])
@pytest.mark.parametrize(
    ("question", "answer", "facts"),
    [
        ("Who leads the club?", "Coach Ana Lindqvist leads it on Mondays; call 555-0101.", ("Ana Lindqvist",)),
        ("When is the club?", "Ana Lindqvist leads it in room 12 on Mondays at 6 PM.", ("Mondays", "6 PM")),
        ("Where does it meet?", "It meets on Mondays in room 12.", ("room 12",)),
        ("How much is it?", "On Mondays it is $5 in room 12.", ("$5",)),
        ("How can I reach the club?", "Call 555-0101 on Mondays.", ("555-0101",)),
        ("How many may come?", "At most 12 people on Mondays.", ("12",)),
    ],
)
def test_a_question_of_the_base_itself_expects_what_it_asks_for(where, question, answer, facts):
    phrasings = (question,) if where == "phrasing" else ()
    (one,) = drafts(Passage("" if phrasings else question, answer, "faq.csv", 2, phrasings=phrasings))
    assert one.question == question
    assert all(fact in " ".join(one.expect.facts) for fact in facts)
    assert len(one.expect.facts) == len(facts)


def test_a_question_for_somebody_of_whom_the_passage_names_nobody_gives_no_case():
    assert drafts(Passage("Who can join?", "Call Room 12 on Fridays.", "a.md", 1)) == []


def test_a_base_in_another_language_is_asked_by_its_titles():
    hours = Passage("Horario", "Abierto los lunes y jueves.", "a.md", 1)
    fee = Passage("Cuota", "Son 1.200 euros al mes.", "a.md", 3)
    found = drafts(hours, fee, language="spanish")
    assert [(one.question, one.expect.facts) for one in found] == [
        ("Horario", ("lunes", "jueves")),
        ("Cuota", ("1.200 euros",)),
    ]


def test_a_passage_without_a_title_or_a_fact_gives_no_case_and_every_document_has_its_turn():
    found = drafts(
        Passage("One", "On Monday.", "a.md", 1),
        Passage("Two", "On Tuesday.", "a.md", 3),
        Passage("", "On Friday.", "b.md", 1),
        Passage("Three", "It is nice there.", "b.md", 3),
        Passage("Four", "On Sunday.", "c.md", 1),
        Passage("One", "On Saturday.", "c.md", 5),
    )
    assert [one.name for one in found] == ["One", "Four", "Two"]


def test_the_question_that_has_to_be_refused_is_one_that_the_base_does_not_answer():
    base = KnowledgeBase("Base", [Passage("Wifi", "The campus wifi password is on the desk.", "a.md", 1)])
    one = refusal_case(base)
    assert one is not None
    assert "wifi" not in (one.question or "")
    assert one.expect.outcome == ("refused",)


def test_the_question_that_has_to_be_refused_is_asked_in_the_language_of_the_base():
    base = KnowledgeBase("Base", [Passage("Wifi", "La red se llama Campus.", "a.md", 1)], language="spanish")
    one = refusal_case(base)
    assert one is not None
    assert (one.question or "").startswith("¿")


def test_what_is_written_reads_as_the_same_cases_whatever_stands_in_the_base(tmp_path):
    hostile = 'Quote " and \\ back\nslash \x1b[31m \x7f ＷＩＤＥ 🎓 # no comment'
    cases = drafts(Passage(hostile, "On Monday at 5 PM.", f"{hostile[:20]}.md", 1))
    text = write_suite(cases, name=hostile, file="eval.toml", kb=["a base"], now=NOW)
    (tmp_path / "a base").mkdir()
    path = tmp_path / "eval.toml"
    path.write_text(text, encoding="utf-8")
    (suite,) = read_suites([path])
    (one,) = suite.cases
    assert (one.question, one.expect) == (cases[0].question, cases[0].expect)
    assert (one.now, one.kb) == (NOW, (str(tmp_path / "a base"),))
