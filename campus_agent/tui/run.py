"""Opens the app and returns how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant


def run_app(settings: Settings) -> int:
    """Open the app and return its exit status: 0, or 1 when it broke."""
    app = CampusApp(settings, assemble=_assemble)
    app.run()
    return app.return_code or 0


def _assemble(settings: Settings) -> Assistant:
    """Import what makes the assistant only now, in the thread that makes it, after the first paint."""
    from campus_agent.assemble import assemble

    return assemble(settings)
