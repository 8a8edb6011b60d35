"""What has happened in a run so far: its events, and what the screen counts from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

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

_DOUBT = "Weak match"  # how a search begins the line that says which words no passage mentions
_ROOM = 2  # times the first prompt of a run: what the bars of its prompts are drawn beside


class Record:
    """The events of one run; neighbouring pieces of text are joined, so a long answer stays one event.

    Those of a stored run are read whenever they are wanted, and what is counted from them is known from then on: so a
    conversation of any length takes little room.

    Attributes:
        question: what was asked.
        run: the id of the run in the journal, "" while it is not there.
        remark: what has changed since the question before, such as the base that is searched; "" for nothing.
        step: the step that the run is in, 0 before the first.
        steps: the most steps that it may take.
        calls: the tool calls that ran.
        max_calls: the most tool calls that may run.
        deadline: the most seconds that it may take, 0 before they are known.
        nothing: what the last search that found nothing said, "" when there is none.
        weak: what the last search said of words that no passage mentions, "" when it found what was asked for.
        skipped: how many tool calls were not run because the person, or a limit, did not let them.
        missing: how many facts had no support in the last draft that had such facts.
        prompts: the size of each step's prompt so far, by step, in characters.
        prompt_scale: the size of a prompt whose bar is full, in characters: with room for the prompts to grow.
        longest_step: the time that the longest step so far took, in milliseconds.
        tools: the names of the tools asked for, each once, in that order.
        facts: the facts of the last draft that was checked, or None when none was.
        sources: the passages that bore that draft out.
        finished: how the run ended, None while it goes on.
    """

    def __init__(self, question: str, *, run: str = "", read: Callable[[], Iterable[Event]] | None = None) -> None:
        """Take the question; of a stored run also its id in the journal, and what reads its events."""
        self.question = question
        self.run = run
        self._read = read
        self._counted = False
        self.remark = ""
        self.step = 0
        self.steps = 0
        self.calls = 0
        self.max_calls = 0
        self.deadline = 0.0
        self.nothing = ""
        self.weak = ""
        self.skipped = 0
        self.missing = 0
        self._queries: dict[str, str] = {}  # by call: an edited call was never run with the first one
        self.prompts: dict[int, int] = {}
        self.prompt_scale = 0
        self.longest_step = 0.0
        self.tools: list[str] = []
        self.facts: tuple[CheckedFact, ...] | None = None
        self.sources: tuple[Source, ...] = ()
        self.finished: RunFinished | None = None
        self._events: list[Event] = []
        self._pieces: list[str] = []

    @property
    def stored(self) -> bool:
        """Whether the run is one of the journal, whose events are not kept here."""
        return self._read is not None

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, in order."""
        if self._read is not None:
            for event in self._read():
                if self._counted:
                    self._keep(event)
                else:
                    self.add(event)
            self._counted = True
        self._join()
        events = tuple(self._events)
        if self.stored:
            self._events.clear()
        return events

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
            case RunStarted():
                self._started(event.budgets)
            case StepStarted():
                self.step, self.steps = event.step, event.of
                self._sized(event)
            case StepFinished():
                self.longest_step = max(self.longest_step, event.latency_ms)
            case Acting():
                self._asked(event)
            case Observed():
                self._observed(event)
            case GroundingChecked():
                self.facts, self.sources = event.facts, event.sources
                self.missing = sum(not fact.supported for fact in event.facts) or self.missing
            case RunFinished():
                self.finished = event
            case _:
                pass
        self._keep(event)

    def _started(self, budgets: Budgets) -> None:
        self.steps, self.max_calls, self.deadline = budgets.max_steps, budgets.max_tool_calls, budgets.deadline

    def _sized(self, event: StepStarted) -> None:
        """Take in the size of a prompt; the scale grows seldom, so that the bars of earlier steps stay as they are."""
        if event.prompt_chars is None:
            return
        self.prompts[event.step] = event.prompt_chars
        self.prompt_scale = self.prompt_scale or _ROOM * event.prompt_chars
        while 0 < self.prompt_scale < event.prompt_chars:
            self.prompt_scale *= _ROOM

    def _asked(self, event: Acting) -> None:
        if event.tool not in self.tools:
            self.tools.append(event.tool)
        query = (event.arguments or {}).get("query")
        if isinstance(query, str):
            self._queries[event.call_id] = query

    def _observed(self, event: Observed) -> None:
        self.calls += event.ran
        self.skipped += event.status == "skipped"
        if not event.ran and event.status != "cached":
            self._queries.pop(event.call_id, None)  # asked for, and never looked up
        if event.status == "empty":
            self.nothing = event.content
        if event.match is not None:
            doubts = (line for line in event.content.splitlines() if line.startswith(_DOUBT))
            self.weak = next(doubts, "") if event.match == "weak" else ""

    def _keep(self, event: Event) -> None:
        last = self._events[-1] if self._events else None
        if not isinstance(event, AnswerDelta | ThoughtDelta):
            self._join()
            self._events.append(event)
        elif isinstance(last, AnswerDelta | ThoughtDelta) and (last.kind, last.step) == (event.kind, event.step):
            self._pieces = self._pieces or [last.text]
            self._pieces.append(event.text)
        else:
            self._join()
            self._events.append(event)
            self._pieces.append(event.text)

    def _join(self) -> None:
        """Put the pieces of text that came one after the other into the one event that stands for them."""
        if self._pieces:
            self._events[-1] = self._events[-1].model_copy(update={"text": "".join(self._pieces)})
            self._pieces.clear()
