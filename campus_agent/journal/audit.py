"""The audit record of a run: one entry for each call that was asked for, run or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict

from campus_agent.agent.events import Acting, Event, Observed, Status


class AuditEntry(BaseModel):
    """What is on record of one call.

    Attributes:
        step: the step that it was asked for in.
        tool: the name that was asked for, whether there is such a tool or not.
        input: the arguments; text where they could not be read as an object.
        output_length: the length of the observation in characters; None where there is none.
        latency_ms: how long the tool took, 0 where it was not run; None where there is no observation.
        timestamp: when it was asked for (UTC).
        status: what became of it; None where the run was cut off before.
    """

    model_config = ConfigDict(frozen=True)

    step: int
    tool: str
    input: dict[str, Any] | str
    output_length: int | None
    latency_ms: float | None
    timestamp: AwareDatetime
    status: Status | None


def audit_of(events: Iterable[Event]) -> tuple[AuditEntry, ...]:
    """Return an entry for each call of a run, in the order in which the loop took them up."""
    asked: dict[tuple[int, str], Acting] = {}
    observed: dict[tuple[int, str], Observed] = {}
    for event in events:
        match event:
            case Acting():
                asked[event.step, event.call_id] = event
            case Observed():
                observed[event.step, event.call_id] = event
            case _:
                pass
    return tuple(_entry(act, observed.get(key)) for key, act in asked.items())


def _entry(act: Acting, observed: Observed | None) -> AuditEntry:
    return AuditEntry(
        step=act.step,
        tool=act.tool,
        input=(act.raw_arguments or "") if act.arguments is None else act.arguments,
        output_length=observed.length if observed else None,
        latency_ms=observed.latency_ms if observed else None,
        timestamp=act.time,
        status=observed.status if observed else None,
    )
