"""A block of code in an answer, which can be copied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.selection import Selection
from textual.widgets import Label
from textual.widgets.markdown import MarkdownFence

from campus_agent.tui.keys import Place, bindings

_GOES_ON = "↪ "  # before what did not fit on the line above


class CodeText(Label):
    """The text of a block of code; a line that is too long goes on under itself, behind a sign."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines it takes at `width` cells."""
        return len(list(self._lines(width)))

    def render(self) -> Content:
        """Draw the code for the width that it has."""
        return Content("\n").join(self._lines(self.content_size.width))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the code that is selected, as it was written."""
        found = super().get_selection(selection)
        return found and (found[0].replace(f"\n{_GOES_ON}", ""), found[1])

    def _lines(self, width: int) -> Iterator[Content]:
        code = self.content if isinstance(self.content, Content) else Content(str(self.content))
        for line in code.expand_tabs().split():
            if line.cell_length <= width:
                yield line
                continue
            first, *rest = line.fold(width - len(_GOES_ON))
            yield first
            yield from (Content.styled(_GOES_ON, "$muted") + more for more in rest)


class CodeBlock(MarkdownFence, can_focus=True):
    """A block of code; a click or a key copies it, just as it was written."""

    key_place: ClassVar[Place] = "code"
    BINDINGS: ClassVar[list[BindingType]] = bindings("code")

    def compose(self) -> ComposeResult:
        """Lay out the code."""
        yield CodeText(self._highlighted_code, id="code-content")

    def action_copy_code(self) -> None:
        """Copy the code."""
        self.app.copy_to_clipboard(self.code.rstrip("\n"))

    def on_click(self, event: events.Click) -> None:
        """Copy the code, unless the person has just selected a part of it."""
        event.stop()
        if not self.screen.get_selected_text():
            self.action_copy_code()
