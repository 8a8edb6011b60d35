from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from stored import agent, keep, notes, record, run

from campus_agent.journal import journal_file
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.retention import forget
from campus_agent.journal.salvaging import Salvaged, salvage_into
from campus_agent.journal.store import Journal

PAGE = 4096
TALKS, QUESTIONS = 8, 5


def write_talks(path: Path) -> None:
    """Keep several conversations, long enough for many pages; the last one branches from the one before."""
    for talk in range(TALKS):
        numbers = range(1 + talk * QUESTIONS, 1 + (talk + 1) * QUESTIONS)
        keep(path, *(run(number, question=f"Question {number}?", content="word " * 900) for number in numbers))
    with Journal(path) as journal:
        newest = journal.conversation(journal.run("last").conversation)
        journal.rename(newest.id, "My club questions")
        journal.branch(newest.id, before=f"{TALKS * QUESTIONS:012x}")


def everything(path: Path) -> dict[str, list[str]]:
    """What can be seen of every conversation: its title, and each event of its runs."""
    with Journal(path) as journal:
        return {
            f"{talk.id} {talk.title} {talk.changed}": [
                event.model_dump_json() for row in journal.runs(talk.id) for event in journal.events(row.id)
            ]
            for talk in journal.conversations(limit=1000)
        }


