from __future__ import annotations

import os
from pathlib import Path

import pytest
from screen_runs import QUESTIONS, PlayedAgent, campus_app, club_run
from textual.pilot import Pilot
from waiting import until

from campus_agent.assemble import assemble
from campus_agent.settings import Settings
from campus_agent.tui.app import CampusApp
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.widgets.failure import Failure
from campus_agent.tui.widgets.prompt import Prompt

WIDE = (120, 36)


async def ready(pilot: Pilot[int]) -> ConversationScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, ConversationScreen)
    await until(pilot, lambda: screen.assistant is not None)
    return screen


async def send(pilot: Pilot[int], screen: ConversationScreen, text: str) -> None:
    screen.query_one(Prompt).put(text)
    await pilot.press("enter")


def said(app: CampusApp) -> str:
    return "\n".join(f"{note.title} {note.message}" for note in app._notifications)


@pytest.mark.parametrize(
    "name",
    [f"{'x' * 300}.md", f"{'x/' * 2_500}y.md", "locked/talk.md", "a-file/talk.md"],
    ids=["a long name", "a long path", "a locked folder", "a file for a folder"],
)
async def test_a_name_that_nothing_can_be_saved_under_is_said_and_the_chat_goes_on(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "locked").mkdir(mode=0o500)
    (tmp_path / "a-file").touch()
    if name.startswith("locked") and os.access(tmp_path / "locked", os.W_OK):
        pytest.skip("nothing is locked for this user")
    app = campus_app(agent := PlayedAgent(club_run()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        await send(pilot, screen, QUESTIONS[0])
        await until(pilot, lambda: len(agent.asked) == 1 and not screen.busy)
        await send(pilot, screen, f"/export {name}")
        await until(pilot, lambda: "could not be written" in said(app) or "no file to export to" in said(app))
        await send(pilot, screen, QUESTIONS[1])
        await until(pilot, lambda: len(agent.asked) == 2 and not screen.busy)


@pytest.mark.skipif(os.name == "nt", reason="Windows does not delete a folder that is the current one")
@pytest.mark.parametrize("place", [".", "clubs.md", "sub/folder"])
async def test_a_base_in_a_current_folder_that_is_gone_is_said_and_the_old_one_goes_on(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    app = CampusApp(Settings(), assemble=assemble, load=lambda **changes: Settings(**changes))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        old = screen.assistant
        gone.rmdir()
        await send(pilot, screen, f"/kb {place}")
        await until(pilot, lambda: (screen.query(Failure) or said(app)) and screen.assistant is old)
        await send(pilot, screen, QUESTIONS[2])
        await until(pilot, lambda: screen.records and screen.records[-1].finished is not None)
        assert screen.records[-1].finished.complete
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name here")
@pytest.mark.parametrize("place", ["pipe.md", "/dev/zero", "."])
async def test_a_pipe_or_a_device_is_not_waited_for(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pipe.md")
    app = CampusApp(Settings(), assemble=assemble, load=lambda **changes: Settings(**changes))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = await ready(pilot)
        old = screen.assistant
        await send(pilot, screen, f"/kb {place}")
        await until(pilot, lambda: screen.query(Failure) and screen.assistant is old)
        assert "ordinary file" in str(screen.query_one(Failure).render())
