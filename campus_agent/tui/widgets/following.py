"""A pane that follows what is added at its end, until the person scrolls back, and again when asked to."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from campus_agent.tui.keys import Place, bindings

_MORE = "[@click=screen.latest]↓ more below   [bold]^End[/] newest[/]"


class FollowingPane(VerticalScroll):
    """A pane that follows what is added at the end of its body; when it does not, a line at the bottom says so."""

    key_place: ClassVar[Place] = "pane"
    BINDINGS: ClassVar[list[BindingType]] = bindings("pane")

    def __init__(self, *children: Widget) -> None:
        super().__init__()
        self.body = Vertical(*children, classes="body")  # as high as the pane at least: what is short stands at the top

    def compose(self) -> ComposeResult:
        """Lay the line that says that there is more below over the bottom of the pane."""
        yield self.body
        yield Static(Content.from_markup(_MORE), classes="more-below")

    def on_mount(self) -> None:
        """Follow from the start."""
        self.anchor()

    @property
    def follows(self) -> bool:
        """Whether what is added at the end comes into sight."""
        return not self._anchor_released

    def follow(self) -> None:
        """Go to the end and follow it, also after the person has scrolled away."""
        self.anchor()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Keep the line at the bottom in step with where the pane stands; moving up never makes it follow again.

        Textual follows again from whatever reaches the end, also when the end came up because something got shorter.
        """
        released = self._anchor_released
        super().watch_scroll_y(old_value, new_value)
        if released and new_value < old_value:
            self.release_anchor()
        self._say_if_more()

    def watch_virtual_size(self, size: Size) -> None:
        """Keep the line at the bottom in step with how much there is."""
        self._say_if_more()

    def _say_if_more(self) -> None:
        self.set_class(self.max_scroll_y - self.scroll_y > 1 and self._anchor_released, "-more-below")
