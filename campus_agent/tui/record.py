"""What has happened in a run so far: its events, and what the screen counts from them."""

from __future__ import annotations

from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    Event,
    GroundingChecked,
    Observed,
    RunFinished,
    RunStarted,
    StepStarted,
    ThoughtDelta,
)
from campus_agent.guardrail.review import CheckedFact


class Record:
    """The events of one run; neighbouring pieces of text are joined, so a long answer stays one event.

    Attributes:
        question: what was asked.
        step: the step that the run is in, 0 before the first.
        steps: the most steps that it may take.
        calls: the tool calls that ran.
        max_calls: the most tool calls that may run.
        tools: the names of the tools asked for, each once, in that order.
        searches: what was searched for, in that order.
        facts: the facts of the last draft that was checked, or None when none was.
        nothing: what the last search that found nothing said, "" when there is none.
        finished: how the run ended, None while it goes on.
    """

    def __init__(self, question: str) -> None:
        self.question = question
        self.step = 0
        self.steps = 0
        self.calls = 0
        self.max_calls = 0
        self.tools: list[str] = []
        self.searches: list[str] = []
        self.facts: tuple[CheckedFact, ...] | None = None
        self.nothing = ""
        self.finished: RunFinished | None = None
        self._events: list[Event] = []
        self._pieces: list[str] = []

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, in order."""
        self._join()
        return tuple(self._events)

    @property
    def documents(self) -> list[str]:
        """The documents that support the facts of the answer, each once, in the order of the facts."""
        found = (fact.source for fact in self.facts or () if fact.source)
        return [source for source in dict.fromkeys(found) if source not in self.tools]

    def add(self, event: Event) -> None:
        """Take in the next event of the run."""
        match event:
            case AnswerDelta() | ThoughtDelta():
                self._piece(event)
                return
            case RunStarted():
                self.steps, self.max_calls = event.budgets.max_steps, event.budgets.max_tool_calls
            case StepStarted():
                self.step, self.steps = event.step, event.of
            case Acting():
                self._asked(event)
            case Observed():
                self._observed(event)
            case GroundingChecked():
                self.facts = event.facts
            case RunFinished():
                self.finished = event
        self._join()
        self._events.append(event)

    def _asked(self, event: Acting) -> None:
        if event.tool not in self.tools:
            self.tools.append(event.tool)
        query = (event.arguments or {}).get("query")
        if isinstance(query, str) and query not in self.searches:
            self.searches.append(query)

    def _observed(self, event: Observed) -> None:
        if _ran(event):
            self.calls += 1
        if event.status == "empty":
            self.nothing = event.content

    def _piece(self, event: AnswerDelta | ThoughtDelta) -> None:
        last = self._events[-1] if self._events else None
        if isinstance(last, AnswerDelta | ThoughtDelta) and (last.kind, last.step) == (event.kind, event.step):
            self._pieces = self._pieces or [last.text]
        else:
            self._join()
            self._events.append(event)
        self._pieces.append(event.text)

    def _join(self) -> None:
        """Put the pieces of text that came one after the other into the one event that stands for them."""
        if self._pieces:
            self._events[-1] = self._events[-1].model_copy(update={"text": "".join(self._pieces)})
            self._pieces.clear()


def _ran(event: Observed) -> bool:
    """Return whether a tool really ran; a call that was refused is an error that took no time and does not say so."""
    match event.status:
        case "ok" | "empty":
            return True
        case "error":
            return event.latency_ms > 0 or event.content.startswith(f"Tool '{event.tool}' failed:")
        case "cached" | "skipped":
            return False
