"""The trace of a finished run as one line, which opens in place."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from campus_agent.tui.record import Record
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.words import line


class FoldLine(Static, can_focus=True):
    """The line that opens and closes a trace."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", "Open or close", show=False)]

    async def action_open(self) -> None:
        """Open the trace, or close it."""
        await self.query_ancestor(Fold).toggle()

    async def on_click(self) -> None:
        """Open the trace, or close it."""
        await self.action_open()


class Fold(Vertical):
    """The trace of a finished run as one line; it holds no widgets for the steps until it is opened."""

    def __init__(self, record: Record, label: str) -> None:
        self._record = record
        self._label = label
        self._trace: RunTrace | None = None
        self._line = FoldLine(self._said())
        super().__init__(self._line)

    async def toggle(self) -> None:
        """Open the trace by replaying the record of the run, or close it."""
        if self._trace is None:
            self._trace = RunTrace(self._record, titled=False)
            self._line.update(self._said())
            await self.mount(self._trace)
            await self._trace.replay()
        else:
            await self._trace.remove()
            self._trace = None
            self._line.update(self._said())

    def _said(self) -> Content:
        return line(f"{self._label} {'▾' if self._trace else '▸'}")
