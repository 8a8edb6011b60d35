"""How fast a run is shown: at its own pace, in slow motion for a class to follow, or a step at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from campus_agent.agent.events import Event

Speed = Literal["true", "slow", "step", "fast"]
SPEEDS: tuple[Speed, ...] = get_args(Speed)
MEANINGS: dict[Speed, str] = {
    "true": "true pace: as fast as it happens",
    "slow": "slow motion: everything stays for a moment, so that one can read along",
    "fast": "fast: nothing waits",
    "step": "step by step: nothing happens until you say so",
}

_PER_SECOND = 60  # characters of streamed text, read at leisure
_READ_PER_SECOND = 150  # characters of an observation, skimmed
_LONGEST = 5.0  # seconds


def reading_time(event: Event) -> float:
    """Return how long slow motion rests on an event, in seconds."""
    from campus_agent.agent.events import (  # none is there before the first run
        Acting,
        AnswerDelta,
        AnswerWithdrawn,
        GroundingChecked,
        Note,
        Observed,
        Planned,
        Reviewed,
        Reviewing,
        RunStarted,
        StepStarted,
        ThoughtDelta,
    )

    match event:
        case AnswerDelta() | ThoughtDelta():
            return min(_LONGEST, len(event.text) / _PER_SECOND)
        case Acting():
            return 1.6
        case Observed():
            return min(_LONGEST, 1.2 + event.length / _READ_PER_SECOND)
        case StepStarted() | RunStarted() | Reviewing():
            return 0.8
        case AnswerWithdrawn(reason="rejected") | GroundingChecked() | Planned() | Reviewed() | Note():
            return 1.6
    return 0.0


class RunClock:
    """A clock that stands still while a run is held: what it shows is the run's own time, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: float | None = None
        self._lost = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return (self._clock() if self._since is None else self._since) - self._lost

    @contextmanager
    def held(self) -> Generator[None]:
        """Let the clock stand still in the block; blocks within it change nothing."""
        if self._since is not None:
            yield
            return
        self._since = self._clock()
        try:
            yield
        finally:
            self._lost += self._clock() - self._since
            self._since = None


class Pace:
    """The speed at which runs are shown, and the waiting that it takes. No timer runs but the one of a wait."""

    def __init__(self, clock: RunClock) -> None:
        """Take the clock that stands still while something is shown in slow motion."""
        self._clock = clock
        self.speed: Speed = "true"
        self._waiting: set[asyncio.Future[None]] = set()

    def change(self, speed: Speed) -> None:
        """Show everything at another speed from now on; a wait that goes on ends."""
        self.speed = speed
        self.wake()

    def wake(self) -> None:
        """End the wait that goes on."""
        for wait in self._waiting:
            if not wait.done():
                wait.set_result(None)

    async def rest(self, seconds: float | None) -> None:
        """Wait so many seconds (None: for ever), or until there is news."""
        if seconds is not None and seconds <= 0:
            return
        wait = asyncio.get_running_loop().create_future()  # there before anything else can happen: no news is missed
        self._waiting.add(wait)
        try:
            await asyncio.wait({wait}, timeout=seconds)
        finally:
            self._waiting.discard(wait)

    async def hold(self, event: Event) -> None:
        """Rest on an event that was shown, as long as the speed asks for."""
        if self.speed == "slow":
            with self._clock.held():
                await self.rest(reading_time(event))
