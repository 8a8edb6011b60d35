"""The plain-text reader of a run: the trace as lines, then the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    AnswerWithdrawn,
    Event,
    GroundingChecked,
    Note,
    Observed,
    Planned,
    PlanTicked,
    Reviewed,
    Reviewing,
    RunFinished,
    StepFinished,
    StepStarted,
    ThoughtDelta,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.cli.output import Write
from campus_agent.errors import Explanation
from campus_agent.models.chat_model import Usage
from campus_agent.text import duration, one_line, plural, sanitize

if TYPE_CHECKING:
    from campus_agent.assemble import About


@dataclass
class Printer:
    """Writes the trace of runs line by line, and each answer when its run has ended.

    Attributes:
        trace: takes the lines of the trace.
        murmur: takes those lines of it that may be quieter: step announcements and thoughts.
        answer: takes the answer, or the part of it that there is.
        message: takes why a run did not complete.
    """

    trace: Write
    murmur: Write
    answer: Write
    message: Callable[[Explanation], None]
    _steps: int = 0
    _asked: dict[str, Acting] = field(default_factory=dict)  # the calls of this step, by id
    _calls: int = 0
    _thought: str = ""
    _draft: str = ""
    _plan: tuple[str, ...] = ()
    _unsupported: list[str] = field(default_factory=list)  # facts of the latest draft

    def read(self, event: Event) -> None:
        """Take the next event of a run."""
        if isinstance(event, ThoughtDelta):
            self._thought += event.text
            return
        self._finish_thought()
        match event:
            case StepStarted():
                self._steps, self._asked, self._draft = event.step, {}, ""
                size = "" if event.prompt_chars is None else f" · prompt of {plural(event.prompt_chars, 'character')}"
                self.murmur(f"  step {event.step}/{event.of}{size}")
            case AnswerDelta():
                self._draft += event.text
            case AnswerWithdrawn():
                self._withdraw(event)
            case Acting():
                self._act(event)
            case Observed():
                self._observe(event)
            case RunFinished():
                self._end(event)
            case _:
                self._aside(event)

    def _aside(self, event: Event) -> None:
        """Take an event that stands beside acting and observing."""
        match event:
            case StepFinished():
                self.murmur(f"  step {event.step} · {tokens(event.usage)} · {duration(event.latency_ms)}")
            case GroundingChecked():
                self._check(event)
            case Planned():
                self._plan = tuple(f"{number}. {one_line(item)}" for number, item in enumerate(event.items, 1))
                for item in self._plan:
                    self.trace(f"  plan · {item}")
                self.murmur(f"  plan · {tokens(event.usage)} · {duration(event.latency_ms)}")
            case PlanTicked():
                self.trace(f"  plan · {self._plan[event.item]} · done")
            case Reviewing():
                size = plural(event.prompt_chars, "character")
                self.murmur(f"  step {event.step} · {_BY[event.by]:<7} · prompt of {size}")
            case Reviewed():
                self._review(event)
            case Note():
                self.trace(f"  note: {one_line(event.text)}")

    def _line(self, label: str, arrow: str, text: str) -> str:
        """Lay out one part of the trace; further lines of `text` stand beneath its first."""
        head = f"  step {self._steps} · {label:<7} {arrow} "
        return head + sanitize(text).rstrip().replace("\n", "\n" + " " * len(head))

    def _finish_thought(self) -> None:
        if self._thought.strip():
            self.murmur(self._line("thought", "..", self._thought.strip()))
        self._thought = ""

    def _withdraw(self, event: AnswerWithdrawn) -> None:
        match event.reason:
            case "became_thought":
                self._thought = self._draft
                self._finish_thought()
            case "rejected":
                self.trace(self._line("draft", "xx", self._draft.strip()))
            case "retried":
                self.trace(self._line("draft", "xx", "the answer broke off and is asked for again"))
        self._draft = ""

    def _act(self, event: Acting) -> None:
        self._asked[event.call_id] = event
        raw = event.raw_arguments or ""
        arguments = raw if event.arguments is None else json.dumps(event.arguments, ensure_ascii=False)
        self.trace(self._line("acting", "->", f"{one_line(event.tool)}({one_line(arguments)})"))
        if event.repaired:
            self.trace(f"  note: arguments repaired: {one_line(event.repaired)}")

    def _observe(self, event: Observed) -> None:
        self._calls += event.ran
        again = "(again) " if event.status == "cached" else ""
        self.trace(self._line("observe", "<-", self._whose(event) + again + event.content))

    def _whose(self, event: Observed) -> str:
        """Say whose observation this is, as calls of one step run side by side; "" where there is but one."""
        if len(self._asked) < 2:
            return ""
        of_tool = [call for call in self._asked.values() if call.tool == event.tool]
        call = self._asked.get(event.call_id)
        query = (call.arguments or {}).get("query") if call and len(of_tool) > 1 else None
        sought = f": {one_line(query, _QUERY)}" if isinstance(query, str) else ""
        return f"({one_line(event.tool)}{sought}) "

    def _check(self, event: GroundingChecked) -> None:
        self._unsupported = missing = [fact.text for fact in event.facts if not fact.supported]
        if not event.facts:
            return
        text = f"{len(event.facts) - len(missing)} of {len(event.facts)} facts supported"
        self.trace(self._line("checked", "==", one_line(f"{text}; not: {', '.join(missing)}" if missing else text)))

    def _review(self, event: Reviewed) -> None:
        said = "approved" if event.approved else f"not approved: {event.text.strip()}"
        self.trace(self._line(_BY[event.by], "??", said))
        spent = f"{tokens(event.usage)} · {duration(event.latency_ms)}"
        self.murmur(f"  step {event.step} · {_BY[event.by]:<7} · {spent}")

    def _end(self, event: RunFinished) -> None:
        if event.answer:
            self.answer(event.answer)
        if event.outcome is Outcome.ANSWERED and self._unsupported:
            self.answer(f"▲ no source supports: {one_line(', '.join(self._unsupported))}")
        if event.message:
            self.message(event.message)
        ending = f"{event.outcome.sign} {event.outcome.words}"
        steps, calls = plural(self._steps, "step"), plural(self._calls, "call")
        self.trace(f"  {ending} in {steps}, {calls}, {duration(event.duration_ms)}")
        self._steps, self._calls, self._unsupported, self._plan = 0, 0, [], ()


_QUERY = 40  # characters of a query, by which one call is told from another
_BY = {"verifier": "verify", "critic": "critic"}


def tokens(usage: Usage | None) -> str:
    """Say what a server counted, and `n/a` where it did not say: that is not nothing."""
    if usage is None:
        return "tokens n/a"
    return f"{usage.prompt_tokens:,} tokens read, {usage.completion_tokens:,} written"


def introduce(about: About, write: Write) -> None:
    """Write which model answers from which base, and what of the base could not be read."""
    write(f"  {about.model} · {about.base}")
    for problem in about.problems:
        write(f"  note: {one_line(problem)}")
