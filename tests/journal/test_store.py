from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from stored import MORNING, QUESTION, keep, run

from campus_agent.agent.outcome import Outcome
from campus_agent.journal import retention
from campus_agent.journal.audit import audit_of
from campus_agent.journal.importing import take_in
from campus_agent.journal.records import CUT, Filter
from campus_agent.journal.schema import JournalError
from campus_agent.journal.store import Journal
from campus_agent.models.chat_model import Usage


def id_of(number: int) -> str:
    return f"{number:012x}"


def questions(path: Path, wanted: Filter) -> list[str]:
    with Journal(path) as journal:
        return [row.question for row in journal.newest(wanted)]


def test_a_journal_that_is_not_there_is_as_good_as_an_empty_one_and_is_not_made(path: Path) -> None:
    with Journal(path) as journal:
        assert (journal.newest(), journal.conversations(), journal.search("club")) == ([], [], [])
        with pytest.raises(JournalError, match="No run is recorded yet"):
            journal.run("last")
    assert not path.exists()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), "EDCBA"),
        (Filter(tool="get_current_time"), "B"),
        (Filter(tool="no_such_tool"), ""),
        (Filter(outcome=Outcome.REFUSED), "C"),
        (Filter(outcome=CUT), "D"),
        (Filter(model="LLAMA"), "E"),
        (Filter(since=MORNING + timedelta(days=1)), "ED"),
        (Filter(until=MORNING + timedelta(days=1)), "CBA"),
        (Filter(shortest=9), "B"),
        (Filter(longest=0.5), "C"),
        (Filter(shortest=1, outcome=Outcome.ANSWERED, tool="search_campus_info"), "EA"),
    ],
)
def test_a_list_is_narrowed_down(path: Path, wanted: Filter, found: str) -> None:
    later = MORNING + timedelta(days=2)
    keep(
        path,
        run(1, question="A"),
        run(2, question="B", tool="get_current_time", seconds=10),
        run(3, question="C", outcome=Outcome.REFUSED, seconds=0.5),
        run(4, question="D", began=later, cut=True),
        run(5, question="E", began=later, model="meta/llama-3.1-8b"),
    )
    assert "".join(questions(path, wanted)) == found


def test_an_id_may_be_as_short_as_it_is_unique(path: Path) -> None:
    keep(path, run(0xAB1), run(0xAB2), run(0xB))
    with Journal(path) as journal:
        assert journal.run(id_of(0xAB1)[:12]).id == id_of(0xAB1)
        assert journal.run("last").id == id_of(0xB)
        assert journal.run(id_of(0xB)[:11]).id == id_of(0xB)
        with pytest.raises(JournalError, match="Several ids begin"):
            journal.run("000000000ab")
        for unknown in ("f00", "", " ", "%", "_"):
            with pytest.raises(JournalError, match="no run and no conversation"):
                journal.resolve(unknown)


def test_the_last_runs_of_a_conversation_are_loaded_first_and_older_ones_on_demand(path: Path) -> None:
    keep(path, *(run(number, question=f"Question {number}") for number in range(1, 31)))
    with Journal(path) as journal:
        (conversation,) = journal.conversations()
        last = journal.runs(conversation.id, limit=10)
        assert [row.question for row in last] == [f"Question {number}" for number in range(21, 31)]
        older = journal.runs(conversation.id, limit=10, before=last[0].place)
        assert [row.question for row in older] == [f"Question {number}" for number in range(11, 21)]
        assert len(journal.runs(conversation.id)) == 30
        assert conversation.runs == 30


def test_a_conversation_is_renamed_cleanly(path: Path) -> None:
    keep(path, run())
    with Journal(path) as journal:
        id = journal.conversations()[0].id
        journal.rename(id[:4], " My\x1b[31m\nclub " + "x" * 500)
        title = journal.conversation(id).title
        assert title.startswith("My\ufffd[31m club xxx")
        assert len(title) == 200
        with pytest.raises(ValueError, match="some text"):
            journal.rename(id, " \n ")


