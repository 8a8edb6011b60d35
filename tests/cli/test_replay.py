from __future__ import annotations

import pytest
from played import Terminal

from campus_agent.recording import RecordingError

START = (
    '{"kind":"run_started","run_id":"a","seq":0,"time":"2026-06-13T17:00:00Z","question":"When?","model":"offline",'
    '"provider":"offline","protocol":"native","budgets":{}}\n'
)


@pytest.fixture
def opened(monkeypatch):
    """Stand in for the app: what it is opened with."""
    calls = []
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda _, **options: calls.append(options) or (0, ()))
    return calls


def test_a_recording_opens_the_app_without_a_model_or_a_base(cli, opened, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdout", Terminal())
    file = tmp_path / "run.jsonl"
    file.write_text(START)
    assert cli("--replay", str(file), "--kb", str(tmp_path / "none"), stdin=Terminal()).status == 0
    assert opened[0]["replay"] == str(file)


@pytest.mark.parametrize(("named", "said"), [("missing.jsonl", "ask --jsonl"), ("a.folder", "ordinary"), ("3f", "3f")])
def test_what_is_not_there_is_said_before_the_app_opens(cli, opened, monkeypatch, tmp_path, named, said):
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.folder").mkdir()
    ran = cli("--replay", named, stdin=Terminal())
    assert ran.status == 2
    assert named in ran.err
    assert said in ran.err
    assert opened == []


def test_what_the_app_finds_to_be_no_recording_is_said_after_it(cli, monkeypatch, tmp_path):
    def run_app(settings, *, replay, **_):
        raise RecordingError(f"{replay} is not a recording.")

    monkeypatch.setattr("campus_agent.tui.run.run_app", run_app)
    monkeypatch.setattr("sys.stdout", Terminal())
    file = tmp_path / "notes.md"
    file.write_text("notes\n")
    ran = cli("--replay", str(file), stdin=Terminal())
    assert ran.status == 2
    assert "notes.md is not a recording." in ran.err


def test_a_replay_without_a_terminal_is_refused(cli):
    ran = cli("--replay", "run.jsonl", stdin="")
    assert ran.status == 2
    assert "terminal" in ran.err


def test_a_replay_goes_with_no_command(cli):
    ran = cli("--replay", "run.jsonl", "config", "path")
    assert ran.status == 2
    assert "--replay" in ran.err
