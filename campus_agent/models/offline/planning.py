"""What the offline model would do for a question, told before it does it."""

from __future__ import annotations

import re

from campus_agent.models.chat_model import ModelRequest
from campus_agent.models.offline.case import Case
from campus_agent.models.offline.question import Kind
from campus_agent.models.offline.turns import SEARCH

_ASKS_FOR_A_PLAN = "Plan the steps"  # how the loop begins when it asks for one; a test holds the two together
_OFFERED = re.compile(r"^- (\w+):", re.MULTILINE)
_CLOCK, _COUNT, _COUNT_TO_DATE = "get_current_time", "days_until_weekday", "days_until_date"


def asks_for_plan(request: ModelRequest) -> bool:
    """Whether a request asks for a plan and not for an answer."""
    return request.system.startswith(_ASKS_FOR_A_PLAN)


def plan(case: Case, request: ModelRequest) -> str:
    """Return the plan for a question, a line for each tool that it is likely to need, of those that are offered."""
    offered = set(_OFFERED.findall(request.system))
    lines = [f"{tool}: {purpose}" for tool, purpose in _steps(case) if tool in offered]
    return "\n".join([*lines, "answer: say what was found"])


def _steps(case: Case) -> list[tuple[str, str]]:
    question, moment = case.question, case.question.moment
    look = (SEARCH, f"look for {question.query}" if question.query else "look for what was spoken of")
    read_clock = (_CLOCK, "see what day and time it is")
    count = (_COUNT_TO_DATE if moment.dates else _COUNT, "count the days")
    match question.kind:
        case Kind.HELLO | Kind.THANKS | Kind.ABILITIES:
            return []
        case Kind.CLOCK:
            return [read_clock]
        case Kind.COUNT if (moment.days or moment.dates) and not question.keys and not question.points:
            return [count]
        case Kind.COUNT:
            return [look, count]
        case Kind.COMPARE:
            acts = ((SEARCH, "look for"), (_COUNT, "count the days to"))
            return [(tool, f"{act} the {which}") for tool, act in acts for which in ("first", "second")]
        case _ if moment.needs_clock:
            return [look, read_clock]
    return [look]