def root_of(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        row = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    return int(row[0])


def overwrite(path: Path, start: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content)


def cut_in_half(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2 // PAGE * PAGE)


def cut_at_an_odd_place(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 2 // 3 + 77)


def overwrite_pages(path: Path) -> None:
    dice = random.Random(7)
    for page in dice.sample(range(30, path.stat().st_size // PAGE), 12):
        overwrite(path, page * PAGE, dice.randbytes(PAGE))


def lose_the_header(path: Path) -> None:
    overwrite(path, 0, bytes(100))


def lose_the_first_page(path: Path) -> None:
    overwrite(path, 0, b"my shopping list\n" * 240)


def lose_a_table(name: str) -> Callable[[Path], None]:
    return lambda path: overwrite(path, (root_of(path, name) - 1) * PAGE, b"\xff" * PAGE)


# ---- what is saved ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [lose_the_header, lose_the_first_page, lose_a_table("words_data")])
def test_a_journal_whose_records_are_whole_is_saved_whole(path: Path, damage: Callable[[Path], None]) -> None:
    write_talks(path)
    before = everything(path)
    damaged = path.with_name("damaged.db")
    shutil.copyfile(path, damaged)
    damage(damaged)
    other = path.with_name("other.db")
    saved = salvage_into(other, damaged)
    assert saved == Salvaged(TALKS + 1, TALKS * QUESTIONS, 0, "")
    assert everything(other) == before
    with Journal(other) as journal:
        assert len(journal.search("question", limit=100)) == TALKS * QUESTIONS
        assert [row.question for row in journal.newest(limit=2)] == ["Question 40?", "Question 39?"]


@pytest.mark.parametrize(
    "damage",
    [
        cut_in_half,
        cut_at_an_odd_place,
        overwrite_pages,
        *map(lose_a_table, ("events", "runs", "members", "conversations")),
    ],
)
def test_of_a_journal_that_is_spoiled_in_part_the_rest_is_saved(path: Path, damage: Callable[[Path], None]) -> None:
    write_talks(path)
    events = {body for talk in everything(path).values() for body in talk}
    damaged = path.with_name("damaged.db")
    shutil.copyfile(path, damaged)
    damage(damaged)
    before = damaged.read_bytes()
    other = path.with_name("other.db")
    saved = salvage_into(other, damaged)
    assert saved.runs >= 10
    assert saved.stopped == ""
    assert damaged.read_bytes() == before
    bodies = [body for talk in everything(other).values() for body in talk]
    assert set(bodies) <= events
    with Journal(other) as journal:
        assert len(journal.newest(limit=100)) == saved.runs
        places = [row.question for talk in journal.conversations() for row in journal.runs(talk.id)]
    assert len(places) >= saved.runs
    with closing(sqlite3.connect(other)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert sorted(file.name for file in path.parent.iterdir() if file.is_dir()) == []


@pytest.mark.parametrize("spoilt", ["'spoiled'", "CAST(replace(body, 'room', x'ff') AS TEXT)", "''", "NULL || 1"])
def test_a_run_that_can_be_read_in_part_is_saved_up_to_there_and_has_no_end(path: Path, spoilt: str) -> None:
    keep(path, run(1), run(2))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE events SET body = coalesce({spoilt}, 1) WHERE run = 2 AND place = 3")
    other = path.with_name("other.db")
    assert salvage_into(other, path) == Salvaged(1, 2)
    with Journal(other) as journal:
        assert [(row.outcome, len(journal.events(row.id))) for row in journal.newest()] == [(None, 3), ("answered", 6)]


@pytest.mark.parametrize("damage", [lose_the_first_page, lose_a_table("events")])
def test_a_run_that_was_deleted_or_forgotten_does_not_come_back(path: Path, damage: Callable[[Path], None]) -> None:
    write_talks(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        forget(db, [7])
    with Journal(path) as journal:
        journal.delete(f"{13:012x}")
    damage(path)
    other = path.with_name("other.db")
    salvage_into(other, path)
    with Journal(other) as journal:
        questions = {row.question for row in journal.newest(limit=100)}
    assert not {"Question 7?", "Question 13?"} & questions
    assert len(questions) > QUESTIONS


def test_what_stands_only_in_the_log_is_saved_too(path: Path) -> None:
    recorder = Recorder(path)
    copy = path.with_name("copy.db")
    keep(path, run(1))
    for part in ("", "-wal"):
        shutil.copyfile(f"{path}{part}", f"{copy}{part}")
    recorder.close()
    lose_the_header(copy)
    assert salvage_into(path.with_name("other.db"), copy) == Salvaged(1, 1)


def test_what_was_saved_before_is_not_saved_twice(path: Path) -> None:
    write_talks(path)
    other = path.with_name("other.db")
    salvage_into(other, path)
    before = everything(other)
    assert salvage_into(other, path) == Salvaged(0, 0, TALKS * QUESTIONS)
    assert everything(other) == before


def test_what_is_saved_into_a_journal_in_use_takes_nothing_from_it(path: Path) -> None:
    write_talks(path)
    other = path.with_name("other.db")
    keep(other, *(run(number, question="Mine?") for number in range(100, 104)))
    mine = everything(other)
    assert salvage_into(other, path).runs == TALKS * QUESTIONS
    assert mine.items() <= everything(other).items()
    assert everything(path).items() <= everything(other).items()


@pytest.mark.parametrize("content", [b"", b"not a database, " * 600, b"SQLite format 3\0" + b"\xff" * 8000])
def test_of_what_holds_no_records_nothing_is_saved(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert salvage_into(path.with_name("other.db"), path) == Salvaged()


# ---- when it happens -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [lose_the_header, cut_in_half])
def test_at_a_start_what_can_be_read_is_saved_and_counted(path: Path, damage: Callable[[Path], None]) -> None:
    write_talks(path)
    damage(path)
    (said,) = notes(keep(path, run(900, question="And now?")))
    with Journal(path) as journal:
        rows, talks = journal.newest(limit=100), journal.conversations()
    assert rows[0].question == "And now?"
    assert f"{len(talks) - 1} conversations with {len(rows) - 1} questions could be saved from it" in said
    assert f"the rest is in {path.with_name('journal-damaged-20260613.db')}." in said
    assert talks[0].runs == 1


def test_a_start_does_not_wait_for_ever_and_says_how_to_save_the_rest(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_talks(path)
    lose_the_header(path)
    monkeypatch.setattr(journal_file, "_LONGEST_SALVAGE", -1.0)
    (said,) = notes(keep(path, run(900, question="And now?")))
    aside = path.with_name("journal-damaged-20260613.db")
    assert "Nothing was saved from it so far (there was no more time)." in said
    assert said.endswith(f"To save what can be read of it: campus-agent trace salvage {aside}")
    assert salvage_into(path, aside).runs == TALKS * QUESTIONS


def test_in_the_middle_of_a_run_nothing_is_saved_and_the_way_to_it_is_said(path: Path) -> None:
    write_talks(path)
    recorder = Recorder(path)
    damaged = sqlite3.DatabaseError("malformed")
    damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    recorder._recover(damaged)
    shown = asyncio.run(record(recorder, agent(), "And now?"))
    recorder.close()
    aside = path.with_name("journal-damaged-20260613.db")
    assert notes(shown)[0].endswith(f"To save what can be read of it: campus-agent trace salvage {aside}")
    assert salvage_into(path, aside).runs == TALKS * QUESTIONS
    with Journal(path) as journal:
        assert journal.newest(limit=1)[0].question == "And now?"


def test_of_two_that_find_the_damage_the_second_goes_on_with_what_the_first_began(path: Path) -> None:
    write_talks(path)
    damaged = sqlite3.DatabaseError("malformed")
    damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    both = [Recorder(path), Recorder(path)]
    for number, recorder in enumerate(both):
        recorder._recover(damaged)
        asyncio.run(record(recorder, agent(), f"Question of {number}?"))
    for recorder in both:
        recorder.close()
    with Journal(path) as journal:
        assert [row.question for row in journal.newest()] == ["Question of 1?", "Question of 0?"]
    assert len(list(path.parent.glob("journal-damaged-*.db"))) == 1
