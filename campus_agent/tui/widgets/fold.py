"""The trace of a finished run as one line, which opens in place."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Click
from textual.widget import Widget

from campus_agent.tui.keys import Place, bindings
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.widgets.staying import stay
from campus_agent.tui.words import line


class FoldLine(Widget, can_focus=True):
    """The line that opens and closes a trace: always one line, with a sign at its end for what Enter does."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("fold")
    key_place: ClassVar[Place] = "fold"

    def __init__(self, label: str) -> None:
        super().__init__()
        self._label = line(label)
        self._sign = " ▸"

    def show(self, *, is_open: bool) -> None:
        """Show whether the trace stands open."""
        self._sign = " ▾" if is_open else " ▸"
        self.refresh()

    def render(self) -> Content:
        """Draw the line for the width that it has."""
        return self._label.truncate(max(0, self.content_size.width - len(self._sign)), ellipsis=True) + self._sign

    async def action_open(self) -> None:
        """Open the trace, or close it."""
        await self.query_ancestor(Fold).toggle()

    async def on_click(self) -> None:
        """Open the trace, or close it."""
        await self.action_open()


class Fold(Vertical):
    """The trace of a finished run as one line; it holds no widgets for the steps until it is opened."""

    def __init__(self, record: Record, label: str) -> None:
        self.record = record
        self._trace: RunTrace | None = None
        self._line = FoldLine(label)
        self._toggling = asyncio.Lock()  # it can be toggled from its line and from its turn at the same moment
        super().__init__(self._line)

    @property
    def is_open(self) -> bool:
        """Whether the trace stands open."""
        return self._trace is not None

    def on_click(self, event: Click) -> None:
        """Keep a click to the trace: it does not choose the turn that the trace stands in."""
        event.stop()

    async def toggle(self) -> None:
        """Open the trace by replaying the record of the run, or close it."""
        async with self._toggling:
            if self._trace is None:
                stay(self)
                self._trace = RunTrace(self.record, titled=False)
                self._line.show(is_open=True)
                await self.mount(self._trace)
                await self._trace.replay()
            else:
                trace, self._trace = self._trace, None
                self._line.show(is_open=False)
                await trace.remove()
