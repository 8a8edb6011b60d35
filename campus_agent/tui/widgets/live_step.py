"""The step that goes on, under its question: what a run does is seen there where the trace has no room."""

from __future__ import annotations

from textual.containers import Vertical

from campus_agent.agent.events import Acting, AnswerDelta, Event, Observed, StepStarted
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.passage_row import PassageRow, PassagesPicked
from campus_agent.tui.widgets.step_card import StepCard


class LiveStep(Vertical):
    """The newest acting and observing. It stays until the next step acts, or the answer is written in its place."""

    def __init__(self, record: Record) -> None:
        """Take the record of the run."""
        super().__init__()
        self._record = record
        self._coming: StepStarted | None = None
        self._card: StepCard | None = None

    async def show(self, event: Event) -> None:
        """Show the next event of the run, if it is one of acting or observing."""
        match event:
            case StepStarted():
                self._coming = event
            case AnswerDelta() if self._card is not None:
                await self._take_away()
            case Acting():
                await self._begin_step()
                await self._tell(event)
            case Observed():
                await self._tell(event)

    def hold(self, held: bool) -> None:
        """Say of what comes next that it waits, while the run is held."""
        if self._card is not None:
            self._card.hold(held)

    def on_passage_row_picked(self, message: PassageRow.Picked) -> None:
        """Ask for the passage to be shown."""
        message.stop()
        self.post_message(PassagesPicked([message.source]))

    async def _begin_step(self) -> None:
        """Let the step that has begun take the place of the one before."""
        if self._coming is not None:
            started, self._coming = self._coming, None
            await self._take_away()
            self._card = StepCard(started, self._record)
            await self.mount(self._card)

    async def _take_away(self) -> None:
        card, self._card = self._card, None
        if card is not None:
            await card.remove()

    async def _tell(self, event: Event) -> None:
        if self._card is not None:
            await self._card.show(event)
