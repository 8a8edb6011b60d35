"""Opens the app and returns how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant


def run_app(settings: Settings) -> int:
    """Open the app and return its exit status: 0, or 1 when it broke."""
    _teach_alt_enter()
    app = CampusApp(settings, assemble=_assemble)
    app.run()
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
