"""What is shown while a recording is read that the app was opened with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from campus_agent.tui.beginning import Beginning
from campus_agent.tui.words import line

if TYPE_CHECKING:
    from campus_agent.recording import Recording
    from campus_agent.settings import Settings
    from campus_agent.tui.screens.replay import ReplayScreen

_PATIENCE = 0.3  # seconds; what is read sooner than that need not be talked about
_LONGEST_NAME = 60  # characters
_LEAVE = Content.from_markup("[@click=screen.leave][$primary bold]esc[/] leaves[/]")


class ReadingScreen(Screen[None]):
    """An empty screen that reads a recording in a thread, and says so if that takes a while; the replay is over it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", priority=True)]

    def __init__(self, named: str, *, journal: Path, clock: Callable[[], float]) -> None:
        """Take the file, or the id of what the journal holds, the journal, and the clock of the replay."""
        super().__init__()
        self._named = named
        self._journal = journal
        self._clock = clock
        self._stop = Event()
        self._said = Static()

    def compose(self) -> ComposeResult:
        """Lay out the line that says what is read."""
        yield self._said

    def on_mount(self) -> None:
        """Begin to read."""
        self._saying = self.set_timer(_PATIENCE, self._say)
        self._read()

    def _say(self) -> None:
        self._said.update(Content("Reading ") + line(self._named, _LONGEST_NAME) + Content(" …   ") + _LEAVE)

    @work(exit_on_error=False)
    async def _read(self) -> None:
        try:
            replay = await asyncio.to_thread(self._ready)
        except Exception as error:  # the border of the thread; whoever opened the app says what it is
            self.post_message(Beginning.NotSettled(error))
        else:
            self._saying.stop()
            self._said.update()
            await self.app.push_screen(replay, lambda _: self.action_leave())

    def _ready(self) -> ReplayScreen:
        """Read the recording and return the screen that replays it; what they need is imported here too."""
        from campus_agent.journal.replaying import recording_of
        from campus_agent.tui.screens.replay import ReplayScreen

        return ReplayScreen(recording_of(self._named, self._journal, stop=self._stop.is_set), clock=self._clock)

    def action_leave(self) -> None:
        """End the app."""
        self._stop.set()
        self.app.exit(0)


def screen_for(
    replay: Recording | str, settings: Settings, *, clock: Callable[[], float]
) -> ReplayScreen | ReadingScreen:
    """Return the screen that replays a recording, or that first reads it: a file, or what the journal has of an id."""
    if isinstance(replay, str):
        from campus_agent.journal.opening import journal_path

        return ReadingScreen(replay, journal=journal_path(settings.journal_path), clock=clock)
    from campus_agent.tui.screens.replay import ReplayScreen

    return ReplayScreen(replay, clock=clock)
