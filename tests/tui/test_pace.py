from __future__ import annotations

import asyncio

import pytest
from screen_runs import PlayedAgent, Script, campus_app, club_run
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.events import Event, Observed
from campus_agent.agent.outcome import Outcome
from campus_agent.tui.pace import MEANINGS, Pace, RunClock, reading_time
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.run_trace import RunTrace
from campus_agent.tui.widgets.step_card import StepCard
from campus_agent.tui.widgets.step_foot import StepFoot
from campus_agent.tui.widgets.trace_pane import TracePane
from campus_agent.tui.widgets.turn import Turn

WIDE = (120, 36)


def conversation(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    return screen


async def ask(pilot: Pilot[int]) -> ConversationScreen:
    screen = conversation(pilot)
    await until(pilot, lambda: screen.assistant is not None)
    screen.query_one(Prompt).text = "when?"
    await pilot.press("enter")
    return screen


async def test_slow_motion_rests_on_every_event_outside_the_run_and_its_clock(monkeypatch: pytest.MonkeyPatch):
    rested: list[tuple[float | None, float]] = []
    now = 0.0

    async def rest(pace: Pace, seconds: float | None) -> None:
        nonlocal now
        before = pace._clock()
        now += seconds or 0.0
        rested.append((seconds, pace._clock() - before))

    monkeypatch.setattr(Pace, "rest", rest)
    pace = Pace(RunClock(lambda: now))
    for event in club_run():
        await pace.hold(event)
    assert rested == []
    pace.change("slow")
    for event in club_run():
        await pace.hold(event)
    assert [seconds for seconds, _ in rested] == [reading_time(event) for event in club_run()]
    assert {passed for _, passed in rested} == {0.0}


@pytest.mark.parametrize("event", [*club_run(), *Script().step().act("x", {}).observe("y" * 100_000).events])
def test_nothing_stays_longer_than_a_class_has_patience(event: Event):
    assert 0.0 <= reading_time(event) <= 5.0
    assert reading_time(event) >= 1.0 or not isinstance(event, Observed)


async def test_news_ends_a_rest_also_when_it_comes_right_after_the_rest_began():
    pace = Pace(RunClock(lambda: 0.0))
    rest = asyncio.ensure_future(pace.rest(None))
    await asyncio.sleep(0)
    pace.wake()
    await asyncio.wait_for(rest, 1)
    assert rest.done()


def test_the_clock_of_a_run_stands_still_while_it_is_held_also_within_another_hold():
    now = 10.0
    clock = RunClock(lambda: now)
    with clock.held():
        now += 5
        with clock.held():
            now += 5
        now += 5
        assert clock() == 10.0
    now += 1
    assert clock() == 11.0


async def test_a_run_in_slow_motion_is_stopped_at_once():
    async with campus_app(PlayedAgent(club_run(until_second_call=True))).run_test(size=WIDE) as pilot:
        screen = conversation(pilot)
        await pilot.press("f7")
        assert str(screen.query_one("#asking").border_title).startswith("slow motion")
        await ask(pilot)
        await until(pilot, lambda: screen.query(RunTrace))
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy)
        finished = screen.query_one(RunTrace).record.finished
        assert finished is not None
        assert finished.outcome is Outcome.CANCELLED
        assert screen.query_one(Prompt).text == "when?"


@pytest.mark.parametrize(
    ("speed", "title", "stepping"),
    [
        ("slow", "slow motion", False),
        ("step", "step mode", True),
        ("true", "", False),
        ("fast", "", False),
    ],
)
async def test_a_pace_is_chosen_by_name_and_it_is_said(speed: str, title: str, stepping: bool):
    async with campus_app(PlayedAgent(club_run())).run_test(size=WIDE, notifications=True) as pilot:
        screen = conversation(pilot)
        screen.action_pace(speed)  # type: ignore[arg-type]
        await pilot.pause()
        assert str(screen.query_one("#asking").border_title).partition(",")[0] == title
        assert screen.stepping.on == stepping
        said = next(iter(pilot.app._notifications)).message
        assert said == f"{MEANINGS[speed].capitalize()}."  # type: ignore[index]


def shown(pilot: Pilot[int], kind: type) -> list[object]:
    return [widget for widget in pilot.app.screen.query(kind) if widget.region.area]


@pytest.mark.parametrize("size", [WIDE, (60, 20)])
async def test_big_type_shows_the_step_that_goes_on_then_the_answer_and_f2_every_step_of_it(size: tuple[int, int]):
    agent = PlayedAgent(club_run(until_second_call=True), club_run())
    async with campus_app(agent).run_test(size=size) as pilot:
        screen = conversation(pilot)
        await pilot.press("f9")
        await ask(pilot)
        await until(pilot, lambda: len(screen.query_one(TracePane).query(StepCard)) == 2)
        await until(pilot, lambda: len(shown(pilot, StepCard)) == 1)
        assert not shown(pilot, ChatPane)
        assert str(screen.query_one(KeyLine).render()) == "F9 back   ^Q quit"
        await pilot.press("escape")
        await until(pilot, lambda: not screen.busy and shown(pilot, ChatPane))
        assert not shown(pilot, TracePane)
        await pilot.press("enter")
        await until(pilot, lambda: len(agent.asked) == 2 and not screen.busy and shown(pilot, Turn))
        await pilot.press("f2")
        await until(pilot, lambda: not shown(pilot, ChatPane))
        trace = screen.query_one(TracePane)
        assert [card.display for card in trace.query(StepCard)] == [False] * 2 + [True] * 3  # of the newest run all
        await pilot.press("pageup", "pageup", "pageup")
        await until(pilot, lambda: trace.query(StepCard)[2] in shown(pilot, StepCard))
        assert not shown(pilot, StepFoot)
        await pilot.press("f9")
        await until(pilot, lambda: shown(pilot, ChatPane) and "F1 help" in str(screen.query_one(KeyLine).render()))
