"""Asks once more before something that cannot be undone."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from campus_agent.tui.words import plain

_KEYS = (
    "[@click=screen.dismiss(True)][$primary bold]y[/] yes[/]   "
    "[@click=screen.dismiss(False)][$primary bold]esc[/] no[/]"
)


class ConfirmScreen(ModalScreen[bool]):
    """Asks a question; only y says yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Yes"),
        Binding("escape,n,q,enter", "dismiss(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        """Take the question."""
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Lay out the question and the two keys."""
        with Vertical(classes="sheet"):
            yield Static(plain(self._question, "bold"))
            yield Static(Content.from_markup(_KEYS), classes="keys")
