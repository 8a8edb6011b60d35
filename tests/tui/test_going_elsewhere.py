from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kept_runs import SIZE, begun, keeping_app, record
from screen_runs import PlayedAgent, Script, campus_app, club_run
from textual.pilot import Pilot
from textual.widgets import OptionList
from waiting import until

from campus_agent.agent.agent import Agent
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import tool
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.conversations import ConversationsScreen
from campus_agent.tui.widgets.prompt import Prompt


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def waiting_agent() -> Agent:
    """An agent whose first question is answered at once, and whose second never is."""

    @tool
    async def wait() -> str:
        """Wait."""
        await asyncio.Event().wait()
        return ""

    model = ScriptedModel(["Hello.", [RequestedCall("wait", {})], "Late."])
    return Agent(model, [wait], instructions="Answer.", guardrail=Guardrail(mode="off", refusal=REFUSAL))


def said(pilot: Pilot[int]) -> str:
    return "\n".join(note.message for note in pilot.app._notifications)


async def in_a_run(pilot: Pilot[int]) -> ConversationScreen:
    """Ask something that is answered, then something that never is."""
    screen = await begun(pilot)
    screen.question("one")
    await until(pilot, lambda: len(screen.records) == 1 and not screen.busy)
    screen.question("two")
    await until(pilot, lambda: screen.query("RunTrace").last().query("Row") and screen.records[-1].step == 1)
    return screen


async def command(pilot: Pilot[int], screen: ConversationScreen, typed: str) -> None:
    screen.query_one(Prompt).put(typed)
    await pilot.press("enter")


async def test_choosing_the_conversation_that_is_open_leaves_its_run_alone(path: Path):
    async with keeping_app(path, agent=waiting_agent()).run_test(size=SIZE, notifications=True) as pilot:
        screen = await in_a_run(pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConversationsScreen))
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: "the conversation that is open" in said(pilot))
        assert screen.busy
        assert [one.question for one in screen.records] == ["one", "two"]


async def test_a_conversation_that_cannot_be_resumed_stops_no_run_and_the_command_comes_back(path: Path):
    async with keeping_app(path, agent=waiting_agent()).run_test(size=SIZE, notifications=True) as pilot:
        screen = await in_a_run(pilot)
        for typed, words in (("/resume nowhere", "nowhere"), (f"/resume {screen._conversation()}", "that is open")):
            await command(pilot, screen, typed)
            await until(pilot, lambda typed=typed: screen.query_one(Prompt).text == typed)
            assert words in said(pilot)
        assert screen.busy


async def test_resuming_another_conversation_says_what_it_stops(path: Path):
    other = await record(path, club_run())
    async with keeping_app(path, agent=waiting_agent()).run_test(size=SIZE, notifications=True) as pilot:
        screen = await in_a_run(pilot)
        await command(pilot, screen, f"/resume {other}")
        await until(pilot, lambda: not screen.busy and [one.question for one in screen.records] != ["one", "two"])
        assert "The run was stopped. ↑ brings back what you asked." in said(pilot)
        await pilot.press("up")
        await until(pilot, lambda: screen.query_one(Prompt).text == "two")


async def test_a_note_behind_the_last_step_does_not_look_like_one_more():
    script = Script().step().write("Hello.").step_over()
    script.note("Memory: let go of something.")
    async with campus_app(PlayedAgent(script.events)).run_test(size=SIZE) as pilot:
        screen = pilot.app.screen_stack[0]
        assert isinstance(screen, ConversationScreen)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("?")
        await until(pilot, lambda: screen.records and len(screen.records[-1].events) == len(script.events))
        assert "Memory" not in str(screen.query_one("Status").render())
        assert any("Memory" in str(row.render()) for row in screen.query("RunTrace Row"))
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
