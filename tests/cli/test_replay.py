from __future__ import annotations

import pytest
from played import Terminal

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
    assert [event.kind for event in opened[0]["replay"].runs[0]] == ["run_started"]


@pytest.mark.parametrize("content", [None, "notes\n", ""])
def test_what_is_no_recording_is_said_before_the_app_opens(cli, opened, monkeypatch, tmp_path, content):
    monkeypatch.setattr("sys.stdout", Terminal())
    file = tmp_path / "notes.md"
    if content is not None:
        file.write_text(content)
    ran = cli("--replay", str(file), stdin=Terminal())
    assert ran.status == 2
    assert "notes.md" in ran.err
    assert "ask --jsonl" in ran.err
    assert opened == []


def test_a_replay_without_a_terminal_is_refused(cli):
    ran = cli("--replay", "run.jsonl", stdin="")
    assert ran.status == 2
    assert "terminal" in ran.err


def test_a_replay_goes_with_no_command(cli):
    ran = cli("--replay", "run.jsonl", "config", "path")
    assert ran.status == 2
    assert "--replay" in ran.err
