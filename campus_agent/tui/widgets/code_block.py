"""A block of code in an answer, which can be copied."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.widgets.markdown import MarkdownFence

from campus_agent.tui.keys import Place, bindings


class CodeBlock(MarkdownFence, can_focus=True):
    """A block of code; a click or a key copies it, just as it was written."""

    key_place: ClassVar[Place] = "code"
    BINDINGS: ClassVar[list[BindingType]] = bindings("code")

    def action_copy_code(self) -> None:
        """Copy the code."""
        self.app.copy_to_clipboard(self.code.rstrip("\n"))

    def on_click(self, event: events.Click) -> None:
        """Copy the code, unless the person has just selected a part of it."""
        event.stop()
        if not self.screen.get_selected_text():
            self.action_copy_code()
