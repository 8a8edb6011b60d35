"""The line at the bottom: the keys of the part that has the focus, as many as fit; each can be clicked."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from campus_agent.tui.keys import Place, fitting, place_of

_GAP = 3


class KeyLine(Widget):
    """The keys that matter where the focus is, as many as fit."""

    _place: Place = "screen"

    def on_mount(self) -> None:
        """Keep in step with the focus."""
        self.watch(self.screen, "focused", self._in_step, init=False)
        self._in_step()

    def render(self) -> Content:
        """Draw the keys for the width that the line has."""
        return Content(" " * _GAP).join(
            Content.from_markup(
                f"[@click=press('{key.keys.split(',')[0]}')][$primary bold]{key.label}[/] {key.word}[/]"
            )
            for key in fitting(self._place, self.content_size.width, gap=_GAP)
        )

    def action_press(self, key: str) -> None:
        """Do what `key` does: a click on it is the key itself."""
        self.app.simulate_key(key)

    def _in_step(self) -> None:
        place = place_of(self.screen.focused or self.screen)
        if place != self._place:
            self._place = place
            self.refresh()
