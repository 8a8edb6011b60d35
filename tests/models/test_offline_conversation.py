"""The offline model across several questions: what "it", "that" and "those two" mean."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.chat_model import AssistantMessage, UserMessage
from tests.models.test_offline_model import REFUSAL, Campus, bases

__all__ = ["bases"]  # the fixture


def test_how_many_days_until_that_counts_without_searching_again(bases):
    campus = Campus(bases["usc"])
    campus.ask("When does the USC AI Club meet?")
    run = campus.ask("How many days until that?")
    assert run.calls == [("days_until_weekday", {"weekday": "Thursday", "after_time": "5 PM"})]
    assert run.answer.startswith("That is in 5 days, on Thursday, June 18, 2026.")


def test_and_where_is_that_is_answered_from_what_was_found_before(bases):
    campus = Campus(bases["usc"])
    campus.ask("When does the USC AI Club meet?")
    run = campus.ask("and where is that?")
    assert run.calls == []
    assert "room 204" in run.answer


def test_those_two_are_counted_side_by_side_and_compared(bases):
    campus = Campus(bases["usc"])
    campus.ask("When does the USC AI Club meet?")
    campus.ask("How many days until that?")
    campus.ask("When are the faculty office hours?")
    run = campus.ask("Which of those two is sooner?")
    assert [tool for tool, _, _ in run.steps[0]] == ["days_until_weekday", "days_until_weekday"]
    assert {arguments["weekday"] for _, arguments in run.calls} == {"Tuesday", "Thursday"}
    assert "office hours come first: in 3 days" in run.answer
    assert "in 5 days" in run.answer


def test_a_follow_up_without_anything_before_it_is_refused(bases):
    assert Campus(bases["usc"]).ask("Which of those two is sooner?").answer == REFUSAL
    assert Campus(bases["usc"]).ask("and where is that?").answer == REFUSAL


def test_a_follow_up_to_a_refusal_speaks_of_nothing(bases):
    campus = Campus(bases["usc"])
    campus.ask("When does the USC AI Club meet?")
    campus.ask("What is the wifi password?")
    assert campus.ask("where can I get it?").answer == REFUSAL


def test_a_thank_you_in_between_does_not_lose_the_thread(bases):
    campus = Campus(bases["library"])
    campus.ask("When is story time?")
    campus.ask("thanks!")
    assert "Rainbow Room" in campus.ask("where is it?").answer


def test_the_clock_is_read_anew_for_each_question(bases):
    campus = Campus(bases["library"])
    campus.ask("Is the library open right now?")
    run = campus.ask("is it open now?")
    assert run.tools == ["get_current_time"]
    assert "open right now" in run.answer


TALKS = [
    ("library", ["When does the book club meet?", "where?"], ["reading lounge"]),
    ("library", ["When does the book club meet?", "who do I contact?"], ["Helen Moss"]),
    ("library", ["When does the book club meet?", "What about story time?"], ["Wednesdays at 10:30 AM"]),
    ("library", ["Is the library open now?", "and tomorrow?"], ["is closed tomorrow", "Sunday, June 14, 2026"]),
    ("library", ["Is the library open now?", "on Sunday?"], ["No.", "closed on Sundays"]),
    ("library", ["Is the library open now?", "what about Monday?"], ["Yes.", "Monday to Thursday"]),
    ("library", ["Is the library open now?", "when does it close?"], ["17:00"]),
    ("library", ["How many days until the book club?", "and story time?"], ["in 4 days, on Wednesday, June 17, 2026"]),
    ("library", ["How many days until the book club?", "Is it sooner than story time?"], ["Book club comes first"]),
    ("sports", ["Is the gym open?", "What about the pool?"], ["The pool is", "right now"]),
    ("sports", ["who is the coach?", "where is her office?"], ["gate 4"]),
    ("sports", ["Is the climbing wall open on Saturday?", "and on thursday?"], ["Yes."]),
    ("union", ["what societies are there?", "how many days until the second one?"], ["in 5 days, on Thursday"]),
    ("union", ["what societies are there?", "where does the first one meet?"], ["Room B12"]),
    ("union", ["what societies are there?", "Which of those is sooner?"], ["The chess society comes first: in 3 days"]),
    ("union", ["Where is the advice centre?", "is it open?"], ["closed right now", "weekdays 10am-4pm"]),
    ("union", ["Where is the advice centre?", "when does it close?"], ["10am-4pm"]),
    ("union", ["is there parking?", "is that free?"], ["free after 6 PM"]),
]


@pytest.mark.parametrize(("place", "questions", "expected"), TALKS)
def test_a_follow_up_is_understood(bases, place, questions, expected):
    campus = Campus(bases[place])
    *_, last = [campus.ask(question) for question in questions]
    assert [part for part in expected if part not in last.answer] == [], last.answer


@pytest.mark.parametrize(("place", "questions", "expected"), TALKS)
def test_the_strict_guardrail_lets_every_follow_up_pass(bases, place, questions, expected):
    campus = Campus(bases[place])
    *_, last = [campus.ask(question) for question in questions]
    guardrail = Guardrail(mode="strict", refusal=REFUSAL)
    review = guardrail.review(last.answer, question=last.question, evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == []


def test_a_passage_that_another_model_retold_is_what_the_conversation_spoke_of(bases):
    campus = Campus(bases["usc"], datetime(2026, 6, 15, 10, 0))
    campus.ask("When does the USC AI Club meet?")
    campus.messages[-1] = AssistantMessage("They get together on Thursdays.")
    campus.messages.append(UserMessage("how many days until that?"))
    (call,) = campus.model.reply(campus.request()).calls
    assert call.name == "days_until_weekday"
    assert json.loads(call.arguments) == {"weekday": "Thursday", "after_time": "5 PM"}
