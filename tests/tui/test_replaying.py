from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from screen_runs import HOSTILE, PlayedAgent, Script, campus_app, club_run, failed_run, refused_run
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.events import Event
from campus_agent.agent.outcome import Outcome
from campus_agent.recording import Recording, RecordingError
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.pace import Pace, RunClock, Speed
from campus_agent.tui.replaying import Player
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.replay import ReplayScreen
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.row import Row
from campus_agent.tui.widgets.step_card import StepCard
from campus_agent.tui.widgets.turn import Turn

WIDE = (120, 36)


def apart(events: Iterable[Event], seconds: float) -> tuple[Event, ...]:
    """Let the events come so many seconds after one another."""
    return tuple(
        event.model_copy(update={"time": event.time + timedelta(seconds=n * seconds)}) for n, event in enumerate(events)
    )


def named(events: Iterable[Event], run_id: str) -> tuple[Event, ...]:
    return tuple(event.model_copy(update={"run_id": run_id}) for event in events)


def no_assistant(_: Settings) -> object:
    raise AssertionError("a replay needs no model")


@asynccontextmanager
async def replaying(
    *runs: Iterable[Event], problems: tuple[str, ...] = (), speed: Speed | None = "fast"
) -> AsyncIterator[tuple[Pilot[int], ReplayScreen]]:
    recording = Recording("club.jsonl", tuple(map(tuple, runs)), problems)
    app = CampusApp(Settings(), assemble=no_assistant, clock=lambda: 0.0, replay=recording)  # type: ignore[arg-type]
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = app.screen_stack[0]
        assert isinstance(screen, ReplayScreen)
        if speed is not None:
            screen._player.change_pace(speed)
        yield pilot, screen


def bar(screen: ReplayScreen) -> str:
    return str(screen.query_one("#replaying").render())


def rows(screen: ReplayScreen) -> str:
    return "\n".join(str(row.render()) for row in screen.query(Row))


def shows(screen: ReplayScreen, step: str, cards: int) -> bool:
    return step in bar(screen) and len(screen.query(StepCard)) == cards


async def test_big_type_keeps_the_keys_that_lead_out_of_it_and_out_of_the_replay():
    async with replaying(club_run()) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        await pilot.press("f9")
        await pilot.pause()
        keys = screen.query_one(KeyLine)
        assert str(keys.render()) == "Space play again   F9 back   esc end   ^Q quit"
        assert keys.region.area
        await pilot.press("f9")
        await pilot.pause()
        assert "F1 help" in str(keys.render())


async def test_a_recording_plays_to_its_end_on_the_same_stage_without_a_model():
    async with replaying(club_run()) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        assert "June 18" in screen.query_one(Turn).text
        assert "search_campus_info" in rows(screen)
        assert "step ▰▰▰▱▱ 3/5" in str(screen.query_one(Header).render())
        assert "step 3 of 3" in bar(screen)
        assert str(screen.query(".outcome").last().render()).startswith("● answered")


async def test_space_stands_still_and_goes_on_and_nothing_ticks_meanwhile():
    async with replaying(apart(club_run(), 5.0), speed="true") as (pilot, screen):
        await until(pilot, lambda: "playing" in bar(screen))
        await pilot.press("space")
        assert "paused" in bar(screen)
        assert screen.query_one(Header).auto_refresh is None
        await pilot.press("space")
        assert "playing" in bar(screen)


async def test_what_a_replay_that_stands_still_has_not_shown_yet_waits():
    async with replaying(apart(club_run(), 60.0), speed="true") as (pilot, screen):
        await until(pilot, lambda: "playing" in bar(screen))
        await pilot.press("right")
        await until(pilot, lambda: "thinking" in rows(screen))
        await pilot.press("space")
        await until(pilot, lambda: "· waiting" in rows(screen))
        assert "thinking" not in rows(screen)
        await pilot.press("space")
        await until(pilot, lambda: "· waiting" not in rows(screen))
        assert any(said in rows(screen) for said in ("· thinking", "▸ acting"))  # whichever has come by then


