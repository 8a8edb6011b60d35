from __future__ import annotations

import asyncio
import sqlite3
import stat
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path

import pytest
from stored import ANSWER, QUESTION, agent, keep, notes, record, run

from campus_agent.agent.events import Event
from campus_agent.errors import ModelError
from campus_agent.journal import journal_file
from campus_agent.journal import recorder as recorder_module
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.schema import MIGRATIONS, JournalError
from campus_agent.journal.sitting import open_recorder
from campus_agent.journal.statistics import Tokens
from campus_agent.journal.store import Journal
from campus_agent.models.chat_model import Usage
from campus_agent.settings import Settings

KEY = "nvapi-Secret_0123456789"


def stored(path: Path, id: str) -> tuple[Event, ...]:
    with Journal(path) as journal:
        return journal.events(id)


async def test_the_journal_holds_exactly_the_events_that_were_shown(path: Path) -> None:
    recorder = Recorder(path, base="USC demo", model="a model")
    shown = await record(recorder, agent())
    recorder.close()
    assert stored(path, shown[0].run_id) == tuple(shown)
    with Journal(path) as journal:
        (row,) = journal.newest()
        (conversation,) = journal.conversations()
    assert (row.question, row.outcome, row.steps, row.calls, row.usage) == (QUESTION, "answered", 2, 2, None)
    assert (conversation.title, conversation.base, conversation.runs) == (QUESTION, "USC demo", 1)
    assert row.conversation == conversation.id


async def test_an_event_is_stored_before_it_is_shown(path: Path) -> None:
    recorder = Recorder(path)
    shown = []
    async for event in recorder.follow(agent().run(QUESTION)):
        shown.append(event)
        assert list(stored(path, event.run_id)) == shown
    recorder.close()
    assert shown[-1].kind == "run_finished"


async def test_questions_of_one_sitting_are_one_conversation_until_a_new_one_begins(path: Path) -> None:
    recorder = Recorder(path)
    assert recorder.conversation is None
    talking = agent("Hello! What would you like to know?", "Hello! What would you like to know?", "Hello again!")
    await record(recorder, talking, "Hi", "Hi there")
    first = recorder.conversation
    recorder.begin()
    await record(recorder, talking, "Good day")
    recorder.begin(first)
    await record(recorder, agent("Hello! What would you like to know?"), "And hi")
    recorder.close()
    assert first
    with Journal(path) as journal:
        assert [row.question for row in journal.runs(first)] == ["Hi", "Hi there", "And hi"]
        assert [row.title for row in journal.conversations()] == ["Hi", "Good day"]


async def test_going_on_with_a_conversation_that_is_gone_is_refused(path: Path) -> None:
    recorder = Recorder(path)
    with pytest.raises(JournalError, match="not in the journal"):
        recorder.begin("0123456789ab")
    recorder.close()


async def test_a_run_under_way_whose_conversation_is_deleted_meanwhile_begins_another(path: Path) -> None:
    recorder = Recorder(path)
    await record(recorder, agent())
    with Journal(path) as journal:
        journal.delete(str(recorder.conversation))
    assert notes(await record(recorder, agent(), "Once more?")) == []
    recorder.close()
    with Journal(path) as journal:
        assert [row.title for row in journal.conversations()] == ["Once more?"]


async def test_the_rest_of_a_run_that_is_deleted_while_it_goes_on_is_not_kept_and_the_next_one_is(path: Path) -> None:
    recorder = Recorder(path)
    shown = []
    async for event in recorder.follow(agent().run(QUESTION)):
        shown.append(event)
        if len(shown) == 3:
            with Journal(path) as journal:
                journal.delete("last")
    shown += await record(recorder, agent(), "Once more?")
    recorder.close()
    assert notes(shown) == []
    with Journal(path) as journal:
        assert [row.question for row in journal.newest()] == ["Once more?"]


async def test_two_runs_of_the_same_id_are_both_kept(path: Path) -> None:
    recorder = Recorder(path)
    for question in ("First?", "Second?"):
        events = run(1, question=question)

        async def play(events: list[Event] = events) -> AsyncGenerator[Event, None]:
            for event in events:
                yield event

        assert [event async for event in recorder.follow(play())] == events
    recorder.close()
    with Journal(path) as journal:
        rows = journal.newest()
        assert [row.question for row in rows] == ["Second?", "First?"]
        assert [len(journal.events(row.id)) for row in rows] == [6, 6]


async def test_no_key_enters_the_journal_whoever_says_it(path: Path) -> None:
    recorder = Recorder(path, secrets=(KEY, "", "abc"))
    failing = agent(ModelError(f"The server said: bad key {KEY}.", next=f"Check {KEY}"))
    await record(recorder, failing, f"My key is {KEY}, does abc work?")
    await record(recorder, agent())
    recorder.close()
    everything = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert KEY.encode() not in everything
    with Journal(path) as journal:
        assert journal.newest()[-1].question == "My key is ********, does abc work?"


def test_a_count_of_tokens_that_no_file_can_hold_is_kept_as_a_very_large_one(path: Path) -> None:
    usage = Usage(prompt_tokens=10**30, completion_tokens=1)
    assert notes(keep(path, run(1, usage=usage), run(2, usage=usage))) == []
    with Journal(path) as journal:
        assert journal.newest()[0].usage == Usage(prompt_tokens=10**12, completion_tokens=1)
        assert journal.statistics().tokens == Tokens(runs=2, prompt_tokens=2 * 10**12, completion_tokens=2)


def test_an_event_that_cannot_be_written_down_ends_the_journal_and_not_the_run(path: Path) -> None:
    events = run(1)
    broken = events[2].model_copy(update={"arguments": {"query": "half a character: \ud800"}})
    shown = keep(path, [*events[:2], broken, *events[3:]])
    assert len(notes(shown)) == 1
    assert shown[-1] == events[-1]


