"""Asks before an address from an answer is opened, and shows all of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import urlsplit

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from campus_agent.tui.browsing import opened_in_browser
from campus_agent.tui.words import line, plain

_KEYS = (
    "[@click=screen.open][$primary bold]⏎[/] open[/]   [@click=screen.copy][$primary bold]c[/] copy[/]   "
    "[@click=screen.dismiss][$primary bold]esc[/] leave[/]"
)
_LIST_KEYS = (
    "[$primary bold]↑ ↓[/] choose   [$primary bold]⏎[/] see where it leads   "
    "[@click=screen.dismiss][$primary bold]esc[/] leave[/]"
)
_MOST_READ = 100_000  # characters of an answer
_MOST_LINKS = 100
_LONGEST_HOST = 253  # characters, as the rules for names of hosts have it
_HOST_SHOWN = 100  # characters


def is_web_address(address: str) -> bool:
    """Return whether `address` is one of http or https with a host: nothing else is ever opened."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    named = 0 < len(parts.hostname or "") <= _LONGEST_HOST
    return parts.scheme in ("http", "https") and named and address.isprintable()


def web_addresses(text: str) -> tuple[str, ...]:
    """Return the web addresses that the Markdown in `text` links to, each once, in their order."""
    from campus_agent.tui.widgets.bounded_markdown import bounded_parser

    parser = bounded_parser().disable("bounds")  # which makes one piece of a list or a table
    pieces = (piece for block in parser.parse(text[:_MOST_READ]) for piece in block.children or ())
    named = (str(piece.attrs["href"]) for piece in pieces if "href" in piece.attrs)
    return tuple(address for address in dict.fromkeys(named) if is_web_address(address))[:_MOST_LINKS]


def asking_for(addresses: Sequence[str]) -> LinkScreen | LinksScreen:
    """Return the screen that asks before one of these addresses, at least one, is opened."""
    return LinkScreen(addresses[0]) if len(addresses) == 1 else LinksScreen(addresses)


class LinksScreen(ModalScreen[None]):
    """Shows the links of an answer; Enter shows all of one, and asks before it is opened."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Leave")]

    def __init__(self, addresses: Sequence[str]) -> None:
        """Take the addresses."""
        super().__init__()
        self._addresses = tuple(addresses)

    def compose(self) -> ComposeResult:
        """Lay out the addresses, each on a line."""
        with Vertical(classes="sheet"):
            yield Static(Content.styled("Links in this answer", "bold"))
            yield OptionList(*(Option(line(address, 300)) for address in self._addresses), markup=False)
            yield Static(Content.from_markup(_LIST_KEYS), classes="keys")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask before the address is opened."""
        event.stop()
        self.app.switch_screen(LinkScreen(self._addresses[event.option_index]))


class LinkScreen(ModalScreen[None]):
    """Shows an address and where it leads; Enter opens it in the browser, Escape does not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open in the browser"),
        Binding("c", "copy", "Copy the address"),
        Binding("escape", "dismiss", "Leave"),
    ]

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._title = Static(Content.styled("Open this address in the browser?", "bold"))

    def compose(self) -> ComposeResult:
        """Lay out the host, which is always in sight, all of the address, and the keys."""
        with Vertical(classes="sheet"):
            yield self._title
            yield Static(plain(_host(self._address), "$primary bold"), classes="host")
            with VerticalScroll(classes="whole"):
                yield Static(plain(self._address), classes="address")
            yield Static(Content.from_markup(_KEYS), classes="keys")

    @work(exclusive=True, group="open", exit_on_error=False)
    async def action_open(self) -> None:
        """Open the address in the browser; where there is none, stay, with words."""
        if self.app.is_web:
            self.app.open_url(self._address)  # in the browser that shows the app
            self.dismiss()
            return
        self._title.update(Content.styled("Opening …", "bold"))
        if await asyncio.to_thread(opened_in_browser, self._address, environ=os.environ):
            self.app.notify("Opened in your browser.", markup=False)
            self.dismiss()
        else:
            self._title.update(Content.styled("No browser with a window of its own could be opened.", "bold"))
            self.app.notify("c copies the address: open it where there is a browser.", markup=False, timeout=10)

    def action_copy(self) -> None:
        """Copy the address."""
        self.app.copy_to_clipboard(self._address)


def _host(address: str) -> str:
    """Return the host that an address leads to; of a long one the end, which says whose it is."""
    host = urlsplit(address).hostname or ""
    return host if len(host) <= _HOST_SHOWN else f"…{host[-_HOST_SHOWN:]}"
