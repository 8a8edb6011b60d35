"""The card of something that did not work: what happened, why, and what to do."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from campus_agent.errors import Explanation
from campus_agent.tui.words import plain


class Failure(Static):
    """The card of something that did not work, in the place where it happened."""

    def __init__(self, explanation: Explanation, *, cautious: bool = False) -> None:
        """Take what to say; a `cautious` card is amber: the run ended early, but nothing is broken."""
        parts = [
            plain(explanation.what, "bold"),
            plain(explanation.cause, "$muted"),
            plain(explanation.next),
        ]
        super().__init__(Content("\n").join(part for part in parts if part), classes="-cautious" if cautious else "")
