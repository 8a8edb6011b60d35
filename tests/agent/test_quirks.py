"""The whole agent against a server with every quirk: each run ends as it should, and the next question works."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.outcome import Outcome
from campus_agent.agent.result import RunResult
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import ToolResult, tool
from tests.quirk_server import SCENARIOS, UNFINISHED, QuirkServer

FOUND, COUNTED, NOW = "NONCE-17", "NONCE-42", "NONCE-99"
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@tool(searches=True)
def search_campus_info(query: str) -> ToolResult:
    """Search the campus information.

    Args:
        query: what to look for.
    """
    return ToolResult(f"- AI Club: {FOUND} meets every Thursday (clubs.md)")


@tool(timeless=False)
def get_current_time(timezone: str | None = None) -> str:
    """Tell the time.

    Args:
        timezone: an IANA name.
    """
    return f"Saturday {NOW}"


@tool(timeless=False)
def days_until_weekday(weekday: str) -> str:
    """Count the days to a weekday.

    Args:
        weekday: its name.
    """
    if weekday.lower() not in WEEKDAYS:
        raise ValueError(f"{weekday!r} is not a valid weekday")
    return f"The next {weekday} is in 5 day(s), {COUNTED}."


# The outcomes that stand for the words of the quirk server.
ENDS = {
    "answered": {Outcome.ANSWERED},
    "recovered": {Outcome.ANSWERED},
    "refused": {Outcome.REFUSED},
    "step_cap": {Outcome.STEP_LIMIT, Outcome.CALL_LIMIT},
    "provider_error": {Outcome.PROVIDER_ERROR, Outcome.MALFORMED, Outcome.FILTERED, Outcome.DEADLINE},
}
# Where the outcome has a name of its own, nothing else will do.
EXACTLY = {"finish-length": {Outcome.TRUNCATED}, "content-filter": {Outcome.FILTERED}}
# Scenarios in which no fact of a tool is said, or not those of both.
SAYS = {"no-tool": (), "refuse": (), "one-tool": (FOUND,), "huge": (FOUND,), "parallel-same-tool": (COUNTED,)}
WITH_THE_TIME = {"id-duplicate", "index-zero", "index-interleaved", "single-call"}


@pytest.fixture(scope="module")
def quirks() -> Iterator[QuirkServer]:
    with QuirkServer() as server:
        yield server


def expected(name: str) -> set[Outcome]:
    return EXACTLY.get(name) or set().union(*(ENDS[end] for end in SCENARIOS[name].ends))


def spoken(name: str) -> tuple[str, ...]:
    if name in ("text-not-a-call",):
        return (FOUND,)
    return SAYS.get(name, (FOUND, NOW) if name in WITH_THE_TIME else (FOUND, COUNTED))


async def two_questions(base_url: str, name: str, *, stream: bool) -> tuple[RunResult, RunResult]:
    """Ask the scenario a question, and a server without faults the next one, in the same conversation."""

    def model(name: str) -> OpenAIChatModel:
        endpoint = Endpoint("custom", base_url, None, name, "the server", True)
        return OpenAIChatModel(endpoint, stream=stream, first_byte_timeout=2, idle_timeout=0.5, backoff=0.01)

    tools = [search_campus_info, get_current_time, days_until_weekday]
    faulty, good = model(name), model("good")
    agent = Agent(faulty, tools, instructions="Answer from the tools.", guardrail=Guardrail(refusal=REFUSAL))
    try:
        first = await agent.ask("When does the AI Club meet?")
        agent.model = good
        return first, await agent.ask("And how many days are left?")
    finally:
        await faulty.aclose()
        await good.aclose()


async def all_of(names: Iterable[str], base_url: str, *, stream: bool) -> list[tuple[RunResult, RunResult]]:
    few = asyncio.Semaphore(8)  # at a time: a busy machine must not look like a silent server

    async def ask(name: str) -> tuple[RunResult, RunResult]:
        async with few:
            return await two_questions(base_url, name, stream=stream)

    return await asyncio.gather(*map(ask, names))


@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
async def test_every_run_ends_as_it_should_and_the_next_question_works(quirks: QuirkServer, stream: bool) -> None:
    quirks.reset()
    assert await wrong_ends(quirks.base_url, stream=stream) == {}


async def wrong_ends(base_url: str, *, stream: bool) -> dict[str, object]:
    """Play every scenario; return what went wrong in those that ended wrong."""
    runs = await all_of(SCENARIOS, base_url, stream=stream)
    wrong: dict[str, object] = {}
    for name, (first, second) in zip(SCENARIOS, runs, strict=True):
        missing = [
            word for word in spoken(name) if first.outcome is Outcome.ANSWERED and word not in (first.answer or "")
        ]
        unfit = [word for word in ("SECRET-THOUGHT", "<|", "<tool_call", UNFINISHED) if word in (first.answer or "")]
        if first.outcome not in expected(name) or missing or unfit:
            wrong[name] = (first.outcome, first.answer, first.message, first.notes)
        if second.outcome is not Outcome.ANSWERED or FOUND not in (second.answer or ""):
            wrong[f"{name}, next question"] = (second.outcome, second.answer, second.message, second.notes)
    return wrong


@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
async def test_a_run_that_fails_says_what_happened_and_what_to_do(quirks: QuirkServer, stream: bool) -> None:
    names = [name for name, scenario in SCENARIOS.items() if scenario.group == "http"]
    runs = await all_of(names, quirks.base_url, stream=stream)
    failed = [first for first, _ in runs if not first.complete]
    assert len(failed) > 5
    for run in failed:
        assert run.message is not None
        assert run.message.what
        assert run.message.next
        assert len(run.message.what) <= 400
        assert "\n" not in run.message.what
        assert "<" not in run.message.what
