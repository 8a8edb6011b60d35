"""The rows of the reference tables that concern the guardrail, by their ids."""

from __future__ import annotations

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Event, GroundingChecked, RunFinished
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.tools.tool import ToolResult, tool
from tests.guardrail.test_guardrail import CLUB, COUNTED, OFFICE, QUESTION, found
from tests.guardrail.triples import REFUSAL

NOTHING = 'Nothing found for "wifi password". No passage mentions: wifi, password.'


def unsupported(draft: str, *evidence: Evidence, question: str = QUESTION) -> list[str]:
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return [fact.text for fact in review.unsupported]


def test_x1_facts_without_any_search_are_unsupported_and_a_greeting_has_none() -> None:
    assert unsupported("It meets on Thursday in room 204.") == ["Thursday", "room 204"]
    assert unsupported("Hello! I can help you with clubs and labs.", question="hi") == []


def test_x2_a_wrong_room_is_flagged_by_its_value() -> None:
    assert unsupported("The AI Club meets Thursday at 5 PM in room 205.", found(CLUB)) == ["room 205"]


def test_x3_a_count_that_the_tool_gave_is_grounded() -> None:
    assert unsupported("It is in 5 days, on June 18.", found(CLUB), COUNTED) == []


def test_x4_another_count_is_flagged() -> None:
    assert unsupported("It is in 6 days.", found(CLUB), COUNTED) == ["6 days"]


@pytest.mark.parametrize("draft", ["Thursdays at 5 PM.", "Thu at 17:00.", "On Thursday, at five o'clock: 5:00 p.m."])
def test_x5_equal_values_written_otherwise_are_not_flagged(draft: str) -> None:
    assert unsupported(draft, found(CLUB)) == []


def test_x6_the_day_of_another_fact_is_flagged() -> None:
    assert unsupported("The AI Club meets Tuesday.", found(CLUB, OFFICE)) == ["Tuesday"]


def test_x7_the_refusal_line_is_never_flagged() -> None:
    review = Guardrail(refusal=REFUSAL).review(REFUSAL, question="?", evidence=())
    assert (review.refusal, review.facts) == (True, ())


def test_x8_a_fact_of_an_observation_that_is_not_in_this_history_is_flagged() -> None:
    assert unsupported("Office hours are Tuesdays 2-4 PM.", found(CLUB), question="Office hours?") == [
        "Tuesdays",
        "2-4 PM",
    ]


def test_x11_an_observation_that_the_model_wrote_is_no_observation() -> None:
    assert unsupported("Observation: Friday", found(CLUB)) == ["Friday"]


@tool(searches=True)
def search_campus_info(query: str) -> ToolResult:
    """Search the campus information."""
    if "wifi" in query:
        return ToolResult(NOTHING, empty=True)
    return ToolResult(found(CLUB).text, sources=(CLUB,))


async def play(replies: list[str | list[RequestedCall]], question: str) -> tuple[list[GroundingChecked], RunFinished]:
    agent = Agent(
        ScriptedModel(replies),
        [search_campus_info],
        instructions="Answer from the tools.",
        guardrail=Guardrail(refusal=REFUSAL),
    )
    events: list[Event] = [event async for event in agent.run(question)]
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    return [event for event in events if isinstance(event, GroundingChecked)], finished


def search(query: str) -> list[RequestedCall]:
    return [RequestedCall("search_campus_info", f'{{"query": "{query}"}}')]


async def test_t18_a_refusal_after_an_empty_search_is_the_line_byte_for_byte() -> None:
    _, finished = await play([search("wifi password"), REFUSAL], "What is the campus wifi password?")
    assert (finished.outcome, finished.answer) == (Outcome.REFUSED, REFUSAL)


async def test_t19_an_invented_password_is_replaced_by_the_line_and_the_trace_says_why() -> None:
    invented = "The password is trojan2026"
    checked, finished = await play([search("wifi password"), invented, invented], "What is the campus wifi password?")
    assert (finished.outcome, finished.answer) == (Outcome.REFUSED, REFUSAL)
    assert [[(fact.text, fact.supported) for fact in one.facts] for one in checked] == [[("trojan2026", False)]] * 2


INVENTED = (
    "The USC AI Club meets on Friday at 5 PM in room 310. Ask Nadia Keller at 213-555-0148.",
    ["Friday", "room 310", "Nadia Keller", "213-555-0148"],
)


async def test_what_a_model_invents_is_named_fact_by_fact_and_never_said() -> None:
    draft, named = INVENTED
    checked, finished = await play([search("AI Club"), draft, draft], QUESTION)
    assert [fact.text for fact in checked[0].facts if not fact.supported] == named
    assert finished.answer == REFUSAL
