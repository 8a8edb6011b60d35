"""The chat pane: the conversation as prose, and the start screen while it is empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from campus_agent.errors import Explanation
from campus_agent.text import one_line
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.records_pane import RecordsPane
from campus_agent.tui.widgets.start import Start

if TYPE_CHECKING:
    from campus_agent.tui.record import Record
    from campus_agent.tui.widgets.turn import Turn

_WAITING_SHOWN = 3


class ChatPane(RecordsPane["Turn"]):
    """The questions and answers of the conversation, the newest last.

    Attributes:
        remark: what is said over the next question, "" for nothing.
    """

    LEAST_LINES = 6

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._waiting = Static(classes="waiting")  # always there and always last: showing it waits for nothing
        self._waiting.display = False
        super().__init__(Start(), self._waiting)
        self._clock = clock
        self.remark = ""

    async def offer(self, questions: Sequence[str], *, own: bool) -> None:
        """Show the questions to begin with, if the chat is empty; `own` when the base is the person's own."""
        for start in self.query(Start):
            await start.offer(questions, own=own)

    def focus_questions(self) -> None:
        """Give the focus to the questions to begin with, if they are shown."""
        for start in self.query(Start):
            start.focus_questions()

    async def begin(self, record: Record) -> Turn:
        """Add a turn for a run and return it."""
        await self.query("Start, Failure.-alone").remove()
        record.remark, self.remark = self.remark, ""
        turn = self.make_part(record)
        await self.add(record, turn)
        return turn

    async def recall(self, records: Sequence[Record]) -> None:
        """Show the questions and answers of an earlier conversation, one at least, instead of what is shown."""
        self.remark = ""
        await self.query("Start, Failure").remove()
        await super().recall(records)

    def make_part(self, record: Record) -> Turn:
        """Return a turn for a run."""
        from campus_agent.tui.widgets.turn import Turn  # there is none in the first frame of the app

        return Turn(record, clock=self._clock)

    async def fill_part(self, part: Turn) -> None:
        """Show what the run of a turn came to."""
        await part.replay()

    def wait(self, questions: Sequence[str], *, why: str) -> None:
        """Show the questions that wait, why, and how one of them is taken back; nothing for none."""
        self._waiting.display = bool(questions)
        if questions:
            shown = [Content.assemble((f"{why}: ", "$muted"), one_line(questions[0], 300))]
            for question in questions[1:_WAITING_SHOWN]:
                shown.append(Content.assemble(("then: ", "$muted"), one_line(question, 300)))
            more = f"and {len(questions) - _WAITING_SHOWN} more   " if len(questions) > _WAITING_SHOWN else ""
            shown.append(Content.styled(f"{more}↑ takes the last one back", "$muted"))
            self._waiting.update(Content("\n").join(shown))
            self.follow()

    async def fail(self, explanation: Explanation) -> None:
        """Show a card that belongs to no question."""
        await self.query("Failure.-alone").remove()
        card = Failure(explanation)
        card.add_class("-alone")
        await self.body.mount(card, before=self._waiting)
        self.follow()

    async def clear(self, questions: Sequence[str], *, own: bool = False) -> None:
        """Begin anew with the start screen."""
        self.remark = ""
        await self.forget()
        await self.query("Start, Failure").remove()
        start = Start()
        await self.body.mount(start, before=self._waiting)
        await start.offer(questions, own=own)
