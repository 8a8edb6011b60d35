"""Asks before an address from an answer is opened, and shows all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import urlsplit

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from campus_agent.tui.words import line, plain

_KEYS = "[@click=screen.open][$primary bold]⏎[/] open[/]   [@click=screen.dismiss][$primary bold]esc[/] leave[/]"

_LIST_KEYS = (
    "[$primary bold]↑ ↓[/] choose   [$primary bold]⏎[/] see where it leads   "
    "[@click=screen.dismiss][$primary bold]esc[/] leave[/]"
)
_MOST_READ = 100_000  # characters of an answer
_MOST_LINKS = 100


def is_web_address(address: str) -> bool:
    """Return whether `address` is one of http or https with a host: nothing else is ever opened."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and address.isprintable()


def web_addresses(text: str) -> tuple[str, ...]:
    """Return the web addresses that the Markdown in `text` links to, each once, in their order."""
    from campus_agent.tui.widgets.bounded_markdown import bounded_parser

    pieces = (piece for block in bounded_parser().parse(text[:_MOST_READ]) for piece in block.children or ())
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
            yield Static(Content.from_markup(_LIST_KEYS))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask before the address is opened."""
        event.stop()
        self.app.switch_screen(LinkScreen(self._addresses[event.option_index]))


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
