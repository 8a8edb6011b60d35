from __future__ import annotations

import pytest

from campus_agent import Agent, Settings
from campus_agent.agent.outcome import Outcome

SATURDAY = "2026-06-13T10:00:00-07:00"
CLUB, LAB, BOTH = (
    "How many days until the next USC AI Club meeting?",
    "Is the GPU lab open tomorrow?",
    "How many days until the AI Club and is the GPU lab open now?",
)


@pytest.mark.parametrize("question", [CLUB, LAB, BOTH])
@pytest.mark.parametrize("limit", [{"max_steps": 2}, {"max_steps": 3}, {"max_tool_calls": 1}, {"max_tool_calls": 2}])
async def test_an_answer_that_says_what_a_limit_left_undone_is_an_answer(question: str, limit: dict[str, int]) -> None:
    agent = Agent.from_settings(Settings.load(provider="offline", now=SATURDAY, journal=False, **limit))
    result = await agent.ask(question)
    assert result.outcome is Outcome.ANSWERED
    assert result.answer


async def test_what_two_steps_leave_undone_of_the_first_demo_question_is_said() -> None:
    agent = Agent.from_settings(Settings.load(provider="offline", now=SATURDAY, journal=False, max_steps=2))
    assert (await agent.ask(CLUB)).answer == (
        "The USC AI Club meets every Thursday at 5 PM in room 204 of the engineering building. "
        "There was no step left to count the days."
    )
