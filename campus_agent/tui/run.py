"""Opens the app and returns how it ended."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Literal, cast

from rich.console import Console
from textual import constants
from textual.geometry import Size

from campus_agent.tui.app import CampusApp
from campus_agent.tui.beginning import load_settings
from campus_agent.tui.leaving import HANG_UP, Leaving
from campus_agent.tui.remembered import LookFile

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.events import Resize

    from campus_agent.assemble import About, Assistant
    from campus_agent.recording import Recording
    from campus_agent.settings import Settings
    from campus_agent.transcript import Runs
    from campus_agent.tui.conversations import Conversations


_THEME = "CAMPUS_AGENT_THEME"  # looked at for the first frame, before the settings are read


def run_app(
    settings: Settings | None = None,
    *,
    load: Callable[..., Settings] = load_settings,
    theme: str = "",
    replay: Recording | str | None = None,
    resume: str = "",
    inline: bool = False,
) -> tuple[int, Runs]:
    """Open the app, with a recording to replay if there is one, `inline` under what the terminal shows.

    `replay` may also be a file, or an id of the journal: then it is read once the first frame stands.
    `resume` is the id of a conversation to go on with, "" for a new one.

    Without `settings`, `load` reads them once the first frame stands, which shows the `theme` that was named, if any;
    it also reads them again, with those that a command changed on top. Returns the app's exit status (0, 1 when it
    broke, 128 and the signal's number when one ended it) and the events of each run of the conversation. Raises what
    `load` and `journal.replaying.recording_of` raise, once the app has left the terminal as it was.
    """
    _teach_alt_enter()
    assembly = _Assembly()
    app = _AtTheTerminal(
        settings,
        assemble=assembly,
        give_up=assembly.give_up,
        journal=partial(_open_journal, resume),
        load=load,
        look=LookFile.standard(),
        theme=theme or os.environ.get(_THEME, "").strip(),
        colours=_colours(),
        replay=replay,
    )
    status = asyncio.run(_open(app, inline))
    if app.failure is not None:
        raise app.failure
    return status, app.runs


def _colours() -> str | None:
    """Return how many colours the screen will be drawn with, as rich names it; found out as Textual does it."""
    return Console(color_system=cast("Literal['auto']", constants.COLOR_SYSTEM)).color_system


async def _open(app: CampusApp, inline: bool) -> int:
    """Run the app; a signal to end lets it leave the terminal as it was."""

    def leave(status: int) -> None:
        app.exit(return_code=status)

    with Leaving(leave) as leaving:
        try:
            await app.run_async(inline=inline, inline_no_clear=inline)
        finally:
            if leaving.number == HANG_UP:
                os._exit(128 + HANG_UP)  # nobody is there, and the thread that reads the keys would do so for ever
    return app.return_code or 0


class _AtTheTerminal(CampusApp):
    """The app as it is drawn on standard output, in UTF-8.

    Textual draws on standard error, which may be a file, and in the encoding of the locale, in which most signs of the
    app would be question marks; what it reads it takes for UTF-8 whatever the locale says.
    """

    def _build_driver(self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None) -> Driver:
        driver = super()._build_driver(headless, inline, mouse, size)
        stream = sys.__stdout__
        if isinstance(stream, io.TextIOWrapper) and hasattr(driver, "_file"):
            stream.reconfigure(encoding="utf-8", errors="replace")
            driver._file = stream
        return driver

    def on_resize(self, event: Resize) -> None:
        """Go by the size that the terminal has by now, and draw all of it even if it is the size of before.

        When the window changes twice in a moment, Textual may report the first change last; and a window that was
        made small and large again in a moment has lost what was cut off. Sizes in pixels come from the terminal's own
        report, which is in order and may be ahead of the system's.
        """
        if event.pixel_size is None and not self.is_web:
            event.size = event.virtual_size = event.container_size = Size(*shutil.get_terminal_size())
        if event.size == self.size:
            self.refresh()


def _teach_alt_enter() -> None:
    """Let Alt+Enter make a new line in every terminal.

    Most send ESC CR for it, which Textual takes for a plain Enter, and so the half-written question would be sent.
    """
    from textual import _ansi_sequences
    from textual.keys import Keys

    known = cast("dict[str, object]", _ansi_sequences.ANSI_SEQUENCES_KEYS)
    known["\x1b\r"] = (Keys.ControlJ,)


def _open_journal(resume: str, settings: Settings, about: About) -> Conversations:
    """Import what reads and writes the journal only now, in that thread too."""
    from campus_agent.tui.conversations import open_conversations

    return open_conversations(settings, about, first=resume)


class _Assembly:
    """Makes the assistant; what it needs is imported only then, in the thread that makes it, after the first paint.

    From then on Python looks for what nobody needs only among what is newer. Going through all of the program, and a
    whole knowledge base, every now and then would hold up every key for a tenth of a second and more.
    """

    def __init__(self) -> None:
        self._stop = Event()

    def __call__(self, settings: Settings) -> Assistant:
        from campus_agent.assemble import assemble

        self._stop = Event()
        gc.unfreeze()  # so that what a change leaves behind is found
        try:
            return assemble(settings, stop=self._stop.is_set)
        finally:
            gc.freeze()

    def give_up(self) -> None:
        """Let what goes on end soon."""
        self._stop.set()
