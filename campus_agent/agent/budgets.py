"""Keeps count of what a run has used. Each budget is counted apart, and none is ever overdrawn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

from campus_agent.agent import endings
from campus_agent.agent.events import Budgets

T = TypeVar("T")


class Ledger:
    """What one run has used of its budgets.

    Attributes:
        budgets: what it may use.
        steps: model replies so far, the one under way included.
        calls: tool calls that were dispatched.
        unreadable: unreadable replies in a row.
    """

    def __init__(self, budgets: Budgets) -> None:
        self.budgets = budgets
        self.steps = 0
        self.calls = 0
        self.unreadable = 0
        self._began = monotonic()
        self._paused = 0.0  # seconds spent in the gate and in a slow reader: not the run's

    @property
    def last_step(self) -> bool:
        """Whether the step under way is the last one."""
        return self.steps >= self.budgets.max_steps

    @property
    def out_of_calls(self) -> bool:
        """Whether no further tool call may be dispatched."""
        return self.calls >= self.budgets.max_tool_calls

    @property
    def out_of_patience(self) -> bool:
        """Whether one unreadable reply too many has come in a row."""
        return self.unreadable > self.budgets.parse_retries

    @property
    def elapsed(self) -> float:
        """Seconds that the run has taken, pauses left out."""
        return monotonic() - self._began - self._paused

    def milliseconds_since(self, moment: float) -> float:
        """Return how long ago `moment`, an earlier value of `elapsed`, is."""
        return round((self.elapsed - moment) * 1000, 3)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count the time inside."""
        began = monotonic()
        try:
            yield
        finally:
            self._paused += monotonic() - began

    def check_deadline(self, outstanding: str) -> None:
        """End the run when its time is over, naming what it was waiting for."""
        if self.elapsed >= self.budgets.deadline:
            raise endings.deadline(self.elapsed, outstanding)

    async def next_from(self, queue: asyncio.Queue[T], outstanding: str) -> T:
        """Wait for the next thing in `queue`, but not past the deadline.

        What fills the queue runs elsewhere, so nothing it does can hold the run back; what it delivers too late
        lands in a queue that nobody reads any more.
        """
        self.check_deadline(outstanding)
        if not queue.empty():
            return queue.get_nowait()
        return await self.within(queue.get(), outstanding)

    async def within(self, work: Awaitable[T], outstanding: str) -> T:
        """Wait for `work`, but not past the deadline."""
        try:
            async with asyncio.timeout(self.budgets.deadline - self.elapsed):
                return await work
        except TimeoutError:
            raise endings.deadline(self.elapsed, outstanding) from None
