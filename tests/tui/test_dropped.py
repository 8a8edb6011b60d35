from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from screen_runs import PlayedAgent, campus_app, club_run
from textual import events
from waiting import until

from campus_agent.tui.dropped import dropped_paths
from campus_agent.tui.slash.paths import quoted, words
from campus_agent.tui.widgets.prompt import Prompt

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the paths of the test are those of a shell")

FORMS: dict[str, Callable[[Path], str]] = {
    "as it is": str,
    "single quotes": lambda path: f"'{path}'",
    "double quotes": lambda path: f'"{path}"',
    "backslashes": lambda path: str(path).replace(" ", "\\ "),
    "an address": lambda path: path.as_uri(),
    "an address with a host": lambda path: path.as_uri().replace("file://", "file://localhost"),
    "a space behind it": lambda path: f"{shlex.quote(str(path))} ",
    "a new line behind it": lambda path: f"{path}\r\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "my campus, café"
    folder.mkdir()
    (folder / "clubs.md").write_text("# Clubs\n\nChess: Mondays.\n")
    return folder


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["", "clubs.md"])
def test_a_path_is_read_however_a_terminal_writes_it(folder: Path, form: str, name: str):
    assert dropped_paths(FORMS[form](folder / name)) == (folder / name,)


@pytest.mark.parametrize("form", list(FORMS)[1:6])
@pytest.mark.parametrize("between", [" ", "\n", "\r\n"])
def test_several_paths_are_read(folder: Path, form: str, between: str):
    paths = (folder, folder / "clubs.md")
    assert dropped_paths(between.join(map(FORMS[form], paths))) == paths


@pytest.mark.parametrize(
    "text",
    [
        *("", "hello", "When does /etc close?", "/no/such/folder", "it's /tmp", "file://elsewhere/tmp", "a" * 9_000),
        *("/dev/null", "tmp", f"/{'x' * 300}", "/tmp\x00", "file://[/tmp", "http://example.edu/"),
    ],
)
def test_a_text_that_is_no_path_of_a_base_is_left_alone(text: str):
    assert dropped_paths(text) == ()


def test_a_file_that_no_base_is_made_of_is_left_alone(tmp_path: Path):
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    assert dropped_paths(str(tmp_path / "photo.png")) == ()


@pytest.mark.parametrize("path", ["/a b", "/it's", '/"x"', "/$HOME", "/a\\b", "/ü"])
def test_a_quoted_path_is_read_as_it_was(path: str):
    assert words(f"{quoted(path)} {quoted(path)}") == (path, path)


@pytest.mark.parametrize("form", FORMS)
async def test_a_folder_that_is_dropped_is_offered_as_a_command_and_nothing_is_done(folder: Path, form: str):
    app = campus_app(agent := PlayedAgent(club_run()))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        prompt = app.screen_stack[0].query_one(Prompt)
        await until(pilot, lambda: prompt.has_focus)
        app.post_message(events.Paste(FORMS[form](folder)))
        await until(pilot, lambda: prompt.text.startswith("/kb "))
        assert words(prompt.text.removeprefix("/kb ")) == (str(folder),)
        assert "answers from this folder" in "".join(note.message for note in app._notifications)
        assert agent.asked == []


async def test_a_path_that_is_pasted_into_a_question_stays_what_it_is(folder: Path):
    app = campus_app(PlayedAgent(club_run()))
    async with app.run_test(size=(120, 36)) as pilot:
        prompt = app.screen_stack[0].query_one(Prompt)
        await until(pilot, lambda: prompt.has_focus)
        await pilot.press("a", "space")
        app.post_message(events.Paste(str(folder)))
        await until(pilot, lambda: str(folder) in prompt.text)
        await app.workers.wait_for_complete()
        assert prompt.text == f"a {folder}"
