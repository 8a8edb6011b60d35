from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from campus_agent.journal.opening import journal_path

MEETS, DAYS = "When does the USC AI Club meet?", "How many days until then?"


@pytest.fixture
def damaged(cli) -> Path:
    """A journal with one conversation, whose header says that it is of a version below 0."""
    cli(stdin=f"{MEETS}\n")
    path = journal_path(None)
    with path.open("r+b") as file:
        file.seek(60)
        file.write(b"\xf3")
    return path


@pytest.mark.parametrize("flags", [(), ("--json",), ("--plain",)])
def test_a_conversation_of_a_damaged_journal_is_saved_first_and_then_resumed(cli, damaged, flags):
    ran = cli("-c", *flags, stdin=f"{DAYS}\n")
    assert "1 conversation with 1 question could be saved from it" in ran.err
    assert "Thursday" in ran.out
    (row,) = cli("trace", "list", "--conversations", "--json").objects
    assert (row["title"], row["runs"]) == (MEETS, 2)


@pytest.mark.parametrize("flags", [("--quiet",), ("--json",), ("--jsonl",), ()])
def test_an_answer_alone_is_printed_and_the_damage_is_said_beside_it(cli, damaged, flags):
    ran = cli("ask", *flags, DAYS)
    assert ran.err.startswith("campus-agent: The journal was damaged.")
    assert "damaged" not in ran.out or flags in (("--json",), ("--jsonl",))  # where it is a note of the run


def test_damage_that_the_first_write_finds_is_said_in_a_pipe(cli, played, monkeypatch):
    from campus_agent.journal.recorder import Recorder

    played()
    keep = Recorder._keep

    async def broken(recorder: Recorder, event) -> None:
        if not recorder.mishap:
            recorder._tell("The journal was damaged. It is kept as x.db.")
        await keep(recorder, event)

    monkeypatch.setattr(Recorder, "_keep", broken)
    assert cli(stdin="one?\n").err == "campus-agent: The journal was damaged. It is kept as x.db.\n"


@pytest.mark.parametrize("words", [("list",), ("show", "last"), ("stats",), ("search", "club"), ("delete", "last")])
def test_a_command_that_reads_a_damaged_journal_says_so_in_words(cli, damaged, words):
    ran = cli("trace", *words)
    assert ran.status == 1
    assert ran.err.startswith("campus-agent: The journal cannot be used: its file is damaged.")


def test_without_room_on_the_disk_salvaging_names_the_command_to_try_again(cli, damaged, monkeypatch):
    other = str(damaged.with_name("other.db"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    ran = cli("trace", "salvage", str(damaged), "--journal-path", other)
    assert ran.status == 1
    assert "Nothing was saved: the disk is full." in ran.err
    assert f"campus-agent trace salvage {damaged}" in ran.err


def test_a_pipe_is_not_waited_for(cli, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ran = cli("trace", "salvage", str(pipe))
    assert ran.status == 2
    assert "no ordinary file" in ran.err


@pytest.mark.parametrize("id", ["", " "])
def test_resuming_takes_an_id(cli, id):
    ran = cli("--resume", id, stdin="one?\n")
    assert ran.status == 2
    assert "--resume needs the id of a conversation" in ran.err
