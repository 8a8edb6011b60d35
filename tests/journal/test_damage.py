from __future__ import annotations

import asyncio
import errno
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from stored import agent, keep, notes, record, run

from campus_agent.journal import damaged_journal, journal_file
from campus_agent.journal.damage import alone, is_damage
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.salvaging import Salvaged, salvage_into
from campus_agent.journal.schema import JournalError
from campus_agent.journal.store import Journal

ASIDE = "journal-damaged-20260613.db"


def spoil(path: Path, place: int, byte: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(bytes([byte]))


def replace(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


def questions(path: Path) -> list[str]:
    with Journal(path) as journal:
        return [row.question for row in journal.newest(limit=100)]


def spoil_the_index(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE words_data SET block = x'00'")


# ---- what counts as damage -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("byte", [0x00, 0x09, 0xF3, 0xFF])
def test_whatever_byte_of_the_header_is_wrong_the_next_start_has_all_questions(path: Path, byte: int) -> None:
    keep(path, *(run(number, question=f"Question {number}?") for number in range(1, 4)))
    sound = path.read_bytes()
    for place in (*range(16, 63), *range(68, 100)):  # 63 is the version, and may be a later one
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(sound)
        spoil(path, place, byte)
        recorder = Recorder(path)
        assert recorder.trouble == "", place
        recorder.close()
        assert questions(path) == ["Question 3?", "Question 2?", "Question 1?"], place


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"CREATE TABLE conversations", b"CREATE TABLE conversation\xf3"),
        (b"CREATE TABLE events (", b"CREATE TABLE \xff\xf3ents ("),
        (b"question TEXT NOT NULL", b"qu\xf3stion TEXT NOT NULL"),
        (b"outcome TEXT", b"outcame TEXT"),
        (b"INTEGER PRIMARY KEY", b"INTEGER PRIM\xf3RY KEY"),
        (b"CREATE INDEX members_by_run", b"CREATE IND\xf3X members_by_run"),
    ],
)
def test_a_spoiled_word_among_those_that_made_the_tables_costs_no_question(path: Path, old: bytes, new: bytes) -> None:
    keep(path, run(1))
    replace(path, old, new)
    with pytest.raises(JournalError, match="damaged"):
        Journal(path)
    assert "1 question could be saved from it" in notes(keep(path, run(2)))[0]
    assert len(questions(path)) == 2


@pytest.mark.parametrize(
    "code",
    [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM],
)
def test_what_is_of_the_moment_or_of_the_machine_is_no_damage(code: int) -> None:
    error = sqlite3.OperationalError("something")
    error.sqlite_errorcode = code
    assert not is_damage(error)


# ---- the index alone -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hurt",
    [
        lambda path: replace(path, b"unicode61 remove_diacritics 2", b"unicode61 remove_diacr\xf3tics 2"),
        lambda path: replace(path, b"USING fts5", b"USING fts\xf3"),
    ],
)
def test_an_index_that_cannot_be_used_is_made_anew_and_nothing_is_set_aside(
    path: Path, hurt: Callable[[Path], None]
) -> None:
    keep(path, run(1), run(2, answer="The zebra is away."))
    hurt(path)
    assert notes(keep(path, run(3))) == []
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]
    with Journal(path) as journal:
        assert len(journal.search("zebra")) == 1
        assert len(journal.search("club")) == 3
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_an_index_that_breaks_in_the_middle_is_passed_over_and_made_anew_at_the_next_start(path: Path) -> None:
    keep(path, run(1))
    recorder = Recorder(path)
    spoil_the_index(path)
    shown = asyncio.run(record(recorder, agent(), "Where is the zebra?"))
    recorder.close()
    assert notes(shown) == []
    assert notes(keep(path, run(2))) == []
    with Journal(path) as journal:
        assert len(journal.search("zebra")) == 1
        assert len(journal.newest()) == 3
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]


# ---- setting aside ---------------------------------------------------------------------------------------------------


