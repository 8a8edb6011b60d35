from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from stored import QUESTION, agent, keep, notes, record, run

from campus_agent.journal import recorder as recorder_module
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.schema import APPLICATION_ID, JournalError
from campus_agent.journal.store import Journal

KEY = "nvapi-Secret_0123456789"


def overwrite(path: Path) -> None:
    path.write_bytes(b"my shopping list\n" * 400)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@pytest.fixture
def waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    monkeypatch.setattr(recorder_module, "_WAIT", 0.01)
    return Recorder(path, patience=60)


def kinds(path: Path, id: str) -> list[str]:
    with Journal(path) as journal:
        return [event.kind for event in journal.events(id)]


# ---- what is not kept is said ----------------------------------------------------------------------------------------


async def test_what_was_never_written_because_of_a_lock_is_named_at_the_end(path: Path) -> None:
    recorder = Recorder(path, patience=0.05)
    with locked(path):
        shown = await record(recorder, agent())
        recorder.close()
    said = " ".join([*notes(shown), recorder.trouble])
    assert f"Not kept in the journal: “{QUESTION}”" in said
    assert "another program keeps it locked" in recorder.trouble
    assert shown[-1].kind == "run_finished"


async def test_a_run_that_still_waits_for_a_lock_at_its_end_says_so_in_its_notes(
    path: Path, waiting: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "_LAST_WAIT", 0.01)
    with locked(path):
        shown = await record(waiting, agent())
        assert "This is not kept yet" in notes(shown)[0]
        assert waiting.trouble == ""
        waiting.close()
    assert f"Not kept in the journal: “{QUESTION}”" in waiting.trouble
    said = waiting.trouble
    waiting.close()
    assert waiting.trouble == said


async def test_what_waits_is_written_at_the_end_when_the_lock_is_gone(path: Path, waiting: Recorder) -> None:
    with locked(path):
        shown = await record(waiting, agent())
    waiting.close()
    assert waiting.trouble == ""
    assert kinds(path, shown[0].run_id)[-1] == "run_finished"


async def test_a_conversation_that_is_left_while_the_journal_is_locked_is_named(path: Path, waiting: Recorder) -> None:
    with locked(path):
        await record(waiting, agent())
        waiting.begin()
    waiting.close()
    assert f"“{QUESTION}”" in waiting.trouble


# ---- whose file it is ------------------------------------------------------------------------------------------------


async def test_a_file_that_is_taken_away_is_noticed_at_the_next_question(path: Path) -> None:
    recorder = Recorder(path)
    await record(recorder, agent())
    for file in path.parent.iterdir():
        file.unlink()
    shown = await record(recorder, agent(), "Once more?")
    recorder.close()
    assert "was removed or replaced" in notes(shown)[0]
    with Journal(path) as journal:
        assert [row.question for row in journal.newest()] == ["Once more?"]


async def test_a_file_that_is_overwritten_is_noticed_at_the_next_question(path: Path) -> None:
    recorder = Recorder(path)
    await record(recorder, agent())
    overwrite(path)
    shown = await record(recorder, agent(), "Once more?")
    recorder.close()
    assert "was removed or replaced" in notes(shown)[0]
    assert [event.kind for event in shown].count("run_finished") == 1


def test_another_programs_file_stays_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    music = path.with_name("music.db")
    with closing(sqlite3.connect(music)) as db, db:
        db.execute("CREATE TABLE songs (name TEXT)")
    notes_file = path.with_name("notes.txt")
    notes_file.write_text("a text of my own\n" * 100, encoding="utf-8")
    for file in (music, notes_file):
        before = file.read_bytes()
        (said,) = notes(keep(file, run(1)))
        assert "is no journal of campus-agent" in said
        with pytest.raises(JournalError, match="no journal of campus-agent"):
            Journal(file)
        assert file.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["music.db", "notes.txt"]


def test_a_damaged_journal_of_another_name_is_known_by_its_beginning(path: Path) -> None:
    file = path.with_name("mine.sqlite")
    keep(file, *(run(number) for number in range(30)))
    with file.open("r+b") as damaged:
        damaged.truncate(20_000)
    assert "The journal was damaged." in notes(keep(file, run(100)))[0]


