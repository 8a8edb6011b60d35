from __future__ import annotations

from typing import get_args

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual.pilot import Pilot
from textual.widgets import OptionList, Static
from waiting import until

from campus_agent.agent.outcome import Outcome
from campus_agent.tui.keys import KEYS, TITLES, Place
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.help import HelpScreen
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.fold import FoldLine
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.row import Row
from campus_agent.tui.widgets.trace_pane import TracePane

WIDE, NARROW = (140, 36), (80, 24)


async def ready(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None and screen.query(OptionList))
    return screen


def keys_shown(screen: ConversationScreen) -> str:
    return str(screen.query_one(KeyLine).render())


@pytest.mark.parametrize(
    ("kind", "there", "not_there"),
    [
        (Prompt, "⏎ send", "scroll"),
        (OptionList, "⏎ ask", "send"),
        (ChatPane, "scroll", "send"),
        (TracePane, "scroll", "send"),
    ],
)
async def test_the_line_at_the_bottom_names_the_keys_of_what_has_the_focus(kind: type, there: str, not_there: str):
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        screen.query_one(kind).focus()
        await pilot.pause()
        assert there in keys_shown(screen)
        assert not_there not in keys_shown(screen)


async def test_on_a_folded_line_the_line_at_the_bottom_says_how_it_opens():
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        screen = await ready(pilot)
        screen.question("a")
        await until(pilot, lambda: screen.query(FoldLine) and not screen.busy)
        screen.query(FoldLine).first().focus()
        await pilot.pause()
        assert keys_shown(screen).startswith("⏎ open")


async def test_the_line_at_the_bottom_says_what_f8_and_f2_do_now():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        assert "F8 step mode" in keys_shown(screen)
        await pilot.press("f8")
        await until(pilot, lambda: "F8 end step mode" in keys_shown(screen))
        await pilot.press("f8")
        await until(pilot, lambda: "F8 step mode" in keys_shown(screen))
        await until(pilot, lambda: "F2 hide trace" in keys_shown(screen))
        await pilot.press("f2")
        await until(pilot, lambda: "F2 trace" in keys_shown(screen))
        await pilot.press("f3")
        await until(pilot, lambda: "F2 chat" in keys_shown(screen))
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: "F2 trace" in keys_shown(screen))
        await pilot.press("f2")
        await until(pilot, lambda: "F2 chat" in keys_shown(screen))


@pytest.mark.parametrize("width", [30, 60, 80, 120])
async def test_help_and_quit_are_named_at_every_width(width: int):
    async with campus_app(PlayedAgent(club_run())).run_test(size=(width, 20)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        assert "F1 help" in keys_shown(screen)
        assert "^Q quit" in keys_shown(screen)


async def test_a_click_on_a_key_does_what_the_key_does_wherever_the_focus_is():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = await ready(pilot)
        screen.query_one(TracePane).focus()
        await pilot.pause()
        await pilot.click(KeyLine, offset=(keys_shown(screen).index("trace") + 1, 0))
        await pilot.pause()
        assert not screen.query_one(TracePane).display
        screen.query_one(Prompt).focus()
        await pilot.pause()
        await pilot.press("a")
        await pilot.click(KeyLine, offset=(keys_shown(screen).index("new line") + 1, 0))
        await pilot.press("b")
        assert screen.query_one(Prompt).text == "a\nb"
        await pilot.click(KeyLine, offset=(keys_shown(screen).index("quit") + 1, 0))
        await until(pilot, lambda: not pilot.app.is_running)


async def test_the_help_names_every_key_under_the_part_of_the_screen_where_it_works():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        sheet = pilot.app.screen
        assert isinstance(sheet, HelpScreen)
        said = "\n".join(str(part.render()) for part in sheet.query("Row, Static"))
        for key in KEYS:
            assert " ".join(key.meaning.split()[:2]) in said
        for title in TITLES.values():
            assert sum(str(part.render()) == title for part in sheet.query(Static)) == 1


@pytest.mark.parametrize(("kind", "title"), [(ChatPane, TITLES["pane"]), (Prompt, "How to read the trace")])
async def test_the_help_opens_at_the_keys_of_the_part_that_has_the_focus(kind: type, title: str):
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        (await ready(pilot)).query_one(kind).focus()
        await pilot.press("f1")
        part = next(part for part in pilot.app.screen.query(Static) if str(part.render()) == title)
        top = pilot.app.screen.query_one("VerticalScroll").content_region.y
        await until(pilot, lambda: part.region.y - top <= 1)
        assert part.region.y >= top


async def test_no_key_is_explained_twice_in_the_help():
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        said = [str(row.render()) for row in pilot.app.screen.query(Row)]
        assert not [text for text in said if "Go to the turn after" in text]
        assert len([text for text in said if "Go to the turn before or after" in text]) == 1


async def test_in_a_small_terminal_no_way_to_end_is_broken_across_lines():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(60, 20)) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        said = "\n".join(str(row.render()).replace("\u00a0", " ") for row in pilot.app.screen.query(Row))
        for outcome in Outcome:
            assert f"{outcome.sign} {outcome.words}" in said


async def test_no_question_looks_chosen_until_the_list_has_the_focus():
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        screen = await ready(pilot)
        options = screen.query_one(OptionList)
        where = screen.query_one(".yours").region
        assert options.highlighted is None
        assert "↓ to pick one" in str(screen.query_one(".pick").render())
        options.focus()
        await until(pilot, lambda: options.highlighted == 0)
        screen.query_one(Prompt).focus()
        await until(pilot, lambda: options.highlighted is None)
        await screen.query_one(ChatPane).offer((), own=False)
        await pilot.pause()
        assert screen.query_one(".yours").region == where  # nothing is pushed away by questions that come


@pytest.mark.parametrize("typed", ["", "a\nb\nc\nd"])
async def test_a_message_stands_between_the_panes_and_the_prompt_and_covers_neither(typed: str):
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW, notifications=True) as pilot:
        screen = await ready(pilot)
        screen.query_one(Prompt).text = typed
        await pilot.pause()
        pilot.app.notify("Saved")
        await until(pilot, lambda: screen.query("Toast") and screen.query("Toast").first().region.area)
        toast = screen.query("Toast").first().region
        assert toast.y == screen.panes.region.bottom
        assert toast.bottom == screen.query_one("#asking").region.y
        assert (toast.height, toast.right) == (1, 80)
        assert toast.width < 10


async def test_the_help_says_what_the_mouse_does_and_how_to_mark_text_with_the_terminal():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        said = "\n".join(str(row.render()) for row in pilot.app.screen.query(Row))
        assert "Shift drag" in said
        assert "TEXTUAL_ANIMATIONS=none" in said
        assert "letters of the terminal larger" in said


def test_every_part_of_the_app_has_a_title_or_says_its_keys_itself():
    assert set(get_args(Place)) - set(TITLES) == {"sheet"}
