"""A recording on its way across the screen: it goes on, stands still, or jumps to another step."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import datetime

from campus_agent.agent.events import Event
from campus_agent.recording import Recording
from campus_agent.tui.pace import Pace, Speed, reading_time

_LONGEST_WAIT = 10.0  # seconds; what a server once took longer for need not be waited for again
_BRIEF = 5.0  # seconds; a whole recording that takes less is over before a class has looked up
_BETWEEN_RUNS = 1.5  # seconds; how long the person thought about the next question is nobody's business
_STOPS = ("step_started", "acting", "observed", "planned", "reviewed", "grounding_checked")
_UNKNOWN = "(the question was not recorded)"


class Player:
    """Where a replay stands and how it goes on.

    Attributes:
        recording: what is replayed.
        pace: how fast, from the start in slow motion where the whole recording takes no more than a moment; the speed
            "step" stands still after each thing that can be seen.
        playing: whether it goes on by itself.
        run: the run that is shown, 0 for the first.
        shown: how many of its events are shown.
        seconds: the time since the run began, as it was recorded.
        interrupted: whether the run that is shown is to end here, because the person goes elsewhere.
    """

    def __init__(self, recording: Recording, pace: Pace, *, stopped: Callable[[], None]) -> None:
        """Take what to replay, how fast, and whom to tell when it has come to stand still by itself."""
        self._stopped = stopped
        self.recording = recording
        self.pace = pace
        if sum((run[-1].time - run[0].time).total_seconds() for run in recording.runs) < _BRIEF:
            pace.change("slow")
        self.playing = True
        self.run = 0
        self.shown = 0
        self.seconds = 0.0
        self.interrupted = False
        self._target = 0  # so many events of the run are shown without waiting

    @property
    def events(self) -> Sequence[Event]:
        """The events of the run that is shown."""
        return self.recording.runs[self.run]

    @property
    def marks(self) -> list[int]:
        """Where one can jump to in this run: so many events are shown then. A mark a step, and one for the end."""
        return _marks(self.events)

    @property
    def step(self) -> int:
        """The step that the replay is in, 0 before the first."""
        return sum(mark <= self.shown for mark in self.marks[:-1])

    @property
    def at_end(self) -> bool:
        """Whether everything has been shown."""
        return self.run == len(self.recording.runs) - 1 and self.shown >= len(self.events)

    def toggle(self) -> None:
        """Stand still, or go on."""
        self.playing = not self.playing
        self.pace.wake()

    def change_pace(self, speed: Speed) -> None:
        """Go on at another speed; step by step it stands still at once, until the next speed."""
        stood = self.pace.speed == "step" and not self.at_end
        self.playing = speed != "step" and (self.playing or stood)
        self.pace.change(speed)

    def goal(self, steps: int) -> tuple[int, int] | None:
        """Return the run and the place in it that is so many steps on, or back when negative; None beyond the ends."""
        if steps > 0:
            ahead = [mark for mark in self.marks if mark > max(self.shown, self._target)]
            return (self.run, ahead[0]) if ahead else self._edge(self.run + 1, 0)
        behind = [mark for mark in self.marks if mark < self.shown]
        return (self.run, behind[-1]) if behind else self._edge(self.run - 1, -2)

    def _edge(self, run: int, position: int) -> tuple[int, int] | None:
        if not 0 <= run < len(self.recording.runs):
            return None
        marks = _marks(self.recording.runs[run])
        return run, marks[position] if len(marks) > 1 else marks[0]

    def begin(self, run: int, target: int) -> RecordedRun:
        """Return the performance of a run, the first `target` events of which come at once."""
        self.run, self.shown, self._target, self.seconds, self.interrupted = run, 0, target, 0.0, False
        return RecordedRun(self, self.recording.runs[run])

    def hurry(self, target: int) -> None:
        """Show so many events of this run without waiting."""
        self._target = target
        self.pace.wake()

    def interrupt(self) -> None:
        """End the run that is shown where it stands."""
        self.interrupted = True
        self.pace.wake()

    async def due(self, event: Event, before: Event | None) -> None:
        """Return when it is the turn of `event`, which came after `before`."""
        if self.shown >= self._target:
            if self.pace.speed == "step" and before is not None and before.kind in _STOPS:
                self.playing = False
                self._stopped()
            if self.playing:
                await self.pace.rest(self._wait(event, before))
        while not self.playing and self.shown >= self._target and not self.interrupted:
            await self.pace.rest(None)

    async def going_on(self) -> None:
        """Return when the replay goes on to the next run."""
        while not self.playing and not self.interrupted:
            await self.pace.rest(None)

    def passed(self, since: datetime, event: Event) -> None:
        """Take note that an event is about to be shown, of a run that began at `since`."""
        self.shown += 1
        self.seconds = max(self.seconds, (event.time - since).total_seconds())

    def _wait(self, event: Event, before: Event | None) -> float:
        """Return how many seconds there are between two events at this speed."""
        if self.pace.speed in ("fast", "step"):
            return 0.0
        if before is None:
            return _BETWEEN_RUNS if self.run else 0.0
        if self.pace.speed == "slow":
            return reading_time(before)
        return min(_LONGEST_WAIT, (event.time - before.time).total_seconds())


class RecordedRun:
    """A run of a recording as a performance."""

    def __init__(self, player: Player, events: Sequence[Event]) -> None:
        self._player = player
        self._events = events
        first = events[0]
        self.question = first.question if first.kind == "run_started" else _UNKNOWN

    async def events(self) -> AsyncGenerator[Event, None]:
        """Yield the recorded events, each when it is its turn."""
        before: Event | None = None
        for event in self._events:
            await self._player.due(event, before)
            if self._player.interrupted:
                return
            self._player.passed(self._events[0].time, event)
            yield event
            before = event

    def stop(self) -> None:
        """End the replay of this run."""
        self._player.interrupt()


def _marks(events: Sequence[Event]) -> list[int]:
    return [*(at for at, event in enumerate(events, 1) if event.kind == "step_started"), len(events)]
