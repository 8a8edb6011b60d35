from __future__ import annotations

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Input
from waiting import until

from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.prompt import Prompt


async def typed(pilot: Pilot[int], text: str) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    for character in text:
        pilot.app.post_message(events.Key(_character_to_key(character), character))
    await pilot.pause()
    return screen


def app() -> CampusApp:
    return campus_app(PlayedAgent(club_run()))


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("👩\u200d🔬!", "👩\u200d🔬!"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("e\u0301", "e\u0301"),
        ("\uf8ff", "\uf8ff"),
        ("AI\u00a0Club", "AI Club"),
        ("図書館\u3000時間", "図書館 時間"),
        ("a\u202eb", "ab"),
    ],
    ids=["emoji", "persian", "heart", "accent", "private", "no-break", "ideographic", "turns the line round"],
)
async def test_every_character_of_a_script_can_be_typed_in_its_place(keys: str, text: str):
    async with app().run_test(size=(120, 36)) as pilot:
        screen = await typed(pilot, keys)
        await until(pilot, lambda: screen.query_one(Prompt).text == text)


async def test_a_joiner_goes_where_the_letters_go():
    async with app().run_test(size=(120, 36)) as pilot:
        screen = await typed(pilot, "")
        field = Input()
        await screen.mount(field)
        field.focus()
        await pilot.pause()
        await typed(pilot, "a\u200db\u00a0c")
        await until(pilot, lambda: field.value == "a\u200db c")
        assert screen.query_one(Prompt).text == ""


async def test_what_was_typed_before_the_first_frame_keeps_its_joiners():
    opened = app()
    async with opened.run_test(size=(120, 36)) as pilot:
        opened._early = []
        screen = await typed(pilot, "👩\u200d🔬")
        await opened.on_ready()
        await until(pilot, lambda: screen.query_one(Prompt).text == "👩\u200d🔬")
