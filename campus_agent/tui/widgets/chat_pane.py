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
        super().__init__(Start())
        self._clock = clock
        self._waiting: Static | None = None

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
        await self.body.mount(turn)
        self.follow()
        return turn

    async def wait(self, question: str | None, *, why: str = "") -> None:
        """Show the question that waits and why, None for none."""
        if self._waiting is not None:
            await self._waiting.remove()
            self._waiting = None
        if question is not None:
            said = Content.styled(f"{why}: ", "$muted") + Content(one_line(question, 300))
            self._waiting = Static(said, classes="waiting")
            await self.body.mount(self._waiting)
            self.follow()

    async def fail(self, explanation: Explanation) -> None:
        """Show a card that belongs to no question."""
        await self.query("Failure.-alone").remove()
        card = Failure(explanation)
        card.add_class("-alone")
        await self.body.mount(card)
        self.follow()

    async def clear(self, questions: Sequence[str]) -> None:
        """Begin anew with the start screen."""
        await self.query("Turn, Start, Failure, .waiting").remove()
        self._waiting = None
        start = Start()
        await self.body.mount(start)
        await start.offer(questions)
