from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from kept_runs import begun, keeping_app, record
from screen_runs import (
    ABOUT,
    QUESTIONS,
    PlayedAgent,
    campus_app,
    capped_run,
    club_run,
    failed_run,
    refused_run,
    rejected_run,
)
from textual.pilot import Pilot
from textual.widgets import OptionList
from waiting import until

from campus_agent.agent.events import Acting, Event
from campus_agent.agent.gate import BeforeAct, Gate
from campus_agent.assemble import About
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.pause_card import PauseCard

SIZES = {"wide": (120, 36), "narrow": (80, 24), "small": (60, 30), "least": (60, 20)}
RUNS = {
    "answered": club_run,
    "refused": refused_run,
    "rejected": rejected_run,
    "capped": capped_run,
    "failed": failed_run,
    "mid_step": lambda: club_run(until_second_call=True),
}


async def until_ready(pilot: Pilot[int]) -> None:
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    for _ in range(300):
        await pilot.pause()
        if screen.assistant is not None:
            break
    await pilot.pause()


async def play(pilot: Pilot[int], run: str) -> None:
    await until_ready(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    events = RUNS[run]()
    screen.question(events[0].question)
    for _ in range(300):
        await pilot.pause()
        done = "counting" in str(screen.query("Status").last().render()) if run == "mid_step" else not screen.busy
        if done:
            break
    if not screen.busy:
        await pilot.app.workers.wait_for_complete()  # what is drawn after the run has ended
    await pilot.pause()
    await pilot.pause()


def playing(run: str):
    async def before(pilot: Pilot[int]) -> None:
        await play(pilot, run)

    return before


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("run", RUNS)
def test_a_run_looks_as_it_should(snap_compare, run: str, size: str):
    app = campus_app(PlayedAgent(RUNS[run]()))
    assert snap_compare(app, terminal_size=SIZES[size], run_before=playing(run))


@pytest.mark.parametrize("size", SIZES)
def test_the_start_looks_as_it_should(snap_compare, size: str):
    assert snap_compare(campus_app(PlayedAgent(club_run())), terminal_size=SIZES[size], run_before=until_ready)


def test_a_starter_question_with_the_focus_looks_as_it_should(snap_compare):
    app = campus_app(PlayedAgent(club_run()))
    assert snap_compare(app, terminal_size=SIZES["wide"], run_before=until_ready, press=["down", "down"])


@pytest.mark.parametrize("theme", ["campus-light", "campus-contrast", "ansi-dark", "nord", "catppuccin-latte"])
def test_another_theme_looks_as_it_should(snap_compare, theme: str):
    app = campus_app(PlayedAgent(rejected_run()), theme=theme)
    assert snap_compare(app, terminal_size=SIZES["wide"], run_before=playing("rejected"))


@pytest.mark.parametrize("run", ["answered", "failed"])
def test_without_colour_everything_can_still_be_read(snap_compare, monkeypatch: pytest.MonkeyPatch, run: str):
    monkeypatch.setenv("NO_COLOR", "1")
    app = campus_app(PlayedAgent(RUNS[run]()))
    assert snap_compare(app, terminal_size=SIZES["wide"], run_before=playing(run))


@pytest.mark.parametrize("size", SIZES)
def test_the_help_looks_as_it_should(snap_compare, size: str):
    app = campus_app(PlayedAgent(club_run()))
    assert snap_compare(app, terminal_size=SIZES[size], run_before=until_ready, press=["f1"])


def test_the_trace_opened_under_an_answer_looks_as_it_should(snap_compare):
    async def before(pilot: Pilot[int]) -> None:
        await play(pilot, "answered")
        await pilot.click("FoldLine")
        await pilot.pause()

    assert snap_compare(campus_app(PlayedAgent(club_run())), terminal_size=SIZES["small"], run_before=before)


def test_the_tiniest_terminal_looks_as_it_should(snap_compare):
    app = campus_app(PlayedAgent(club_run()))
    assert snap_compare(app, terminal_size=(20, 5), run_before=playing("answered"))


def test_wide_characters_line_up(snap_compare):
    about = About(
        model="模型", base="大学のデモ, 7 passages", questions=("図書館はいつ開きますか？", QUESTIONS[0], "🎓 오늘?")
    )
    app = campus_app(PlayedAgent(club_run()), about=about)
    assert about != ABOUT
    assert snap_compare(app, terminal_size=SIZES["wide"], run_before=until_ready)


class HeldAgent(PlayedAgent):
    """An agent that asks its gate before each tool of the run that it plays."""

    gate: Gate

    async def run(self, question: str) -> AsyncGenerator[Event, None]:
        async for event in super().run(question):
            yield event
            if isinstance(event, Acting):
                await self.gate(BeforeAct(event.step, event.call_id, event.tool, event.arguments or {}))


@pytest.mark.parametrize("size", SIZES)
def test_a_pause_before_a_tool_looks_as_it_should(snap_compare, size: str):
    async def before(pilot: Pilot[int]) -> None:
        await until_ready(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        await pilot.press("f8")
        screen.question(QUESTIONS[0])
        for _ in range(300):
            await pilot.pause()
            if isinstance(screen.focused, PauseCard):
                break
        pilot.app.clear_notifications()
        await pilot.pause()

    assert snap_compare(campus_app(HeldAgent(club_run())), terminal_size=SIZES[size], run_before=before)


@pytest.mark.parametrize("size", SIZES)
def test_the_list_of_commands_looks_as_it_should(snap_compare, size: str):
    app = campus_app(PlayedAgent(club_run()))
    assert snap_compare(app, terminal_size=SIZES[size], run_before=until_ready, press=["/"])


def test_the_command_palette_looks_as_it_should(snap_compare):
    async def before(pilot: Pilot[int]) -> None:
        await until_ready(pilot)
        await pilot.press("ctrl+p")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    assert snap_compare(campus_app(PlayedAgent(club_run())), terminal_size=SIZES["wide"], run_before=before)


@pytest.mark.parametrize("run", ["answered", "mid_step"])
@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_big_type_looks_as_it_should(snap_compare, run: str, size: str):
    async def before(pilot: Pilot[int]) -> None:
        await until_ready(pilot)
        await pilot.press("f9")
        await play(pilot, run)
        pilot.app.clear_notifications()
        await pilot.pause()

    app = campus_app(PlayedAgent(RUNS[run]()))
    assert snap_compare(app, terminal_size=SIZES[size], run_before=before)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with a conversation for each run, one of a question each."""
    path = tmp_path / "journal.db"
    for run in (refused_run, rejected_run, club_run):
        asyncio.run(record(path, run()))
    return path


@pytest.mark.parametrize("size", ["wide", "least"])
def test_the_list_of_conversations_looks_as_it_should(snap_compare, journal: Path, size: str):
    async def before(pilot: Pilot[int]) -> None:
        await begun(pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 3)
        await pilot.press("down")

    assert snap_compare(keeping_app(journal), terminal_size=SIZES[size], run_before=before)
