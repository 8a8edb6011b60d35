"""An app that reads its style sheet once for its first frame, although its theme is none of Textual's own."""

from __future__ import annotations

from textual.app import App


class ColouredApp(App[int]):
    """An app whose style sheet is read anew only for other colours than it was read with.

    Textual reads it for the theme that an app begins with, and again as soon as it runs: a tenth of what the first
    frame takes.
    """

    _colours: dict[str, str] | None = None

    def use_colours(self) -> None:
        """Let the style sheet be read with the colours of the theme that is set now; called before the app runs."""
        self._colours = self.get_css_variables()
        self.stylesheet.set_variables(self._colours)

    def refresh_css(self, animate: bool = True) -> None:
        """Read the style sheet anew and style everything by it, if the colours have changed."""
        colours = self.get_css_variables()
        if colours != self._colours:
            self._colours = colours
            super().refresh_css(animate=animate)
