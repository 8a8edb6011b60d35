from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from campus_agent.settings import Settings
from campus_agent.tui.history import History


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.jsonl"


def history(file: Path, *entries: str) -> History:
    made = History(file)
    for entry in entries:
        made.add(entry)
    return made


def test_older_entries_come_one_after_the_other_and_the_draft_comes_back(file):
    typed = history(file, "one?", "two?")
    assert typed.older("half a thou") == "two?"
    assert typed.older("two?") == "one?"
    assert typed.older("one?") is None
    assert typed.newer("one?") == "two?"
    assert typed.newer("two?") == "half a thou"
    assert typed.newer("half a thou") is None


def test_what_was_not_asked_comes_back_in_its_order_whatever_was_typed_between(file):
    typed = history(file, "one?", "two?", "/theme dark", "three?")
    assert typed.back_to(["two?", "three?"], "half a thou") == "two?"
    assert [typed.newer("two?"), typed.newer("/theme dark"), typed.newer("three?")] == [
        "/theme dark",
        "three?",
        "half a thou",
    ]


def test_what_was_picked_and_never_typed_comes_back_too(file):
    typed = history(file, "one?")
    assert typed.back_to(["picked?", "picked?", "two?"], "") == "picked?"
    assert typed.newer("picked?") == "two?"


def test_an_older_entry_that_was_changed_is_the_draft_from_then_on(file):
    typed = history(file, "one?", "two?")
    assert typed.older("") == "two?"
    assert typed.older("two? changed") == "two?"
    assert typed.newer("two?") == "two? changed"


def test_what_was_typed_is_there_at_the_next_start_with_its_lines(file):
    history(file, "one?", "two\nlines?")
    assert History(file).older("") == "two\nlines?"


def test_the_same_again_and_nothing_are_remembered_once_and_not_at_all(file):
    typed = history(file, "one?", "one?", "  ")
    assert typed.older("") == "one?"
    assert typed.older("one?") is None


@pytest.mark.skipif(os.name == "nt", reason="modes are of other systems")
def test_the_file_can_be_read_by_its_owner_alone(file):
    history(file, "one?")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe\x00", b'{"no": "text"}\n[[[[\n', b"[" * 100_000, b'"good?"\n{broken', b""],
    ids=["bytes", "objects", "nested", "cut", "empty"],
)
def test_a_broken_file_costs_its_broken_lines_and_nothing_else(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    typed = History(file)
    assert typed.older("") == ("good?" if b"good" in content else None)
    typed.add("new?")
    assert typed.older("") == "new?"


def test_a_file_that_cannot_be_written_costs_only_the_memory(tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    typed = history(tmp_path / "data" / "history.jsonl", "one?")
    assert typed.older("") == "one?"


def test_a_folder_in_the_place_of_the_file_does_no_harm(file):
    file.mkdir(parents=True)
    assert history(file, "one?").older("") == "one?"


def test_the_file_stays_bounded(file):
    file.parent.mkdir()
    file.write_text("".join(json.dumps(f"question {number}") + "\n" for number in range(3_000)))
    typed = History(file)
    assert typed.older("") == "question 2999"
    assert len(file.read_text().splitlines()) == 500
    assert list(file.parent.iterdir()) == [file]


def test_a_very_long_entry_is_kept_until_the_end_and_not_written(file):
    long = "x" * 50_000
    assert history(file, "short?", long).older("") == long
    assert History(file).older("") == "short?"


def test_it_lives_in_the_data_folder_of_the_person(isolation):
    History().add("one?")
    assert len(list(isolation.rglob("campus-agent/history.jsonl"))) == 1


def test_with_the_journal_off_nothing_that_is_typed_is_written_also_before_the_settings_are_read(file):
    typed = History(file)
    typed.kept = None
    typed.add("one?")
    typed.go_by(Settings(journal=False))
    typed.add("two?")
    assert not file.exists()
    assert typed.older("") == "two?"
    assert typed.older("two?") == "one?"


def test_what_was_typed_before_the_settings_are_read_is_written_then(file):
    typed = History(file)
    typed.kept = None
    typed.add("one?")
    assert not file.exists()
    typed.go_by(Settings())
    assert History(file).older("") == "one?"


def test_no_key_of_this_machine_is_written_however_it_is_typed(file, monkeypatch):
    monkeypatch.setenv("NVIDIA_API_KEY", "nvapi-AbCdEf-0123456789")
    typed = History(file)
    typed.go_by(Settings())
    typed.add("is nvapi-AbCdEf-0123456789 mine?")
    typed.add("or nvapi abcdef 0123456789?")
    assert "0123456789" not in file.read_text()
    assert typed.older("") == "or nvapi abcdef 0123456789?"


def test_what_is_forgotten_is_gone_from_the_file_and_the_rest_stays(file):
    typed = history(file, "one?", "two?", "three?")
    typed.forget(["two?"])
    assert "two?" not in file.read_text()
    assert [typed.older(""), typed.older("three?")] == ["three?", "one?"]
    assert History(file).older("") == "three?"
