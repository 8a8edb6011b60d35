"""A row of the trace: a number, a coloured label, then text that keeps to its own column, and a time at the edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

NUMBER_CELLS = 3
LABEL_CELLS = 11
NARROW = 40  # cells; below it the text goes under the label, not beside it
FOLD_OVER = 14  # lines
FOLDED = 10  # lines


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some text of a row; `lead` stands before its first line, and the other lines are set in by as much."""

    text: Content
    lead: Content = Content("")  # noqa: RUF009 - content never changes

    def wrap(self, width: int) -> list[Content]:
        """Return the lines of at most `width` cells."""
        hang = self.lead.cell_length
        if hang > width // 2:
            return Content("").join([self.lead, self.text]).wrap(max(1, width))
        first, *rest = self.text.wrap(max(1, width - hang))
        return [Content("").join([self.lead, first]), *(line.pad_left(hang) for line in rest)]


class Row(Widget):
    """One row of the trace. A long one shows its first lines, and opens in place with Enter or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", "Open or close", show=False)]

    def __init__(
        self,
        label: Content,
        body: Sequence[Paragraph],
        *,
        number: str = "",
        edge: Content | None = None,
    ) -> None:
        super().__init__()
        self._number = number
        self._label = label
        self._body = tuple(body)
        self._edge = edge or Content("")
        self._open = False
        self._laid_out: tuple[int, list[Content]] | None = None

    def change(
        self, label: Content | None = None, body: Sequence[Paragraph] | None = None, *, edge: Content | None = None
    ) -> None:
        """Show another label, body or edge; what is None stays."""
        self._label = self._label if label is None else label
        self._edge = self._edge if edge is None else edge
        self._body = self._body if body is None else tuple(body)
        self._lay_out_again()

    def action_open(self) -> None:
        """Open a long row, or close it again."""
        self._open = not self._open
        self._lay_out_again()

    def on_click(self) -> None:
        """Open or close a long row, unless the click ended a selection of text."""
        if self.can_focus and not self.screen.get_selected_text():
            self.action_open()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the row takes at `width` cells."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Draw the row for the width that it has."""
        return Content("\n").join(self._lines(self.content_size.width))

    def _lay_out_again(self) -> None:
        """Draw anew; only a change of height makes the screen arrange itself again."""
        before, self._laid_out = self._laid_out, None
        self.refresh(layout=before is None or len(before[1]) != len(self._lines(before[0])))

    def _lines(self, width: int) -> list[Content]:
        if self._laid_out is None or self._laid_out[0] != width:
            self._laid_out = (width, self._lay_out(width))
        return self._laid_out[1]

    def _lay_out(self, width: int) -> list[Content]:
        start = Content(self._number.ljust(NUMBER_CELLS)) + self._label.truncate(LABEL_CELLS, pad=True)
        if width < NARROW:
            body = [text.pad_left(NUMBER_CELLS) for text in self._wrapped(width - NUMBER_CELLS, 0)]
            return [self._with_edge(start.rstrip(), width), *self._shown(body)]
        indent = NUMBER_CELLS + LABEL_CELLS
        body = self._wrapped(width - indent, self._edge.cell_length)
        first, *rest = body or [Content("")]
        return self._shown([self._with_edge(start + first, width), *(text.pad_left(indent) for text in rest)])

    def _wrapped(self, room: int, edge: int) -> list[Content]:
        """Wrap the body to `room` cells, its first paragraph so that the edge has room beside it."""
        lines: list[Content] = []
        for position, paragraph in enumerate(self._body):
            lines += paragraph.wrap(room - edge - 1 if edge and position == 0 else room)
        return lines

    def _with_edge(self, text: Content, width: int) -> Content:
        if not self._edge:
            return text
        return text.truncate(max(0, width - self._edge.cell_length), pad=True) + self._edge

    def _shown(self, lines: list[Content]) -> list[Content]:
        """Leave out what is too long, and say how to see it."""
        self.can_focus = len(lines) > FOLD_OVER
        if self._open or not self.can_focus:
            return lines
        more = Content.styled(f"… {len(lines) - FOLDED} more lines ▸", "$muted")
        return [*lines[:FOLDED], more.pad_left(NUMBER_CELLS + LABEL_CELLS)]
