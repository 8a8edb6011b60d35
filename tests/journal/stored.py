"""Runs for the tests of the journal: made by the loop from a script, or event by event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import (
    Acting,
    Budgets,
    Event,
    Observed,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.journal.recorder import Recorder
from campus_agent.models.chat_model import RequestedCall, Usage
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import Source, ToolResult, tool

MORNING = datetime(2026, 6, 13, 17, 0, tzinfo=UTC)
CLUB = "- AI Club: The AI Club meets every Thursday at 5 PM in room 204. (clubs.md, line 3)"
QUESTION = "When does the AI Club meet?"
ANSWER = "The AI Club meets every Thursday at 5 PM."


@tool(searches=True)
def search_campus_info(query: str) -> ToolResult:
    """Search."""
    return ToolResult(CLUB, sources=(Source(title="AI Club", source="clubs.md", line=3, text=CLUB[11:]),))


@tool(timeless=False)
def get_current_time() -> str:
    """Tell the time."""
    return "Saturday, June 13, 2026 at 10:00 AM PDT"


TOOLS = (search_campus_info, get_current_time)


def agent(*replies: Any, **options: Any) -> Agent:
    """Return an agent that plays these replies: by default a search and the clock at once, then the answer."""
    calls = [RequestedCall("search_campus_info", {"query": "AI Club"}), RequestedCall("get_current_time", {})]
    script = list(replies) or [calls, ANSWER]
    return Agent(ScriptedModel(script), TOOLS, instructions="Answer.", guardrail=Guardrail(refusal=REFUSAL), **options)


async def record(recorder: Recorder, agent: Agent, *questions: str) -> list[Event]:
    """Ask the questions with the journal running along, and return every event that was shown."""
    return [event for question in questions or (QUESTION,) async for event in recorder.follow(agent.run(question))]


def run(
    number: int = 1,
    *,
    question: str = QUESTION,
    answer: str = ANSWER,
    tool: str = "search_campus_info",
    outcome: Outcome = Outcome.ANSWERED,
    seconds: float = 1.0,
    began: datetime = MORNING,
    model: str = "played",
    usage: Usage | None = None,
    cut: bool = False,
    content: str = CLUB,
) -> list[Event]:
    """Make the events of a run with one call; `cut` leaves the end out."""
    common: dict[str, Any] = {"run_id": f"{number:012x}"}
    call: dict[str, Any] = {"step": 1, "call_id": "c1", "tool": tool}

    def at(share: float) -> datetime:
        return began + timedelta(seconds=seconds * share)

    events: list[Event] = [
        RunStarted(
            **common, seq=0, time=began, question=question, model=model, provider="test", protocol="native",
            budgets=Budgets(),
        ),
        StepStarted(**common, seq=1, time=at(0.1), step=1, of=5, prompt_chars=100),
        Acting(**common, seq=2, time=at(0.4), **call, arguments={"query": "AI Club"}),
        Observed(
            **common, seq=3, time=at(0.5), **call, status="ok", content=content, length=len(content),
            latency_ms=seconds * 100,
        ),
        StepFinished(**common, seq=4, time=at(0.9), step=1, usage=usage, latency_ms=seconds * 800),
        RunFinished(
            **common, seq=5, time=at(1), outcome=outcome, complete=outcome.complete, answer=answer, message=None,
            usage=usage, duration_ms=seconds * 1000,
        ),
    ]  # fmt: skip
    return events[:-2] if cut else events


async def _played(events: Iterable[Event]) -> AsyncGenerator[Event, None]:
    for event in events:
        yield event


def keep(path: Path, *runs: Sequence[Event], **options: Any) -> list[Event]:
    """Record runs of one conversation as they are, and return what was shown."""

    async def play() -> list[Event]:
        return [event for run in runs async for event in recorder.follow(_played(run))]

    recorder = Recorder(path, base="test base", model="a model", **options)
    try:
        return asyncio.run(play())
    finally:
        recorder.close()


def notes(events: Iterable[Event]) -> list[str]:
    return [event.text for event in events if event.kind == "note"]
