"""What has happened in a run so far: its events, and what the screen counts from them."""

from __future__ import annotations

from campus_agent.agent.events import (
    Acting,
    AnswerDelta,
    Budgets,
    Event,
    GroundingChecked,
    Observed,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    ThoughtDelta,
)
from campus_agent.guardrail.review import CheckedFact
from campus_agent.tools.tool import Source


class Record:
    """The events of one run; neighbouring pieces of text are joined, so a long answer stays one event.

    Attributes:
        question: what was asked.
        step: the step that the run is in, 0 before the first.
        steps: the most steps that it may take.
        calls: the tool calls that ran.
        max_calls: the most tool calls that may run.
        deadline: the most seconds that it may take, 0 before they are known.
        largest_prompt: the size of the largest prompt so far, in characters.
        longest_step: the time that the longest step so far took, in milliseconds.
        tools: the names of the tools asked for, each once, in that order.
        facts: the facts of the last draft that was checked, or None when none was.
        sources: the passages that bore that draft out.
        nothing: what the last search that found nothing said, "" when there is none.
        finished: how the run ended, None while it goes on.
    """

    def __init__(self, question: str) -> None:
        self.question = question
        self.step = 0
        self.steps = 0
        self.calls = 0
        self.max_calls = 0
        self.deadline = 0.0
        self.largest_prompt = 0
        self.longest_step = 0.0
        self.tools: list[str] = []
        self.facts: tuple[CheckedFact, ...] | None = None
        self.sources: tuple[Source, ...] = ()
        self.nothing = ""
        self.finished: RunFinished | None = None
        self._queries: dict[str, str] = {}  # by call: an edited call was never run with the first one
        self._events: list[Event] = []
        self._pieces: list[str] = []

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, in order."""
        self._join()
        return tuple(self._events)

    @property
    def searches(self) -> list[str]:
        """What was searched for, each once, in that order."""
        return list(dict.fromkeys(self._queries.values()))

    @property
    def documents(self) -> list[str]:
        """The documents that support the facts of the answer, each once, in the order of the facts."""
        if self.sources:
            return list(dict.fromkeys(source.source for source in self.sources))
        from campus_agent.guardrail.finding import QUESTION  # known only where there is a run to look back at

        found = (fact.source for fact in self.facts or () if fact.source)
        return [source for source in dict.fromkeys(found) if source not in (*self.tools, QUESTION)]

    def add(self, event: Event) -> None:
        """Take in the next event of the run."""
        match event:
            case AnswerDelta() | ThoughtDelta():
                self._piece(event)
                return
            case RunStarted():
                self._started(event.budgets)
            case StepStarted():
                self.step, self.steps = event.step, event.of
                self.largest_prompt = max(self.largest_prompt, event.prompt_chars or 0)
            case StepFinished():
                self.longest_step = max(self.longest_step, event.latency_ms)
            case Acting():
                self._asked(event)
            case Observed():
                self._observed(event)
            case GroundingChecked():
                self.facts, self.sources = event.facts, event.sources
            case RunFinished():
                self.finished = event
        self._join()
        self._events.append(event)

    def _started(self, budgets: Budgets) -> None:
        self.steps, self.max_calls, self.deadline = budgets.max_steps, budgets.max_tool_calls, budgets.deadline

    def _asked(self, event: Acting) -> None:
        if event.tool not in self.tools:
            self.tools.append(event.tool)
        query = (event.arguments or {}).get("query")
        if isinstance(query, str):
            self._queries[event.call_id] = query

    def _observed(self, event: Observed) -> None:
        self.calls += event.ran
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
