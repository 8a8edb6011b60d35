"""Agents for the tests of the loop: a script for a model, small tools, a frozen clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Budgets
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.calendar import calendar_tools
from campus_agent.tools.clock import CampusClock, clock_tool
from campus_agent.tools.tool import Source, Tool, ToolResult, tool

CLUB = "- Clubs › AI Club: The AI Club meets every Thursday at 5 PM in room 204. (clubs.md, line 3)"
SATURDAY = datetime(2026, 6, 13, 10, tzinfo=ZoneInfo("America/Los_Angeles"))


@tool(searches=True)
def search_campus_info(query: str) -> ToolResult:
    """Search.

    Args:
        query: what to look for.
    """
    if "wifi" in query:
        return ToolResult(f'Nothing found for "{query}".', empty=True)
    source = Source(title="Clubs › AI Club", source="clubs.md", line=3, text=CLUB.partition(": ")[2])
    return ToolResult(CLUB, sources=(source,))


def call(name: str = "search_campus_info", id: str | None = None, **arguments: Any) -> RequestedCall:
    return RequestedCall(name, arguments, id)


def search(query: str = "AI Club") -> list[RequestedCall]:
    return [call(query=query)]


@pytest.fixture
def make_agent() -> Callable[..., Agent]:
    """Return a function that makes an agent of a script: `make_agent(replies, max_steps=3, tools=[...])`."""

    def make(
        replies: Iterable[Any], *, tools: Iterable[Tool] | None = None, mode: str = "strict", **options: Any
    ) -> Agent:
        clock = CampusClock(SATURDAY.tzinfo, SATURDAY)  # type: ignore[arg-type]
        budgets = {name: options.pop(name) for name in list(options) if name in Budgets.model_fields}
        everything = [search_campus_info, clock_tool(clock), *calendar_tools(clock)]
        return Agent(
            ScriptedModel(replies),
            everything if tools is None else list(tools),
            instructions="Answer.",
            guardrail=Guardrail(mode=mode, refusal=REFUSAL),  # type: ignore[arg-type]
            budgets=Budgets(**budgets),
            clock=clock,
            **options,
        )

    return make
