"""The trace of one run: its question, a card for each step, and how it ended."""

from __future__ import annotations

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from campus_agent.agent.events import (
    Event,
    GroundingChecked,
    Note,
    Planned,
    PlanTicked,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.text import duration, plural
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.passage_row import PassageRow, PassagesPicked
from campus_agent.tui.widgets.plan_row import PlanRow
from campus_agent.tui.widgets.row import LongText, Row
from campus_agent.tui.widgets.step_card import StepCard
from campus_agent.tui.words import CUT, DIM, ending, line


class RunTrace(Vertical):
    """The trace of one run. It is told the run's events, live or from a record: it cannot tell the two apart."""

    def __init__(self, record: Record, *, titled: bool) -> None:
        super().__init__()
        self.record = record
        self._titled = titled
        self._cards: dict[int, StepCard] = {}
        self._plan: PlanRow | None = None

    async def replay(self) -> None:
        """Show what the record holds already."""
        for event in self.record.events:
            await self.show(event)
        if self.record.finished is None:
            await self.cut_off()

    async def cut_off(self) -> None:
        """Show that the run has no end: the program was ended in the middle of it."""
        await self._end_step(Outcome.CANCELLED)
        await self.mount(Static(CUT, classes="outcome"))

    def hold(self, held: bool) -> None:
        """Say of what comes next that it waits, while the run is held."""
        if self._cards:
            self._cards[max(self._cards)].hold(held)

    async def show(self, event: Event) -> None:
        """Show the next event of the run."""
        match event:
            case RunStarted():
                if self._titled:
                    await self.mount(Static(line(event.question, 500), classes="question"))
            case RunFinished():
                await self._finish(event)
            case Planned():
                self._plan = PlanRow(event)
                await self.mount(self._plan)
            case PlanTicked() if self._plan:
                self._plan.tick(event.item)
            case Note() if event.step not in self._cards:
                await self.mount(Row(Content.styled("· note", DIM), text=LongText(event.text, DIM)))
            case _:
                await self._show_step(event)

    async def _show_step(self, event: Event) -> None:
        """Show an event of a step in the card of that step."""
        if isinstance(event, StepStarted):
            self._cards[event.step] = StepCard(event, self.record)
            await self.mount(self._cards[event.step])
        card = self._cards.get(getattr(event, "step", None) or 0)
        if card is not None:
            await card.show(event)
        match event:
            case StepStarted() | StepFinished():
                for other in self._cards.values():
                    other.scale()
            case GroundingChecked():
                for row in self.query(PassageRow):
                    row.mark(event.sources)

    def on_passage_row_picked(self, message: PassageRow.Picked) -> None:
        """Add what the answer took from the passage to the wish to read it."""
        message.stop()
        rests = message.source in self.record.sources
        self.post_message(PassagesPicked([message.source], (self.record.facts or ()) if rests else ()))

    async def _end_step(self, outcome: Outcome) -> None:
        if self._cards:
            await self._cards[max(self._cards)].end(outcome)

    async def _finish(self, event: RunFinished) -> None:
        await self._end_step(event.outcome)
        await self.mount(Static(_how_it_ended(event, self.record), classes="outcome"))


def _how_it_ended(event: RunFinished, record: Record) -> Content:
    said = f" in {plural(record.step, 'step')}, {plural(record.calls, 'call')}, {duration(event.duration_ms)}"
    if event.usage is not None:
        said += f" · {plural(event.usage.prompt_tokens + event.usage.completion_tokens, 'token')}"
    return ending(event.outcome) + Content.styled(said, "$muted")
