from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from campus_agent.tui.editor import EditorFailed, chosen_editor, edited, write_in_editor


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def script(body: str) -> list[str]:
    return [sys.executable, "-c", f"import sys, os, pathlib; file = pathlib.Path(sys.argv[1]); {body}"]


@pytest.mark.parametrize("environ", [{}, {"EDITOR": "  "}, {"VISUAL": "", "EDITOR": ""}])
def test_without_an_editor_it_is_said_how_to_set_one(environ):
    with pytest.raises(EditorFailed, match="No editor is set") as caught:
        chosen_editor(environ)
    assert "export EDITOR" in str(caught.value)


@pytest.mark.parametrize("value", ["no-such-editor-anywhere", "'half quoted", "''"])
def test_an_editor_that_is_not_there_is_named(value):
    with pytest.raises(EditorFailed, match="EDITOR"):
        chosen_editor({"EDITOR": value, "PATH": os.environ["PATH"]})


def test_the_variable_that_wins_is_the_one_to_set():
    with pytest.raises(EditorFailed, match="export VISUAL=nano"):
        chosen_editor({"VISUAL": "no-such-editor-anywhere", "EDITOR": sys.executable, "PATH": os.environ["PATH"]})


def test_visual_comes_before_editor_and_may_have_arguments():
    assert chosen_editor({"VISUAL": f"{sys.executable} --wait", "EDITOR": "no"}) == [sys.executable, "--wait"]


def test_what_was_written_comes_back_and_no_file_stays(temporary):
    text = edited("When?", script("file.write_text(file.read_text() + ' And where?\\n\\n', encoding='utf-8')"))
    assert text == "When? And where?"
    assert list(temporary.iterdir()) == []


def test_an_editor_that_fails_takes_nothing_over_and_names_the_file(temporary):
    with pytest.raises(EditorFailed, match="status 3") as caught:
        edited("When?", script("file.write_text('half'); sys.exit(3)"))
    (file,) = temporary.glob("*/question.md")
    assert str(file) in str(caught.value)
    assert file.read_text() == "half"


def test_a_file_that_the_editor_removed_is_said():
    with pytest.raises(EditorFailed, match="could not be used"):
        edited("When?", script("file.unlink()"))


def test_a_text_that_is_far_too_long_stays_in_its_file(temporary):
    with pytest.raises(EditorFailed, match="1 MB"):
        edited("", script("file.write_text('x' * 1_000_001)"))
    assert list(temporary.glob("*/question.md"))


def test_bytes_that_are_no_text_are_taken_as_far_as_they_go():
    assert edited("", script("file.write_bytes(b'ok \\xff')")) == "ok \ufffd"


@pytest.mark.skipif(os.name == "nt", reason="signals are of other systems")
def test_an_interrupt_in_the_editor_is_the_editors_and_not_ours():
    before = signal.getsignal(signal.SIGINT)
    body = "os.kill(os.getppid(), 2); import signal; file.write_text(str(signal.getsignal(2) is signal.SIG_IGN))"
    assert edited("", script(body)) == "False"
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(os.name == "nt", reason="signals are of other systems")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize(("deaf", "status"), [("", -signal.SIGTERM), ("signal.signal(15, signal.SIG_IGN); ", -9)])
def test_a_signal_that_ends_the_app_ends_the_editor_as_well(name: str, deaf: str, status: int):
    number, told = getattr(signal, name), []
    before = signal.signal(number, lambda number, frame: told.append(number))
    try:
        with pytest.raises(EditorFailed, match=f"status {status}"):
            edited("", script(f"import signal; {deaf}os.kill(os.getppid(), {number.value}); signal.pause()"))
        assert told == [number]
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("ends", ["exit 3", "kill -9 $$", 'rm -f "$1"'])
async def test_an_editor_that_fails_gives_the_terminal_back_and_is_told(monkeypatch: pytest.MonkeyPatch, ends: str):
    entered: list[str] = []

    class Screen:
        def suspend(self) -> contextlib.AbstractContextManager[None]:
            return self._suspended()

        @contextlib.contextmanager
        def _suspended(self) -> Iterator[None]:
            entered.append("in")
            yield
            entered.append("out")  # as Textual does it: not when something is raised inside

        def refresh(self, *, layout: bool) -> None:
            entered.append("drawn")

    monkeypatch.setenv("VISUAL", f"sh -c '{ends}' editor")
    with pytest.raises(EditorFailed):
        write_in_editor(Screen(), "half a question")  # type: ignore[arg-type]
    assert entered == ["in", "out", "drawn"]
