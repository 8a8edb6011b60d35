from __future__ import annotations

from pathlib import Path

import pytest
from kept_runs import begun, keeping_app, questions, record
from screen_runs import QUESTIONS, PlayedAgent, campus_app, club_run
from textual.screen import Screen
from textual.widgets import Static
from waiting import until

from campus_agent.recording import Recording
from campus_agent.settings import Settings
from campus_agent.tools.tool import Source
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.confirm import ConfirmScreen
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.help import HelpScreen
from campus_agent.tui.screens.link import LinkScreen
from campus_agent.tui.screens.passage import PassageScreen

SIZES = pytest.mark.parametrize("size", [(20, 5), (10, 3)])
FRAME = "╭╰╮╯│"
SOURCE = Source(title="AI Club", source="clubs.md", line=3, text="AI Club: meets.")
SHEETS = {
    "help": (lambda: HelpScreen("prompt"), "How to", "esc"),
    "confirm": (lambda: ConfirmScreen("Delete this conversation?"), "Delete", "y yes"),
    "passage": (lambda: PassageScreen([SOURCE]), "A", "esc"),
    "link": (lambda: LinkScreen("https://example.org/a"), "", ""),
}


def drawn(screen: Screen[object]) -> list[str]:
    return [strip.text for strip in screen._compositor.render_strips()]


@SIZES
@pytest.mark.parametrize("name", SHEETS)
async def test_where_there_is_hardly_any_room_what_opens_is_text_without_a_frame_and_names_the_way_out(
    name: str, size: tuple[int, int]
):
    make, first, way_out = SHEETS[name]
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=size) as pilot:
        app.push_screen(make())
        await until(pilot, lambda: app.screen.query(".sheet Static"))
        lines = drawn(app.screen)
        assert lines[0].strip().startswith(first)
        assert lines[0].strip()
        assert lines[-1].strip().startswith(way_out)
        assert lines[-1].strip()
        assert not set("".join(lines)) & set(FRAME)
        assert all(isinstance(keys, Static) and keys.region.bottom == size[1] for keys in app.screen.query(".keys"))


@SIZES
async def test_where_there_is_hardly_any_room_the_palette_shows_its_commands_and_how_to_leave_it(size: tuple[int, int]):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=size) as pilot:
        assert isinstance(app.screen, ConversationScreen)
        await until(pilot, lambda: app.screen.assistant is not None)
        await pilot.press("ctrl+p")
        await app.workers.wait_for_complete()
        await until(pilot, lambda: "/hel" in "".join(drawn(app.screen)))
        assert drawn(app.screen)[0].startswith("esc closes")
        assert drawn(app.screen)[1].strip().startswith("/hel")


@SIZES
async def test_where_there_is_hardly_any_room_a_replay_tells_how_it_goes_on_and_the_key_that_leaves_it(
    size: tuple[int, int],
):
    recording = Recording("club.jsonl", (tuple(club_run()),))
    app = CampusApp(Settings(), assemble=lambda _: None, clock=lambda: 0.0, replay=recording)  # type: ignore[arg-type]
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        await until(pilot, lambda: "step" in drawn(app.screen)[-2])
        await pilot.resize_terminal(*size)
        await until(pilot, lambda: len(drawn(app.screen)) == size[1])
        assert drawn(app.screen)[-1].startswith("‖ paused  esc ends"[: size[0] - 1])
        await pilot.press("escape")
    assert app.return_code == 0


@SIZES
async def test_where_there_is_hardly_any_room_the_conversations_can_still_be_found_and_chosen(
    size: tuple[int, int], tmp_path: Path
):
    await record(tmp_path / "journal.db", club_run())
    app = keeping_app(tmp_path / "journal.db")
    async with app.run_test(size=size) as pilot:
        screen = await begun(pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "How" in "".join(drawn(app.screen)))
        assert drawn(app.screen)[0].strip().startswith("Type to"[: size[0] - 3])
        assert drawn(app.screen)[1].strip().startswith("How")
        assert drawn(app.screen)[-1].strip().startswith("⏎")
        await pilot.press("enter")
        await until(pilot, lambda: questions(screen) == [QUESTIONS[0]])
