"""The trace pane: every run of the conversation, step by step."""

from __future__ import annotations

from textual import work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from campus_agent.text import plural
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.fold import Fold
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.words import ACTING, OBSERVE

_OPEN = 5  # runs whose trace stands open
_MOST = 1_000  # runs that are remembered, to be shown again
_AT_ONCE = 20  # runs that come back when the person scrolls to the top
_EMPTY = Content.assemble(
    ("Each step shows here as it happens.\n\n", "$muted"),
    ACTING,
    ("   what the model asks for\n", "$muted"),
    OBSERVE,
    ("  what comes back", "$muted"),
)


class TracePane(FollowingPane):
    """The trace of every run of the conversation, the newest last.

    The newest stand open, some before them are folded to their question, and the earlier ones have no widgets: they
    come back, from what is remembered of them, when the person scrolls to the top or chooses their answer.
    """

    def __init__(self) -> None:
        self._earlier = Static(classes="earlier")  # always there and always first
        self._earlier.display = False
        super().__init__(self._earlier, Static(_EMPTY, classes="empty"))
        self._records: list[Record] = []
        self._released = 0  # of the records, the first ones that have no widgets now

    async def begin(self, record: Record, *, keep: int) -> RunTrace:
        """Add the trace of a new run and return it; of the earlier ones the newest `keep` stay, most of them folded."""
        await self.query(".empty").remove()
        for old in list(self.body.query_children(RunTrace))[: 1 - _OPEN]:
            await self.body.mount(Fold(old.record, old.record.question), before=old)
            await old.remove()
        for fold in list(self.body.query_children(Fold))[:-keep]:
            await fold.remove()
        self._records.append(record)
        del self._records[:-_MOST]
        self._released = len(self._records) - 1 - len(self._shown())
        self._say_how_many()
        self._mark(None)
        trace = RunTrace(record, titled=True)
        await self.body.mount(trace)
        self.follow()
        return trace

    async def show_run(self, record: Record) -> None:
        """Scroll to the run of `record`, open it and mark it; bring it back if it has no widgets."""
        if record in self._records[: self._released]:
            await self._bring_back(self._released - self._records.index(record))
        for run in self._shown():
            if run.record is record:
                if isinstance(run, Fold) and not run.is_open:
                    await run.toggle()
                self._mark(run)
                self.release_anchor()
                self.call_after_refresh(self.scroll_to_widget, run, top=True, animate=False)

    async def clear(self) -> None:
        """Begin anew."""
        self._records, self._released = [], 0
        self._say_how_many()
        await self.query("RunTrace, Fold, .empty").remove()
        await self.body.mount(Static(_EMPTY, classes="empty"))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Bring earlier runs back when the person has scrolled to the top."""
        super().watch_scroll_y(old_value, new_value)
        if new_value <= 0 < old_value and self._released > 0:
            self._scrolled_to_top()

    @work(exclusive=True, group="earlier", exit_on_error=False)
    async def _scrolled_to_top(self) -> None:
        """Bring some earlier runs back over the first one that is shown, which stays where it is."""
        first = self._shown()[0]
        await self._bring_back(_AT_ONCE)
        self.call_after_refresh(self.scroll_to_widget, first, top=True, animate=False)

    async def _bring_back(self, count: int) -> None:
        """Show so many earlier runs again, folded."""
        start = max(0, self._released - count)
        returning, self._released = self._records[start : self._released], start
        self._say_how_many()
        await self.body.mount_all([Fold(old, old.question) for old in returning], after=self._earlier)

    def _shown(self) -> list[RunTrace | Fold]:
        return [child for child in self.body.children if isinstance(child, RunTrace | Fold)]

    def _mark(self, chosen: Widget | None) -> None:
        for run in self._shown():
            run.set_class(run is chosen, "-selected")

    def _say_how_many(self) -> None:
        self._earlier.display = self._released > 0
        self._earlier.update(Content(f"↑ {plural(self._released, 'earlier question')}: scroll on to see more"))
