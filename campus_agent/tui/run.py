"""Opens the app and returns how it ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from rich.console import Console
from textual import constants

from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.remembered import LookFile
from campus_agent.tui.themes import usual

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.recording import Recording
    from campus_agent.transcript import Runs


_ENDS = ("SIGTERM", "SIGHUP")  # the second is not there on every system


def run_app(
    settings: Settings,
    *,
    reload: Callable[..., Settings] = Settings.load,
    replay: Recording | None = None,
    inline: bool = False,
) -> tuple[int, Runs]:
    """Open the app, with a recording to replay if there is one, `inline` under what the terminal shows.

    `reload` reads the settings again, with those that a command changed on top. Returns the app's exit status (0, 1
    when it broke, 128 and the signal's number when one ended it) and the events of each run of the conversation.
    """
    _teach_alt_enter()
    app = CampusApp(
        settings,
        assemble=_assemble,
        reload=reload,
        look=LookFile.standard(),
        usual=usual(_colours()),
        replay=replay,
    )
    return asyncio.run(_open(app, inline)), app.runs


def _colours() -> str | None:
    """Return how many colours the screen will be drawn with, as rich names it; found out as Textual does it."""
    return Console(color_system=cast("Literal['auto']", constants.COLOR_SYSTEM)).color_system


async def _open(app: CampusApp, inline: bool) -> int:
    """Run the app; a signal to end lets it leave the terminal as it was."""
    for number in (getattr(signal, name) for name in _ENDS if hasattr(signal, name)):
        with suppress(NotImplementedError):  # loops of Windows know no signals
            asyncio.get_running_loop().add_signal_handler(number, partial(app.exit, return_code=128 + number))
    await app.run_async(inline=inline, inline_no_clear=inline)
    return app.return_code or 0


def _teach_alt_enter() -> None:
    """Let Alt+Enter make a new line in every terminal.

    Most send ESC CR for it, which Textual takes for a plain Enter, and so the half-written question would be sent.
    """
    from textual import _ansi_sequences
    from textual.keys import Keys

    known = cast("dict[str, object]", _ansi_sequences.ANSI_SEQUENCES_KEYS)
    known["\x1b\r"] = (Keys.ControlJ,)


def _assemble(settings: Settings) -> Assistant:
    """Import what makes the assistant only now, in the thread that makes it, after the first paint."""
    from campus_agent.assemble import assemble

    return assemble(settings)
