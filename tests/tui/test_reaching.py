from __future__ import annotations

import pytest
from screen_runs import HOSTILE, PlayedAgent, Script, campus_app, club_run
from textual.widgets import OptionList
from traced import ask
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.screens.link import LinkScreen, LinksScreen, web_addresses
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.trace_pane import TracePane
from campus_agent.tui.widgets.turn import Turn

WIDE = (120, 36)
LINKED = "See [hours](https://campus.example/hours) and <https://campus.example/map>, not [this](javascript:x)."


def linked_run(answer: str = LINKED):
    return Script().step().write(answer).step_over().check().end(Outcome.ANSWERED, answer).events


@pytest.mark.parametrize("kind", [Turn, ChatPane, TracePane])
async def test_what_is_typed_while_something_else_has_the_focus_stands_in_the_prompt(kind: type):
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        screen.query(kind).last().focus()
        for character in ("s", "o", "s"):
            await pilot.press(character)
            await pilot.pause()
        assert screen.query_one(Prompt).text == "sos"
        assert screen.focused is screen.query_one(Prompt)
        assert pilot.app.screen is screen


async def test_a_letter_that_is_a_key_of_what_has_the_focus_is_not_typed():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        screen.query_one(ChatPane).focus()
        await pilot.press("less_than_sign")
        assert screen.query_one(Prompt).text == ""


async def test_the_word_of_escape_is_what_it_does():
    agent = PlayedAgent(club_run(until_second_call=True))
    async with campus_app(agent).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        await until(pilot, lambda: screen.assistant is not None)
        line = screen.query_one(KeyLine)
        assert "esc" not in str(line.render())
        screen.question("?")
        await until(pilot, lambda: "esc stop" in str(line.render()))
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy and "esc" not in str(line.render()))
        screen.query_one(Turn).focus()
        await until(pilot, lambda: "esc to the prompt" in str(line.render()))
        await pilot.press("escape")
        assert screen.focused is screen.query_one(Prompt)


@pytest.mark.parametrize("kind", [Turn, Prompt])
async def test_the_links_of_an_answer_are_chosen_by_key_and_each_is_shown_before_it_is_opened(kind: type):
    async with campus_app(PlayedAgent(linked_run())).run_test(size=WIDE) as pilot:
        screen = await ask(pilot)
        screen.query(kind).last().focus()
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(pilot.app.screen, LinksScreen))
        assert pilot.app.screen.query_one(OptionList).option_count == 2
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LinkScreen))
        assert "https://campus.example/map" in str(pilot.app.screen.query_one(".address").render())
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)


async def test_the_only_link_of_an_answer_is_shown_at_once_and_none_is_said():
    agent = PlayedAgent(linked_run("https://campus.example/a"), linked_run("No link."))
    async with campus_app(agent).run_test(size=WIDE, notifications=True) as pilot:
        screen = await ask(pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(pilot.app.screen, LinkScreen))
        await pilot.press("escape")
        screen.question("again")
        await until(pilot, lambda: len(screen.query(Turn)) == 2 and not screen.busy)
        await pilot.press("f5")
        await pilot.pause()
        assert pilot.app.screen is screen
        assert "There is no link" in next(iter(pilot.app._notifications)).message


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LINKED, ("https://campus.example/hours", "https://campus.example/map")),
        ("[a](http://x.example) [b](http://x.example)", ("http://x.example",)),
        ("[a](file:///etc/passwd) [b](ftp://x.example) `https://y.example`", ()),
        (
            "| a |\n| --- |\n| [t](https://t.example) |\n\n- [l](https://l.example)",
            ("https://t.example", "https://l.example"),
        ),
        (HOSTILE, ()),
        ("", ()),
    ],
)
def test_only_web_addresses_count_as_links_and_each_once(text: str, found: tuple[str, ...]):
    assert web_addresses(text) == found
