from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual.widgets import Static
from waiting import until

from campus_agent.errors import CampusAgentError
from campus_agent.journal.schema import JournalError
from campus_agent.recording import Recording, RecordingError
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.reading import ReadingScreen
from campus_agent.tui.screens.replay import ReplayScreen
from campus_agent.tui.widgets.turn import Turn


def app_of(named: str) -> CampusApp:
    app = campus_app(PlayedAgent())
    return CampusApp(Settings(), assemble=app.beginning._assemble, clock=lambda: 0.0, replay=named)


class Slow:
    """Stands in for what reads a recording: it takes as long as the test wants, or until it is to stop."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.stopped = threading.Event()

    def __call__(self, named: str, journal: Path, *, stop: Callable[[], bool]) -> Recording:
        while not self.may_end.wait(0.01):
            if stop():
                self.stopped.set()
                raise RecordingError("stopped")
        return Recording(named, (tuple(club_run()),))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    reading = Slow()
    monkeypatch.setattr("campus_agent.journal.replaying.recording_of", reading)
    return reading


async def test_a_recording_is_read_once_the_screen_stands_and_then_played(tmp_path: Path):
    file = tmp_path / "run.jsonl"
    file.write_text("".join(f"{event.model_dump_json()}\n" for event in club_run()))
    app = app_of(str(file))
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and app.screen.query(Turn))
        await pilot.press("escape")
    assert app.return_code == 0
    assert app.failure is None


async def test_what_takes_a_while_to_read_is_named_with_the_key_that_leaves(slow: Slow):
    app = app_of("big [/x].jsonl")
    async with app.run_test() as pilot:
        await until(pilot, lambda: "Reading" in str(app.screen.query_one(Static).render()))
        said = str(app.screen.query_one(Static).render())
        slow.may_end.set()
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
    assert "big [/x].jsonl" in said
    assert "esc leaves" in said


async def test_escape_ends_the_app_and_the_reading(slow: Slow):
    app = app_of("big.jsonl")
    async with app.run_test() as pilot:
        assert isinstance(app.screen, ReadingScreen)
        await pilot.press("escape")
    assert app.return_code == 0
    assert slow.stopped.wait(10)


@pytest.mark.parametrize(
    ("content", "error"), [("notes\n", RecordingError), (None, RecordingError), ("id", JournalError)]
)
async def test_what_cannot_be_replayed_ends_the_app_with_the_reason(
    tmp_path: Path, content: str | None, error: type[CampusAgentError]
):
    file = tmp_path / "notes.md"
    if content == "notes\n":
        file.write_text(content)
    app = app_of("abc" if content == "id" else str(file))
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.failure)
    assert isinstance(app.failure, error)
    assert app._exit
