"""The line at the bottom: the keys of the part that has the focus, as many as fit; each can be clicked."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from campus_agent.tui.keys import Place, fitting, in_big_type, place_of, words_of

_GAP = 3


class KeyLine(Widget):
    """The keys that matter where the focus is, as many as fit."""

    def __init__(self) -> None:
        super().__init__()
        self._place: Place = "screen"
        self._words: dict[str, str] = {}

    def on_mount(self) -> None:
        """Keep in step with the focus."""
        self.watch(self.screen, "focused", self.keep_in_step, init=False)
        self.keep_in_step()

    def render(self) -> Content:
        """Draw the keys for the width that the line has."""
        return Content(" " * _GAP).join(
            Content.from_markup(
                f"[@click=press('{key.keys.split(',')[0]}')][$primary bold]{key.label}[/] {key.word}[/]"
            )
            for key in fitting(self._place, self.content_size.width, gap=_GAP, words=self._words)
        )

    def action_press(self, key: str) -> None:
        """Do what `key` does: a click on it is the key itself."""
        self.app.simulate_key(key)

    def keep_in_step(self) -> None:
        """Show the keys of where the focus is, by the words that they have there now."""
        focused = self.screen.focused or self.screen
        place, words = place_of(focused), words_of(focused)
        if self.screen.has_class("-big"):
            words = in_big_type(words)
        if (place, words) != (self._place, self._words):
            self._place, self._words = place, words
            self.refresh()
