"""Why a draft was sent back is said where everybody reads it: in the events."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Event, Note
from campus_agent.settings import REFUSAL
from tests.agent.conftest import search, search_campus_info

MakeAgent = Callable[..., Agent]
JOKE = "I used to be a baker, but I made no dough."


async def events_of(agent: Agent, question: str) -> list[Event]:
    return [event async for event in agent.run(question)]


def told(events: list[Event]) -> list[str]:
    """Return the notes and withdrawals in their order."""
    return [event.text if isinstance(event, Note) else event.kind for event in events if _is_told(event)]


def _is_told(event: Event) -> bool:
    return event.kind in ("note", "answer_withdrawn", "grounding_checked")


async def test_a_draft_that_nothing_bears_out_is_sent_back_with_the_reason(make_agent: MakeAgent) -> None:
    agent = make_agent([JOKE, JOKE], tools=(search_campus_info,))
    events = await events_of(agent, "Tell me a joke")
    assert told(events) == ["Nothing that was looked up bears this draft out.", "answer_withdrawn"] * 2
    assert events[-1].kind == "run_finished"
    assert (events[-1].outcome, events[-1].answer) == ("refused", REFUSAL)


@pytest.mark.parametrize("refusal", [REFUSAL, "I don't know.", "Sorry, I can't help with that."])
async def test_a_refusal_before_any_search_is_sent_to_search_once_and_then_is_the_line(
    make_agent: MakeAgent, refusal: str
) -> None:
    agent = make_agent([refusal, search(), refusal], tools=(search_campus_info,))
    events = await events_of(agent, "When does the Chess Club meet?")
    reason = "Nothing has been looked up yet: the model is sent to search before it may refuse."
    assert told(events) == [reason, "answer_withdrawn"]
    assert events[-1].kind == "run_finished"
    assert (events[-1].outcome, events[-1].answer) == ("refused", REFUSAL)


async def test_unsupported_facts_are_reason_enough(make_agent: MakeAgent) -> None:
    wrong = "The AI Club meets every Friday."
    agent = make_agent([search(), wrong, wrong], tools=(search_campus_info,))
    events = await events_of(agent, "When does the AI Club meet?")
    assert told(events) == ["grounding_checked", "answer_withdrawn"] * 2
