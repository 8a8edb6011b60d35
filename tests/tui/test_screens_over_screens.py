from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList
from waiting import until

from campus_agent.recording import read
from campus_agent.tools.tool import Source
from campus_agent.tui.app import CampusApp
from campus_agent.tui.keys import KEYS
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.help import HelpScreen
from campus_agent.tui.screens.link import LinkScreen, LinksScreen
from campus_agent.tui.screens.passage import PassageScreen
from campus_agent.tui.screens.replay import ReplayScreen

WIDE = (120, 36)
ADDRESSES = ("https://one.example", "https://two.example")


def over(name: str, recording: Path) -> Screen[None]:
    source = Source(title="AI Club", source="clubs.md", line=3, text="AI Club: Thursdays")
    made: dict[str, Callable[[], Screen[None]]] = {
        "help": lambda: HelpScreen("prompt"),
        "link": lambda: LinkScreen(ADDRESSES[0]),
        "links": lambda: LinksScreen(ADDRESSES),
        "passage": lambda: PassageScreen((source,), (), first=0),
        "replay": lambda: ReplayScreen(read(recording), clock=lambda: 0.0),
    }
    return made[name]()


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    file = tmp_path / "run.jsonl"
    file.write_text("\n".join(json.dumps(event.model_dump(mode="json")) for event in club_run()))
    return file


async def begun(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    return screen


async def leave_all(app: CampusApp, pilot: Pilot[int]) -> None:
    for _ in range(len(app.screen_stack) - 1):
        depth = len(app.screen_stack)
        await pilot.press("escape")
        await until(pilot, lambda depth=depth: len(app.screen_stack) < depth)
    assert isinstance(app.screen, ConversationScreen)


@pytest.mark.parametrize("name", ["help", "link", "links", "passage", "replay"])
async def test_the_palette_opens_over_any_screen_and_escape_leads_back_one_by_one(name: str, recording: Path):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot)
        await app.push_screen(over(name, recording))
        await pilot.press("ctrl+p")
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        await leave_all(app, pilot)
        assert app.return_code is None


async def test_the_palette_over_a_replay_offers_what_its_keys_do_and_does_it(recording: Path):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot)
        replay = over("replay", recording)
        await app.push_screen(replay)
        app.action_command_palette()
        await until(pilot, lambda: app.screen.query(OptionList) and app.screen.query_one(OptionList).option_count > 5)
        app.screen.query_one(Input).value = "end the replay"
        await until(pilot, lambda: app.screen.query_one(OptionList).option_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ConversationScreen))
        assert app.return_code is None


@pytest.mark.parametrize(
    ("first", "second"),
    [("help", "replay"), ("replay", "help"), ("replay", "link"), ("links", "passage"), ("passage", "replay")],
)
async def test_every_key_of_the_app_does_no_harm_over_any_two_screens(first: str, second: str, recording: Path):
    keys = {key for each in KEYS for key in each.keys.split(",")} - {"ctrl+q"}
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot)
        await app.push_screen(over(first, recording))
        await app.push_screen(over(second, recording))
        for key in sorted(keys - {"escape", "enter", "ctrl+p"}):
            await pilot.press(key)
        await pilot.press("ctrl+p", "escape")
        for _ in range(6):
            await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ConversationScreen))
        await pilot.press(*"stillhere")
        assert app.return_code is None
