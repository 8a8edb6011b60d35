"""Runs, agents and suites for the tests of the evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from campus_agent.agent.agent import Agent
from campus_agent.agent.outcome import Outcome
from campus_agent.agent.result import RunResult, StepRecord
from campus_agent.evaluation.case import Case, Expect
from campus_agent.evaluation.playing import Planned
from campus_agent.evaluation.run_record import RunRecord
from campus_agent.evaluation.suite import read_suites
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import Scripted, ScriptedModel
from campus_agent.settings import REFUSAL, Settings
from campus_agent.tools.tool import Source, Tool, ToolResult, tool

CLUB = "The AI Club meets every Thursday at 5 PM in room 204."
FOUND = Source(title="Clubs › AI Club", source="clubs.md", line=3, text=CLUB)


def call(name: str, arguments: dict[str, Any] | None = None, *, status: str = "ok", observed: str = "") -> StepRecord:
    return StepRecord(
        step=1,
        tool=name,
        arguments=arguments or {},
        raw_arguments=None,
        observation=observed,
        status=status,
        latency_ms=1.0,
    )


def record(answer: str | None = CLUB, *calls: StepRecord, outcome: str = "answered", **more: Any) -> RunRecord:
    of_record = {name: more.pop(name) for name in ("steps", "unsupported", "model_ms", "tool_ms") if name in more}
    values = {"question": "When?", "message": None, "sources": (), "facts": (), "usage": None, "notes": ()} | more
    ending = Outcome(outcome)
    result = RunResult(
        outcome=ending,
        complete=ending.complete,
        model="m",
        provider="p",
        duration_ms=5.0,
        answer=answer,
        steps=calls,
        **values,
    )
    taken = {"steps": 2, "model_ms": (3.0, 1.0), "tool_ms": (1.0,), "unsupported": (), "unsupported_drafts": ()}
    return RunRecord(result, **{**taken, **of_record})


def case(name: str = "club", question: str = "When does it meet?", **expect: Any) -> Case:
    return Case(name=name, question=question, expect=Expect.model_validate(expect or {"outcome": "answered"}))


def planned(*cases: Case) -> list[Planned]:
    return [Planned("suite", one, Settings()) for one in cases]


def agent(*replies: Scripted, tools: Iterable[Tool] = ()) -> Agent:
    return Agent(ScriptedModel(replies), [look_up(), *tools], instructions="", guardrail=Guardrail(refusal=REFUSAL))


def look_up() -> Tool:
    @tool(searches=True, timeless=True, read_only=True)
    def search_campus_info(query: str) -> ToolResult:
        """Look something up.

        Args:
            query: what.
        """
        return ToolResult(f"- AI Club: {CLUB} (clubs.md)", sources=(FOUND,))

    return search_campus_info


def asks(query: str = "club", name: str = "search_campus_info") -> list[RequestedCall]:
    return [RequestedCall(name, {"query": query}, "c1")]


def suite_file(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def only_case(path: Path) -> Case:
    ((one,),) = (suite.cases for suite in read_suites([path]))
    return one
