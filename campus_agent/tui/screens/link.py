"""Asks before an address from an answer is opened, and shows all of it."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import urlsplit

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from campus_agent.tui.words import plain

_KEYS = "[@click=screen.open][$primary bold]⏎[/] open[/]   [@click=screen.dismiss][$primary bold]esc[/] leave[/]"


def is_web_address(address: str) -> bool:
    """Return whether `address` is one of http or https with a host: nothing else is ever opened."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and address.isprintable()


class LinkScreen(ModalScreen[None]):
    """Shows an address; Enter opens it in the browser, Escape does not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open in the browser"),
        Binding("escape", "dismiss", "Leave"),
    ]

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def compose(self) -> ComposeResult:
        """Lay out the address and the two keys."""
        with Vertical(classes="sheet"):
            yield Static(Content.styled("Open this address in the browser?", "bold"))
            yield Static(plain(self._address, "$primary"), classes="address")
            yield Static(Content.from_markup(_KEYS))

    def action_open(self) -> None:
        """Open the address in the browser."""
        self.app.open_url(self._address)
        self.dismiss()
