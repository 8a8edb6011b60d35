"""What a turn of the conversation does when it is chosen: its run is shown in the trace, its sources are opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Click
from textual.message import Message

from campus_agent.tui.keys import Place, bindings
from campus_agent.tui.record import Record


class Selectable(Vertical, can_focus=True):
    """A turn that can be chosen. Among its neighbours only one is reached by Tab; the arrow keys lead to the others."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("turn")
    key_place: ClassVar[Place] = "turn"

    @dataclass
    class Selected(Message):
        """The person chose this turn; `moved` when only an arrow key led to it."""

        turn: Selectable
        moved: bool

        @property
        def control(self) -> Selectable:
            """The turn, so that a handler can be told which."""
            return self.turn

    def __init__(self, record: Record) -> None:
        """Take the record of the run."""
        super().__init__()
        self.record = record

    def on_mount(self) -> None:
        """Let Tab lead to the newest turn."""
        for turn in self._neighbours():
            turn.can_focus = turn.has_focus
        self._neighbours()[-1].can_focus = True

    def action_select(self) -> None:
        """Show the run of this turn."""
        self.post_message(self.Selected(self, moved=False))

    def action_other_turn(self, step: int) -> None:
        """Go so many turns on (or back, when negative), and show the run of that one."""
        turns = self._neighbours()
        position = turns.index(self) + step
        if not 0 <= position < len(turns):
            return
        other = turns[position]
        other.can_focus = True
        other.focus()
        self.can_focus = False
        other.post_message(self.Selected(other, moved=True))

    def on_click(self, event: Click) -> None:
        """Choose the turn, unless the click ended a selection of text or was on a link."""
        if "@click" not in event.style.meta and not self.screen.get_selected_text():
            self.action_select()

    def _neighbours(self) -> list[Selectable]:
        return list(self.parent.query_children(Selectable)) if self.parent else [self]
