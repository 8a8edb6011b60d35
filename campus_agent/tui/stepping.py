"""Step mode: it holds a run before each model call and each act until the person says what to do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

from campus_agent.tui.pace import RunClock

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent
    from campus_agent.agent.gate import BeforeAct, BeforeModel, Decision


@dataclass(eq=False)
class Pause:
    """A run that is held: what would happen next, and what the person decides."""

    coming: BeforeModel | BeforeAct
    _decision: asyncio.Future[Decision] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def over(self) -> bool:
        """Whether it has been decided, or the run has ended meanwhile."""
        return self._decision.done()

    def decide(self, decision: Decision) -> None:
        """Let the run go on; only the first decision counts."""
        if not self.over:
            self._decision.set_result(decision)

    def go(self) -> None:
        """Let happen what is about to happen."""
        from campus_agent.agent.gate import Go  # the first frame of the app has no use for it

        self.decide(Go())

    async def decided(self) -> Decision:
        """Return the decision once it is made."""
        return await self._decision


class Stepping:
    """The gate of an agent, worked by a person.

    Attributes:
        on: whether runs are held.
        pause: the pause that waits for a decision, None while nothing is held.
        agent: whose runs are held.
    """

    @dataclass
    class Held(Message):
        """A run is held."""

        pause: Pause

    @dataclass
    class Released(Message):
        """The run that was held goes on, or has ended."""

        pause: Pause

    def __init__(self, screen: MessagePump, clock: RunClock, *, on: bool) -> None:
        """Take the screen that is told of each pause, the clock that stands still meanwhile, and whether to begin."""
        self.on = on
        self.pause: Pause | None = None
        self.agent: Agent | None = None
        self._screen = screen
        self._clock = clock
        self._to_the_end = False

    def attach(self, agent: Agent) -> None:
        """Become the gate of `agent`, for its runs from now on."""
        self.agent = agent
        agent.gate = self.gate

    def begin(self) -> None:
        """Hold the run that begins now, if step mode is on, also when the one before was let go to its end."""
        self._to_the_end = False

    @property
    def holding(self) -> bool:
        """Whether the run that goes on is held before whatever comes next."""
        return self.on and not self._to_the_end

    def switch(self, on: bool) -> None:
        """Turn step mode on or off, also in the middle of a run; off lets go what is held."""
        self.on = on
        self._to_the_end = False
        if not on and self.pause is not None:
            self.pause.go()

    def to_the_end(self) -> None:
        """Let the run that is held go on to its end; the next run is held again."""
        self._to_the_end = True
        if self.pause is not None:
            self.pause.go()

    async def gate(self, coming: BeforeModel | BeforeAct) -> Decision:
        """Hold the run until the person has decided; the screen is told before and after."""
        from campus_agent.agent.gate import Go

        if not self.holding:
            return Go()
        pause = self.pause = Pause(coming)
        self._screen.post_message(self.Held(pause))
        try:
            with self._clock.held():
                return await pause.decided()
        finally:
            self.pause = None
            self._screen.post_message(self.Released(pause))