def test_only_its_owner_may_read_the_journal(path: Path) -> None:
    keep(path, run())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    keep(path, run(2))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_with_the_journal_off_nothing_is_written_and_nothing_is_said(path: Path) -> None:
    settings = Settings(journal=False, journal_path=str(path))
    recorder = open_recorder(settings, base="b", model="m")
    shown = await record(recorder, agent())
    recorder.close()
    assert notes(shown) == []
    assert recorder.conversation is None
    assert not path.parent.exists()


@pytest.mark.parametrize("how", ["a file in the place of its folder", "a folder in its place"])
def test_a_journal_that_cannot_be_written_is_said_once_and_the_run_goes_on(path: Path, how: str) -> None:
    if how == "a folder in its place":
        path.mkdir(parents=True)
    else:
        path.parent.write_text("", encoding="utf-8")
    shown = keep(path, run(1), run(2))
    (said,) = notes(shown)
    assert "From here on nothing is kept in the journal" in said
    assert str(path) in said
    assert [event.kind for event in shown].count("run_finished") == 2
    assert [shown[0].kind, shown[1].kind, shown[-1].kind] == ["run_started", "note", "run_finished"]


async def test_a_journal_that_another_program_keeps_locked_holds_no_run_up(path: Path) -> None:
    recorder = Recorder(path, patience=0.05)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        shown = await asyncio.wait_for(record(recorder, agent()), 5)
    recorder.close()
    assert [text for text in notes(shown) if "another program keeps it locked" in text]
    assert shown[-1].kind == "run_finished"


async def test_what_was_shown_while_the_journal_was_locked_is_stored_as_soon_as_it_is_free(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "_WAIT", 0.01)
    recorder = Recorder(path, patience=60)
    shown = []
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async for event in recorder.follow(agent().run(QUESTION)):
            shown.append(event)
            if len(shown) == 5:
                assert stored(path, event.run_id) == ()
                other.execute("ROLLBACK")
    recorder.close()
    assert stored(path, shown[0].run_id) == tuple(shown)


@pytest.mark.parametrize("content", [b"not a database, " * 600, b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_damaged_journal_is_set_aside_and_a_new_one_begun(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    shown = keep(path, run(1))
    (said,) = notes(shown)
    assert "The journal was damaged." in said
    assert [file.read_bytes() for file in path.parent.glob("journal-damaged-20260613*")] == [content]
    assert len(stored(path, shown[0].run_id)) == 6


def test_a_journal_that_was_cut_off_is_set_aside_too(path: Path) -> None:
    keep(path, *(run(number) for number in range(60)))
    with path.open("r+b") as file:
        file.truncate(20_000)
    shown = keep(path, run(100))
    assert "The journal was damaged." in notes(shown)[0]
    assert len(stored(path, shown[0].run_id)) == 6


def test_the_names_of_damaged_journals_never_clash(path: Path) -> None:
    path.parent.mkdir()
    for number in range(3):
        path.write_bytes(b"nothing" * 200 + bytes([number]))
        keep(path, run())
    assert len(list(path.parent.glob("journal-damaged-*.db"))) == 3


def test_an_older_journal_is_brought_up_to_date_and_keeps_its_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(path, run(1))
    newer = (*MIGRATIONS, "ALTER TABLE runs ADD COLUMN stars INTEGER;\nUPDATE runs SET stars = 5;\n")
    monkeypatch.setattr("campus_agent.journal.schema.MIGRATIONS", newer)
    keep(path, run(2))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(newer),)
        assert db.execute("SELECT stars FROM runs").fetchall() == [(5,), (None,)]
    assert len(stored(path, run(1)[0].run_id)) == 6


def test_a_migration_that_fails_leaves_the_journal_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(path, run(1))
    with monkeypatch.context() as patched:
        broken = (*MIGRATIONS, "ALTER TABLE runs ADD COLUMN stars;\nDROP TABLE no_such_table;\n")
        patched.setattr("campus_agent.journal.schema.MIGRATIONS", broken)
        assert "nothing is kept" in notes(keep(path, run(2)))[0]
    assert notes(keep(path, run(3))) == []
    with Journal(path) as journal:
        assert len(journal.newest()) == 2


def test_a_journal_of_a_newer_version_is_left_alone(path: Path) -> None:
    keep(path, run(1))
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    (said,) = notes(keep(path, run(2)))
    assert "written by a newer campus-agent" in said
    with pytest.raises(JournalError, match="newer campus-agent"):
        Journal(path)
    assert not list(path.parent.glob("*damaged*"))


async def test_a_run_that_nobody_reads_to_its_end_is_stored_as_far_as_it_was_shown(path: Path) -> None:
    recorder = Recorder(path)
    events = recorder.follow(agent().run(QUESTION))
    shown = [await anext(events) for _ in range(4)]
    await events.aclose()
    recorder.close()
    assert stored(path, shown[0].run_id) == tuple(shown)
    with Journal(path) as journal:
        assert (journal.newest()[0].outcome, journal.newest()[0].duration_ms) == (None, None)


async def test_a_long_log_is_moved_into_the_file_during_a_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[Path] = []
    monkeypatch.setattr(journal_file, "_LARGEST_LOG", 20_000)
    monkeypatch.setattr(journal_file, "settle", moved.append)
    recorder = Recorder(path)
    shown = await record(recorder, agent())
    settling = recorder._file._settling if recorder._file else None
    assert settling is not None
    settling.join(10)
    recorder.close()
    assert set(moved) == {path}
    assert shown[-1].answer == ANSWER
