"""The line between the two panes: it can be dragged."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class Divider(Widget):
    """The line between the chat and the trace. Dragging it moves it; a double click puts it back."""

    ALLOW_SELECT = False

    @dataclass
    class Moved(Message):
        """The person holds the line at this column of the screen."""

        column: int

    class Dropped(Message):
        """The person let go of the line."""

    class PutBack(Message):
        """The person wants the line where it was at first."""

    def render(self) -> Content:
        """Draw the line, joined to the one above it."""
        return Content("\n".join("┬" if row == 0 else "│" for row in range(self.size.height)))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the line."""
        event.stop()
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Move the line to where it is held."""
        if self.app.mouse_captured is self:
            self.post_message(self.Moved(int(event.screen_x)))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of the line."""
        if self.app.mouse_captured is self:
            self.release_mouse()
            self.post_message(self.Dropped())

    def on_click(self, event: events.Click) -> None:
        """Put the line back after a double click."""
        event.stop()
        if event.chain == 2:
            self.post_message(self.PutBack())
