"""A step in the trace: what the model thought, what it acted on, what was observed, and what was checked."""

from __future__ import annotations

import json
from typing import Any

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
    StepFinished,
    ThoughtDelta,
    WithdrawnReason,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.review import CheckedFact
from campus_agent.text import duration, one_line, plural
from campus_agent.tui.widgets.row import Paragraph, Row
from campus_agent.tui.words import ACTING, BAD, CAUTION, OBSERVE, line, plain

_LIVE = 30  # characters of a thought that are shown while it streams
_DIM = "$muted"
_MISSING = Content.styled("✕ ", BAD)


class StepCard(Vertical):
    """A step in the trace; it is told the events of its step, and shows each where it belongs."""

    def __init__(self, step: int) -> None:
        # The first thing that happens takes the place of this row, so that the card does not grow for it.
        self._first = Row(Content.styled("· thinking", _DIM), (), number=str(step))
        super().__init__(self._first)
        self._taken = False
        self._acted = False
        self._acts: dict[str, Row] = {}
        self._thought: list[str] = []
        self._thinking: Row | None = None
        self._draft: list[str] = []
        self._checked: Row | None = None

    async def show(self, event: Event) -> None:
        """Show the next event of the step."""
        match event:
            case ThoughtDelta():
                await self._think(event.text)
            case AnswerDelta():
                self._draft.append(event.text)
            case AnswerWithdrawn():
                await self._withdraw(event.reason)
            case Acting():
                await self._act(event)
            case Observed():
                await self._observe(event)
            case GroundingChecked():
                await self._check(event.facts)
            case Note():
                await self._row(Content.styled("· note", _DIM), [Paragraph(plain(event.text, _DIM))])
            case StepFinished() if not self._acted:
                (self._checked or self._first).change(edge=_time(event.latency_ms))

    async def end(self, outcome: Outcome) -> None:
        """Show what is left when the run ends here: an answer, a draft that did not become one, or nothing."""
        self._thought_over()
        draft = "".join(self._draft)
        self._draft.clear()
        if outcome.complete:
            if self._checked is None:
                said = "the refusal line" if outcome is Outcome.REFUSED else "not checked"
                await self._row(Content("answer"), [Paragraph(Content(said))])
        elif draft:
            await self._row(Content.styled("draft", _DIM), [Paragraph(plain(draft, _DIM))])
        elif not self._taken:
            await self._row(Content.styled("· no reply", _DIM), [])
        for row in self._acts.values():
            row.change(edge=Content.styled("not finished", _DIM))
        self._acts.clear()

    async def _row(self, label: Content, body: list[Paragraph], *, after: Row | None = None) -> Row:
        """Show a row; the first one of the card takes the place that was kept for it."""
        if not self._taken:
            self._taken = True
            self._first.change(label, body)
            return self._first
        row = Row(label, body)
        await self.mount(row, after=after)
        return row

    async def _think(self, text: str) -> None:
        self._thought.append(text)
        if self._thinking is None:
            self._thinking = await self._row(Content.styled("· thought", _DIM), [])
        # While it streams the thought keeps to one line, its newest words; the whole of it comes at the end.
        newest = one_line("".join(self._thought[-_LIVE:]))
        self._thinking.change(body=[Paragraph(Content.styled(f"…{newest[-_LIVE:]}", _DIM))])

    def _thought_over(self) -> None:
        if self._thinking is not None:
            self._thinking.change(body=[Paragraph(plain("".join(self._thought).strip(), _DIM))])
            self._thinking = None
            self._thought.clear()

    async def _withdraw(self, reason: WithdrawnReason) -> None:
        draft = "".join(self._draft).strip()
        self._draft.clear()
        if not draft:
            return
        match reason:
            case "became_thought":
                await self._row(Content.styled("· thought", _DIM), [Paragraph(plain(draft, _DIM))])
            case "retried":
                await self._row(Content.styled("· retried", _DIM), [Paragraph(plain(draft, f"{_DIM} strike"))])
            case "rejected":
                self._checked = None
                await self._row(Content.styled("✕ rejected", BAD), [Paragraph(plain(draft, f"{_DIM} strike"))])

    async def _act(self, event: Acting) -> None:
        self._thought_over()
        self._acted = True
        body = [Paragraph(line(event.tool, 80, "bold")), *_arguments(event)]
        if event.repaired:
            body.append(Paragraph(line(f"repaired: {event.repaired}", 0, CAUTION)))
        row = await self._row(ACTING, body)
        row.change(edge=Content.styled("…", _DIM))
        self._acts[event.call_id] = row

    async def _observe(self, event: Observed) -> None:
        acting = self._acts.pop(event.call_id, None)
        if acting is not None:
            acting.change(edge=_time(event.latency_ms))
        await self._row(OBSERVE, _observation(event), after=acting)

    async def _check(self, facts: tuple[CheckedFact, ...]) -> None:
        self._thought_over()
        missing = [fact for fact in facts if not fact.supported]
        said = f"checked {len(facts) - len(missing)} of {plural(len(facts), 'fact')}" if facts else "no facts to check"
        body = [Paragraph(Content(said))]
        body += [
            Paragraph(line(fact.text, 60) + Content.styled(" is supported by nothing observed", _DIM), _MISSING)
            for fact in missing
        ]
        self._checked = await self._row(Content("draft" if missing else "answer"), body)


def _time(milliseconds: float) -> Content:
    return Content.styled(duration(milliseconds), _DIM)


def _arguments(event: Acting) -> list[Paragraph]:
    """Return a line for each argument, the values under each other, or what could not be read as arguments."""
    if event.arguments is None:
        return [Paragraph(plain(event.raw_arguments or "(nothing)"), Content.styled("unreadable  ", CAUTION))]
    names = {name: line(name, 24) for name in event.arguments}
    widest = max((name.cell_length for name in names.values()), default=0)
    return [
        Paragraph(plain(_value(event.arguments[name])), shown.pad_right(widest - shown.cell_length + 2).stylize(_DIM))
        for name, shown in names.items()
    ]


def _value(value: Any) -> str:  # noqa: ANN401 - a JSON value of any shape
    return json.dumps(value, ensure_ascii=False, default=str)


def _observation(event: Observed) -> list[Paragraph]:
    """Return what was observed: a line that sums it up, unless it is short and fine, then the text itself."""
    size = plural(event.length, "character")
    text = [_passage(part) for part in event.content.split("\n")]
    match event.status:
        case "ok" if event.sources:
            said = Content.styled(f"{plural(len(event.sources), 'passage')} · {size}", _DIM)
        case "ok":
            return text
        case "empty":
            return [Paragraph(text[0].text, Content("○ ")), *text[1:]]
        case "error":
            said = Content.styled("✕ failed", BAD)
        case "cached":
            said = Content.styled(f"same as before · {size}", _DIM)
        case "skipped":
            said = Content("skipped")
    return [Paragraph(said), *text]


def _passage(text: str) -> Paragraph:
    if text.startswith("- "):
        return Paragraph(plain(text[2:]), Content.styled("- ", _DIM))
    return Paragraph(plain(text))
