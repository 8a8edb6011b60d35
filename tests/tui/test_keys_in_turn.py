from __future__ import annotations

from pathlib import Path

import pytest
from kept_runs import begun, keeping_app
from screen_runs import PlayedAgent, campus_app, club_run, failed_run
from test_stepping import WIDE, ask, conversation, counting_agent, paused_before, stepping_app
from textual import events
from textual.app import App
from textual.widgets import Input
from waiting import until

from campus_agent.tui.screens.edit_arguments import ArgumentsEditor
from campus_agent.tui.widgets.prompt import Prompt

EDITED = [
    (["a", "b", "c", "backspace", "d", "e"], "abde"),
    (["a", "c", "left", "b", "right", "d"], "abcd"),
    (["b", "c", "home", "a", "end", "d"], "abcd"),
    (["a", "x", "b", "left", "left", "delete", "c"], "acb"),
    (["a", "space", "b", "c", "ctrl+w", "d"], "a d"),
    (["b", "ctrl+a", "a", "ctrl+e", "c"], "abc"),
    (["a", "b", "ctrl+u", "c"], "c"),
    (["a", "b", "left", "ctrl+k", "c"], "ac"),
    (["a", "b", "shift+left", "c"], "ac"),
]


def press_at_once(app: App[int], *keys: str) -> None:
    """Press keys faster than the app can take them in."""
    for key in keys:
        character = {"space": " ", "slash": "/"}.get(key, key if len(key) == 1 else None)
        app.post_message(events.Key(key, character))


@pytest.mark.parametrize(("keys", "text"), EDITED)
async def test_keys_that_come_at_once_are_carried_out_in_their_order_in_the_prompt(keys: list[str], text: str):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: conversation(app).assistant is not None)
        press_at_once(app, *keys)
        await until(pilot, lambda: conversation(app).query_one(Prompt).text)
        assert conversation(app).query_one(Prompt).text == text


@pytest.mark.parametrize(("keys", "text"), EDITED)
async def test_keys_that_come_at_once_are_carried_out_in_their_order_in_a_search(
    keys: list[str], text: str, tmp_path: Path
):
    app = keeping_app(tmp_path / "runs.sqlite3")
    async with app.run_test(size=WIDE) as pilot:
        await begun(pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(app.focused, Input))
        press_at_once(app, *keys)
        await until(pilot, lambda: app.screen.query_one(Input).value == text)
        assert conversation(app).query_one(Prompt).text == ""


@pytest.mark.parametrize(("keys", "text"), EDITED)
async def test_keys_that_come_at_once_are_carried_out_in_their_order_in_the_arguments(keys: list[str], text: str):
    app = stepping_app(counting_agent())
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot)
        await paused_before(pilot, "before step 1")
        await pilot.press("space")
        await paused_before(pilot, "before running")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.focused, ArgumentsEditor))
        editor = app.screen.query_one(ArgumentsEditor)
        editor.text = ""
        press_at_once(app, *keys)
        await until(pilot, lambda: editor.text == text)
        await pilot.press("escape", "escape")
        assert editor.text == text


async def test_what_is_sent_is_what_was_corrected_right_before():
    app = campus_app(agent := PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: conversation(app).assistant is not None)
        press_at_once(app, *"wifi", "x", "backspace", "enter")
        await until(pilot, lambda: agent.asked and not conversation(app).busy)
        assert agent.asked == ["wifi"]


async def test_the_question_before_is_brought_back_and_sent_in_one_go():
    app = campus_app(agent := PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: conversation(app).assistant is not None)
        await pilot.press(*"first", "enter")
        await until(pilot, lambda: agent.asked and not conversation(app).busy)
        press_at_once(app, "up", "enter")
        await until(pilot, lambda: len(agent.asked) == 2 and not conversation(app).busy)
        press_at_once(app, "up", "down", "x", "enter")
        await until(pilot, lambda: len(agent.asked) == 3 and not conversation(app).busy)
        assert agent.asked == ["first", "first", "x"]


async def test_a_slash_behind_a_question_that_came_back_begins_a_command():
    app = campus_app(PlayedAgent(failed_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        prompt = screen.query_one(Prompt)
        await until(pilot, lambda: screen.assistant is not None)
        await pilot.press(*"why", "enter")
        await until(pilot, lambda: prompt.text == "why" and not screen.busy)
        await pilot.press("slash", *"help")
        assert prompt.text == "/help"
        await pilot.press(*["backspace"] * 5, "up")
        assert prompt.text == "why"


@pytest.mark.parametrize(
    ("keys", "text"), [(["x", "backspace", "slash"], "why/"), (["left", "slash"], "wh/y"), (["x", "slash"], "whyx/")]
)
async def test_a_slash_in_a_question_that_was_touched_since_it_came_back_is_a_slash(keys: list[str], text: str):
    app = campus_app(PlayedAgent(failed_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        await pilot.press(*"why", "enter")
        await until(pilot, lambda: screen.query_one(Prompt).text == "why" and not screen.busy)
        press_at_once(app, *keys)
        await until(pilot, lambda: "/" in screen.query_one(Prompt).text)
        assert screen.query_one(Prompt).text == text


async def test_a_slash_behind_a_question_to_branch_begins_a_command():
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        await pilot.press(*"why", "enter")
        await until(pilot, lambda: screen.records and not screen.busy)
        await pilot.press("f6")
        await until(pilot, lambda: screen.query_one(Prompt).text == "why")
        await pilot.press("slash")
        assert screen.query_one(Prompt).text == "/"
