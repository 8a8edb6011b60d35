from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from screen_runs import ABOUT, QUESTIONS, PlayedAgent, club_run
from textual.pilot import Pilot
from waiting import until

from campus_agent.agent.conversation import Conversation
from campus_agent.assemble import Assistant
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.screens.replay import ReplayScreen
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt

WIDE = (120, 36)


class Endless:
    """Makes an assistant at once, except where it is told to wait: until it is given up."""

    def __init__(self, *, waits_at: int) -> None:
        self.waits_at = waits_at
        self.made = 0
        self.given_up = Event()
        self.agents: list[PlayedAgent] = []

    def __call__(self, settings: Settings) -> Assistant:
        self.made += 1
        if self.made == self.waits_at:
            assert self.given_up.wait(30)
        agent = PlayedAgent(club_run())
        agent.conversation = Conversation(8)  # type: ignore[attr-defined]
        self.agents.append(agent)
        return Assistant(agent=agent, about=ABOUT)  # type: ignore[arg-type]


def app_of(made: Endless, clock: Callable[[], float] = lambda: 0.0) -> CampusApp:
    return CampusApp(Settings(), assemble=made, give_up=made.given_up.set, clock=clock)


def conversation(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    return screen


def said(app: CampusApp) -> str:
    return "\n".join(f"{note.title} {note.message}" for note in app._notifications)


async def test_a_base_that_has_no_end_is_left_with_escape_and_the_old_one_goes_on():
    made = Endless(waits_at=2)
    app = app_of(made)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = conversation(pilot)
        await until(pilot, lambda: screen.assistant is not None)
        old = screen.assistant
        screen.query_one(Prompt).put("/kb /proc")
        await pilot.press("enter")
        await until(pilot, lambda: app.assembling and made.made == 2)
        await until(pilot, lambda: "esc stop" in str(screen.query_one(KeyLine).render()))
        await pilot.press("escape")
        await until(pilot, lambda: screen.assistant is old and screen.query(Failure))
        assert made.given_up.is_set()
        assert "was stopped" in str(screen.query_one(Failure).render())
        assert app.chosen.settings.kb == ()
        await until(pilot, lambda: screen.query_one(Prompt).text == "/kb /proc")
        await until(pilot, lambda: len(made.agents) == 2)  # what comes late
        await pilot.pause()
        assert screen.assistant is old
        screen.query_one(Prompt).put(QUESTIONS[0])
        await pilot.press("enter")
        await until(pilot, lambda: made.agents[0].asked == [QUESTIONS[0]] and not screen.busy)
        assert made.agents[1].asked == []


async def test_a_start_that_has_only_just_begun_goes_on_after_escape_and_the_question_comes_back():
    made = Endless(waits_at=1)
    app = app_of(made)
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(pilot)
        await until(pilot, lambda: made.made == 1)
        screen.query_one(Prompt).put("typed")
        await pilot.press("enter", "escape", "escape")
        assert not made.given_up.is_set()
        made.given_up.set()
        await until(pilot, lambda: screen.assistant is not None and screen.query("Start OptionList"))
        assert not screen.query(Failure)
        assert screen.query_one(Prompt).text == "typed"
        assert made.made == 1


async def test_a_start_that_has_no_end_is_left_with_escape_and_tried_again_with_the_next_question():
    made = Endless(waits_at=1)
    now = [0.0]
    app = app_of(made, lambda: now[0])
    async with app.run_test(size=WIDE) as pilot:
        screen = conversation(pilot)
        await until(pilot, lambda: made.made == 1)
        now[0] = 2.5
        screen.query_one(Prompt).put("typed")
        await pilot.press("enter", "escape")
        await until(pilot, lambda: screen.query(Failure))
        assert screen.query_one(Prompt).text == "typed"
        await pilot.press("enter")
        await until(pilot, lambda: screen.assistant is not None and made.agents[-1].asked == ["typed"])
        assert made.made == 2


async def test_a_recording_that_takes_long_to_read_is_announced_and_left_with_escape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    stopped = Event()

    def slow(named: str, journal: Path, *, stop: object) -> None:
        while not stop():  # type: ignore[operator]
            stopped.wait(0.01)
        stopped.set()

    monkeypatch.setattr("campus_agent.tui.screens.replay.recording_of", slow)
    monkeypatch.setattr("campus_agent.tui.screens.replay._PATIENCE", 0.0)
    made = Endless(waits_at=0)
    app = app_of(made)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = conversation(pilot)
        await until(pilot, lambda: screen.assistant is not None)
        screen.query_one(Prompt).put("/replay big.jsonl")
        await pilot.press("enter")
        await until(pilot, lambda: "Esc stops it" in said(app))
        screen.query_one(Prompt).put(QUESTIONS[0])
        await pilot.press("enter")  # meanwhile the conversation goes on
        await until(pilot, lambda: made.agents[0].asked == [QUESTIONS[0]] and not screen.busy)
        await pilot.press("escape")
        await until(pilot, lambda: "nothing is replayed" in said(app))
        await until(pilot, stopped.is_set)
        assert not isinstance(app.screen, ReplayScreen)


def test_reading_a_recording_ends_when_it_is_told_to(tmp_path: Path):
    from campus_agent.recording import RecordingError, read

    file = tmp_path / "big.jsonl"
    file.write_text("\n".join(event.model_dump_json() for event in club_run()))
    asked = iter([False, False, True])
    with pytest.raises(RecordingError, match="stopped"):
        read(file, stop=lambda: next(asked))
    assert len(read(file).runs) == 1
