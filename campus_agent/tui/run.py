"""Opens the app and returns how it ended."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, cast

from rich.console import Console
from textual import constants

from campus_agent.tui.app import CampusApp
from campus_agent.tui.beginning import load_settings
from campus_agent.tui.remembered import LookFile
from campus_agent.tui.themes import usual

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.recording import Recording
    from campus_agent.settings import Settings
    from campus_agent.transcript import Runs


_THEME = "CAMPUS_AGENT_THEME"  # looked at for the first frame, before the settings are read
_ENDS = ("SIGTERM", "SIGHUP")  # the second is not there on every system
_HANG_UP = getattr(signal, "SIGHUP", 1)  # the terminal went away


def run_app(
    settings: Settings | None = None,
    *,
    load: Callable[..., Settings] = load_settings,
    theme: str = "",
    replay: Recording | None = None,
    inline: bool = False,
) -> tuple[int, Runs]:
    """Open the app, with a recording to replay if there is one, `inline` under what the terminal shows.

    Without `settings`, `load` reads them once the first frame stands, which shows the `theme` that was named, if any;
    it also reads them again, with those that a command changed on top. Returns the app's exit status (0, 1 when it
    broke, 128 and the signal's number when one ended it) and the events of each run of the conversation. Raises what
    `load` raises, once the app has left the terminal as it was.
    """
    _teach_alt_enter()
    app = CampusApp(
        settings,
        assemble=_assemble,
        load=load,
        look=LookFile.standard(),
        theme=theme or os.environ.get(_THEME, "").strip(),
        usual=usual(_colours()),
        replay=replay,
    )
    ended: list[int] = []
    try:
        status = asyncio.run(_open(app, inline, ended))
    finally:
        if _HANG_UP in ended:
            os._exit(128 + _HANG_UP)  # nobody is there, and the thread that reads the keys would do so for ever
    if app.failure is not None:
        raise app.failure
    return status, app.runs


def _colours() -> str | None:
    """Return how many colours the screen will be drawn with, as rich names it; found out as Textual does it."""
    return Console(color_system=cast("Literal['auto']", constants.COLOR_SYSTEM)).color_system


async def _open(app: CampusApp, inline: bool, ended: list[int]) -> int:
    """Run the app; a signal to end lets it leave the terminal as it was, and is added to `ended`."""

    def end(number: int) -> None:
        ended.append(number)
        app.exit(return_code=128 + number)

    for number in (getattr(signal, name) for name in _ENDS if hasattr(signal, name)):
        with suppress(NotImplementedError):  # loops of Windows know no signals
            asyncio.get_running_loop().add_signal_handler(number, end, number)
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
