"""Opens the app and returns how it ended."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, cast

from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant


_ENDS = ("SIGTERM", "SIGHUP")  # the second is not there on every system


def run_app(settings: Settings) -> int:
    """Open the app and return its exit status: 0, 1 when it broke, 128 and the signal's number when one ended it."""
    _teach_alt_enter()
    return asyncio.run(_open(CampusApp(settings, assemble=_assemble)))


async def _open(app: CampusApp) -> int:
    """Run the app; a signal to end lets it leave the terminal as it was."""
    for number in (getattr(signal, name) for name in _ENDS if hasattr(signal, name)):
        with suppress(NotImplementedError):  # loops of Windows know no signals
            asyncio.get_running_loop().add_signal_handler(number, partial(app.exit, return_code=128 + number))
    await app.run_async()
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
