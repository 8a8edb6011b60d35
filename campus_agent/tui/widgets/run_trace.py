"""The trace of one run: its question, a card for each step, and how it ended."""

from __future__ import annotations

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from campus_agent.agent.events import Event, Note, Planned, RunFinished, RunStarted, StepStarted
from campus_agent.text import duration, plural
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.row import Paragraph, Row
from campus_agent.tui.widgets.step_card import StepCard
from campus_agent.tui.words import ending, line, plain


class RunTrace(Vertical):
    """The trace of one run. It is told the run's events, live or from a record: it cannot tell the two apart."""

    def __init__(self, record: Record, *, titled: bool) -> None:
        super().__init__()
        self.record = record
        self._titled = titled
        self._cards: dict[int, StepCard] = {}

    async def replay(self) -> None:
        """Show what the record holds already."""
        for event in self.record.events:
            await self.show(event)

    async def show(self, event: Event) -> None:
        """Show the next event of the run."""
        match event:
            case RunStarted():
                if self._titled:
                    await self.mount(Static(line(event.question), classes="question"))
            case StepStarted():
                self._cards[event.step] = StepCard(event.step)
                await self.mount(self._cards[event.step])
            case RunFinished():
                await self._finish(event)
            case Note(step=None):
                await self.mount(Row(Content.styled("· note", "$muted"), [Paragraph(plain(event.text, "$muted"))]))
            case Planned():
                await self.mount(Row(Content("plan"), [Paragraph(plain(item)) for item in event.items]))
            case _ if card := self._cards.get(event.step or 0):
                await card.show(event)

    async def _finish(self, event: RunFinished) -> None:
        if self._cards:
            await self._cards[max(self._cards)].end(event.outcome)
        await self.mount(Static(_how_it_ended(event, self.record), classes="outcome"))


def _how_it_ended(event: RunFinished, record: Record) -> Content:
    said = f" in {plural(record.step, 'step')}, {plural(record.calls, 'call')}, {duration(event.duration_ms)}"
    if event.usage is not None:
        said += f" · {plural(event.usage.prompt_tokens + event.usage.completion_tokens, 'token')}"
    return ending(event.outcome) + Content.styled(said, "$muted")
