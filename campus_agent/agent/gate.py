"""The gate: how a person holds a run's hand. It is asked before each model call and each act."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

Purpose = Literal["step", "plan", "critic", "rewrite", "verifier"]
"""What a model call is for: all but "step" are made beside the steps, and count as none."""


@dataclass(frozen=True, slots=True)
class BeforeModel:
    """The loop is about to call the model in step `step` (0 before the first) of at most `of`."""

    step: int
    of: int
    purpose: Purpose = "step"


@dataclass(frozen=True, slots=True)
class BeforeAct:
    """The loop is about to run a tool with arguments that passed the gatekeeper."""

    step: int
    call_id: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Go:
    """Go on; for an act, with these arguments instead when some are given."""

    arguments: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """Do not run this act; the model is told that it was skipped. A model call cannot be skipped, so it goes on."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the run as cancelled."""


Decision = Go | Skip | Stop
Gate = Callable[[BeforeModel | BeforeAct], Awaitable[Decision]]


async def always_go(_: BeforeModel | BeforeAct) -> Decision:
    """Let everything through: the gate when nobody holds the run's hand."""
    return Go()
