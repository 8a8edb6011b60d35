from __future__ import annotations

import re
from pathlib import Path

import pytest
from screen_runs import ABOUT, PlayedAgent, Script, campus_app, club_run
from textual.pilot import Pilot

from campus_agent.agent.outcome import Outcome
from campus_agent.assemble import Assistant
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.remembered import Look, LookFile
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.divider import Divider
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.trace_pane import TracePane

WIDE, NARROW = (120, 36), (80, 24)


def remembering_app(path: Path, **settings: str) -> CampusApp:
    def assemble(_: Settings) -> Assistant:
        return Assistant(agent=PlayedAgent(club_run()), about=ABOUT)  # type: ignore[arg-type]

    return CampusApp(Settings(**settings), assemble=assemble, clock=lambda: 0.0, look=LookFile(path))


def conversation(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    return screen


def widths(pilot: Pilot[int]) -> tuple[int, int]:
    screen = conversation(pilot)
    return screen.query_one(ChatPane).outer_size.width, screen.query_one(TracePane).outer_size.width


def shown(pilot: Pilot[int]) -> tuple[bool, bool, bool]:
    screen = conversation(pilot)
    return tuple(screen.query_one(kind).display for kind in (ChatPane, Divider, TracePane))  # type: ignore[return-value]


@pytest.mark.parametrize("focus", [Prompt, ChatPane, TracePane])
async def test_the_room_is_shared_anew_by_a_key_wherever_the_focus_is(focus: type):
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        conversation(pilot).query_one(focus).focus()
        before = widths(pilot)
        await pilot.press("alt+right", "alt+right")
        wider = widths(pilot)
        assert wider[0] > before[0]
        assert sum(wider) == sum(before) == WIDE[0] - 1
        await pilot.press("alt+left", "alt+left")
        assert widths(pilot) == before
        assert conversation(pilot).query_one(Prompt).text == ""


async def test_in_a_pane_the_two_angle_brackets_share_the_room_and_in_the_prompt_they_are_typed():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        before = widths(pilot)
        conversation(pilot).query_one(TracePane).focus()
        await pilot.press("<")
        assert widths(pilot)[0] < before[0]
        await pilot.press(">")
        assert widths(pilot) == before
        conversation(pilot).query_one(Prompt).focus()
        await pilot.press("<", ">")
        assert conversation(pilot).query_one(Prompt).text == "<>"
        assert widths(pilot) == before


async def test_neither_pane_can_be_made_so_narrow_that_nothing_can_be_read_in_it():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        await pilot.press(*["alt+left"] * 30)
        assert widths(pilot)[0] >= 20
        await pilot.press(*["alt+right"] * 60)
        assert widths(pilot)[1] >= 20


async def test_the_line_between_the_panes_is_dragged_with_the_mouse_and_put_back_by_a_double_click(tmp_path: Path):
    app = remembering_app(tmp_path / "look.json")
    async with app.run_test(size=WIDE) as pilot:
        before = widths(pilot)
        divider = conversation(pilot).query_one(Divider)
        await pilot.mouse_down(Divider, offset=(0, 5))
        await pilot.hover(offset=(30, 10))
        await pilot.mouse_up(offset=(30, 10))
        await pilot.pause()
        assert abs(widths(pilot)[0] - 30) <= 1
        assert LookFile(tmp_path / "look.json").look.share == 25
        await pilot.hover(offset=(90, 10))
        assert abs(widths(pilot)[0] - 30) <= 1  # it was let go
        await pilot.double_click(Divider, offset=(0, 5))
        await pilot.pause()
        assert widths(pilot) == before
        assert divider.render().plain.startswith("┬\n│")


async def test_the_trace_alone_has_the_whole_screen_and_gives_it_back():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        await pilot.press("f3")
        assert shown(pilot) == (False, False, True)
        assert widths(pilot)[1] == WIDE[0]
        await pilot.press("f3")
        assert shown(pilot) == (True, True, True)
        await pilot.press("f3", "f2")
        assert shown(pilot) == (True, True, True)
        await pilot.press("f2", "f3")
        assert shown(pilot) == (False, False, True)


async def test_the_trace_alone_is_read_on_in_a_narrow_terminal_too():
    async with campus_app(PlayedAgent(club_run())).run_test(size=NARROW) as pilot:
        for key in ("f3", "f2"):
            await pilot.press(key)
            assert shown(pilot) == (False, False, True)
            await pilot.press(key)
            assert shown(pilot) == (True, False, False)


async def test_the_focus_leaves_a_pane_that_is_hidden():
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = conversation(pilot)
        screen.query_one(TracePane).focus()
        await pilot.press("f2")
        await pilot.pause()
        assert screen.focused is None or all(node.display for node in screen.focused.ancestors_with_self)
        await pilot.press("tab", "shift+tab")
        assert screen.focused is not None
        assert screen.focused is not screen.query_one(TracePane)


async def test_the_keys_of_the_prompt_scroll_the_trace_when_it_has_taken_the_place_of_the_chat():
    script = Script()
    for number in range(30):
        script.step().act("look", {"number": number}).observe("found").step_over()
    app = campus_app(PlayedAgent(script.end(Outcome.STEP_LIMIT).events))
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(pilot)
        for _ in range(300):
            await pilot.pause()
            if screen.assistant is not None:
                break
        screen.question("a")
        for _ in range(300):
            await pilot.pause()
            if screen.query("TracePane .outcome") and not screen.busy:
                break
        await pilot.press("f3")
        await pilot.pause()
        trace = screen.query_one(TracePane)
        before = trace.scroll_y
        screen.query_one(Prompt).focus()
        await pilot.press("pageup")
        await pilot.pause()
        assert trace.scroll_y < before


async def test_how_the_room_is_shared_whether_the_trace_is_shown_and_the_theme_are_remembered(tmp_path: Path):
    path = tmp_path / "look.json"
    async with remembering_app(path).run_test(size=WIDE) as pilot:
        await pilot.press("alt+left", "alt+left", "alt+left")
        left = widths(pilot)
        await pilot.press("f2")
        pilot.app.theme = "campus-light"
        await pilot.pause()
    async with remembering_app(path).run_test(size=WIDE) as pilot:
        assert shown(pilot) == (True, False, False)
        assert pilot.app.theme == "campus-light"
        await pilot.press("f2")
        await pilot.pause()
        assert widths(pilot) == left


async def test_a_theme_that_is_set_wins_over_the_remembered_one_and_is_not_remembered_for_it(tmp_path: Path):
    path = tmp_path / "look.json"
    LookFile(path).keep(Look(theme="campus-light"))
    async with remembering_app(path, theme="nord").run_test(size=WIDE) as pilot:
        assert pilot.app.theme == "nord"
    assert LookFile(path).look.theme == "campus-light"


@pytest.mark.parametrize("theme", ["gone-in-this-version", "", "campus-dark\x1b[31m", "x" * 5000])
async def test_a_remembered_theme_that_is_not_there_is_as_good_as_none(tmp_path: Path, theme: str):
    path = tmp_path / "look.json"
    LookFile(path).keep(Look(theme=theme, share=-5_000_000))
    async with remembering_app(path).run_test(size=WIDE) as pilot:
        assert pilot.app.theme == "campus-dark"
        assert widths(pilot)[0] >= 20


def over(pilot: Pilot[int], pane: type) -> str:
    """Return the line over a pane, as it is drawn."""
    region = conversation(pilot).query_one(pane).region
    strip = pilot.app.screen._compositor.render_strips()[region.y]
    return strip.text[region.x : region.right]


@pytest.mark.parametrize("coloured", [True, False], ids=["colours", "no colours"])
async def test_where_the_focus_is_can_be_seen_without_colours(coloured: bool, monkeypatch: pytest.MonkeyPatch):
    if not coloured:
        monkeypatch.setenv("NO_COLOR", "1")
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE) as pilot:
        screen = conversation(pilot)
        for pane, other in ((ChatPane, TracePane), (TracePane, ChatPane)):
            screen.query_one(pane).focus()
            await pilot.pause()
            assert re.fullmatch("━+", over(pilot, pane))
            assert re.fullmatch("─+", over(pilot, other))
        screen.query_one(Prompt).focus()
        await pilot.pause()
        assert "━" not in over(pilot, ChatPane) + over(pilot, TracePane)
