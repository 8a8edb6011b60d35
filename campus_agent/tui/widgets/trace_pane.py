"""The trace pane: every run of the conversation, step by step."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from campus_agent.tui.record import Record
from campus_agent.tui.widgets.fold import Fold
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.words import ACTING, OBSERVE

_OPEN = 5  # runs whose trace stands open
_EMPTY = Content.assemble(
    ("Each step shows here as it happens.\n\n", "$muted"),
    ACTING,
    ("   what the model asks for\n", "$muted"),
    OBSERVE,
    ("  what comes back", "$muted"),
)


class TracePane(FollowingPane):
    """The trace of every run of the conversation, the newest last."""

    def __init__(self) -> None:
        super().__init__(Static(_EMPTY, classes="empty"))

    async def begin(self, record: Record, *, keep: int) -> RunTrace:
        """Add the trace of a new run and return it; of the earlier ones the newest `keep` stay, most of them folded."""
        await self.query(".empty").remove()
        for old in list(self.body.query_children(RunTrace))[: 1 - _OPEN]:
            await self.body.mount(Fold(old.record, old.record.question), before=old)
            await old.remove()
        for fold in list(self.body.query_children(Fold))[:-keep]:
            await fold.remove()
        trace = RunTrace(record, titled=True)
        await self.body.mount(trace)
        self.follow()
        return trace

    async def clear(self) -> None:
        """Begin anew."""
        await self.query("RunTrace, Fold, .empty").remove()
        await self.body.mount(Static(_EMPTY, classes="empty"))
