from __future__ import annotations

import pytest
from screen_runs import QUESTIONS, PlayedAgent, Script, campus_app, club_run
from textual import events
from textual.app import App
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.prompt import Prompt

WIDE, NARROW = (120, 36), (80, 24)
KEYS = {" ": "space", "/": "slash", "\r": "enter", "\x07": "ctrl+g", "\x0e": "ctrl+n", "\x19": "ctrl+y"}


def type_at_once(app: App[int], text: str) -> None:
    """Type faster than the app can take it in."""
    for character in text:
        app.post_message(events.Key(KEYS.get(character, character), character if character.isprintable() else None))


def conversation(app: App[int]) -> ConversationScreen:
    screen = app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    return screen


def stuck() -> PlayedAgent:
    return PlayedAgent(Script().step().act("search_campus_info", {"query": "x"}).events)


def said(app: App[int]) -> str:
    return "\n".join(f"{note.title} {note.message}" for note in app._notifications)


async def test_the_editor_gets_all_that_was_typed_before_its_key(monkeypatch: pytest.MonkeyPatch):
    given: list[str] = []

    def edit(_: object, text: str) -> str:
        given.append(text)
        return text.upper()

    monkeypatch.setattr("campus_agent.tui.editor.write_in_editor", edit)
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: conversation(app).assistant is not None)
        type_at_once(app, "when is chess\x07")
        await until(pilot, lambda: conversation(app).query_one(Prompt).text == "WHEN IS CHESS")
        assert given == ["when is chess"]


async def test_a_question_that_is_sent_right_before_a_new_conversation_belongs_to_the_old_one():
    app = campus_app(agent := PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        type_at_once(app, "first\r\x0esecond\r")
        await until(pilot, lambda: agent.asked == ["first", "second"] and not screen.busy)
        assert agent.resets == 1
        assert [record.question for record in screen.records] == ["second"]


async def test_a_new_conversation_in_the_middle_of_a_run_begins_with_an_empty_prompt():
    app = campus_app(agent := stuck())
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        type_at_once(app, "first\rsecond\r")
        await until(pilot, lambda: agent.asked == ["first"])
        await pilot.press("ctrl+n")
        await until(pilot, lambda: agent.resets == 1 and not screen.busy)
        assert screen.query_one(Prompt).text == ""
        assert agent.asked == ["first"]
        await pilot.press("up")
        await until(pilot, lambda: screen.query_one(Prompt).text == "second")
        await pilot.press("up")
        await until(pilot, lambda: screen.query_one(Prompt).text == "first")


async def test_what_is_typed_after_a_new_conversation_was_begun_stays_in_the_prompt():
    app = campus_app(agent := stuck())
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        type_at_once(app, "first\r")
        await until(pilot, lambda: agent.asked == ["first"])
        type_at_once(app, "\x0ewhat else")
        await until(pilot, lambda: agent.resets == 1 and screen.query_one(Prompt).text == "what else")


@pytest.mark.parametrize("kind", ["ChatPane", "TracePane", "Turn", "CodeBlock", "FoldLine"])
async def test_all_of_what_comes_at_once_goes_where_its_first_letter_leads(kind: str):
    answer = "So:\n\n```\nls\n```\n"
    run = Script().step().write(answer).step_over().end(Outcome.ANSWERED, answer).events
    app = campus_app(agent := PlayedAgent(run))
    async with app.run_test(size=NARROW if kind == "FoldLine" else WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("first")
        await until(pilot, lambda: screen.query("CodeBlock, FoldLine") and not screen.busy)
        screen.query(kind).last().focus()
        await until(pilot, lambda: screen.focused is screen.query(kind).last())
        type_at_once(app, "and is there food\r")
        await until(pilot, lambda: agent.asked == ["first", "and is there food"] and not screen.busy)
        assert isinstance(screen.focused, Prompt)


async def test_all_of_what_comes_at_once_over_the_questions_to_begin_with_goes_to_the_prompt():
    app = campus_app(agent := PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None and screen.query("OptionList"))
        await pilot.press("down")
        await until(pilot, lambda: screen.focused is screen.query_one("OptionList"))
        type_at_once(app, "is it open\r")
        await until(pilot, lambda: agent.asked == ["is it open"] and not screen.busy)


@pytest.mark.parametrize("kind", ["ChatPane", "TracePane", "Turn", "OptionList", ""])
async def test_what_is_pasted_goes_to_the_prompt_wherever_the_focus_is(kind: str):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None and screen.query("OptionList"))
        if kind == "Turn":
            screen.question("first")
            await until(pilot, lambda: screen.query("Turn") and not screen.busy)
        screen.set_focus(screen.query(kind).last() if kind else None)
        await pilot.pause()
        app.post_message(events.Paste("is there\nfood"))
        type_at_once(app, " at 5")
        await until(pilot, lambda: screen.query_one(Prompt).text == "is there\nfood at 5")
        assert isinstance(screen.focused, Prompt)


@pytest.mark.parametrize(("typed", "text"), [("   ", ""), ("  /th", "/th"), (" a b ", "a b ")])
async def test_a_space_before_all_else_is_no_typing(typed: str, text: str):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        type_at_once(app, typed)
        await pilot.pause()
        assert screen.query_one(Prompt).text == text


async def test_what_a_new_conversation_stops_is_said_and_comes_back():
    app = campus_app(agent := stuck())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = conversation(app)
        prompt = screen.query_one(Prompt)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question(QUESTIONS[1])  # picked, and so never typed
        type_at_once(app, "second\rthird\r")
        await until(pilot, lambda: len(screen._asking.waiting) == 2 and screen.busy)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: agent.resets == 1 and not screen.busy)
        assert "The run was stopped, and 2 questions that waited were not asked. ↑ brings back" in said(app)
        for question in ("third", "second", QUESTIONS[1]):
            await pilot.press("up")
            await until(pilot, lambda question=question: prompt.text == question)


