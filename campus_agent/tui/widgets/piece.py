"""A piece of an answer as Markdown, and the line under it that leads to the others."""

from __future__ import annotations

from typing import ClassVar

from markdown_it.token import Token
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownBlock

from campus_agent.text import plural
from campus_agent.tui.keys import Place, bindings
from campus_agent.tui.widgets.bounded_markdown import LIST, TABLE, bounded_parser
from campus_agent.tui.widgets.code_block import CodeBlock
from campus_agent.tui.widgets.flat_block import FlatList, FlatTable


class Piece(Markdown):
    """A piece of an answer, drawn as Markdown of which every block is cheap; a link in it is never opened by itself."""

    BLOCKS = {**Markdown.BLOCKS, "fence": CodeBlock, "code_block": CodeBlock}  # noqa: RUF012 - so declared by Textual

    def __init__(self) -> None:
        super().__init__(open_links=False, parser_factory=bounded_parser)

    def unhandled_token(self, token: Token) -> MarkdownBlock | None:
        """Return the block for a list or a table."""
        match token.type:
            case kind if kind == LIST:
                return FlatList(self, token)
            case kind if kind == TABLE:
                return FlatTable(self, token)
        return None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height without the blank line that every block of Markdown has under it, also the last."""
        height = super().get_content_height(container, viewport, width)
        return height - self.children[-1].styles.margin.bottom if self.children else height


class PieceLine(Widget, can_focus=True):
    """The line under a piece: how much more there is, and the keys that lead there."""

    key_place: ClassVar[Place] = "fold"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("fold"),
        Binding("left", "turn(-1)", "Go back a piece", show=False),
    ]

    class Turned(Message):
        """The person wants to see the next piece, or the one before."""

        def __init__(self, by: int) -> None:
            self.by = by
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self._said = ""

    def say(self, number: int, left: int, *, last: bool) -> None:
        """Tell which piece is shown, 0 for the first, and how many characters are left after it."""
        more = f"… {plural(left, 'more character')}"
        match number, last:
            case 0, _:
                self._said = f"{more} ▸"
            case _, False:
                self._said = f"piece {number + 1:,}   {more}   ⏎ next   ← back"
            case _:
                self._said = f"piece {number + 1:,}, the last   ⏎ from the start   ← back"
        self.display = number > 0 or not last
        self.refresh()

    def render(self) -> Content:
        """Draw the line."""
        return Content(self._said).truncate(self.content_size.width, ellipsis=True)

    def action_open(self) -> None:
        """Ask for the next piece."""
        self.post_message(self.Turned(1))

    def action_turn(self, by: int) -> None:
        """Ask for the piece that is so many on."""
        self.post_message(self.Turned(by))

    def on_click(self) -> None:
        """Ask for the next piece."""
        self.action_open()
