from __future__ import annotations

import json
from pathlib import Path

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence, Review
from tests.guardrail.test_guardrail import CLUB, found
from tests.guardrail.triples import REFUSAL

ROWS: list[list[str]] = json.loads(Path(__file__).with_name("small_talk.json").read_text("utf-8"))
CLOCK = Evidence("get_current_time", "Saturday, June 13, 2026 at 10:00 AM PDT")
POPULAR = "The club is very popular with students."


def review(draft: str, *evidence: Evidence, question: str = "Is it popular?", language: str = "english") -> Review:
    guardrail = Guardrail(refusal=REFUSAL, allowed="USC campus, Clubs, Labs", language=language)
    return guardrail.review(draft, question=question, evidence=evidence)


def drafts(sort: str) -> list[tuple[str, str, str]]:
    return [(language, question, draft) for language, kind, question, draft in ROWS if kind == sort]


def test_there_are_enough_drafts_of_both_sorts_in_both_languages() -> None:
    sizes = [len(drafts(sort)) for sort in ("small talk", "statement")]
    assert min(sizes) >= 60
    assert {language for language, *_ in ROWS} == {"english", "spanish"}


@pytest.mark.parametrize(("language", "question", "draft"), drafts("small talk"))
def test_small_talk_needs_nothing_looked_up_whatever_the_language_of_the_base(
    language: str, question: str, draft: str
) -> None:
    for of_base in ("english", language):
        checked = review(draft, question=question, language=of_base)
        assert (checked.off_topic, checked.unsupported) == (False, ())


@pytest.mark.parametrize(("language", "question", "draft"), drafts("statement"))
def test_a_plain_statement_does(language: str, question: str, draft: str) -> None:
    for of_base in ("english", language):
        checked = review(draft, question=question, language=of_base)
        assert checked.off_topic or checked.unsupported


def test_a_clock_or_a_search_that_found_nothing_bears_no_statement_out() -> None:
    nothing = Evidence("search_campus_info", "Nothing was found for 'dogs'.")
    assert review(POPULAR, CLOCK, nothing).off_topic
    assert not review("I could not find anything about that.", CLOCK, nothing).off_topic


def test_what_other_tools_or_passages_say_is_left_to_the_other_checks() -> None:
    assert not review("Your room is booked.", Evidence("book_room", "done"), question="Book me a room").off_topic
    assert not review(POPULAR, found(CLUB)).off_topic


def test_without_a_word_list_for_the_language_of_the_base_nothing_is_judged() -> None:
    assert not review("Je peux vous aider avec le campus.", language="french").off_topic


def test_a_bare_yes_answers_the_campus_or_only_the_assistant() -> None:
    assert review("Yes.", question="Is there a chess club?").off_topic
    assert not review("Yes.", question="Can you help me?").off_topic


def test_long_drafts_are_judged_without_growing_slow() -> None:
    assert review("I can help you, " * 20_000).off_topic
    assert review("I can help you, " * 120 + "and the club is open to all.").off_topic
    assert review("Hello! " * 20_000).off_topic is False


@pytest.mark.parametrize(
    ("draft", "named"),
    [
        ("The USC AI Club is a member of the USC AI/ML Academy.", "USC AI/ML Academy"),
        ("The library belongs to Hilltop Hall.", "Hilltop Hall"),
        ("You should talk to Dean Walters.", "Walters"),
        ("It is run by the Viterbi School of Engineering.", "Viterbi School of Engineering"),
    ],
)
def test_a_name_that_nobody_said_is_unsupported_with_and_without_passages(draft: str, named: str) -> None:
    question = "When does the USC AI Club meet?"
    for evidence in ((), (found(CLUB),)):
        assert [fact.text for fact in review(draft, *evidence, question=question).unsupported] == [named]


def test_a_name_with_a_stroke_is_supported_by_a_passage_that_has_it() -> None:
    passage = "- Faculty: The USC AI/ML Academy is led by its faculty. (f.md, line 1)"
    faculty = Evidence("search_campus_info", passage)
    checked = review("It is the USC AI/ML Academy.", faculty, question="Who leads it?")
    assert [(fact.text, fact.supported) for fact in checked.facts] == [("USC AI/ML Academy", True)]
