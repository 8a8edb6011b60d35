"""The figures of an evaluation, and the one object that holds all of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from campus_agent.evaluation.playing import Attempt, Played, Verdict
from campus_agent.evaluation.run_record import RunRecord
from campus_agent.models.chat_model import Usage, total_usage


@dataclass(frozen=True, slots=True)
class Times:
    """How long something took, in milliseconds: half of them at most `p50`, 95 of 100 at most `p95`."""

    p50: float
    p95: float

    @classmethod
    def of(cls, milliseconds: Sequence[float]) -> Times | None:
        """Take the percentiles by the nearest-rank method; None when there is nothing to take them of."""
        if not milliseconds:
            return None
        ordered = sorted(milliseconds)
        p50, p95 = (ordered[math.ceil(share * len(ordered)) - 1] for share in (0.50, 0.95))
        return cls(round(p50, 3), round(p95, 3))


@dataclass(frozen=True, slots=True)
class Summary:
    """What all cases come to.

    Attributes:
        passed: cases that passed; `flaky` those that did so only sometimes, `failed` never.
        not_played: cases that were not played, because of an interrupt.
        seconds: how long it all took.
        model: the time of a step without its tools.
        tool: the time of a tool call that ran.
        usage: tokens of all attempts, None where no server said; `counted` is how many of `runs` they are of.
        unsupported: facts in answers that no observation supports; `unsupported_drafts` those of drafts.
    """

    passed: int
    flaky: int
    failed: int
    not_played: int
    seconds: float
    model: Times | None
    tool: Times | None
    usage: Usage | None
    counted: int
    runs: int
    unsupported: int
    unsupported_drafts: int

    @classmethod
    def of(cls, played: Sequence[Played], *, of: int, seconds: float) -> Summary:
        """Sum up the cases that were played, of so many, in so many seconds."""
        runs = [run for one in played for run in runs_of(one.attempts)]
        usages = [run.result.usage for run in runs if run.result.usage is not None]
        verdicts = [one.verdict for one in played]
        return cls(
            passed=verdicts.count(Verdict.PASS),
            flaky=verdicts.count(Verdict.FLAKY),
            failed=verdicts.count(Verdict.FAIL),
            not_played=of - len(played),
            seconds=seconds,
            model=Times.of([time for run in runs for time in run.model_ms]),
            tool=Times.of([time for run in runs for time in run.tool_ms]),
            usage=total_usage(usages),
            counted=len(usages),
            runs=len(runs),
            unsupported=sum(len(run.unsupported) for run in runs),
            unsupported_drafts=sum(len(run.unsupported_drafts) for run in runs),
        )

    def line(self) -> str:
        """Return the one line that a script looks for."""
        return f"eval summary: {self.passed} passed, {self.flaky} flaky, {self.failed} failed — {self.seconds:.1f} s"


def runs_of(attempts: Sequence[Attempt]) -> tuple[RunRecord, ...]:
    """Return every run of some attempts."""
    return tuple(run for attempt in attempts for run in attempt.runs)


def as_object(played: Sequence[Played], summary: Summary, *, interrupted: bool) -> dict[str, Any]:
    """Return everything as one object for JSON; the runs in it are those of `ask --json`, with what they took."""
    counts = ("passed", "flaky", "failed", "not_played", "unsupported", "unsupported_drafts")
    return {
        **{name: getattr(summary, name) for name in counts},
        "interrupted": interrupted,
        "duration_ms": round(summary.seconds * 1000, 3),
        "model_ms": asdict(summary.model) if summary.model else None,
        "tool_ms": asdict(summary.tool) if summary.tool else None,
        "usage": summary.usage.model_dump() if summary.usage else None,
        "cases": [
            {
                "suite": one.suite,
                "name": one.case.name,
                "verdict": one.verdict,
                "attempts": [_attempt(attempt) for attempt in one.attempts],
            }
            for one in played
        ],
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "passed": not attempt.failures,
        "failures": [asdict(failure) for failure in attempt.failures],
        "runs": [_run(run) for run in attempt.runs],
    }


def _run(run: RunRecord) -> dict[str, Any]:
    return {
        **run.result.model_dump(mode="json"),
        "model_calls": run.steps,
        "model_ms": list(run.model_ms),
        "tool_ms": list(run.tool_ms),
        "unsupported": list(run.unsupported),
        "unsupported_drafts": list(run.unsupported_drafts),
    }