async def test_a_new_conversation_that_stops_nothing_says_nothing():
    app = campus_app(agent := PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("first")
        await until(pilot, lambda: screen.records and not screen.busy)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: agent.resets == 1)
        assert said(app) == ""


@pytest.mark.parametrize(
    ("typed", "left", "brought_back"),
    [
        ("/steps 3\r/deadline 5\r", "/steps 3", "/deadline 5"),
        ("/steps 3\rwhat next", "what next", "/steps 3"),
    ],
    ids=["another command", "a question"],
)
async def test_a_command_that_is_refused_is_neither_lost_nor_joined_to_what_is_typed_right_after_it(
    typed: str, left: str, brought_back: str
):
    app = campus_app(stuck())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = conversation(app)
        prompt = screen.query_one(Prompt)
        await until(pilot, lambda: screen.assistant is not None)
        type_at_once(app, f"{QUESTIONS[0]}\r")
        await until(pilot, lambda: screen.busy)
        type_at_once(app, typed)
        await until(pilot, lambda: prompt.text == left and f"↑ brings {brought_back} back" in said(app))
        await pilot.press("up")
        await until(pilot, lambda: prompt.text == brought_back)


@pytest.mark.parametrize(("typed", "asked", "left"), [("first\n", ["first"], ""), ("a\nb\nc", ["a", "b"], "c")])
async def test_enter_before_the_first_frame_sends_although_the_terminal_makes_a_line_feed_of_it(
    typed: str, asked: list[str], left: str
):
    app = campus_app(agent := PlayedAgent(club_run(), club_run()))
    app.on_load()  # as before the first frame
    for character in typed:
        await app.on_event(events.Key("ctrl+j" if character == "\n" else character, character))
    early = app._early
    async with app.run_test(size=WIDE) as pilot:
        app._early = early
        await app.on_ready()
        await until(pilot, lambda: agent.asked == asked and not conversation(app).busy)
        assert conversation(app).query_one(Prompt).text == left
        await pilot.press("a", "ctrl+j", "b")
        assert conversation(app).query_one(Prompt).text == f"{left}a\nb"


async def test_a_step_card_and_the_chat_name_the_writing_of_a_draft_alike():
    app = campus_app(PlayedAgent(Script().step().write("The ").events))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(app)
        await until(pilot, lambda: screen.assistant is not None)
        screen.question("when?")
        await until(pilot, lambda: "writing a draft" in str(screen.query_one("Status").render()))
        words = " ".join(str(row.render()) for row in screen.query("StepCard Row"))
        assert " ".join(words.split()) == "1 · writing a draft"
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
