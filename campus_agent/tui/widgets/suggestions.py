"""The list over the prompt: what a command that is being typed can be completed to."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from campus_agent.tui.slash.completing import Completion, Suggestion
from campus_agent.tui.words import line

_ROWS = 8
_GAP = 3
_HINT = Content.styled("  Tab completes   ↑ ↓ choose   Esc closes", "$muted")


class Suggestions(Static):
    """The ways to complete what is typed. The prompt keeps the focus, and tells it where the keys go."""

    @dataclass
    class Picked(Message):
        """The person clicked a suggestion."""

        suggestion: Suggestion

    def __init__(self) -> None:
        super().__init__()
        self.display = False
        self._completion = Completion("")
        self._chosen = 0
        self.moved = False

    def offer(self, completion: Completion) -> None:
        """Show these suggestions; nothing is shown when there are none, or when the only one is what stands there."""
        self._completion, self._chosen, self.moved = completion, 0, False
        texts = [suggestion.text for suggestion in completion.suggestions]
        self.display = bool(texts) and texts != [completion.typed]
        if self.display:
            self._draw()

    def close(self) -> None:
        """Show nothing."""
        self.display = False

    def is_for(self, text: str) -> bool:
        """Return whether suggestions for just this text are shown."""
        return bool(self.display) and self._completion.typed == text

    @property
    def is_taken_by_enter(self) -> bool:
        """Whether Enter takes the marked one: when it was chosen, or when what is typed is not whole without one."""
        return self.moved or (self._completion.closed and not self._completion.whole)

    @property
    def chosen(self) -> Suggestion:
        """The suggestion that is marked; only to be asked for while some are shown."""
        return self._completion.suggestions[self._chosen]

    def move(self, by: int) -> None:
        """Mark another suggestion; behind the last comes the first."""
        self.moved = True
        self._chosen = (self._chosen + by) % len(self._completion.suggestions)
        self._draw()

    def on_resize(self) -> None:
        """Draw for the new width."""
        if self.display:
            self._draw()

    def on_click(self, event: events.Click) -> None:
        """Take the suggestion that was clicked."""
        event.stop()
        place = self._first + event.y
        if event.y < _ROWS and place < len(self._completion.suggestions):
            self.post_message(self.Picked(self._completion.suggestions[place]))

    @property
    def _first(self) -> int:
        """The place of the suggestion in the top row."""
        most = max(0, len(self._completion.suggestions) - _ROWS)
        return min(most, max(0, self._chosen - _ROWS // 2))

    def _draw(self) -> None:
        all_of_them = self._completion.suggestions
        shown = all_of_them[self._first : self._first + _ROWS]
        names = [line(suggestion.shown) for suggestion in shown]
        width = max(name.cell_length for name in names)
        rows = []
        for place, (name, suggestion) in enumerate(zip(names, shown, strict=True), self._first):
            mark = "❯ " if place == self._chosen else "  "
            style = "$primary bold" if place == self._chosen else ""
            gap = " " * (width - name.cell_length + _GAP)
            meaning = line(suggestion.meaning, style="$muted")
            rows.append(Content.assemble((mark, style), name.stylize(style), gap, meaning))
        more = len(all_of_them) - len(shown)
        hint = _HINT + Content.styled(f"   {more} more", "$muted") if more else _HINT
        room = max(1, self.size.width or self.app.size.width) - 2
        self.update(Content("\n").join(row.truncate(room, ellipsis=True) for row in [*rows, hint]))
