"""What is kept of one run for its judgement and for the figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from campus_agent.agent.events import (
    AnswerWithdrawn,
    Event,
    GroundingChecked,
    Observed,
    Planned,
    RunFinished,
    StepFinished,
    StepStarted,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.agent.result import RunResult
from campus_agent.guardrail.review import CheckedFact, Review


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run: what came of it, and what it took. Times are in milliseconds.

    Attributes:
        result: the run as one object; what it says of an answer's facts and sources is what the evaluation found.
        steps: model calls, without second looks and retries.
        model_ms: for each step the time that no tool was running, and for a plan the time that it took.
        tool_ms: the time of each tool that was really run.
        unsupported: facts of the answer that no observation supports; there are such only without the strict guardrail.
        unsupported_drafts: those of the drafts that did not become the answer.
    """

    result: RunResult
    steps: int
    model_ms: tuple[float, ...]
    tool_ms: tuple[float, ...]
    unsupported: tuple[str, ...]
    unsupported_drafts: tuple[str, ...]

    @classmethod
    def from_events(cls, events: Sequence[Event], review: Review) -> RunRecord:
        """Put the events of a run together; raises `ValueError` when its beginning or end is missing.

        `review` is of the answer, by whoever judges it: the run's own check may have been off.
        """
        result = RunResult.from_events(events)
        answered = result.outcome is Outcome.ANSWERED
        found = {"facts": review.facts, "sources": review.sources} if answered else {}
        return cls(
            result=result.model_copy(update=found),
            steps=sum(isinstance(event, StepStarted) for event in events),
            model_ms=_model_times(events),
            tool_ms=tuple(event.latency_ms for event in events if isinstance(event, Observed) and event.ran),
            unsupported=_texts(review.unsupported) if answered else (),
            unsupported_drafts=tuple(_of_drafts(events, answered=answered)),
        )

    @property
    def finished(self) -> bool:
        """Whether the run came to an end of its own, which one that was cancelled did not."""
        return self.result.outcome is not Outcome.CANCELLED


def _texts(facts: Iterable[CheckedFact]) -> tuple[str, ...]:
    return tuple(fact.text for fact in facts)


def _of_drafts(events: Sequence[Event], *, answered: bool) -> Iterator[str]:
    """Yield the facts without support of each draft that was withdrawn; without an answer, of every draft."""
    withdrawn = [at for at, event in enumerate(events) if isinstance(event, AnswerWithdrawn)]
    last = (withdrawn[-1] if withdrawn else 0) if answered else len(events)
    for event in events[:last]:
        if isinstance(event, GroundingChecked):
            yield from _texts(fact for fact in event.facts if not fact.supported)


def _model_times(events: Sequence[Event]) -> tuple[float, ...]:
    """Return the time of each step without that of its tools: they run side by side, so the longest is what they took.

    A run that ended before its first step is over has no such time.
    """
    tools: dict[int, float] = defaultdict(float)
    times: list[float] = []
    for event in events:
        match event:
            case Planned():
                times.append(event.latency_ms)
            case Observed():
                tools[event.step] = max(tools[event.step], event.latency_ms)
            case StepFinished():
                times.append(max(0.0, event.latency_ms - tools[event.step]))
            case RunFinished():
                break
            case _:
                pass
    return tuple(times)
