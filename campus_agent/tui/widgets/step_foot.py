"""The line at the foot of a step: how large its prompt was, what it cost, and how long it took."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.widget import Widget

from campus_agent.agent.events import StepFinished, StepStarted
from campus_agent.models.chat_model import Usage
from campus_agent.text import duration
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.row import NUMBER_CELLS
from campus_agent.tui.words import bar, rounded

_PROMPT_CELLS = 8
_TIME_CELLS = 3
_SIZE_SAID = 5  # cells, such as "9,999" and "205k"
_TIME_SAID = 6  # cells, such as "999 ms": so that the bars of all steps stand under each other


class StepFoot(Widget):
    """One muted line, always one line, with bars for the prompt, of which the new part stands out, and for the time."""

    def __init__(self, record: Record, started: StepStarted) -> None:
        """Take the record of the run, and the beginning of the step."""
        super().__init__()
        self._record = record
        self._step = started.step
        self._prompt = started.prompt_chars
        self._finished: StepFinished | None = None

    def finish(self, event: StepFinished) -> None:
        """Show what the step took."""
        self._finished = event
        self.refresh()

    def render(self) -> Content:
        """Draw the line for the width that it has: in little room the bar of the time goes first, then the tokens."""
        width = self.content_size.width
        forms = list(self._forms())
        left, right = next((form for form in forms if sum(part.cell_length for part in form) + 2 <= width), forms[-1])
        return left.truncate(max(0, width - right.cell_length), pad=True) + right

    def _forms(self) -> Iterator[tuple[Content, Content]]:
        """Yield the line as its left and its right part, the fullest first."""
        prompt, short = self._prompt_said(" characters"), self._prompt_said("")
        took, briefly = self._took(), self._took(barred=False)
        counted = list(_tokens(self._finished))
        for said in (prompt, short):
            for tokens in counted:
                yield (_joined(said, tokens), took)
        yield (_joined(prompt), took)
        yield (_joined(short), took)
        yield (_joined(short), briefly)

    def _prompt_said(self, unit: str) -> Content:
        """Say how large the prompt was, and by how much it had grown since the step before."""
        if self._prompt is None:
            return Content("")
        before = self._record.prompts.get(self._step - 1)
        shown = bar(self._prompt, self._record.prompt_scale, _PROMPT_CELLS, before=before)
        grown = self._prompt - before if before is not None else 0
        more = f"+{rounded(grown)}" if grown > 0 else ""
        size = f" {rounded(self._prompt):>{_SIZE_SAID}}{unit} {more:<{_SIZE_SAID + 1}}"
        return Content.assemble("prompt ", shown, size)

    def _took(self, *, barred: bool = True) -> Content:
        if self._finished is None:
            return Content("")
        took = self._finished.latency_ms
        said = Content.styled(f" {duration(took):>{_TIME_SAID}}", "$muted")
        return bar(took, self._record.longest_step, _TIME_CELLS) + said if barred else said


def _joined(prompt: Content, *more: str) -> Content:
    parts = [part for part in (prompt, *map(Content, more)) if part]
    return Content(" · ").join(parts).stylize_before("$muted").pad_left(NUMBER_CELLS)


def _tokens(finished: StepFinished | None) -> Iterator[str]:
    """Yield what the server counted, the longest way of saying it first; nothing is known before the step is over."""
    match finished:
        case None:
            return
        case StepFinished(usage=Usage() as usage):
            read, written = usage.prompt_tokens, usage.completion_tokens
            yield f"{read:,} tokens read, {written:,} written"
            yield f"{read + written:,} tokens"
        case _:
            yield "tokens n/a"
