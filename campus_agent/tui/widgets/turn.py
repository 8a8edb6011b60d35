"""A question and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from campus_agent.agent.events import AnswerDelta, AnswerWithdrawn, Event, RunFinished
from campus_agent.agent.outcome import Outcome
from campus_agent.errors import Explanation
from campus_agent.text import plural
from campus_agent.tui.record import Record
from campus_agent.tui.verdict import verdict
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.fold import Fold
from campus_agent.tui.widgets.live_step import LiveStep
from campus_agent.tui.widgets.selectable import Selectable
from campus_agent.tui.widgets.status import Status
from campus_agent.tui.words import BAD, CAUTION, CUT, beginning, ending, ending_style, line, plain

if TYPE_CHECKING:
    from campus_agent.tui.widgets.answer import Answer

_YOU = Content.styled("You", "$muted bold")
_MOST_ASKED = 4_000  # characters of a question that are shown
_AGENT = Content.styled("Agent", "$muted bold")
_DRAFT = Content.styled(" · draft, may still be withdrawn", "$muted")


class Turn(Selectable):
    """A question, its answer, and how the run ended."""

    def __init__(self, record: Record, *, clock: Callable[[], float]) -> None:
        super().__init__(record)
        self._head = Static(self._asked(), classes="asked")
        self._status = Status(record, clock=clock)
        self._answer: Answer | None = None
        self._live: LiveStep | None = None

    @property
    def text(self) -> str:
        """The answer as it stands, "" for none."""
        return self._answer.text if self._answer else ""

    def compose(self) -> ComposeResult:
        """Lay out the question, and the place for what comes of it."""
        if self.record.remark:
            yield Static(line(self.record.remark, style="italic"), classes="remark")
        yield self._head
        yield self._status

    def _asked(self, *, draft: bool = False) -> Content:
        """Return the question, and who answers; a draft is named as such until the run has ended with it."""
        question = beginning(self.record.question, _MOST_ASKED)
        return Content.assemble(_YOU, "\n", question, "\n\n", _AGENT, _DRAFT if draft else "")

    async def show(self, event: Event) -> None:
        """Show the next event of the run."""
        match event:
            case AnswerDelta():
                await (await self._writing()).write(event.text)
            case AnswerWithdrawn():
                await self._withdraw()
            case RunFinished():
                await self._finish(event)
        await self._show_step(event)
        self._status.show(event)

    async def replay(self) -> None:
        """Show what the record holds already; nothing of it moves."""
        for event in self.record.events:
            await self.show(event)
        if self.record.finished is None:
            await self.cut_off()
        await self.stop()

    def hold(self, held: bool) -> None:
        """Let nothing move while the run is held, and nothing say that it goes on."""
        self._status.hold(held)
        if self._live is not None:
            self._live.hold(held)

    async def stop(self) -> None:
        """Stop everything that moves, whatever became of the run."""
        if not self._status.settled:
            self._status.settle(ending(Outcome.CANCELLED))
        if self._answer is not None:
            await self._answer.settle(None)

    async def cut_off(self) -> None:
        """Show that the run has no end: the program was ended in the middle of it."""
        self._status.settle(CUT)
        if self._live is not None:
            live, self._live = self._live, None
            await live.remove()
        if self._answer is not None:
            self._answer.add_class("-partial")
        await self._fold()

    async def broke(self, explanation: Explanation) -> None:
        """Show that the run broke in a way that no outcome describes."""
        self._status.settle(Content.styled("✕ broken off", BAD))
        await self.mount(Failure(explanation), before=self._status)

    async def _show_step(self, event: Event) -> None:
        """Show the step that goes on, where the trace is not in sight; what is over is folded."""
        if self._live is not None:
            if event.kind == "run_finished":
                live, self._live = self._live, None
                await live.remove()
            else:
                await self._live.show(event)
        elif event.kind == "step_started" and self.record.finished is None and not self._trace_in_sight:
            self._live = LiveStep(self.record)
            await self.mount(self._live, before=self._answer or self._status)
            await self._live.show(event)

    @property
    def _trace_in_sight(self) -> bool:
        return not any(node.has_class(hides) for node in self.ancestors for hides in ("-narrow", "-trace-hidden"))

    async def _writing(self) -> Answer:
        if self._answer is None:
            from campus_agent.tui.widgets.answer import Answer  # Markdown is not needed for the first paint

            self._answer = Answer()
            self._head.update(self._asked(draft=self.record.finished is None), layout=False)
            await self.mount(self._answer, before=self._status)
        return self._answer

    async def _withdraw(self) -> None:
        if self._answer is not None:
            await self._answer.stop()
            await self._answer.remove()
            self._answer = None
            self._head.update(self._asked(), layout=False)

    async def _finish(self, event: RunFinished) -> None:
        """Show the answer that the run ended with: that of the event, never the sum of what was streamed."""
        if event.answer is None:
            await self._withdraw()
        else:
            answer = await self._writing()
            await answer.settle(event.answer)
            answer.set_class(not event.complete, "-partial")
            self._head.update(self._asked(), layout=False)
        if event.message is not None and event.outcome is not Outcome.CANCELLED:
            cautious = ending_style(event.outcome) == CAUTION
            await self.mount(Failure(event.message, cautious=cautious), before=self._status)
        said = verdict(self.record)
        if said.below:
            await self.mount(Static(plain(said.below), classes="nothing"), after=self._status)
        await self._fold()

    async def _fold(self) -> None:
        """Offer the steps under the answer, for where the trace is not in sight."""
        if self.record.step:
            steps, tools = plural(self.record.step, "step"), ", ".join(self.record.tools)
            await self.mount(Fold(self.record, f"{steps} · {tools}" if tools else steps))