async def test_right_and_left_go_a_step_on_and_back_and_digits_jump():
    async with replaying(apart(club_run(), 60.0), speed="true") as (pilot, screen):
        await until(pilot, lambda: "playing" in bar(screen))
        await pilot.press("space")
        for key, step, cards in (
            ("right", "step 1 of 3", 1),
            ("right", "step 2 of 3", 2),
            ("right", "step 3 of 3", 3),
            ("left", "step 2 of 3", 2),
            ("3", "step 3 of 3", 3),
            ("1", "step 1 of 3", 1),
        ):
            await pilot.press(key)
            await until(pilot, partial(shows, screen, step, cards))
            assert "paused" in bar(screen)
            assert len(screen.query(Turn)) == 1
        await pilot.press("9")
        assert "step 1 of 3" in bar(screen)
        await pilot.press("right", "right", "right")
        await until(
            pilot,
            lambda: (
                "the end" in bar(screen) or "answered" in "".join(str(o.render()) for o in screen.query(".outcome"))
            ),
        )


async def test_back_from_the_end_and_on_again_and_space_at_the_end_begins_anew():
    async with replaying(club_run()) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        await pilot.press("left")
        await until(pilot, lambda: "paused" in bar(screen) and not screen.query(".outcome"))
        assert len(screen.query(StepCard)) == 3
        await pilot.press("space")
        await until(pilot, lambda: "the end" in bar(screen))
        await pilot.press("space")
        await until(pilot, lambda: "the end" in bar(screen) and len(screen.query(Turn)) == 1)


async def test_the_runs_follow_each_other_and_back_leads_into_the_run_before():
    second, third = named(refused_run(), "run-2"), named(failed_run(), "run-3")
    async with replaying(club_run(), second, third) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        assert "run 3 of 3" in bar(screen)
        assert len(screen.query(Turn)) == 3
        for _ in range(2):
            await pilot.press("left")
            await until(pilot, lambda: "paused" in bar(screen))
        await until(pilot, lambda: "run 2 of 3" in bar(screen))
        assert len(screen.query(Turn)) == 2


async def test_step_by_step_nothing_happens_until_space():
    async with replaying(apart(club_run(), 60.0), speed="true") as (pilot, screen):
        await until(pilot, lambda: "playing" in bar(screen))
        await pilot.press("f7", "f7")
        await until(pilot, lambda: "step by step" in bar(screen) and "paused" in bar(screen))
        await pilot.press("space")
        await until(pilot, lambda: "paused" in bar(screen) and "search_campus_info" in rows(screen))
        assert "AI Club: meets" not in rows(screen)
        await pilot.press("space")
        await until(pilot, lambda: "paused" in bar(screen) and "AI Club: meets" in rows(screen))
        await pilot.press("f7")  # what step by step held goes on at the next speed
        await until(pilot, lambda: "the end" in bar(screen))


def keys(screen: ReplayScreen) -> str:
    return str(screen.query_one(KeyLine).render())


async def test_the_keys_at_the_bottom_say_what_space_does_now():
    async with replaying(apart(club_run(), 60.0), speed="true") as (pilot, screen):
        await until(pilot, lambda: "playing" in bar(screen))
        assert "Space pause" in keys(screen)
        await pilot.press("space")
        assert "Space go on" in keys(screen)
        await pilot.press("f7", "f7", "f7", "space")
        await until(pilot, lambda: "the end" in bar(screen))
        assert "Space play again" in keys(screen)


@pytest.mark.parametrize(("seconds", "shown"), [(0.0, "slow motion"), (0.005, "slow motion"), (2.0, "true pace")])
async def test_a_recording_that_would_be_over_in_a_moment_begins_in_slow_motion(seconds: float, shown: str):
    async with replaying(apart(club_run(), seconds), speed=None) as (pilot, screen):
        await until(pilot, lambda: "playing" in bar(screen))
        assert f"{shown} (F7)" in bar(screen)
        assert "before step 1 of 3" in bar(screen)


async def test_f7_goes_through_every_pace_and_names_each():
    async with replaying(apart(club_run(), 60.0), speed="true") as (pilot, screen):
        await until(pilot, lambda: "playing" in bar(screen))
        for name, going in (("slow motion", "playing"), ("step by step", "paused"), ("fast", "playing")):
            await pilot.press("f7")
            assert f"{name} (F7)" in bar(screen)
            assert going in bar(screen) or "the end" in bar(screen)


