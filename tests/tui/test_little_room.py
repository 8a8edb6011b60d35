from __future__ import annotations

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual.screen import Screen
from textual.widgets import Static
from waiting import until

from campus_agent.tools.tool import Source
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
