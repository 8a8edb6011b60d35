"""The replay screen: a recording on the same stage as a conversation, without a model and without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event as ThreadEvent
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from campus_agent.agent.events import Event
from campus_agent.journal.replaying import recording_of
from campus_agent.recording import Recording, RecordingError
from campus_agent.text import one_line, plural, sanitize
from campus_agent.tui.keys import Place, bindings
from campus_agent.tui.pace import MEANINGS, SPEEDS, Pace, RunClock
from campus_agent.tui.replaying import Player
from campus_agent.tui.screens.stage import StageScreen
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.words import line

_EARLIER = 3  # runs before the one that was jumped to that are shown again
_DIGITS = tuple("123456789")
_MOST_SAID = 5  # problems
_PATIENCE = 0.3  # seconds; what is read sooner than that need not be talked about


class ReplayScreen(StageScreen):
    """A recording, played by the code that plays a live run: it cannot tell the two apart."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings("replay")
    key_place: Place = "replay"

    def __init__(self, recording: Recording, *, clock: Callable[[], float]) -> None:
        """Take what to replay, and a clock, in seconds that only grow, that moves the spinner."""
        self._player = Player(recording, Pace(RunClock(clock)), stopped=self._say)
        super().__init__(clock=clock, run_clock=lambda: self._player.seconds)
        self._goal: tuple[int, int] | None = (0, 0)
        self._bar = Static(Content(""), id="replaying")

    def compose(self) -> ComposeResult:
        """Lay out the stage, where the replay stands, and the keys."""
        yield from super().compose()
        yield self._bar
        yield KeyLine()

    def on_mount(self) -> None:
        """Say what could not be read, and begin."""
        recording = self._player.recording
        self.app.clear_notifications()  # what was said before is not about the replay
        self._header.about(model="replay", base=recording.name)
        if recording.problems:
            more = len(recording.problems) + recording.more_problems - _MOST_SAID
            said = [*recording.problems[:_MOST_SAID], *([f"and {plural(more, 'more problem')}"] if more > 0 else [])]
            self.app.notify(sanitize("\n".join(said)), title="Left out", severity="warning", markup=False, timeout=6)
        self._play()

    # ---- playing ---------------------------------------------------------------------------------------------------

    @work(group="replay", exclusive=True, exit_on_error=False)
    async def _play(self) -> None:
        """Play from where the person wants to be; at the end, or when it is elsewhere, wait for the next wish."""
        while True:
            if self._goal is not None:
                await self._play_from(*self._goal)
            if not self._elsewhere:
                self._player.playing = False
                self._say()
                await self._player.pace.rest(None)

    async def _play_from(self, run: int, target: int) -> None:
        """Show the runs from a few before `run` on: those before it, and its first `target` events, at once."""
        self._goal = None
        await self._chat.clear(())
        await self._trace.clear()
        runs = self._player.recording.runs
        for number in range(max(0, run - _EARLIER), len(runs)):
            if number > run:
                await self._player.going_on()
            if self._elsewhere:
                return
            at_once = len(runs[number]) if number < run else target if number == run else 0
            await self.perform(self._player.begin(number, at_once))

    @property
    def _elsewhere(self) -> bool:
        """Whether the person wants to be at another place than what is shown."""
        return self._goal is not None

    def told(self, event: Event) -> None:
        """Say where the replay stands."""
        super().told(event)
        self._say()

    @property
    def key_words(self) -> dict[str, str]:
        """What Space does now."""
        player = self._player
        return {"play": "pause" if player.playing else "play again" if player.at_end else "go on"}

    def _say(self) -> None:
        player = self._player
        sign, word = ("▸", "playing") if player.playing else ("■", "the end") if player.at_end else ("‖", "paused")
        low = self.has_class("-short")  # without the line of keys, so that the most needed ones stand here
        said = [Content.styled(f"{sign} {word}", "$primary bold"), *(self._keys() if low else self._where())]
        if self.playing is not None:
            self.playing.hold(not player.playing)
        self._bar.update((Content("  ") if low else Content.styled("  ·  ", "$muted")).join(said))
        self.query_one(KeyLine).keep_in_step()

    def _keys(self) -> Iterator[Content]:
        """Yield the keys that a replay needs, the one that leaves it first."""
        for said in ("esc ends", f"Space {self.key_words['play']}", "← → steps"):
            yield Content.styled(said, "$muted")

    def _where(self) -> Iterator[Content]:
        """Yield where in the recording it stands, how it goes on, and what it is."""
        player = self._player
        runs, steps = len(player.recording.runs), len(player.marks) - 1
        yield Content(f"step {player.step} of {steps}" if player.step else f"before step 1 of {steps}")
        if runs > 1:
            yield Content(f"run {player.run + 1} of {runs}")
        yield Content.styled(f"{MEANINGS[player.pace.speed].partition(':')[0]} (F7)", "$muted")
        if self.has_class("-big"):
            yield Content.styled("big type (F9)", "$muted")
        yield line(player.recording.name, 60, "$muted")

    def on_resize(self) -> None:
        """Say what there is room for now."""
        self.call_after_refresh(self._say)

    def _go_to(self, goal: tuple[int, int] | None) -> None:
        """Show the replay as it stood at a place of a run."""
        if goal is None:
            return
        run, target = goal
        ahead = run == self._player.run and target > self._player.shown
        if ahead and self.playing is not None:
            self._player.hurry(target)
        else:
            self._goal = goal
            self._player.interrupt()

    # ---- keys ------------------------------------------------------------------------------------------------------

    def action_play(self) -> None:
        """Stand still, or go on; at the end begin again."""
        if self._player.at_end and self.playing is None:
            self._player.playing = True
            self._go_to((0, 0))
            return
        self._player.toggle()
        self._say()

    def action_step(self, steps: int) -> None:
        """Go a step on or back."""
        self._go_to(self._player.goal(steps))

    def on_key(self, event: events.Key) -> None:
        """Go to the beginning of the step of this run whose number is typed."""
        marks = self._player.marks
        if event.key in _DIGITS and (step := int(event.key)) < len(marks):
            self._go_to((self._player.run, marks[step - 1]))

    def action_pace(self) -> None:
        """Change to the next speed."""
        speed = self._player.pace.speed
        self._player.change_pace(SPEEDS[(SPEEDS.index(speed) + 1) % len(SPEEDS)])
        self._say()

    def action_big_type(self) -> None:
        """Show one thing at a time, or everything again."""
        super().action_big_type()
        self._say()

    def action_leave(self) -> None:
        """End the replay; where there is nothing else behind it, the app too."""
        if len(self.app.screen_stack) > 1:
            self.dismiss()
        else:
            self.app.exit(0)


