"""The gatekeeper's lesson, row by row: every planted failure is an observation, every limit an honest end."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from campus_agent.agent.endings import STEP_LIMIT
from campus_agent.agent.events import Observed, StepStarted
from campus_agent.agent.outcome import Outcome
from campus_agent.models.chat_model import AssistantMessage, RequestedCall, ToolMessage, UserMessage
from campus_agent.tools.tool import tool
from tests.agent.conftest import call, search
from tests.agent.test_loop import CLUB_ANSWER, MakeAgent, events_of, only

QUESTION = "When does the AI Club meet?"
VALID = "Valid tools: search_campus_info, get_current_time, days_until_weekday, days_until_date."


@tool
def add(a: int, b: int) -> str:
    """Add."""
    return str(a + b)


@tool
def multiply(a: int, b: int) -> str:
    """Multiply."""
    return str(a * b)


@tool
def log(x: float) -> str:
    """Take the natural logarithm."""
    return str(math.log(x))


@tool
def echo(number: int = 7, switch: bool = True, text: str = "nothing", share: float = 0.5) -> str:
    """Say what came."""
    return repr((number, switch, text, share))


async def test_g1_a_call_without_a_name_is_said_to_be_none_and_facts_without_a_call_are_sent_back(
    make_agent: MakeAgent,
) -> None:
    result = await make_agent([[RequestedCall("", "")], search(), CLUB_ANSWER]).ask(QUESTION)
    assert (result.steps[0].observation or "").startswith("No tool call was found")
    assert result.outcome is Outcome.ANSWERED
    agent = make_agent([CLUB_ANSWER, search(), CLUB_ANSWER])
    assert (await agent.ask(QUESTION)).outcome is Outcome.ANSWERED
    assert "Search first" in agent.model.requests[1].messages[-1].text  # type: ignore[attr-defined]


FAULTS = {
    "G2 cut JSON": (RequestedCall("search_campus_info", '{"query": "AI Cl'), ["not run", "not valid JSON"]),
    "G3 an unknown tool": (call("calculator"), ["Tool 'calculator' is not available.", VALID]),
    "G4 a missing argument": (call("days_until_weekday"), ["missing required argument 'weekday'"]),
    "G5 several faults at once": (RequestedCall("calculator", "{"), ["not valid JSON"]),
}


@pytest.mark.parametrize(("planted", "said"), FAULTS.values(), ids=FAULTS)
async def test_every_planted_failure_is_an_observation_and_the_run_goes_on(
    make_agent: MakeAgent, planted: RequestedCall, said: list[str]
) -> None:
    result = await make_agent([[planted], search(), CLUB_ANSWER]).ask(QUESTION)
    observation = result.steps[0].observation or ""
    assert [part for part in said if part not in observation] == []
    assert [step.status for step in result.steps] == ["error", "ok"]
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, CLUB_ANSWER)


async def test_g4_the_one_argument_that_is_missing_is_the_one_that_is_named(make_agent: MakeAgent) -> None:
    result = await make_agent([[call("multiply", a=2)], "Sorry."], tools=[multiply]).ask("What?")
    assert "missing required argument 'b'" in (result.steps[0].observation or "")


CONVERSIONS = {
    "G6 whole numbers as text": (multiply, {"a": "6912", "b": "5"}, "34560"),
    "G7 5.0 as text": (echo, {"number": "5.0"}, "(5, True, 'nothing', 0.5)"),
    "G7 5.9": (echo, {"number": 5.9}, None),
    "G7 false as text": (echo, {"switch": "false"}, "(7, False, 'nothing', 0.5)"),
    "G7 None for a text": (search, {"query": None}, None),
    "G7 NaN": (echo, {"share": "NaN"}, None),
    "G7 True for a number": (echo, {"number": True}, None),
    "G7 an unknown argument": (echo, {"colour": "red"}, None),
    "G8 absent": (echo, {}, "(7, True, 'nothing', 0.5)"),
    "G8 null": (echo, {"number": None, "switch": None, "text": None}, "(7, True, 'nothing', 0.5)"),
}


@pytest.mark.parametrize(("tool", "arguments", "observed"), CONVERSIONS.values(), ids=CONVERSIONS)
async def test_arguments_are_converted_where_nothing_is_lost_and_refused_by_name_where_it_would_be(
    make_agent: MakeAgent, tool: Any, arguments: dict[str, Any], observed: str | None
) -> None:
    name = "search_campus_info" if tool is search else tool.name
    agent = make_agent([[call(name, **arguments)], "Done."], tools=None if tool is search else [tool])
    (step,) = (await agent.ask("What?")).steps
    if observed is None:
        assert step.status == "error"
        assert f"'{next(iter(arguments))}'" in (step.observation or "")
    else:
        assert (step.status, step.observation) == ("ok", observed)


ARITHMETIC = [
    [call("add", a=1234, b=5678)],
    [call("multiply", a=6912, b=5)],
    [call("log", x=34560)],
    "The result is 10.450452222917992.",
]


@pytest.mark.parametrize(
    ("cap", "calls", "outcome"),
    [
        pytest.param(10, 4, Outcome.ANSWERED, id="G9 cap 10"),
        pytest.param(2, 2, Outcome.STEP_LIMIT, id="G9 cap 2"),
    ],
)
async def test_a_chain_of_three_tools_is_answered_or_ends_at_the_cap(
    make_agent: MakeAgent, cap: int, calls: int, outcome: Outcome
) -> None:
    agent = make_agent(ARITHMETIC, tools=[add, multiply, log], max_steps=cap)
    result = await agent.ask("What is the logarithm of (1234 + 5678) * 5?")
    assert (result.outcome, len(agent.model.requests)) == (outcome, calls)  # type: ignore[attr-defined]
    assert (result.answer is None) == (outcome is Outcome.STEP_LIMIT)


async def test_g10_a_stubborn_search_ends_at_its_cap_without_an_answer(make_agent: MakeAgent) -> None:
    agent = make_agent([search("AI Club")] * 9, max_steps=5)
    result = await agent.ask(QUESTION)
    assert (result.outcome, result.complete, result.answer) == (Outcome.STEP_LIMIT, False, None)
    assert len(agent.model.requests) == 5  # type: ignore[attr-defined]
    assert result.message is not None
    assert result.message.what == STEP_LIMIT


async def test_g11_two_calls_with_one_id_bring_two_results(make_agent: MakeAgent) -> None:
    agent = make_agent([[call("add", id="x", a=1, b=1), call("add", id="x", a=2, b=2)], "2 and 4"], tools=[add])
    await agent.ask("What?")
    sent = agent.model.requests[1].messages  # type: ignore[attr-defined]
    asked = next(message.calls for message in sent if isinstance(message, AssistantMessage))
    came = [message for message in sent if isinstance(message, ToolMessage)]
    assert [message.text for message in came] == ["2", "4"]
    assert [message.call_id for message in came] == [one.id for one in asked]
    assert len({one.id for one in asked}) == 2


async def test_g12_an_agent_that_is_asked_again_has_its_instructions_once(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), CLUB_ANSWER, "Room 204."])
    await agent.ask(QUESTION)
    await agent.ask("Which room?")
    last = agent.model.requests[-1]  # type: ignore[attr-defined]
    assert last.system == "Answer."
    assert [message.text for message in last.messages if isinstance(message, UserMessage)] == [QUESTION, "Which room?"]


async def test_g13_a_tool_that_raises_is_observed_and_the_run_goes_on(make_agent: MakeAgent) -> None:
    result = await make_agent([[call("log", x=0)], "Sorry."], tools=[log]).ask("What is the logarithm of 0?")
    assert result.steps[0].status == "error"
    assert (result.steps[0].observation or "").startswith("Tool 'log' failed: ")
    assert result.outcome is Outcome.ANSWERED


async def test_g15_the_size_of_what_is_sent_is_shown_and_grows_from_step_to_step(make_agent: MakeAgent) -> None:
    agent = make_agent([search(), [call("get_current_time")], CLUB_ANSWER])
    events = await events_of(agent)
    sizes = [event.prompt_chars for event in only(events, StepStarted)]
    assert sizes == sorted(set(sizes))
    grown = [later - sooner for sooner, later in pairwise(sizes)]
    contents = [len(event.content) for event in only(events, Observed)]
    assert all(more > content for more, content in zip(grown, contents, strict=True))
    assert sizes == [request.size for request in agent.model.requests]  # type: ignore[attr-defined]
