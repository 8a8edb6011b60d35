"""The trace pane: every run of the conversation, step by step.

What shows a run is imported with the first one: the first frame of the app has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from campus_agent.tui.widgets.records_pane import RecordsPane
from campus_agent.tui.words import ACTING, OBSERVE

if TYPE_CHECKING:
    from campus_agent.tui.record import Record
    from campus_agent.tui.widgets.fold import Fold
    from campus_agent.tui.widgets.run_trace import RunTrace

_OPEN = 5  # runs whose trace stands open
_EMPTY = Content.assemble(
    ("Each step shows here as it happens.\n\n", "$muted"),
    ACTING,
    ("   what the model asks for\n", "$muted"),
    OBSERVE,
    ("  what comes back", "$muted"),
)


class TracePane(RecordsPane["RunTrace | Fold"]):
    """The trace of every run of the conversation, the newest last: the newest stand open, the others are folded."""

    LEAST_LINES = 2

    def __init__(self) -> None:
        super().__init__(Static(_EMPTY, classes="empty"))

    async def begin(self, record: Record) -> RunTrace:
        """Add the trace of a new run and return it; fold the oldest one that stands open."""
        from campus_agent.tui.widgets.run_trace import RunTrace

        await self.query(".empty").remove()
        self._mark(None)
        trace = RunTrace(record, titled=True)
        await self.add(record, trace)
        for old in list(self.body.query_children(RunTrace))[:-_OPEN]:
            await self.replace(old.record, self.make_part(old.record))
        return trace

    async def recall(self, records: Sequence[Record]) -> None:
        """Show the traces of an earlier conversation, one at least, instead of what is shown."""
        await self.query(".empty").remove()
        await super().recall(records)

    def make_part(self, record: Record) -> RunTrace | Fold:
        """Return the trace of a run: of one that is not among the newest folded to its question."""
        from campus_agent.tui.widgets.fold import Fold
        from campus_agent.tui.widgets.run_trace import RunTrace

        if record in self.records[-_OPEN:]:
            return RunTrace(record, titled=True)
        return Fold(record, record.question)

    async def fill_part(self, part: RunTrace | Fold) -> None:
        """Show the steps of a trace that stands open."""
        from campus_agent.tui.widgets.run_trace import RunTrace

        if isinstance(part, RunTrace):
            await part.replay()

    async def show_run(self, record: Record) -> None:
        """Scroll to the run of `record`, open it and mark it; bring it back if it has no widgets."""
        from campus_agent.tui.widgets.fold import Fold

        self.release_anchor()
        run = await self.bring(record)
        if run is None:
            return
        if isinstance(run, Fold) and not run.is_open:
            await run.toggle()
        self._mark(run)
        self.call_after_refresh(self.scroll_to_widget, run, top=True, animate=False)

    async def clear(self) -> None:
        """Begin anew."""
        await self.forget()
        await self.query(".empty").remove()
        await self.body.mount(Static(_EMPTY, classes="empty"))

    def _mark(self, chosen: Widget | None) -> None:
        for run in self.body.query_children("RunTrace, Fold"):
            run.set_class(run is chosen, "-selected")
