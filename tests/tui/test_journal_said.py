from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from kept_runs import SIZE, begun, keeping_app, questions, record
from screen_runs import ABOUT, PlayedAgent, club_run
from waiting import until

from campus_agent.assemble import Assistant
from campus_agent.recording import Recording, RecordingError
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.prompt import Prompt


def said(app: CampusApp) -> str:
    return "\n".join(f"{note.title}: {note.message}" for note in app._notifications)


async def test_a_journal_that_was_damaged_is_said_at_the_start_and_its_conversation_goes_on(tmp_path: Path):
    path = tmp_path / "journal.db"
    await record(path, club_run())
    with path.open("r+b") as file:
        file.write(bytes(16))
    async with keeping_app(path, first="last").run_test(size=SIZE, notifications=True) as pilot:
        screen = await begun(pilot)
        await until(pilot, lambda: "1 conversation with 1 question could be saved from it" in said(pilot.app))
        await until(pilot, lambda: len(questions(screen)) == 1)
        assert said(pilot.app).count("The journal was damaged.") == 1


@pytest.mark.parametrize(("first", "words"), [("zzz", "^R"), ("last", "What you ask next begins one.")])
async def test_a_conversation_that_is_not_there_is_said_with_what_to_do_in_the_app(
    tmp_path: Path, first: str, words: str
):
    async with keeping_app(tmp_path / "journal.db", first=first).run_test(size=SIZE, notifications=True) as pilot:
        await begun(pilot)
        await until(pilot, lambda: words in said(pilot.app))


async def test_escape_stops_a_slow_reading_and_not_what_gets_ready(monkeypatch: pytest.MonkeyPatch):
    reading, ready, given_up = Event(), Event(), Event()

    def slow(named: str, journal: Path, *, stop) -> Recording:
        while not stop():
            reading.set()
        raise RecordingError("It was stopped.")

    def assemble(_: Settings) -> Assistant:
        assert ready.wait(30)
        return Assistant(agent=PlayedAgent(club_run()), about=ABOUT)  # type: ignore[arg-type]

    monkeypatch.setattr("campus_agent.tui.screens.replay.recording_of", slow)
    clock = iter(range(0, 10_000, 100))
    app = CampusApp(Settings(), assemble=assemble, give_up=given_up.set, clock=lambda: float(next(clock)))
    async with app.run_test(size=SIZE) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ConversationScreen)
        screen.query_one(Prompt).text = "/replay slow.jsonl"
        await pilot.press("enter")
        await until(pilot, reading.is_set)
        await pilot.press("escape")
        await pilot.pause()
        assert not given_up.is_set()
        ready.set()
        await until(pilot, lambda: screen.assistant is not None)
        await pilot.press("escape")
