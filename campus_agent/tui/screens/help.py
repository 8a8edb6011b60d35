"""The help screen: what is on the screen, and every key by the part of the screen where it works."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.keys import KEYS, TITLES, Key, Place
from campus_agent.tui.slash.table import COMMANDS
from campus_agent.tui.widgets.row import Paragraph, Row
from campus_agent.tui.words import ACTING, GROUNDED, OBSERVE, ending

_READING = (
    (ACTING, "the model asks for a tool, with these arguments"),
    (OBSERVE, "what the tool returned, word for word as the model reads it"),
    (GROUNDED, "every day, time, number and name of the answer stands in something observed"),
)
_MOUSE = (
    ("drag", "Mark text, then ^C copies it; drag the line between the panes to move it, double-click puts it back"),
    ("Shift drag", "Mark text with the terminal itself, where ^C cannot reach its clipboard (Option or Fn on a Mac)"),
    ("click", "Do what Enter does: open what is folded, ask a question, press a key of the bottom line"),
)
_LOOKS = (
    (
        "colours",
        "/theme: light, dark, high contrast (campus-contrast), or the terminal's own (ansi-dark, ansi-light)",
    ),
    ("size", "In a hall make the letters of the terminal larger: Ctrl and + in most of them"),
    ("stillness", "TEXTUAL_ANIMATIONS=none lets nothing move; NO_COLOR=1 leaves every colour out"),
)
_CLOSE = "[@click=screen.dismiss][$primary bold]esc[/] closes this[/]"
_BROAD = 80  # cells of the screen; in a narrower one each way to end has a line of its own
_COLUMN = 28  # cells


class HelpScreen(ModalScreen[None]):
    """What is on the screen, and every key."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q", "dismiss", "Close")]

    def __init__(self, place: Place) -> None:
        """Take the part of the app whose keys are to be in sight."""
        super().__init__()
        self._place = place

    def compose(self) -> ComposeResult:
        """Lay out the help."""
        with VerticalScroll(classes="sheet"):
            yield Static(Content.styled("How to read the trace", "bold"))
            yield from (Row(label, [Paragraph(Content(meaning))]) for label, meaning in _READING)
            yield _part("How a run can end")
            yield Row(Content(""), list(_endings(2 if self.app.size.width >= _BROAD else 1)))
            for title, keys in _by_place():
                yield _part(title, here=title == TITLES.get(self._place))
                yield from _rows((key.label, key.meaning) for key in keys)
            yield _part("Commands, typed into the prompt; Tab completes them")
            yield Static(Content("\n").join(_commands()))
            yield _part("With the mouse")
            yield from _rows(_MOUSE)
            yield _part("How it looks")
            yield from _rows(_LOOKS)
            yield Static(Content.from_markup(_CLOSE), classes="part keys")

    def on_mount(self) -> None:
        """Begin with the keys of the part that has the focus; from the prompt at the top, where a newcomer begins."""
        if self._place not in ("prompt", "screen"):
            for part in self.query(".here"):
                self.call_after_refresh(self.query_one(VerticalScroll).scroll_to_widget, part, top=True, animate=False)


def _by_place() -> Iterable[tuple[str, Iterable[Key]]]:
    """Yield the title of each part of the app with its keys, in the order of the titles."""
    order = list(TITLES)
    named = sorted((key for key in KEYS if key.place in TITLES and key.meaning), key=lambda key: order.index(key.place))
    return groupby(named, key=lambda key: TITLES[key.place])


def _part(title: str, *, here: bool = False) -> Static:
    return Static(Content.styled(title, "bold"), classes="part here" if here else "part")


def _commands() -> Iterable[Content]:
    width = max(cell_len(command.shown) for command in COMMANDS)
    for command in COMMANDS:
        shown = Content.styled(command.shown, "$primary bold")
        yield Content.assemble("   ", shown.pad_right(width - shown.cell_length), f"   {command.meaning}")


def _rows(said: Iterable[tuple[str, str]]) -> Iterable[Row]:
    return (Row(Content.styled(label, "$primary bold"), [Paragraph(Content(meaning))]) for label, meaning in said)


def _endings(per_line: int) -> Iterable[Paragraph]:
    outcomes = list(Outcome)
    for start in range(0, len(outcomes), per_line):
        some = (ending(outcome) for outcome in outcomes[start : start + per_line])
        yield Paragraph(Content("").join(said.pad_right(_COLUMN - said.cell_length) for said in some))