async def test_messages_of_the_conversation_do_not_travel_onto_a_replay(tmp_path: Path):
    async with campus_app(PlayedAgent(refused_run())).run_test(size=WIDE, notifications=True) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        pilot.app.notify("Saved")
        await screen.action_replay(str(written(tmp_path, club_run())))
        await pilot.pause()
        assert not list(pilot.app._notifications)


async def test_what_could_not_be_read_is_said_and_is_only_text():
    problems = tuple(f"line {number}: {HOSTILE}" for number in range(1, 9))
    async with replaying(club_run(), problems=problems) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        said = next(iter(pilot.app._notifications)).message
        assert "line 5" in said
        assert "and 3 more problems" in said
        assert "\x1b" not in said


async def test_a_recorded_run_that_is_cut_plays_to_where_it_ends():
    async with replaying(club_run(until_second_call=True)) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        assert "days_until_weekday" in rows(screen)


async def test_a_run_whose_question_was_not_recorded_is_shown_all_the_same():
    async with replaying(club_run()[1:]) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        assert "June 18" in screen.query_one(Turn).text


async def test_a_question_full_of_control_characters_is_replayed_as_text():
    run = (
        Script(HOSTILE)
        .step()
        .act(HOSTILE, {HOSTILE: HOSTILE})
        .observe(HOSTILE)
        .write(HOSTILE)
        .end(Outcome.ANSWERED, HOSTILE)
    )
    async with replaying(run.events) as (pilot, screen):
        await until(pilot, lambda: "the end" in bar(screen))
        assert "[/x] [b]bold[/b]" in rows(screen)
        assert "\x1b" not in rows(screen)


async def test_escape_ends_an_app_that_only_replays():
    async with replaying(apart(club_run(), 60.0), speed="true") as (pilot, _):
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.is_running)
        assert pilot.app.return_code == 0


def written(folder: Path, events: Iterable[Event]) -> Path:
    file = folder / "run.jsonl"
    file.write_text("\n".join(event.model_dump_json() for event in events), encoding="utf-8")
    return file


async def test_a_replay_over_a_conversation_leaves_it_as_it_was(tmp_path: Path):
    async with campus_app(PlayedAgent(refused_run())).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        await screen.action_replay(str(written(tmp_path, club_run())))
        replay = pilot.app.screen
        assert isinstance(replay, ReplayScreen)
        await pilot.press("f7", "f7")
        await until(pilot, lambda: "the end" in bar(replay))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert not screen.query(Turn)
        assert isinstance(screen.focused, Prompt)


@pytest.mark.parametrize("path", ["", "  ", "/no/such/file.jsonl", "."])
async def test_a_replay_that_cannot_be_is_refused_with_words(path: str):
    async with campus_app(PlayedAgent(refused_run())).run_test(size=WIDE) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        with pytest.raises(RecordingError, match=r"needs a file|could not be read"):
            await screen.action_replay(path)
        assert pilot.app.screen is screen


def player(speed: Speed, *, seconds: float) -> Player:
    recording = Recording("club.jsonl", (apart(club_run(), seconds),))
    made = Player(recording, Pace(RunClock(lambda: 0.0)), stopped=lambda: None)
    made.change_pace(speed)
    return made


@pytest.mark.parametrize(
    ("speed", "seconds", "waits"),
    [("true", 2.0, 2.0), ("true", 3600.0, 10.0), ("true", -5.0, -5.0), ("fast", 3600.0, 0.0), ("slow", 3600.0, 0.8)],
)
async def test_the_wait_between_two_events_is_that_of_the_pace(
    speed: Speed, seconds: float, waits: float, monkeypatch: pytest.MonkeyPatch
):
    rested: list[float | None] = []

    async def rest(_: Pace, seconds: float | None) -> None:
        rested.append(seconds)

    monkeypatch.setattr(Pace, "rest", rest)
    playing = player(speed, seconds=seconds)
    first, second = playing.events[:2]
    playing.begin(0, 0)
    await playing.due(second, first)
    assert rested == [waits]


async def test_a_jump_ends_the_wait_at_once():
    playing = player("true", seconds=5.0)
    playing.begin(0, 0)
    waiting = asyncio.create_task(playing.due(playing.events[1], playing.events[0]))
    await asyncio.sleep(0)
    playing.hurry(3)
    await asyncio.wait_for(waiting, 1)
    assert waiting.done()
