"""An agent whose runs are given, for the tests of the commands."""

from __future__ import annotations

import asyncio
import io
import signal
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime

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
from campus_agent.errors import Explanation

NOON = datetime(2026, 6, 13, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Ending:
    """How a played run ends."""

    outcome: Outcome = Outcome.ANSWERED
    answer: str | None = "At noon."
    message: Explanation | None = None
    interrupts: int = 0  # how often Ctrl+C is pressed during the run


class Played:
    """An agent whose runs are given: one call of one tool, then the ending."""

    def __init__(self, *endings: Ending) -> None:
        self.endings = list(endings) or [Ending()]
        self.questions: list[str] = []
        self.resets = 0
        self.cancelled = asyncio.Event()

    def cancel(self) -> None:
        self.cancelled.set()

    def reset(self) -> None:
        self.resets += 1

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        ending = self.endings[min(len(self.questions), len(self.endings) - 1)]
        self.questions.append(question)
        common = {"run_id": "r1", "time": NOON}
        yield RunStarted(
            **common, seq=0, question=question, model="played", provider="test", protocol="native", budgets=Budgets()
        )
        yield StepStarted(**common, seq=1, step=1, of=5)
        call = {"step": 1, "call_id": "c1", "tool": "search_campus_info"}
        yield Acting(**common, seq=2, **call, arguments={"query": "AI Club"})
        yield Observed(**common, seq=3, **call, status="ok", content="- Club: at noon", length=15, latency_ms=2.0)
        for _ in range(ending.interrupts):
            signal.raise_signal(signal.SIGINT)
        if ending.interrupts:
            await self.cancelled.wait()
        yield StepFinished(**common, seq=4, step=1, usage=None, latency_ms=3.0)
        yield RunFinished(
            **common,
            seq=5,
            outcome=ending.outcome,
            complete=ending.outcome.complete,
            answer=ending.answer,
            message=ending.message,
            usage=None,
            duration_ms=6.0,
        )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True