async def replay_screen(
    named: str,
    *,
    journal: Path,
    clock: Callable[[], float],
    busy: Callable[[], bool],
    tell: Callable[[str], object],
) -> ReplayScreen:
    """Read a recording, or a run of the journal, in a thread and return the screen that replays it.

    What takes a while, and that it was given up when this is cancelled, is told. Raises `RecordingError` when there is
    nothing to replay, or while a run goes on, which its pauses would hide, and `JournalError` for an id that stands for
    nothing.
    """
    _refuse_if(busy())
    if not named.strip():
        raise RecordingError("A replay needs a file, or the id of a run.", next="/replay last plays the newest run.")
    stop = ThreadEvent()
    reading = asyncio.ensure_future(asyncio.to_thread(recording_of, named, journal, stop=stop.is_set))
    try:
        if not (await asyncio.wait([reading], timeout=_PATIENCE))[0]:
            tell(f"Reading {one_line(named, 60)} … Esc stops it.")
        recording = await reading
    except asyncio.CancelledError:
        tell(f"Reading {one_line(named, 60)} was stopped: nothing is replayed.")
        raise
    finally:
        stop.set()
    _refuse_if(busy())
    return ReplayScreen(recording, clock=clock)


def _refuse_if(busy: bool) -> None:
    if busy:
        raise RecordingError("A run goes on.", next="Send the command again when it is over; Esc stops a run.")
