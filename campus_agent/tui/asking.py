"""What can be performed on the screen, and the queue of questions: one run at a time, the rest wait their turn."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from typing import TYPE_CHECKING, Protocol

from textual.widget import Widget
from textual.worker import Worker, WorkerState

from campus_agent.tui.pace import Pace
from campus_agent.tui.stepping import Stepping

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent
    from campus_agent.agent.events import Event


Keep = Callable[[AsyncGenerator["Event", None]], AsyncGenerator["Event", None]]
"""Takes the events of a run and yields them again, each when it is stored."""


class Performance(Protocol):
    """A run that can be shown, live or recorded: the screen cannot tell the two apart."""

    @property
    def question(self) -> str:
        """What was asked."""

    def events(self) -> AsyncGenerator[Event, None]:
        """Yield the events of the run, each when it is its turn; called once."""

    def stop(self) -> None:
        """End the run, also when it has not begun; its events end soon after."""


class LiveRun:
    """A run of an agent, as it happens."""

    def __init__(self, agent: Agent, question: str, *, pace: Pace, keep: Keep) -> None:
        self.question = question
        self._agent = agent
        self._pace = pace
        self._keep = keep
        self._stopped = False

    async def events(self) -> AsyncGenerator[Event, None]:
        """Run the agent and yield every event; raises what the agent raises."""
        async with aclosing(self._keep(self._agent.run(self.question))) as events:
            async for event in events:
                if self._stopped and event.kind == "run_started":
                    self._agent.cancel()  # the person was faster than the run
                yield event
                if not self._stopped:
                    await self._pace.hold(event)  # the time of a reader, and so outside the deadline

    def stop(self) -> None:
        """Cancel the run."""
        self._stopped = True
        self._pace.wake()
        self._agent.cancel()


class Asking:
    """Performs one question at a time; those that come meanwhile, or before there is an agent, wait in order.

    The screen that owns it passes its worker messages to `is_over`, and then calls `ask_next`.

    Attributes:
        keep: what stores the events of each run before they are shown; by default nothing does.
    """

    def __init__(
        self,
        node: Widget,
        perform: Callable[[Performance], Coroutine[None, None, None]],
        *,
        pace: Pace,
        stepping: Stepping,
    ) -> None:
        """Take who owns the workers, what shows a performance and returns when it is over, and what holds a run."""
        self.keep: Keep = _unkept
        self._agent: Agent | None = None
        self._node = node
        self._perform = perform
        self._pace = pace
        self._stepping = stepping
        self._waiting: deque[str] = deque()
        self._run: Performance | None = None
        self._worker: Worker[None] | None = None

    @property
    def agent(self) -> Agent | None:
        """Who is asked; None while nobody can be."""
        return self._agent

    @agent.setter
    def agent(self, agent: Agent | None) -> None:
        self._agent = agent
        if agent is not None:
            self._stepping.attach(agent)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The questions that wait, the next one first."""
        return tuple(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether a run goes on."""
        return self._worker is not None and not self._worker.is_finished

    @property
    def asked(self) -> str | None:
        """The question whose run goes on; None when none does."""
        return self._run.question if self.busy and self._run is not None else None

    def wait(self, question: str) -> None:
        """Let a question wait for its turn."""
        self._waiting.append(question)

    def ask_next(self) -> None:
        """Ask the question that has waited longest, if one can be asked now."""
        if self._waiting and self.agent is not None and not self.busy:
            self._run = LiveRun(self.agent, self._waiting.popleft(), pace=self._pace, keep=self.keep)
            self._worker = self._node.run_worker(
                self._perform(self._run), group="run", exclusive=True, exit_on_error=False
            )

    def take_back_last(self) -> str | None:
        """Forget the question that would wait the longest, and return it; None when none waits."""
        return self._waiting.pop() if self._waiting else None

    def take_back(self) -> tuple[str, ...]:
        """Forget all questions that wait, and return them."""
        waiting = self.waiting
        self._waiting.clear()
        return waiting

    def stop(self) -> None:
        """Stop the run that goes on, if there is one."""
        if self.busy and self._run is not None:
            self._run.stop()

    def is_over(self, event: Worker.StateChanged) -> bool:
        """Return whether the news of a worker is that the run is over, however it ended."""
        return event.worker is self._worker and event.state not in (WorkerState.PENDING, WorkerState.RUNNING)

    async def until_over(self) -> None:
        """Return when the run that goes on is over; raises `WorkerError` when it broke."""
        if self._worker is not None and self.busy:
            await self._worker.wait()


def _unkept(events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
    return events
