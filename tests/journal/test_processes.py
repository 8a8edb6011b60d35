"""What a journal bears: being killed, company, and a disk that fills."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from stored import agent, record

from campus_agent.journal.recorder import Recorder
from campus_agent.journal.store import Journal

SCRIPT = Path(__file__).parent / "processes.py"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the children are forked")


def run_script(*arguments: object) -> list[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_process_that_is_killed_at_any_moment_loses_nothing_that_was_shown(path: Path) -> None:
    lines = run_script("killed", path, 100)
    assert [line for line in lines if line.startswith("missing")] == []
    assert int(lines[-1].split()[1]) > 1000


def test_two_processes_write_at_once_and_both_are_kept_whole(path: Path) -> None:
    assert run_script("together", path, 0) == ["answered 40", "answered 40"]
    with Journal(path) as journal:
        rows = journal.newest(limit=1000)
        assert [row.outcome for row in rows] == ["answered"] * 80
        assert sorted(row.runs for row in journal.conversations()) == [40, 40]


@pytest.mark.parametrize(
    "look", [lambda path: None, lambda path: Journal(path).close(), lambda path: Recorder(path).close()]
)
def test_another_process_that_leaves_the_journal_takes_nothing_of_this_one_with_it(
    path: Path, look: Callable[[Path], object]
) -> None:
    recorder = Recorder(path)
    asked = [f"{number}?" for number in range(3)]
    for question in asked:
        asyncio.run(record(recorder, agent(), question))
        look(path)
        run_script("once", path)
    recorder.close()
    with Journal(path) as journal:
        assert sorted(row.question for row in journal.newest()) == [*asked, *["And elsewhere?"] * 3]
        assert {row.outcome for row in journal.newest()} == {"answered"}


def test_a_full_disk_turns_the_journal_off_and_the_chat_goes_on(path: Path) -> None:
    lines = run_script("full", path, 600_000)
    assert len(lines) == 40
    assert all(line.startswith("answered") for line in lines)
    (said,) = [line for line in lines if "nothing is kept in the journal" in line]
    assert str(path) in said
    with Journal(path) as journal:
        assert 1 <= len(journal.newest(limit=100)) < 40