def test_a_journal_from_before_the_mark_is_taken_and_marked(path: Path) -> None:
    keep(path, run(1))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA application_id = 0")
    assert notes(keep(path, run(2))) == []
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_damage_that_a_reader_finds_is_set_aside_at_the_next_start(path: Path) -> None:
    keep(path, *(run(number, content="word " * 2000) for number in range(1, 30)))
    with closing(sqlite3.connect(path)) as db:
        root, size = (
            db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()[0],
            db.execute("PRAGMA page_size").fetchone()[0],
        )
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    with Journal(path) as journal, pytest.raises(JournalError, match="damaged"):
        journal.events(journal.newest()[0].id)
    assert "The journal was damaged." in notes(keep(path, run(100)))[0]
    assert notes(keep(path, run(101))) == []


# ---- keys ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "nvapi Secret 0123456789",
        "nvapi: Secret, 0123456789",
        'nvapi", "Secret", "0123456789',
        "NVAPI\nsecret 0123456789",
    ],
)
def test_a_key_is_masked_also_when_its_separators_were_changed(path: Path, written: str) -> None:
    keep(path, run(1, question=f"What is {KEY}?", content=f"Nothing found for {written}."), secrets=(KEY,))
    with Journal(path) as journal:
        everything = " ".join(event.model_dump_json() for event in journal.events(run(1)[0].run_id))
        assert journal.search("0123456789") == []
    assert "0123456789" not in everything
    assert "Nothing found for ********." in everything


# ---- reading, deleting -----------------------------------------------------------------------------------------------


def test_nothing_of_a_deleted_run_is_left_in_any_file_of_the_journal(path: Path) -> None:
    keep(path, *(run(number, question=f"Question {number}?") for number in range(1, 20)))
    keep(path, run(50, question="Where is the zebra?", answer="The zebra is away.", content="zebra " * 500))
    with Journal(path) as journal:
        journal.delete("last")
    assert not any(b"zebra" in file.read_bytes() for file in path.parent.iterdir())


def test_an_id_that_a_run_and_a_conversation_share_is_refused_with_both_named(path: Path) -> None:
    keep(path, run(0xAB1))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE conversations SET id = '000000000ab2'")
    with Journal(path) as journal:
        for act in (journal.resolve, journal.matching, journal.delete, journal.named):
            with pytest.raises(JournalError, match="Both a run and a conversation") as refused:
                act("000000000ab")
            assert "000000000ab1" in str(refused.value)
            assert "000000000ab2" in str(refused.value)
        assert journal.resolve("000000000ab1") == ("run", "000000000ab1")
        assert journal.resolve("000000000ab2") == ("conversation", "000000000ab2")


def test_only_the_runs_that_go_are_counted_for_a_conversation_with_a_branch(path: Path) -> None:
    keep(path, run(1, question="A"), run(2, question="B"))
    with Journal(path) as journal:
        (old,) = journal.conversations()
        journal.branch(old.id, before=f"{2:012x}")
        assert [row.question for row in journal.leaving(old.id)] == ["B"]
        assert journal.delete(old.id) == 1


@pytest.mark.parametrize("error", [PermissionError(13, "no"), OSError(30, "read-only"), sqlite3.OperationalError])
def test_a_journal_that_cannot_be_written_is_read_and_says_that_it_cannot_be_changed(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception | type[Exception]
) -> None:
    keep(path, run(1))
    if not isinstance(error, Exception):
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("campus_agent.journal.opening.connect", refuse)
    with Journal(path) as journal:
        assert [row.question for row in journal.search("club")] == [QUESTION]
        assert len(journal.events(journal.newest()[0].id)) == 6
        with pytest.raises(JournalError, match="cannot be written"):
            journal.delete("last")


def test_what_an_import_of_old_put_in_and_cannot_be_is_read_all_the_same(path: Path) -> None:
    keep(path, run(1))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE runs SET began = -62135596800, duration_ms = 1e308, outcome = 'sparkled'")
        db.execute("UPDATE conversations SET began = 253402300799, changed = 253402300799")
        db.execute("UPDATE events SET body = replace(body, '2026-06-13', '0001-01-01')")
    with Journal(path) as journal:
        (row,) = journal.newest()
        assert (row.began.year, row.outcome) == (2000, None)
        assert (row.duration_ms or 1e308) < 1e12
        assert journal.conversations()[0].changed.year == 2100
        assert {event.time.year for event in journal.events(row.id)} == {2000}


def test_the_answer_is_found_also_behind_observations_that_do_not_fit(path: Path) -> None:
    keep(path, run(1, content="word " * 20_000, answer="The zebra is away."))
    with Journal(path) as journal:
        assert len(journal.search("zebra")) == 1


def test_a_pipe_is_no_journal_and_its_mode_stays_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o666)
    pipe.chmod(0o666)
    with pytest.raises(JournalError, match="no journal"):
        Journal(pipe)
    assert stat.S_IMODE(pipe.stat().st_mode) == 0o666
