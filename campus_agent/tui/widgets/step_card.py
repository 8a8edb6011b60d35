"""A step in the trace: what the model thought, what it acted on, what was observed, what was checked, what it cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.containers import Vertical
from textual.content import Content

from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    AnswerWithdrawn,
    Event,
    GroundingChecked,
    Note,
    Observed,
    Reviewed,
    Reviewing,
    StepFinished,
    StepStarted,
    ThoughtDelta,
    WithdrawnReason,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.review import CheckedFact
from campus_agent.text import duration, one_line, plural
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.acting import RUNNING, show_acting, show_edited
from campus_agent.tui.widgets.observation import observation_rows
from campus_agent.tui.widgets.row import BRIEF, LongText, Paragraph, Row
from campus_agent.tui.widgets.second_look import show_reviewed, show_reviewing
from campus_agent.tui.widgets.step_foot import StepFoot
from campus_agent.tui.words import BAD, DIM, DRAFT, FAILED, THINKING, WAITING, WRITING, line, plain

_LIVE = 30  # characters of a thought that are shown while it streams
_STRUCK = f"{DIM} strike"


class StepCard(Vertical):
    """A step in the trace; it is told the events of its step, and shows each where it belongs."""

    def __init__(self, event: StepStarted, record: Record) -> None:
        # The first thing that happens takes the place of this row, so that the card does not grow for it.
        self._first: Row | None = Row(Content.styled(f"· {THINKING}", DIM), number=str(event.step))
        self._doing = THINKING
        self._waiting: Row | None = None  # the row that says that it waits
        self._foot = StepFoot(record, event)
        super().__init__(self._first, self._foot)
        self._acts: dict[str, tuple[Acting, Row]] = {}  # the calls that have not come back, and where they stand
        self._thought: list[str] = []
        self._thinking: Row | None = None
        self._draft: list[str] = []
        self._missing: list[str] = []
        self._checked = False
        self._look: tuple[Reviewing, Row] | None = None  # the second look that goes on

    def scale(self) -> None:
        """Draw the bars of the step anew, because they are as long as it is beside the largest of the run."""
        self._foot.refresh()

    def hold(self, held: bool) -> None:
        """Say of what comes next that it waits, while the run is held, and what it does when it is not."""
        before, self._waiting = self._waiting, self._coming() if held else None
        if before is not self._waiting:
            self._say_state(before, waits=False)
            self._say_state(self._waiting, waits=True)

    def _coming(self) -> Row | None:
        """Return the row of what the run is held before: the last call that has not come back, or the model."""
        return next((row for _, row in reversed(self._acts.values())), self._first)

    def _say_state(self, row: Row | None, *, waits: bool) -> None:
        if row is None:
            return
        if row is self._first:
            row.change(Content.styled(f"· {WAITING if waits else self._doing}", DIM))
        elif any(row is acting for _, acting in self._acts.values()):
            row.change(edge=Content.styled(WAITING, DIM) if waits else RUNNING)

    async def show(self, event: Event) -> None:
        """Show the next event of the step."""
        match event:
            case ThoughtDelta():
                await self._think(event.text)
            case AnswerDelta():
                self._write(event.text)
            case AnswerWithdrawn():
                await self._withdraw(event.reason)
            case Acting():
                await self._act(event)
            case Observed():
                await self._observe(event)
            case StepFinished():
                self._foot.finish(event)
            case _:
                await self._judge(event)

    async def _judge(self, event: Event) -> None:
        """Show an event that is about what was said or done before."""
        match event:
            case GroundingChecked():
                await self._check(event.facts)
            case Reviewing():
                self._look = (event, await self._place(lambda row: show_reviewing(row, event)))
            case Reviewed():
                await self._looked(event)
            case Note():
                await self._say(Content.styled("· note", DIM), text=LongText(event.text, DIM))

    async def end(self, outcome: Outcome) -> None:
        """Show what is left when the run ends here: an answer, a draft that did not become one, or nothing."""
        self._thought_over()
        draft = "".join(self._draft)
        self._draft.clear()
        if outcome.complete:
            if not self._checked:
                said = "the refusal line" if outcome is Outcome.REFUSED else "not checked"
                await self._say(Content("answer"), [Paragraph(Content(said))])
        elif draft:
            await self._say(Content.styled("draft", DIM), text=LongText(draft, DIM))
        elif self._first:
            self._first.change(Content.styled("· no reply", DIM), [])
            self._first = None
        for _, row in self._acts.values():
            row.change(edge=Content.styled("not finished", DIM))
        self._acts.clear()

    async def _say(self, label: Content, body: Sequence[Paragraph] = (), *, text: LongText | None = None) -> Row:
        """Show a row of text."""
        return await self._place(lambda row: row.change(label, body, text=text))

    async def _place(self, fill: Callable[[Row], None]) -> Row:
        """Show a row above the foot; the first one of the card takes the place that was kept for it."""
        if self._first:
            row, self._first = self._first, None
            fill(row)
            return row
        row = Row(Content(""))
        fill(row)
        await self.mount(row, before=self._foot)
        return row

    async def _think(self, text: str) -> None:
        self._thought.append(text)
        if self._thinking is None:
            self._thinking = await self._say(Content.styled("· thought", DIM))
        # While it streams the thought keeps to one line, its newest words; the whole of it comes at the end.
        newest = one_line("".join(self._thought[-_LIVE:]))
        self._thinking.change(body=[Paragraph(Content.styled(f"…{newest[-_LIVE:]}", DIM))])

    def _thought_over(self) -> None:
        if self._thinking is not None:
            self._thinking.change(body=[], text=LongText("".join(self._thought).strip(), DIM))
            self._thinking = None
            self._thought.clear()

    def _write(self, text: str) -> None:
        if self._first and not self._draft:
            self._doing = WRITING
            self._first.change(Content.styled(f"· {WRITING}", DIM), [Paragraph(Content.styled(DRAFT, DIM))])
        self._draft.append(text)

    async def _withdraw(self, reason: WithdrawnReason) -> None:
        draft = "".join(self._draft).strip()
        self._draft.clear()
        if not draft:
            if self._first:
                self._doing = THINKING
                self._first.change(Content.styled(f"· {THINKING}", DIM), [])
            return
        match reason:
            case "became_thought":
                await self._say(Content.styled("· thought", DIM), text=LongText(draft, DIM))
            case "retried":
                await self._say(Content.styled("↺ retried", DIM), text=LongText(draft, _STRUCK))
            case "rejected":
                self._checked = False
                label = Content.styled("✕ rejected", BAD)
                if len(draft) > BRIEF:
                    await self._say(label, text=LongText(draft, _STRUCK))
                else:
                    await self._say(label, [Paragraph(_with_marks(draft, self._missing))])

    async def _act(self, event: Acting) -> None:
        self._thought_over()
        if event.call_id in self._acts:
            asked, row = self._acts[event.call_id]
            show_edited(row, asked, event)
        else:
            row = await self._place(lambda row: show_acting(row, event))
        self._acts[event.call_id] = (event, row)

    async def _observe(self, event: Observed) -> None:
        rows = observation_rows(event)
        if event.call_id not in self._acts:
            await self.mount(*rows, before=self._foot)
            return
        _, acting = self._acts.pop(event.call_id)
        acting.change(edge=Content.styled(duration(event.latency_ms) if event.ran else "not run", DIM))
        await self.mount(*rows, after=acting)

    async def _looked(self, event: Reviewed) -> None:
        if self._look is None:
            await self._place(lambda row: show_reviewed(row, None, event))
            return
        (began, row), self._look = self._look, None
        show_reviewed(row, began, event)

    async def _check(self, facts: tuple[CheckedFact, ...]) -> None:
        self._thought_over()
        missing = [fact for fact in facts if not fact.supported]
        said = f"checked {len(facts) - len(missing)} of {plural(len(facts), 'fact')}" if facts else "no facts to check"
        body = [Paragraph(Content(said))]
        # It may well have been found, of something else.
        why = Content.styled(" was not found for this", DIM)
        body += [Paragraph(line(fact.text, 60) + why, FAILED) for fact in missing]
        self._checked, self._missing = True, [fact.text for fact in missing]
        await self._say(Content("draft" if missing else "answer"), body)


def _with_marks(draft: str, missing: list[str]) -> Content:
    """Return a rejected draft, struck out, with the facts that failed standing out in it."""
    shown = plain(draft, _STRUCK)
    for text in map(one_line, missing):
        start = shown.plain.find(text) if text else -1
        if start >= 0:
            shown = shown.stylize(f"{BAD} bold", start, start + len(text))
    return shown
