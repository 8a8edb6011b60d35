"""Plays a mix through the whole agent, and says what went wrong."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from zlib import crc32

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import AnswerDelta, AnswerWithdrawn, Budgets, Event, Note, RunFinished
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import Tool, tool
from tests.mixes.calls import CLOCK, COUNT, SEARCH, Call
from tests.mixes.generator import Mix
from tests.mixes.server import FIRST, SECOND, MixServer, Session, stages

AT_ONCE = 8
UNFIT = ("<|", "|>", "<tool_call", "</", "<function", "<invoke", "<parameter", "<arg_", "[TOOL_CALLS]", "[ARGS]",
         "｜", "Action:", "<think", "functions.", '{"name": "search', "```json\n{\"name\": \"search")  # fmt: skip


def nonce(call: Call) -> str:
    """Return the word by which the observation of a call is known."""
    return f"NONCE-{crc32(call.key.encode()) % 9000 + 1000}"


def observation(call: Call) -> str:
    """Return what a tool says to a call."""
    if call.name == SEARCH:
        return f"- AI Club: {nonce(call)} meets every Thursday — café 🦀 (clubs.md)"
    return f"Saturday {nonce(call)}" if call.name == CLOCK else f"The next Thursday is in 5 day(s), {nonce(call)}."


def recording_tools(ran: list[str]) -> list[Tool]:
    """Return the tools, which note down each call that they run."""

    def run(name: str, **arguments: str | None) -> str:
        call = Call(name, {key: value for key, value in arguments.items() if value is not None})
        ran.append(call.key)
        return observation(call)

    @tool(searches=True)
    def search_campus_info(query: str) -> str:
        """Search the campus information."""
        return run(SEARCH, query=query)

    @tool(timeless=False)
    def get_current_time(timezone: str | None = None) -> str:
        """Tell the time."""
        return run(CLOCK, timezone=timezone)

    @tool(timeless=False)
    def days_until_weekday(weekday: str) -> str:
        """Count the days to a weekday."""
        return run(COUNT, weekday=weekday)

    return [search_campus_info, get_current_time, days_until_weekday]


async def faults(mix: Mix, server: MixServer) -> list[str]:
    """Play a mix; return what went wrong, in words."""
    name = f"mix {len(server.sessions)}"
    session = server.sessions[name] = Session(mix)
    ran: list[str] = []
    endpoint = Endpoint("custom", server.base_url, None, name, "the server", True)
    model = OpenAIChatModel(
        endpoint, stream=mix["wire"] == "stream", first_byte_timeout=30, idle_timeout=30, backoff=0.001
    )
    steps = len(stages(mix, FIRST)) + 1 if mix["steps"] == "exact" else 5
    agent = Agent(
        model,
        recording_tools(ran),
        instructions="Answer from the tools.",
        guardrail=Guardrail(refusal=REFUSAL),
        budgets=Budgets(max_steps=steps, deadline=60),
    )
    found: list[str] = []
    try:
        for question in (FIRST, SECOND):
            ran.clear()
            events = [event async for event in agent.run(question)]
            meant = [call for calls in stages(mix, question) for call in calls]
            wrong = [*_wrong_end(events, session, meant), *_wrong_runs(ran, meant)]
            found += [f"{question} {fault}" for fault in wrong]
    finally:
        await model.aclose()
    return [*found, *dict.fromkeys(session.faults)]


def _wrong_end(events: list[Event], session: Session, meant: list[Call]) -> Iterator[str]:
    end = events[-1]
    assert isinstance(end, RunFinished)
    if end.outcome is not Outcome.ANSWERED:
        notes = [event.text for event in events if isinstance(event, Note)]
        yield f"ended as {end.outcome}: {end.message.what if end.message else ''} {notes}"
        return
    answer = end.answer or ""
    missing = [nonce(call) for call in meant if nonce(call) not in answer]
    if missing:
        yield f"lacks {missing}: {answer!r}"
    if not session.answers or answer.strip() != session.answers[-1].strip():
        yield f"answered {answer!r} instead of {session.answers[-1:]!r}"
    shown, ever = "", ""
    for event in events:
        shown = "" if isinstance(event, AnswerWithdrawn) else shown
        shown, ever = (shown + event.text, ever + event.text) if isinstance(event, AnswerDelta) else (shown, ever)
    if shown.strip() != answer.strip():
        yield f"showed {shown!r}, answered {answer!r}"
    unfit = [word for word in UNFIT if word in ever]
    if unfit:
        yield f"showed {unfit}: {ever!r}"


def _wrong_runs(ran: list[str], meant: list[Call]) -> Iterator[str]:
    if Counter(ran) != Counter(call.key for call in meant):
        yield f"ran {ran} instead of {[call.key for call in meant]}"


async def play_all(mixes: Iterable[Mix]) -> dict[Mix, list[str]]:
    """Play mixes, a few at a time; return those that went wrong, with what did."""
    few = asyncio.Semaphore(AT_ONCE)
    async with MixServer() as server:

        async def one(mix: Mix) -> tuple[Mix, list[str]]:
            async with few:
                return mix, await faults(mix, server)

        played = await asyncio.gather(*(one(mix) for mix in mixes))
    return {mix: wrong for mix, wrong in played if wrong}
