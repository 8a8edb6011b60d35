from __future__ import annotations

import pytest
from screen_runs import QUESTIONS, PlayedAgent, campus_app, club_run
from textual.pilot import Pilot
from textual.widget import Widget
from waiting import until

from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.status import Status

SIZES = pytest.mark.parametrize("size", [(120, 24), (60, 20), (28, 12), (40, 9)])


async def answered(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    screen.question(QUESTIONS[0])
    await until(pilot, lambda: screen.records and not screen.busy)
    return screen


def said(pilot: Pilot[int]) -> list[str]:
    return [note.message for note in pilot.app._notifications]


def toasts(screen: ConversationScreen) -> list[Widget]:
    return [toast for toast in screen.query("Toast") if toast.region.area]


async def test_what_is_said_again_is_shown_once_and_its_time_begins_anew():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(120, 24)) as pilot:
        pilot.app.notify("Saved", timeout=1_000)
        await until(pilot, lambda: said(pilot))
        first = next(iter(pilot.app._notifications))
        for _ in range(9):
            pilot.app.notify("Saved", timeout=2_000)
        await pilot.pause()
        assert [(note.message, note.timeout) for note in pilot.app._notifications] == [("Saved", 2_000)]
        assert first not in pilot.app._notifications


@pytest.mark.parametrize(("size", "kept"), [((120, 24), "345"), ((29, 24), "5"), ((120, 9), "5")])
async def test_the_newest_few_are_shown_and_one_where_the_terminal_is_small(size: tuple[int, int], kept: str):
    async with campus_app(PlayedAgent(club_run())).run_test(size=size) as pilot:
        for number in range(6):
            pilot.app.notify(f"{number}")
        await until(pilot, lambda: said(pilot) == list(kept))
        assert len(list(pilot.app._notifications)) == len(kept)


@SIZES
async def test_messages_cover_neither_the_outcome_nor_the_meter_nor_the_prompt_and_their_room_comes_back(
    size: tuple[int, int],
):
    async with campus_app(PlayedAgent(club_run())).run_test(size=size, notifications=True) as pilot:
        screen = await answered(pilot)
        height = screen.panes.size.height
        for number in range(5):
            pilot.app.notify(f"A message that takes some words to say what it says, the {number}.", title="Kept")
        await until(pilot, lambda: toasts(screen) and screen.panes.size.height < height)
        for part in (Header, Status, Prompt, "RunTrace > .outcome"):
            shown = screen.query(part).last().region
            assert not any(toast.region.overlaps(shown) for toast in toasts(screen))
        assert screen.query_one(Status).region in screen.panes.region
        pilot.app.clear_notifications()
        await until(pilot, lambda: screen.panes.size.height == height)


async def test_in_a_small_terminal_a_message_is_one_line():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(20, 8), notifications=True) as pilot:
        screen = await answered(pilot)
        pilot.app.notify("first line\nsecond line\nthird line", title="Left out")
        await until(pilot, lambda: toasts(screen))
        assert [toast.region.height for toast in toasts(screen)] == [1]
        assert said(pilot) == ["Left out: first…"]


async def test_what_opens_over_the_conversation_shows_a_notification_alone():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(120, 24), notifications=True) as pilot:
        screen = await answered(pilot)
        pilot.app.notify("Saved", timeout=1_000)
        await until(pilot, lambda: toasts(screen))
        await pilot.press("f1")
        await until(pilot, lambda: pilot.app.screen is not screen and pilot.app.screen.query("Toast"))
        assert not toasts(screen)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen and toasts(screen))
        assert said(pilot) == ["Saved"]


async def test_a_new_conversation_begins_without_what_was_said_in_the_old_one():
    async with campus_app(PlayedAgent(club_run())).run_test(size=(120, 24), notifications=True) as pilot:
        screen = await answered(pilot)
        pilot.app.notify("Saved", timeout=1_000)
        await until(pilot, lambda: toasts(screen))
        await pilot.press("ctrl+n")
        await until(pilot, lambda: not screen.records and not toasts(screen))
        assert said(pilot) == []


@pytest.mark.parametrize(("typed", "named"), [("/foo", "/copy"), ("/theme nope", "nord")])
async def test_of_a_long_list_only_the_nearest_few_are_named(typed: str, named: str):
    async with campus_app(PlayedAgent(club_run())).run_test(size=(120, 24), notifications=True) as pilot:
        await answered(pilot)
        await pilot.press(*("slash" if key == "/" else "space" if key == " " else key for key in typed), "enter")
        await until(pilot, lambda: said(pilot))
        assert named in said(pilot)[0]
        assert len(said(pilot)[0]) < 250
        assert "lists all" in said(pilot)[0]