def test_a_branch_shares_the_questions_before_it_and_goes_its_own_way(path: Path) -> None:
    keep(path, run(1, question="A"), run(2, question="B"), run(3, question="C"))
    with Journal(path) as journal:
        (old,) = journal.conversations()
        branch = journal.branch(old.id, before=id_of(3))
        assert branch
        assert [row.question for row in journal.runs(branch.id)] == ["A", "B"]
        assert [row.question for row in journal.runs(old.id)] == ["A", "B", "C"]
        assert len(journal.newest()) == 3
        assert journal.branch(old.id, before=id_of(1)) is None
        with pytest.raises(JournalError, match="no run"):
            journal.branch(old.id, before=id_of(9))


def test_deleting_a_conversation_keeps_what_a_branch_shares(path: Path) -> None:
    keep(path, run(1, question="A"), run(2, question="B"))
    with Journal(path) as journal:
        (old,) = journal.conversations()
        branch = journal.branch(old.id, before=id_of(2))
        assert branch
        assert journal.delete(old.id) == 1
        assert [row.question for row in journal.newest()] == ["A"]
        assert [row.question for row in journal.runs(branch.id)] == ["A"]
        assert journal.delete(branch.id) == 1
        assert (journal.newest(), journal.conversations()) == ([], [])


def test_nothing_is_left_of_a_run_that_is_deleted(path: Path) -> None:
    keep(path, run(1, question="Where is the zebra?", answer="The zebra is away.", content="zebra"))
    with Journal(path) as journal:
        assert journal.delete("last") == 1
        assert journal.search("zebra") == []
    with closing(sqlite3.connect(path)) as db:
        for table in ("conversations", "runs", "members", "events", "steps", "calls", "words"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


@pytest.mark.parametrize("full_text", [True, False])
def test_a_search_finds_the_runs_in_which_all_words_stand(
    path: Path, monkeypatch: pytest.MonkeyPatch, full_text: bool
) -> None:
    if not full_text:
        monkeypatch.setattr("campus_agent.journal.indexing.searchable", lambda db: False)
        monkeypatch.setattr("campus_agent.journal.store.searchable", lambda db: False)
    keep(
        path,
        run(1, question="When is the robotics lab open?", answer="At noon."),
        run(2, question="Is there a café?", content="Nothing found.", answer="No."),
        run(3, question="Where is the lab?", cut=True),
    )
    with Journal(path) as journal:
        found = {
            words: [row.question[:8] for row in journal.search(words)]
            for words in ("lab", "robot noon", "LAB", "robotics café", "room 204", '"lab" OR *', "outcome", "café")
        }
        with pytest.raises(ValueError, match="no word"):
            journal.search(' "*" ')
    assert found == {
        "lab": ["Where is", "When is "],
        "LAB": ["Where is", "When is "],
        "robot noon": ["When is "],
        "robotics café": [],
        "room 204": ["Where is", "When is "],
        '"lab" OR *': [],
        "outcome": [],
        "café": ["Is there"],
    }


def test_a_search_can_be_narrowed_down_and_shows_where_the_words_stand(path: Path) -> None:
    keep(path, run(1), run(2, outcome=Outcome.REFUSED))
    with Journal(path) as journal:
        (row,) = journal.search("thursday", Filter(outcome=Outcome.REFUSED))
        assert row.id == id_of(2)
        assert "Thursday" in row.found
        assert len(journal.search("thursday", limit=1)) == 1


def test_words_of_a_script_without_spaces_are_found_in_the_middle_of_others(path: Path) -> None:
    keep(path, run(1, question="今日図書館は何時に開きますか"), run(2, question="食堂は?"))
    with Journal(path) as journal:
        assert [row.id for row in journal.search("図書館 開き")] == [id_of(1)]


def test_statistics_count_what_happened_and_never_make_up_tokens(path: Path) -> None:
    keep(
        path,
        run(1, seconds=1),
        run(2, seconds=2, outcome=Outcome.REFUSED),
        run(3, tool="get_current_time", seconds=3, cut=True),
    )
    with Journal(path) as journal:
        figures = journal.statistics()
        assert journal.statistics(Filter(tool="nothing")).runs == 0
    assert figures.outcomes == {"cut": 1, "answered": 1, "refused": 1}
    assert (figures.runs, figures.steps, figures.refusals, figures.repairs, figures.tokens) == (3, 1.0, 1, 0, None)
    assert list(figures.tools) == ["search_campus_info", "get_current_time"]
    search = figures.tools["search_campus_info"]
    assert search.times
    assert (search.calls, search.statuses, search.times.p50, search.times.p99) == (2, {"ok": 2}, 100, 200)
    assert figures.model
    assert (figures.model.count, figures.model.p50, figures.model.p95) == (2, 700, 1400)


def test_tokens_are_counted_where_a_server_gave_them(path: Path) -> None:
    keep(path, run(1, usage=Usage(prompt_tokens=10, completion_tokens=0)), run(2))
    with Journal(path) as journal:
        tokens = journal.statistics().tokens
        assert tokens
        assert (tokens.runs, tokens.prompt_tokens, tokens.completion_tokens) == (1, 10, 0)
        assert [row.usage for row in journal.newest()] == [None, Usage(prompt_tokens=10, completion_tokens=0)]


def test_a_call_that_a_person_has_edited_is_one_call_and_counts_as_repaired(path: Path) -> None:
    events = run(1)
    edited = events[2].model_copy(update={"arguments": {"query": "GPU lab"}, "repaired": "edited by hand"})
    keep(path, [*events[:3], edited, *events[3:]])
    with Journal(path) as journal:
        figures = journal.statistics()
        (entry,) = audit_of(journal.events(id_of(1)))
    assert (figures.repairs, figures.tools["search_campus_info"].calls) == (1, 1)
    assert (entry.input, entry.status) == ({"query": "GPU lab"}, "ok")


def test_what_is_too_old_is_forgotten_at_the_start(path: Path) -> None:
    keep(path, run(1, began=MORNING - timedelta(days=40)), run(2, began=MORNING - timedelta(days=20)))
    assert retention.apply(path, days=30, megabytes=100) == 1
    with Journal(path) as journal:
        assert [row.id for row in journal.newest()] == [id_of(2)]


def test_the_oldest_make_way_when_there_are_too_many(path: Path) -> None:
    keep(path, *(run(number, content="word " * 4000) for number in range(1, 101)))
    before = path.stat().st_size
    assert retention.apply(path, days=36_500, megabytes=1) == 100 - len(left(path))
    assert left(path)[0] == id_of(100)
    assert path.stat().st_size < before


def left(path: Path) -> list[str]:
    with Journal(path) as journal:
        return [row.id for row in journal.newest(limit=1000)]


def test_an_old_run_that_was_imported_is_kept_as_long_as_a_new_one(path: Path) -> None:
    take_in(path, [run(1, began=MORNING - timedelta(days=1000))], base="imported")
    assert retention.apply(path, days=30, megabytes=100) == 0
    assert left(path) == [id_of(1)]


def test_an_import_of_what_is_there_changes_nothing_and_a_namesake_is_kept_beside_it(path: Path) -> None:
    first = take_in(path, [run(1), run(2)], base="imported")
    again = take_in(path, [run(1), run(2, question="Another?")], base="imported")
    assert (len(first.ids), first.known) == (2, 0)
    assert (len(again.ids), again.known) == (1, 1)
    with Journal(path) as journal:
        assert [row.question for row in journal.newest()] == ["Another?", QUESTION, QUESTION]
        assert journal.run(again.ids[0]).question == "Another?"


def test_events_that_this_version_does_not_know_are_left_out(path: Path) -> None:
    keep(path, run(1))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute('UPDATE events SET body = \'{"kind": "new"}\' WHERE place = 1')
    with Journal(path) as journal:
        assert [event.seq for event in journal.events(id_of(1))] == [0, 2, 3, 4, 5]


def test_a_damaged_journal_is_said_in_words(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(JournalError, match="file is damaged"):
        Journal(path)
