"""A run as one object: what `ask --json` prints and `Agent.ask` returns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict

from campus_agent.agent.events import (
    Acting,
    Event,
    GroundingChecked,
    Note,
    Observed,
    Reviewed,
    RunFinished,
    RunStarted,
    Status,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.errors import Explanation
from campus_agent.guardrail.review import CheckedFact
from campus_agent.models.chat_model import Usage
from campus_agent.tools.tool import Source


class StepRecord(BaseModel):
    """One tool call that was asked for, run or not."""

    model_config = ConfigDict(frozen=True)

    step: int
    tool: str
    arguments: dict[str, Any] | None
    raw_arguments: str | None
    observation: str | None
    status: Status
    latency_ms: float


class RunResult(BaseModel):
    """All that is worth keeping of a run; times in milliseconds."""

    model_config = ConfigDict(frozen=True)

    question: str
    outcome: Outcome
    complete: bool
    model: str
    provider: str
    duration_ms: float
    answer: str | None
    message: Explanation | None
    steps: tuple[StepRecord, ...]
    sources: tuple[Source, ...]
    facts: tuple[CheckedFact, ...]
    usage: Usage | None
    notes: tuple[str, ...]

    @property
    def exit_status(self) -> int:
        """The exit status of a command that made this run: 0 complete, 130 cancelled, 1 otherwise."""
        if self.complete:
            return 0
        return 130 if self.outcome is Outcome.CANCELLED else 1

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> RunResult:
        """Put a run's events together; raises `ValueError` when the run's beginning or end is missing."""
        started: RunStarted | None = None
        finished: RunFinished | None = None
        checked: GroundingChecked | None = None
        acts: dict[tuple[int, str], Acting] = {}
        observed: dict[tuple[int, str], Observed] = {}
        notes: list[str] = []
        for event in events:
            match event:
                case RunStarted():
                    started = event
                case Acting():
                    acts[event.step, event.call_id] = event
                case Observed():
                    observed[event.step, event.call_id] = event
                case GroundingChecked():
                    checked = event
                case Note():
                    notes.append(event.text)
                case Reviewed(approved=False):
                    notes.append(f"The {event.by} did not approve the draft: {event.text}")
                case RunFinished():
                    finished = event
                case _:
                    pass
        if started is None or finished is None:
            raise ValueError("these events are not a whole run")
        return cls(
            question=started.question,
            model=started.model,
            provider=started.provider,
            steps=tuple(_record(act, observed.get(key)) for key, act in acts.items()),
            sources=_sources(finished, checked, observed.values()),
            facts=checked.facts if checked else (),
            notes=tuple(notes),
            **{name: getattr(finished, name) for name in _OF_THE_END},
        )


_OF_THE_END = ("outcome", "complete", "duration_ms", "answer", "message", "usage")


def _record(act: Acting, observed: Observed | None) -> StepRecord:
    return StepRecord(
        step=act.step,
        tool=act.tool,
        arguments=act.arguments,
        raw_arguments=act.raw_arguments,
        observation=observed.content if observed else None,
        status=observed.status if observed else "skipped",
        latency_ms=observed.latency_ms if observed else 0.0,
    )


def _sources(
    finished: RunFinished, checked: GroundingChecked | None, observed: Iterable[Observed]
) -> tuple[Source, ...]:
    """Return the passages that bore the answer out; without a check, all that were found."""
    if finished.outcome is not Outcome.ANSWERED:
        return ()
    if checked is not None:
        return checked.sources
    return tuple(dict.fromkeys(source for event in observed for source in event.sources))
