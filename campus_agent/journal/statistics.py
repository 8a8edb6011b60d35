"""Counts what happened in many runs."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from campus_agent.journal.records import CUT


class Times(BaseModel):
    """How long something took, in milliseconds: of so many times, half, 95 and 99 in a hundred took no longer."""

    model_config = ConfigDict(frozen=True)

    count: int
    p50: float
    p95: float
    p99: float


class ToolFigures(BaseModel):
    """What became of the calls of one tool; `times` are those of the calls that ran, None where none did."""

    model_config = ConfigDict(frozen=True)

    calls: int
    statuses: dict[str, int]
    times: Times | None


class Tokens(BaseModel):
    """Tokens that servers counted, in the `runs` for which they did."""

    model_config = ConfigDict(frozen=True)

    runs: int
    prompt_tokens: int
    completion_tokens: int


class Statistics(BaseModel):
    """Figures of the runs that were asked for.

    Attributes:
        runs: how many there are.
        outcomes: how many ended in which way; "cut" stands for those without an end.
        steps: the steps that a run took, on average; None without runs.
        tools: each tool that was asked for, the busiest first.
        model: the time of the model in a step: that of the step without that of its longest tool call.
        tokens: None where no server counted any.
        repairs: calls whose arguments had to be repaired, or were edited by hand.
        refusals: runs that ended with the refusal line.
    """

    model_config = ConfigDict(frozen=True)

    runs: int
    outcomes: dict[str, int]
    steps: float | None
    tools: dict[str, ToolFigures]
    model: Times | None
    tokens: Tokens | None
    repairs: int
    refusals: int


def count(db: sqlite3.Connection, conditions: str, values: Sequence[object]) -> Statistics:
    """Return the figures of the runs `r` for which the conditions, in SQL, are true."""
    of_runs = f"FROM runs r WHERE {conditions}"
    outcomes = dict(
        db.execute(
            f"SELECT coalesce(outcome, '{CUT}'), count(*) {of_runs} GROUP BY outcome ORDER BY count(*) DESC", values
        ).fetchall()
    )
    joined = f"JOIN runs r ON r.key = s.run WHERE {conditions}"
    steps = db.execute(f"SELECT s.model_ms FROM steps s {joined}", values).fetchall()
    calls = db.execute(f"SELECT s.tool, s.status, s.latency_ms, s.repaired FROM calls s {joined}", values).fetchall()
    counted, read, written = db.execute(
        f"SELECT count(prompt_tokens), sum(prompt_tokens), sum(completion_tokens) {of_runs}", values
    ).fetchone()
    runs = sum(outcomes.values())
    return Statistics(
        runs=runs,
        outcomes=outcomes,
        steps=round(len(steps) / runs, 2) if runs else None,
        tools=_tools(calls),
        model=times([value for (value,) in steps if value is not None]),
        tokens=Tokens(runs=counted, prompt_tokens=read, completion_tokens=written) if counted else None,
        repairs=sum(repaired for *_, repaired in calls),
        refusals=outcomes.get("refused", 0),
    )


def times(milliseconds: Sequence[float]) -> Times | None:
    """Return the percentiles, by nearest rank: each is a value that really occurred; None for no values."""
    ordered = sorted(milliseconds)
    if not ordered:
        return None
    p50, p95, p99 = (ordered[math.ceil(len(ordered) * share / 100) - 1] for share in (50, 95, 99))
    return Times(count=len(ordered), p50=p50, p95=p95, p99=p99)


def _tools(calls: Sequence[tuple[str, str | None, float | None, int]]) -> dict[str, ToolFigures]:
    by_tool: dict[str, list[tuple[str, float | None]]] = {}
    for tool, status, latency, _ in calls:
        by_tool.setdefault(tool, []).append((status or CUT, latency))
    busiest = sorted(by_tool, key=lambda tool: (-len(by_tool[tool]), tool))
    return {tool: _figures(by_tool[tool]) for tool in busiest}


def _figures(calls: Sequence[tuple[str, float | None]]) -> ToolFigures:
    statuses: dict[str, int] = {}
    for status, _ in calls:
        statuses[status] = statuses.get(status, 0) + 1
    ran = [latency for status, latency in calls if latency or (latency is not None and status in ("ok", "empty"))]
    return ToolFigures(calls=len(calls), statuses=statuses, times=times(ran))
