"""The chat pane: the conversation as prose, and the start screen while it is empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import work
from textual.content import Content
from textual.css.query import NoMatches
from textual.widgets import Static

from campus_agent.errors import Explanation
from campus_agent.text import one_line, plural
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.start import Start
from campus_agent.tui.widgets.turn import Turn

_MOST = 1_000  # runs that are remembered, to be shown again or exported
_AT_ONCE = 20  # turns that come back when the person scrolls to the top
_MOST_SHOWN = 300  # turns with widgets; each takes a fifth of a megabyte
_WAITING_SHOWN = 3


class ChatPane(FollowingPane):
    """The questions and answers of the conversation, the newest last.

    Only the newest have widgets; the earlier ones come back, from what is remembered of their runs, when the person
    scrolls to the top.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._earlier = Static(classes="earlier")  # always there and always first
        self._earlier.display = False
        self._waiting = Static(classes="waiting")  # always there and always last: showing it waits for nothing
        self._waiting.display = False
        super().__init__(self._earlier, Start(), self._waiting)
        self._clock = clock
        self._records: list[Record] = []
        self._released = 0  # of the records, the first ones that have no widgets now
        self._returning = False

    @property
    def records(self) -> tuple[Record, ...]:
        """What is remembered of each run of the conversation, oldest first."""
        return tuple(self._records)

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
        turns = list(self.query(Turn))
        for old in turns[:-keep]:
            await old.remove()
        self._records.append(record)
        del self._records[:-_MOST]
        self._released = len(self._records) - 1 - min(len(turns), keep)
        self._say_how_many()
        turn = Turn(record, clock=self._clock)
        await self.body.mount(turn, before=self._waiting)
        self.follow()
        return turn

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Bring earlier turns back when the person has scrolled to the top."""
        super().watch_scroll_y(old_value, new_value)
        if new_value <= 0 < old_value and self._more_may_return and not self._returning:
            self._returning = True
            self._bring_back()

    @property
    def _more_may_return(self) -> bool:
        return self._released > 0 and len(self._records) - self._released < _MOST_SHOWN

    @work(group="earlier", exit_on_error=False)
    async def _bring_back(self) -> None:
        """Show some earlier turns again, over the first one that is shown, which stays where it is."""
        try:
            first = self.query(Turn).first()
            returning = self._records[max(0, self._released - _AT_ONCE) : self._released]
            self._released -= len(returning)
            turns = [Turn(record, clock=self._clock) for record in returning]
            await self.body.mount_all(turns, before=first)
            for turn in turns:
                await turn.replay()
            self._say_how_many()
            self.call_after_refresh(self.scroll_to_widget, first, top=True, animate=False)
        finally:
            self._returning = False

    def _say_how_many(self) -> None:
        self._earlier.display = self._released > 0
        more = "scroll on to see more" if self._more_may_return else "/export saves them all"
        self._earlier.update(Content(f"↑ {plural(self._released, 'earlier question')}: {more}"))

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

    async def clear(self, questions: Sequence[str]) -> None:
        """Begin anew with the start screen."""
        self._records, self._released = [], 0
        self._say_how_many()
        await self.query("Turn, Start, Failure").remove()
        start = Start()
        await self.body.mount(start, before=self._waiting)
        await start.offer(questions)
