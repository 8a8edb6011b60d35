"""The card of something that did not work: what happened, why, and what to do."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from campus_agent.errors import Explanation
from campus_agent.tui.slash.table import in_the_app
from campus_agent.tui.words import beginning

_MOST = 2_000  # characters of each part


class Failure(Static):
    """The card of something that did not work, in the place where it happened."""

    def __init__(self, explanation: Explanation, *, cautious: bool = False) -> None:
        """Take what to say; a `cautious` card is amber: the run ended early, but nothing is broken."""
        parts = [
            beginning(explanation.what, _MOST, "bold"),
            beginning(explanation.cause, _MOST, "$muted"),
            beginning(in_the_app(explanation.next[: _MOST + 1]), _MOST),
        ]
        super().__init__(Content("\n").join(part for part in parts if part), classes="-cautious" if cautious else "")