def test_of_many_that_start_at_once_on_a_damaged_journal_one_sets_it_aside_and_nothing_is_lost(path: Path) -> None:
    keep(path, *(run(number) for number in range(1, 20)))
    spoil(path, 0, 0)
    together, recorders = threading.Barrier(4), list[Recorder]()

    def start() -> None:
        together.wait(30)
        recorders.append(Recorder(path))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [recorder.trouble for recorder in recorders] == [""] * 4
    assert sum("19 questions could be saved" in recorder.mishap for recorder in recorders) == 1
    for recorder in recorders:
        recorder.close()
    assert len(questions(path)) == 19
    assert sorted(file.name for file in path.parent.iterdir()) == [ASIDE, path.name]


def test_a_damaged_file_and_its_log_are_set_aside_as_they_are(path: Path) -> None:
    other = path.with_name("other.db")
    keep(other, run(1))
    with closing(sqlite3.connect(other, isolation_level=None)) as db:
        db.execute("UPDATE runs SET question = 'Only in the log?'")
        for part in ("", "-wal"):
            shutil.copyfile(f"{other}{part}", f"{path}{part}")
    spoil(path, 0, 0)
    before = [Path(f"{path}{part}").read_bytes() for part in ("", "-wal")]
    Recorder(path).close()
    assert [path.with_name(f"{ASIDE}{part}").read_bytes() for part in ("", "-wal")] == before
    assert len(questions(path)) == 1


def test_a_check_that_is_cut_short_is_made_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(path, run(1))
    doubted = Path(f"{path}-doubted")
    doubted.touch()
    with monkeypatch.context() as stopped:
        stopped.setattr(journal_file, "is_whole", lambda path, db: exec("raise KeyboardInterrupt"))
        with pytest.raises(KeyboardInterrupt):
            Recorder(path)
    assert doubted.exists()
    keep(path, run(2))
    assert not doubted.exists()


# ---- saving ----------------------------------------------------------------------------------------------------------


def test_saving_that_was_cut_short_is_said_once_at_the_next_start_and_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(path, run(1))
    spoil(path, 0, 0)
    with monkeypatch.context() as stopped:
        stopped.setattr(damaged_journal, "_opened", lambda *_: exec("raise KeyboardInterrupt"))
        with pytest.raises(KeyboardInterrupt):
            Recorder(path)
    (room,) = path.parent.glob(".salvage-*")
    assert room.stat().st_mode & 0o077 == 0
    (said,) = notes(keep(path, run(2)))
    assert said.endswith(f"To save the rest: campus-agent trace salvage {path.with_name(ASIDE)}")
    assert not room.exists()
    assert notes(keep(path, run(3))) == []


def test_a_folder_in_which_another_campus_agent_saves_is_left_to_it(path: Path) -> None:
    room = path.parent / f".salvage-{ASIDE}"
    room.mkdir(parents=True)
    with alone(room / "lock", patience=0):
        assert notes(keep(path, run(1))) == []
        assert (room / "lock").exists()


def test_without_room_for_the_copy_the_disk_is_named_and_not_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(path, run(1))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    assert salvage_into(path.with_name("other.db"), path) == Salvaged(stopped="the disk is full")


def test_at_a_start_saving_waits_for_a_lock_and_does_not_contradict_itself(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(path, run(1))
    spoil(path, 0, 0)
    salvage = journal_file.salvage

    def while_locked(*arguments: object, **options: object) -> Salvaged:
        with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            monkeypatch.setattr("campus_agent.journal.salvaging.monotonic", iter((0.0, 4.99, 4.99, 9.0)).__next__)
            return salvage(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(journal_file, "salvage", while_locked)
    recorder = Recorder(path)
    recorder.close()
    assert "Nothing was saved from it so far (another program keeps it locked)." in recorder.mishap
    assert "Nothing could be saved" not in recorder.mishap


def test_a_link_to_nowhere_is_said_to_be_one(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(path.with_name("nowhere.db"))
    assert "is a link to a file that is not there" in Recorder(path).trouble
