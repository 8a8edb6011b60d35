"""The help screen: what is on the screen, and every key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.keys import KEYS
from campus_agent.tui.widgets.row import Paragraph, Row
from campus_agent.tui.words import ACTING, GROUNDED, OBSERVE, ending

_READING = (
    (ACTING, "the model asks for a tool, with these arguments"),
    (OBSERVE, "what the tool returned, word for word as the model reads it"),
    (GROUNDED, "every day, time, number and name of the answer stands in something observed"),
)
_MORE_KEYS = (
    ("↑ ↓", "Pick a question to begin with"),
    ("Tab", "Go from the prompt to the panes and back; Enter opens what is folded"),
)
_PER_LINE = 2


class HelpScreen(ModalScreen[None]):
    """What is on the screen, and every key."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1,q", "dismiss", "Close")]

    def compose(self) -> ComposeResult:
        """Lay out the help."""
        with VerticalScroll(classes="sheet"):
            yield Static(Content.styled("How to read the trace", "bold"))
            yield from (Row(label, [Paragraph(Content(meaning))]) for label, meaning in _READING)
            yield Static(Content.styled("How a run can end", "bold"), classes="part")
            yield Row(Content(""), list(_endings()))
            yield Static(Content.styled("Keys", "bold"), classes="part")
            for label, meaning in [*((key.label, key.meaning) for key in KEYS), *_MORE_KEYS]:
                yield Row(Content.styled(label, "$primary bold"), [Paragraph(Content(meaning))])
            yield Static(Content.styled("Esc closes this.", "$muted"), classes="part")


def _endings() -> Iterable[Paragraph]:
    outcomes = list(Outcome)
    for start in range(0, len(outcomes), _PER_LINE):
        some = (ending(outcome) for outcome in outcomes[start : start + _PER_LINE])
        yield Paragraph(Content("   ").join(some))
