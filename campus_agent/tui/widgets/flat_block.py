"""Blocks of an answer that are one widget, however many parts they have: lists and tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Self

from markdown_it.token import Token
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownBlock

from campus_agent.tui.widgets.row import Paragraph

_BETWEEN = Content.styled(" │ ", "$rule")
_NARROWEST = 5  # cells that a column of a table takes at least, where it is not of less


class FlatBlock(MarkdownBlock):
    """A block that lays itself out for the width that it has."""

    def __init__(self, markdown: Markdown, token: Token) -> None:
        super().__init__(markdown, token)
        self._laid_out: tuple[int, list[Content]] | None = None

    @abstractmethod
    def lay_out(self, width: int) -> list[Content]:
        """Return the lines of at most `width` cells."""

    @abstractmethod
    def take(self, other: Self) -> None:
        """Show what `other` shows."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines it takes at `width` cells."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Draw it for the width that it has."""
        return Content("\n").join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Content]:
        if self._laid_out is None or self._laid_out[0] != width:
            self._laid_out = (width, self.lay_out(max(1, width)))
        return self._laid_out[1]

    async def _update_from_block(self, block: MarkdownBlock) -> None:
        """Become what the text has become, without a new widget where it is of the same kind."""
        if type(block) is type(self):
            self.take(block)
            self._copy_context(block)
            self._laid_out = None
            self.refresh(layout=True)
        else:
            await super()._update_from_block(block)


class FlatList(FlatBlock):
    """A list, with the lists in it: each item keeps to its own column."""

    def __init__(self, markdown: Markdown, token: Token) -> None:
        super().__init__(markdown, token)
        self._items = [
            Paragraph(self._token_to_content(text), Content.styled(lead, "$primary"))
            for lead, text in token.meta["rows"]
        ]

    def take(self, other: Self) -> None:
        """Show the items of another list."""
        self._items = other._items

    def lay_out(self, width: int) -> list[Content]:
        """Return the lines of all items."""
        return [line for item in self._items for line in item.wrap(width)]


class FlatTable(FlatBlock):
    """A table: in columns where there is room for them, else each row as lines of its own, named by the head."""

    def __init__(self, markdown: Markdown, token: Token) -> None:
        super().__init__(markdown, token)
        head, *rows = token.meta["rows"]
        self._right = [right for right, _ in head]
        self._head = [self._token_to_content(text).stylize("bold") for _, text in head]
        self._rows = [[self._token_to_content(text) for _, text in row] for row in rows]

    def take(self, other: Self) -> None:
        """Show the cells of another table."""
        self._right, self._head, self._rows = other._right, other._head, other._rows

    def lay_out(self, width: int) -> list[Content]:
        """Return the lines of the table."""
        widest = [max(cell.cell_length for cell in column) for column in zip(self._head, *self._rows, strict=False)]
        room = width - _BETWEEN.cell_length * (len(widest) - 1)
        if sum(min(cells, _NARROWEST) for cells in widest) > room:
            return [line for row in self._rows for line in self._named(row, width)]
        widths = _shared(widest, room)
        rows = [list(self._lines_of(row, widths)) for row in self._rows]
        rule = Content.styled("─┼─".join("─" * cells for cells in widths), "$rule")
        lines = [*self._lines_of(self._head, widths), rule]
        apart = any(len(row) > 1 for row in rows)  # a row of several lines would run into the next
        for number, row in enumerate(rows):
            lines += [Content(""), *row] if apart and number else row
        return lines

    def _lines_of(self, row: Sequence[Content], widths: Sequence[int]) -> Iterator[Content]:
        """Yield the lines of a row, each cell wrapped to its column."""
        cells = [cell.wrap(max(1, width)) for cell, width in zip(row, widths, strict=False)]
        for number in range(max(map(len, cells), default=0)):
            parts = (wrapped[number] if number < len(wrapped) else Content("") for wrapped in cells)
            padded = [
                part.pad_left(width - part.cell_length) if right else part.pad_right(width - part.cell_length)
                for part, width, right in zip(parts, widths, self._right, strict=False)
            ]
            yield _BETWEEN.join(padded)

    def _named(self, row: Sequence[Content], width: int) -> Iterator[Content]:
        """Yield a row as a line for each cell, with what stands in the head before it, and a blank line."""
        for name, cell in zip(self._head, row, strict=False):
            yield from Paragraph(cell, name + "  ").wrap(width)
        yield Content("")


def _shared(widest: Sequence[int], room: int) -> list[int]:
    """Share the room among columns: what is narrow keeps its width, the others share the rest alike."""
    widths = [0] * len(widest)
    by_width = sorted(range(len(widest)), key=lambda column: widest[column])
    for left, column in zip(range(len(widest), 0, -1), by_width, strict=True):
        widths[column] = min(widest[column], room // left)
        room -= widths[column]
    return widths
