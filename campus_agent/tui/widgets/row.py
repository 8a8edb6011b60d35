"""A row of the trace: a number, a coloured label, then text that keeps to its own column, and a time at the edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from campus_agent.text import plural
from campus_agent.tui.keys import Place, bindings
from campus_agent.tui.widgets.staying import stay
from campus_agent.tui.words import plain

NUMBER_CELLS = 3
LABEL_CELLS = 11
NARROW = 40  # cells; below it the text goes under the label, not beside it
BRIEF = 2_000  # characters; so much of a long text is looked at while it is folded
PIECE = 4_000  # characters of a long text that are laid out at once when it is open


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


@dataclass(frozen=True, slots=True)
class LongText:
    """Text from outside, of any length: only what is shown of it is made safe and laid out."""

    text: str = ""
    style: str = ""
    lead: Content = Content("")  # noqa: RUF009 - content never changes

    @property
    def pieces(self) -> int:
        """How many pieces it is shown in."""
        return -(-len(self.text) // PIECE)

    def part(self, start: int, length: int) -> list[Paragraph]:
        """Return some of the text, a paragraph for each of its lines; characters are made safe one by one."""
        lines = self.text[start : start + length].split("\n") if self.text else []
        leads = [Content("")] * len(lines) if start else [self.lead, *([Content("")] * (len(lines) - 1))]
        return [Paragraph(plain(said, self.style), lead) for said, lead in zip(lines, leads, strict=False)]


class Row(Widget):
    """One row of the trace. A long one shows its first lines, and opens in place, a piece at a time."""

    key_place: ClassVar[Place] = "fold"

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("fold"),
        Binding("left", "back", "Go back a piece, or close", show=False),
    ]
    FOLD_OVER = 14  # lines
    FOLDED = 10  # lines
    OPENS = False  # whether it opens something else, so that it can have the focus however short it is

    def __init__(
        self,
        label: Content,
        body: Sequence[Paragraph] = (),
        *,
        text: LongText | None = None,
        number: str = "",
        edge: Content | None = None,
    ) -> None:
        """Take what to show: the paragraphs of `body`, under them `text`, and `edge` at the right of the first line."""
        super().__init__()
        self._number = number
        self._label = label
        self._body = tuple(body)
        self._text = text or LongText()
        self._edge = edge or Content("")
        self._open: int | None = None  # the piece that is shown
        self._laid_out: tuple[int, list[Content]] | None = None

    def change(
        self,
        label: Content | None = None,
        body: Sequence[Paragraph] | None = None,
        *,
        text: LongText | None = None,
        edge: Content | None = None,
    ) -> None:
        """Show another label, body, text or edge; what is None stays."""
        self._label = self._label if label is None else label
        self._edge = self._edge if edge is None else edge
        self._body = self._body if body is None else tuple(body)
        self._text = self._text if text is None else text
        self._lay_out_again()

    def action_open(self) -> None:
        """Open a long row; when it is open show the next piece, and after the last close it."""
        following = 0 if self._open is None else self._open + 1
        self._open = following if self._open is None or following < self._text.pieces else None
        stay(self)
        self._lay_out_again()

    def action_back(self) -> None:
        """Show the piece before; at the first one close the row."""
        self._open = self._open - 1 if self._open else None
        self._lay_out_again()

    def on_click(self) -> None:
        """Do what Enter does, unless the click ended a selection of text."""
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
            head = self._with_edge(start.rstrip(), width)
            shown = self._shown(body, self._hint(NUMBER_CELLS, width))
            return [head, *shown] if head else shown
        indent = NUMBER_CELLS + LABEL_CELLS
        body = self._wrapped(width - indent, self._edge.cell_length)
        first, *rest = body or [Content("")]
        lines = [self._with_edge(start + first, width), *(text.pad_left(indent) for text in rest)]
        return self._shown(lines, self._hint(indent, width))

    def _wrapped(self, room: int, edge: int) -> list[Content]:
        """Wrap the body to `room` cells, its first paragraph so that the edge has room beside it."""
        said = self._text.part(0, BRIEF) if self._open is None else self._text.part(self._open * PIECE, PIECE)
        lines: list[Content] = []
        for position, paragraph in enumerate([*self._body, *said]):
            lines += paragraph.wrap(room - edge - 1 if edge and position == 0 else room)
        return lines

    def _with_edge(self, text: Content, width: int) -> Content:
        if not self._edge:
            return text
        return text.truncate(max(0, width - self._edge.cell_length), pad=True) + self._edge

    def _shown(self, lines: list[Content], hint: Callable[[str], Content]) -> list[Content]:
        """Leave out what is too long, and say how to see it."""
        unseen = len(self._text.text) - BRIEF
        is_long = len(lines) > self.FOLD_OVER or unseen > 0
        self.can_focus = self.OPENS or is_long
        if self._open is not None and self._text.pieces > 1:
            return [*lines, hint(f"piece {self._open + 1:,} of {self._text.pieces:,}   ⏎ next   ← back")]
        if self._open is not None or not is_long:
            return lines
        all_of_it = f"all {plural(len(self._text.text), 'character')}"
        rest = all_of_it if unseen > 0 else f"{len(lines) - self.FOLDED} more lines"
        return [*lines[: self.FOLDED], hint(f"… {rest} ▸")]

    def _hint(self, indent: int, width: int) -> Callable[[str], Content]:
        return lambda said: Content.styled(said, "$muted").pad_left(indent).truncate(width, ellipsis=True)
