from __future__ import annotations

import pytest
from screen_runs import ABOUT, QUESTIONS, PlayedAgent, Script, campus_app, club_run
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.app import CampusApp
from campus_agent.tui.history import History
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.code_block import CodeBlock
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.turn import Turn

WIDE = (120, 36)


async def ready(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    return screen


def prompt(screen: ConversationScreen) -> str:
    return screen.query_one(Prompt).text


def waiting(screen: ConversationScreen) -> str:
    line = screen.query_one(".waiting")
    return str(line.render()) if line.display else ""


def said(app: CampusApp) -> str:
    return "\n".join(f"{note.title} {note.message}" for note in app._notifications)


def answering(answer: str) -> list:
    return Script().step().write(answer).step_over().end(Outcome.ANSWERED, answer).events


# ---- what was typed before -----------------------------------------------------------------------------------------


async def test_up_brings_back_what_was_typed_and_down_the_draft():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press(*"one", "enter")
        await until(pilot, lambda: screen.query(Turn) and not screen.busy)
        await pilot.press(*"two", "enter")
        await until(pilot, lambda: len(screen.query(Turn)) == 2 and not screen.busy)
        await pilot.press(*"draft", "up")
        assert prompt(screen) == "two"
        await pilot.press("up", "up")
        assert prompt(screen) == "one"
        await pilot.press("down", "down")
        assert prompt(screen) == "draft"


async def test_the_arrows_move_inside_a_text_of_several_lines_first():
    History().add("before")
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("a", "ctrl+j", "b", "up")
        assert prompt(screen) == "a\nb"
        await pilot.press("up")
        assert prompt(screen) == "before"
        await pilot.press("down")
        assert prompt(screen) == "a\nb"


async def test_what_was_typed_at_an_earlier_start_comes_back():
    History().add("earlier\nquestion")
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("up")
        assert prompt(screen) == "earlier\nquestion"


async def test_a_command_is_remembered_and_brings_no_list_when_it_comes_back():
    History().add("/theme nord")
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("up", "up")
        assert prompt(screen) == "/theme nord"
        assert not screen.query_one(Prompt).suggestions.display


@pytest.mark.parametrize("key", ["up", "down"])
async def test_with_nothing_typed_before_an_arrow_goes_to_the_questions_to_begin_with(key):
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.focused, OptionList))
        assert ABOUT.questions


async def test_what_a_file_of_earlier_starts_holds_cannot_drive_the_terminal():
    History().add("x\x1b]52;c;aGk=\x07")
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press("up")
        assert "\x1b" not in prompt(screen)


# ---- questions that wait -------------------------------------------------------------------------------------------


async def test_several_questions_that_wait_are_shown_and_up_takes_them_back_one_by_one():
    agent = PlayedAgent(club_run(until_second_call=True))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        for question in ("a", "b", "c", "d", "e"):
            await pilot.press(question, "enter")
        await until(pilot, lambda: waiting(screen).startswith("next: b\nthen: c\nthen: d\nand 1 more"))
        await pilot.press("up")
        assert prompt(screen) == "e"
        assert waiting(screen) == "next: b\nthen: c\nthen: d\n↑ takes the last one back"
        screen.query_one(Prompt).put("")
        await pilot.press("up")
        assert prompt(screen) == "d"
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        came = [prompt(screen)]
        for _ in range(5):
            await pilot.press("up")
            await pilot.pause()
            came.append(prompt(screen))
        assert came == ["d", "e", "d", "c", "b", "a"]


# ---- the editor ----------------------------------------------------------------------------------------------------


async def test_without_an_editor_it_is_said_how_to_set_one_and_the_text_stays(monkeypatch):
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await pilot.press(*"half", "ctrl+g")
        await until(pilot, lambda: "export EDITOR=nano" in said(app))
        assert prompt(screen) == "half"


async def test_what_the_editor_wrote_stands_in_the_prompt_safe_to_show(monkeypatch):
    from contextlib import nullcontext

    from campus_agent.tui import editor

    app = campus_app(PlayedAgent(club_run()))
    monkeypatch.setenv("EDITOR", "sh")
    monkeypatch.setattr(app, "suspend", nullcontext)
    monkeypatch.setattr(editor, "edited", lambda text, command: f"{text} and\nmore\x1b[31m")
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.press(*"half", "ctrl+g")
        await until(pilot, lambda: prompt(screen) == "half and\nmore\ufffd[31m")


async def test_a_terminal_that_cannot_be_given_away_is_said(monkeypatch):
    monkeypatch.setenv("EDITOR", "sh")
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "cannot be given to an editor" in said(app))


async def test_the_editor_waits_for_the_run(monkeypatch):
    monkeypatch.setenv("EDITOR", "sh")
    app = campus_app(PlayedAgent(club_run(until_second_call=True)))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        screen.question("when?")
        await until(pilot, lambda: screen.busy)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "has to wait for the run" in said(app))
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)


# ---- code ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["click", "enter"])
async def test_code_in_an_answer_is_copied_as_it_was_written(way, monkeypatch):
    copied: list[str] = []
    app = campus_app(PlayedAgent(answering("Type:\n\n```python\nprint([/x])\n  x = 1\n```\n")))
    monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
    async with app.run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        screen.question("how?")
        await until(pilot, lambda: screen.query(CodeBlock) and not screen.busy)
        if way == "click":
            await pilot.click(CodeBlock)
        else:
            screen.query_one(CodeBlock).focus()
            await pilot.press("enter")
        await until(pilot, lambda: copied == ["print([/x])\n  x = 1"])


async def test_a_long_paste_is_one_edit():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        pilot.app.post_message(events.Paste("one\ntwo\nthree"))
        await until(pilot, lambda: prompt(screen) == "one\ntwo\nthree")
        screen.query_one(Prompt).undo()
        assert prompt(screen) == ""
        assert QUESTIONS
