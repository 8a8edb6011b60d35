"""What is kept of one run for its judgement and for the figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from campus_agent.agent.events import (
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


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run: what came of it, and what it took. Times are in milliseconds.

    Attributes:
        result: the run as one object.
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
    def from_events(cls, events: Sequence[Event]) -> RunRecord:
        """Put the events of a run together; raises `ValueError` when its beginning or end is missing."""
        result = RunResult.from_events(events)
        checks = [_unsupported(event) for event in events if isinstance(event, GroundingChecked)]
        said = checks.pop() if checks and result.outcome is Outcome.ANSWERED else ()
        return cls(
            result=result,
            steps=sum(isinstance(event, StepStarted) for event in events),
            model_ms=_model_times(events),
            tool_ms=tuple(event.latency_ms for event in events if isinstance(event, Observed) and event.ran),
            unsupported=said,
            unsupported_drafts=tuple(fact for facts in checks for fact in facts),
        )

    @property
    def finished(self) -> bool:
        """Whether the run came to an end of its own, which one that was cancelled did not."""
        return self.result.outcome is not Outcome.CANCELLED


def _unsupported(check: GroundingChecked) -> tuple[str, ...]:
    return tuple(fact.text for fact in check.facts if not fact.supported)


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
