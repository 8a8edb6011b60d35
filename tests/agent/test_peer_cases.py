"""What other agents get wrong, row by row: the stubborn model, the broken tool, the late result."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from campus_agent.agent.endings import LONGEST_QUOTE
from campus_agent.agent.events import Observed, RunFinished
from campus_agent.agent.outcome import Outcome
from campus_agent.errors import ModelError
from campus_agent.models.chat_model import Reply, RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import Tool, tool
from tests.agent.conftest import call, search
from tests.agent.test_loop import MakeAgent, only, slow_tool

QUESTION = "When does the AI Club meet?"


def counted(runs: list[str], **options: Any) -> Tool:
    """A tool that notes how often it runs."""

    @tool(name="look", **options)
    def look(n: int) -> str:
        """Look.

        Args:
            n: where.
        """
        runs.append(str(n))
        return f"found {n}"

    return look


def raising(runs: list[str]) -> Tool:
    @tool(name="look")
    def look() -> str:
        """Look."""
        runs.append("run")
        raise RuntimeError("boom")

    return look


# ---- limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
@pytest.mark.parametrize("cap", [pytest.param(cap, id=f"N-T1 cap {cap}") for cap in (0, 1, 3)])
async def test_a_stubborn_model_runs_no_tool_past_the_cap(make_agent: MakeAgent, cap: int, stream: bool) -> None:
    runs: list[str] = []
    script = [Reply("Once more.", (call("look", n=n),)) for n in range(9)]
    replies = script if stream else [[reply] for reply in script]
    result = await make_agent(replies, tools=[counted(runs)], max_tool_calls=cap, max_steps=9).ask("What?")
    assert (result.outcome, result.answer, len(runs)) == (Outcome.CALL_LIMIT, None, cap)


@pytest.mark.parametrize("cap", [pytest.param(cap, id=f"N-T2 cap {cap}") for cap in (1, 3)])
async def test_exactly_as_many_calls_as_allowed_and_an_answer_is_answered(make_agent: MakeAgent, cap: int) -> None:
    runs: list[str] = []
    script = [*([call("look", n=n)] for n in range(cap)), "found 0"]
    result = await make_agent(script, tools=[counted(runs)], max_tool_calls=cap).ask("What?")
    assert (result.outcome, len(runs)) == (Outcome.ANSWERED, cap)


@pytest.mark.parametrize("retries", [pytest.param(n, id=f"N-T3 {n} retries") for n in (0, 1, 3)])
async def test_unreadable_calls_are_tried_again_so_often_and_the_last_is_quoted_shortened(
    make_agent: MakeAgent, retries: int
) -> None:
    agent = make_agent([[RequestedCall("look", "{" * 500)]] * 9, parse_retries=retries, max_steps=9)
    result = await agent.ask("What?")
    assert result.outcome is Outcome.MALFORMED
    assert len(agent.model.requests) == retries + 1  # type: ignore[attr-defined]
    assert result.message is not None
    assert len(result.message.cause) <= LONGEST_QUOTE + 50


@pytest.mark.parametrize("retries", [pytest.param(n, id=f"N-T4 raises, {n} retries") for n in (0, 1, 3)])
async def test_a_read_only_tool_that_raises_runs_once_and_so_often_again(make_agent: MakeAgent, retries: int) -> None:
    runs: list[str] = []
    result = await make_agent([[call("look")], "Sorry."], tools=[raising(runs)], tool_retries=retries).ask("What?")
    assert len(runs) == retries + 1
    assert result.steps[0].observation == "Tool 'look' failed: boom"


@pytest.mark.parametrize("value", [pytest.param(None, id="N-T4 None"), pytest.param("", id="N-T4 empty")])
async def test_a_tool_that_returns_nothing_runs_once_and_that_is_said(make_agent: MakeAgent, value: str | None) -> None:
    runs: list[str] = []

    @tool(name="look")
    def look() -> str | None:
        """Look."""
        runs.append("run")
        return value

    result = await make_agent([[call("look")], "Nothing."], tools=[look], tool_retries=3).ask("What?")
    assert (len(runs), result.steps[0].status) == (1, "empty")
    assert result.steps[0].observation == "The tool look provided an empty response."


@pytest.mark.parametrize(
    ("mode", "outcome"),
    [
        pytest.param("observe", Outcome.ANSWERED, id="N-T5 to the model"),
        pytest.param("fail", Outcome.TOOL_FAILED, id="N-T5 to the person"),
    ],
)
async def test_a_tool_error_is_an_observation_or_the_end(make_agent: MakeAgent, mode: Any, outcome: Outcome) -> None:
    agent = make_agent([[call("look")], "Sorry."], tools=[raising([])], tool_errors=mode)
    result = await agent.ask("What?")
    assert result.outcome is outcome
    assert "boom" in f"{result.steps[0].observation} {result.message}"


# ---- time ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [pytest.param("late", id="N-T6 deadline"), pytest.param("stop", id="N-T7 cancel")])
async def test_a_stalled_tool_moves_no_end_and_its_late_result_is_dropped(make_agent: MakeAgent, how: str) -> None:
    release = threading.Event()
    limit = {"deadline": 0.05} if how == "late" else {}
    agent = make_agent([[call("slow")], "Never."], tools=[slow_tool(release)], **limit)
    events = []
    async for event in agent.run("What?"):
        events.append(event)
        if event.kind == "acting" and how == "stop":
            agent.cancel()
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.outcome is (Outcome.DEADLINE if how == "late" else Outcome.CANCELLED)
    release.set()
    await asyncio.to_thread(lambda: [thread.join(5) for thread in threading.enumerate() if thread.name == "tool slow"])
    await asyncio.sleep(0)
    assert only(events, Observed)[0].content != "late"
    assert agent.conversation.messages == ()
    agent.model = ScriptedModel(["Hello!"])
    assert (await agent.ask("Hi")).outcome is Outcome.ANSWERED


async def test_n_t8_five_failures_have_five_outcomes(make_agent: MakeAgent) -> None:
    @tool(name="look", searches=True)
    def down() -> str:
        """Look."""
        raise RuntimeError("down")

    release = threading.Event()
    runs = [
        make_agent([[RequestedCall("look", "{")]] * 5),
        make_agent([[call("look")], REFUSAL], tools=[down]),
        make_agent([search(f"AI Club {n}") for n in range(9)]),
        make_agent([[call("slow")]], tools=[slow_tool(release)], deadline=0.05),
        make_agent([ModelError("down")]),
    ]
    outcomes = [(await agent.ask("What?")).outcome for agent in runs]
    release.set()
    assert outcomes == ["malformed", "tool_failed", "step_limit", "deadline", "provider_error"]


@pytest.mark.parametrize("blank", [pytest.param(text, id=f"N-T9 {text!r}") for text in ("", " ", "\n\t")])
async def test_a_blank_question_is_said_and_costs_no_model_call(make_agent: MakeAgent, blank: str) -> None:
    agent = make_agent(["Hello!"])
    with pytest.raises(ValueError, match="needs some text"):
        await agent.ask(blank)
    assert agent.model.requests == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "fault",
    [pytest.param(Reply(""), id="N-T18 empty"), pytest.param([RequestedCall("look", "{")], id="N-T18 unreadable")],
)
async def test_a_reply_that_goes_wrong_after_a_tool_runs_that_tool_no_second_time(
    make_agent: MakeAgent, fault: Any
) -> None:
    runs: list[str] = []
    agent = make_agent([[call("look", n=1)], fault, "found 1"], tools=[counted(runs, read_only=False)])
    assert (await agent.ask("What?")).outcome is Outcome.ANSWERED
    assert runs == ["1"]
