"""The chat pane: the conversation as prose, and the start screen while it is empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.content import Content
from textual.css.query import NoMatches
from textual.widgets import Static

from campus_agent.errors import Explanation
from campus_agent.text import one_line
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.start import Start
from campus_agent.tui.widgets.turn import Turn


class ChatPane(FollowingPane):
    """The questions and answers of the conversation, the newest last."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._waiting = Static(classes="waiting")  # always there and always last: showing it waits for nothing
        self._waiting.display = False
        super().__init__(Start(), self._waiting)
        self._clock = clock

    @property
    def newest(self) -> Turn | None:
        """The newest turn, None in an empty chat."""
        try:
            return self.query(Turn).last()
        except NoMatches:
            return None

    async def offer(self, questions: Sequence[str]) -> None:
        """Show the questions to begin with, if the chat is empty."""
        for start in self.query(Start):
            await start.offer(questions)

    def focus_questions(self) -> None:
        """Give the focus to the questions to begin with, if they are shown."""
        for start in self.query(Start):
            start.focus_questions()

    async def begin(self, record: Record, *, keep: int) -> Turn:
        """Add a turn for a run and return it; of the earlier ones the newest `keep` stay."""
        await self.query("Start, Failure.-alone").remove()
        for old in list(self.query(Turn))[:-keep]:
            await old.remove()
        turn = Turn(record, clock=self._clock)
        await self.body.mount(turn, before=self._waiting)
        self.follow()
        return turn

    def wait(self, questions: Sequence[str], *, why: str) -> None:
        """Show the first of the questions that wait, why, and how many more there are; nothing for none."""
        self._waiting.display = bool(questions)
        if questions:
            more = f"   and {len(questions) - 1} more" if len(questions) > 1 else ""
            said = Content.assemble((f"{why}: ", "$muted"), one_line(questions[0], 300), (more, "$muted"))
            self._waiting.update(said)
            self.follow()

    async def fail(self, explanation: Explanation) -> None:
        """Show a card that belongs to no question."""
        await self.query("Failure.-alone").remove()
        card = Failure(explanation)
        card.add_class("-alone")
        await self.body.mount(card, before=self._waiting)
        self.follow()

    async def clear(self, questions: Sequence[str]) -> None:
        """Begin anew with the start screen."""
        await self.query("Turn, Start, Failure").remove()
        start = Start()
        await self.body.mount(start, before=self._waiting)
        await start.offer(questions)
