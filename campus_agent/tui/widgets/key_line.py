"""The line at the bottom: the keys that matter here, as many as fit; each can be clicked."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from campus_agent.tui.keys import fitting

_GAP = 3


class KeyLine(Widget):
    """The keys that matter here, as many as fit."""

    def render(self) -> Content:
        """Draw the keys for the width that the line has."""
        return Content(" " * _GAP).join(
            Content.from_markup(f"[@click={_scope(key.action)}][$primary bold]{key.label}[/] {key.word}[/]")
            for key in fitting(self.content_size.width, gap=_GAP)
        )


def _scope(action: str) -> str:
    """Return the action with the place where it lives, for a click that comes from this line."""
    match action:
        case "send" | "new_line":
            return f"screen.prompt('{action}')"
        case "command_palette" | "help" | "quit":
            return f"app.{action}"
    return f"screen.{action}"
