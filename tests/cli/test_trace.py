from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from played import Ending, Played

from campus_agent.agent.outcome import Outcome
from campus_agent.errors import Explanation
from campus_agent.settings import REFUSAL
from campus_agent.tui.history import History

QUESTION = "When does the club meet?"
KEY = "sk-Secret-0123456789"


@pytest.fixture
def asked(cli: Callable, played: Callable[..., Played]) -> Callable:
    """Ask so many questions, which end one way or another, and return the command line."""

    def ask(*endings: Ending) -> Callable:
        for number, ending in enumerate(endings or (Ending(),), 1):
            played(ending)
            cli("ask", QUESTION if number == 1 else f"Question {number}?")
        return cli

    return ask


def test_what_was_asked_is_listed_newest_first(asked: Callable) -> None:
    cli = asked(Ending(), Ending(Outcome.REFUSED, REFUSAL), Ending(Outcome.DEADLINE, None, Explanation(what="Late.")))
    lines = cli("trace", "list").out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == ["Question 3?", "Question 2?", QUESTION]
    assert "◐ out of time" in lines[0]
    rows = cli("trace", "list", "--json", "--limit", "2").objects
    assert [(row["question"], row["outcome"], row["usage"]) for row in rows] == [
        ("Question 3?", "deadline", None),
        ("Question 2?", "refused", None),
    ]
    conversations = cli("trace", "list", "--conversations", "--json").objects
    assert [row["title"] for row in conversations] == ["Question 3?", "Question 2?", QUESTION]


def test_a_list_is_narrowed_down_by_what_is_asked_for(asked: Callable) -> None:
    cli = asked(Ending(), Ending(Outcome.REFUSED, REFUSAL))
    assert len(cli("trace", "list", "--json", "--outcome", "refused").objects) == 1
    assert len(cli("trace", "list", "--json", "--day", "2026-06-13").objects) == 2
    assert len(cli("trace", "list", "--json", "--since", "2026-06-14").objects) == 0
    assert len(cli("trace", "list", "--json", "--until", "2026-06-12").objects) == 0
    assert len(cli("trace", "list", "--json", "--tool", "search_campus_info", "--answered-by", "PLAY").objects) == 2
    nothing = cli("trace", "list", "--tool", "no_such")
    assert (nothing.status, nothing.out, nothing.err) == (0, "", "No run is like that.\n")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--outcome", "happy"), "choose from answered"),
        (("--since", "tomorrow"), "is not a date such as"),
        (("--day", "2026-06-13", "--until", "2026-06-14"), "--day goes without"),
        (("--until", "9999-12-31"), "too far away"),
        (("--conversations", "--tool", "x"), "goes without flags"),
    ],
)
def test_a_flag_that_makes_no_sense_is_said_in_words(cli: Callable, flags: tuple[str, ...], said: str) -> None:
    ran = cli("trace", "list", *flags)
    assert ran.status == 2
    assert said in ran.err


def test_an_empty_journal_is_no_error_and_nothing_is_made_for_it(cli: Callable, isolation: Path) -> None:
    assert cli("trace", "list").err == "No run is recorded yet.\n"
    assert cli("trace", "list", "--json").out == ""
    assert cli("trace", "stats", "--json").objects[0]["runs"] == 0
    assert "tokens    n/a" in cli("trace", "stats").out
    ran = cli("trace", "show", "last")
    assert (ran.status, "No run is recorded yet." in ran.err) == (1, True)
    assert not list(isolation.rglob("journal.db"))


def test_runs_are_found_by_what_was_said_in_them(asked: Callable) -> None:
    cli = asked(Ending(), Ending(answer="In the library."))
    assert "In the library" in cli("trace", "search", "library").out
    assert [row["question"] for row in cli("trace", "search", "LIBR", "question", "--json").objects] == ["Question 2?"]
    assert cli("trace", "search", "zebra").err == "No run holds all of these words.\n"
    assert cli("trace", "search", "?!").status == 2


def test_a_run_is_shown_as_it_was_printed(cli: Callable, played: Callable[..., Played]) -> None:
    played(Ending())
    asked = cli("ask", QUESTION)
    shown = cli("trace", "show", "last").out
    for line in [*asked.err.splitlines()[1:], *asked.out.splitlines()]:
        assert line in shown.splitlines()
    assert f"> {QUESTION}" in shown


def test_a_shown_run_as_json_is_what_ask_prints_with_its_ids(cli: Callable, played: Callable[..., Played]) -> None:
    played(Ending())
    (asked,) = cli("ask", "--json", QUESTION).objects
    (shown,) = cli("trace", "show", "last", "--json").objects
    assert {name: shown[name] for name in asked} == asked
    assert shown["conversation"]


def test_a_run_without_an_end_is_shown_as_cut(cli: Callable, tmp_path: Path, asked: Callable) -> None:
    lines = asked()("trace", "export", "last", "--format", "jsonl").out.splitlines()
    cut = tmp_path / "cut.jsonl"
    changed = [line.replace('"r1"', '"r2"') for line in lines[:4]]
    cut.write_text("\n".join(changed), encoding="utf-8")
    ran = cli("trace", "import", str(cut))
    assert ran.status == 0
    assert "the recording ends in the middle of a run" in ran.err
    assert "✕ cut" in cli("trace", "list", "--outcome", "cut").out
    assert "✕ cut: the program ended" in cli("trace", "show", "r2").out
    (shown,) = cli("trace", "show", "r2", "--json").objects
    assert (shown["outcome"], shown["duration_ms"], shown["complete"], len(shown["steps"])) == (None, None, False, 1)
    assert "broken off" in cli("trace", "export", "r2").out
    (entry,) = cli("trace", "audit", "r2", "--json").objects
    assert entry["status"] == "ok"


def test_the_audit_names_every_call(asked: Callable) -> None:
    cli = asked()
    (entry,) = cli("trace", "audit", "last", "--json").objects
    assert entry == {
        "run": "r1",
        "step": 1,
        "tool": "search_campus_info",
        "input": {"query": "AI Club"},
        "output_length": 15,
        "latency_ms": 2.0,
        "timestamp": "2026-06-13T12:00:00Z",
        "status": "ok",
    }
    assert "ok · 15 characters · 2 ms" in cli("trace", "audit", "last").out


def test_two_runs_stand_beside_each_other_as_wide_as_the_terminal(
    asked: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = asked(Ending(), Ending(answer="日本語のとても長い答えです。" * 4))
    ids = [row["id"] for row in cli("trace", "list", "--json").objects]
    monkeypatch.setenv("COLUMNS", "60")
    out = cli("trace", "diff", *ids).out
    assert "They part at: 日本語" in out
    from rich.cells import cell_len

    beside = out.rpartition("They part at")[0].splitlines()
    assert max(cell_len(line) for line in beside) <= 60
    (compared,) = cli("trace", "diff", *ids, "--json").objects
    assert compared["pairs"][compared["parted"]]["mark"] == "differs"
    assert "Both went the same way." in cli("trace", "diff", "last", "last").out


@pytest.mark.parametrize("form", ["md", "jsonl", "html", "cast", "json"])
def test_an_export_never_overwrites_and_holds_no_key(
    asked: Callable, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = asked(Ending(answer=f"Use {KEY}."))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    file = tmp_path / f"run.{form}"
    assert cli("trace", "export", "last", "-o", str(file)).status == 0
    written = file.read_text(encoding="utf-8")
    assert KEY not in written
    assert "********" in written
    again = cli("trace", "export", "last", "-o", str(file))
    assert (again.status, "--force" in again.err) == (1, True)
    assert cli("trace", "export", "last", "-o", str(file), "--force").status == 0
    assert file.read_text(encoding="utf-8") == written


def test_an_import_of_what_was_exported_gives_the_same_events(asked: Callable, tmp_path: Path) -> None:
    cli = asked(Ending(), Ending(Outcome.REFUSED, REFUSAL))
    file, journal = tmp_path / "run.jsonl", tmp_path / "other.db"
    cli("trace", "export", "r1", "-o", str(file))
    other = ("--journal-path", str(journal))
    assert cli("trace", "import", str(file), *other).out == "1 run imported\n  r1\n"
    assert cli("trace", "export", "r1", "--format", "jsonl", *other).out == file.read_text(encoding="utf-8")
    assert cli("trace", "import", str(file), *other).out == "0 runs imported, 1 already there\n"


def test_a_corrupt_line_is_named_and_the_rest_is_imported(asked: Callable, tmp_path: Path) -> None:
    cli = asked()
    lines = cli("trace", "export", "last", "--format", "jsonl").out.splitlines()
    file = tmp_path / "broken.jsonl"
    file.write_text(
        "\n".join([lines[0].replace("r1", "r2"), "{broken", *(line.replace("r1", "r2") for line in lines[1:])])
    )
    ran = cli("trace", "import", str(file))
    assert ran.out.startswith("1 run imported, 1 problem\n")
    assert "line 2: not readable as JSON" in ran.err
    assert len(cli("trace", "export", "r2", "--format", "jsonl").objects) == 6


def test_a_file_with_nothing_to_import_is_an_error(cli: Callable, tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text("hello\n")
    ran = cli("trace", "import", str(file))
    assert (ran.status, "is not a recording" in ran.err) == (1, True)


def test_a_conversation_is_renamed_and_deleted(asked: Callable) -> None:
    cli = asked()
    assert cli("trace", "rename", "last", "The", "club").out.endswith("  The club\n")
    (row,) = cli("trace", "list", "--conversations", "--json").objects
    assert row["title"] == "The club"
    assert cli("trace", "rename", row["id"], " ").status == 2
    assert cli("trace", "delete", row["id"], "--yes").out == "1 run deleted\n"
    assert cli("trace", "list", "--json").out == ""


@pytest.mark.parametrize("typed", ["n\n", "\n", "perhaps\n", "", "no"])
def test_nothing_is_deleted_without_a_yes(asked: Callable, typed: str) -> None:
    cli = asked()
    kept = cli("trace", "delete", "last", stdin=typed)
    assert kept.status == 1
    assert "1 run" in kept.err
    assert len(cli("trace", "list", "--json").objects) == 1
    assert cli("trace", "delete", "last", stdin="Yes\n").out == "1 run deleted\n"


def test_an_unknown_id_is_said_in_words(asked: Callable) -> None:
    ran = asked()("trace", "show", "ffff\x1b[31m")
    assert ran.status == 1
    assert "There is no run and no conversation" in ran.err
    assert "\x1b" not in ran.err


def test_without_a_journal_nothing_is_kept(cli: Callable, played: Callable[..., Played], isolation: Path) -> None:
    played()
    assert cli("ask", "--no-journal", QUESTION).status == 0
    assert not list(isolation.rglob("journal.db*"))


def test_each_question_of_the_demo_is_a_conversation_of_its_own(cli: Callable, played: Callable[..., Played]) -> None:
    played(Ending(), questions=("One?", "Two?"))
    cli("demo", "--json")
    assert [row["title"] for row in cli("trace", "list", "--conversations", "--json").objects] == ["Two?", "One?"]


def test_a_journal_that_cannot_be_used_is_a_note_beside_the_answer(
    cli: Callable, played: Callable[..., Played], tmp_path: Path
) -> None:
    played()
    ran = cli("ask", QUESTION, "--journal-path", str(tmp_path))
    assert (ran.status, ran.out) == (0, "At noon.\n")
    assert "note: From here on nothing is kept in the journal" in ran.err
    (told,) = cli("ask", "--json", QUESTION, "--journal-path", str(tmp_path)).objects
    assert "nothing is kept" in told["notes"][0]


def test_a_replay_needs_a_terminal(asked: Callable) -> None:
    ran = asked()("trace", "replay", "last")
    assert (ran.status, "needs a terminal" in ran.err) == (2, True)


@pytest.mark.parametrize("how", [(), ("--quiet",), ("--json",), ("--jsonl",)])
def test_a_journal_that_stays_locked_is_said_whatever_is_printed(
    cli: Callable, played: Callable[..., Played], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
) -> None:
    monkeypatch.setattr("campus_agent.journal.recorder._WAIT", 0.01)
    monkeypatch.setattr("campus_agent.journal.recorder._LAST_WAIT", 0.01)
    played()
    path = tmp_path / "journal.db"
    cli("ask", QUESTION, "--journal-path", str(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        ran = cli("ask", *how, QUESTION, "--journal-path", str(path))
    assert ran.status == 0
    assert f"campus-agent: Not kept in the journal: “{QUESTION}”: another program keeps it locked" in ran.err
    assert how != ("--json",) or "This is not kept yet" in ran.objects[0]["notes"][0]


def test_an_export_to_a_file_of_another_kind_is_refused_with_those_that_there_are(
    asked: Callable, tmp_path: Path
) -> None:
    ran = asked()("trace", "export", "last", "-o", str(tmp_path / "run.pdf"))
    assert ran.status == 1
    assert ".md, .jsonl, .html, .htm, .cast, .json" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_an_import_counts_every_problem_and_lists_the_first(asked: Callable, tmp_path: Path) -> None:
    cli = asked()
    file = tmp_path / "run.jsonl"
    file.write_text(cli("trace", "export", "last", "--format", "jsonl").out + "garbage\n" * 250, encoding="utf-8")
    ran = cli("trace", "import", str(file))
    assert "250 problems" in ran.out
    assert ran.err.count("not readable as JSON") == 100
    assert "and 150 more problems" in ran.err


def test_deleted_questions_leave_the_history_of_the_prompt_too(asked: Callable) -> None:
    cli = asked()
    (row, *_) = cli("trace", "list", "--json").objects
    History().add(row["question"])
    assert cli("trace", "delete", "--yes", row["id"]).status == 0
    assert History().older("") is None


# ---- salvaging -------------------------------------------------------------------------------------------------------


def test_what_can_be_read_of_a_damaged_journal_is_saved_and_counted_once(cli, played, tmp_path):
    played()
    cli(stdin="one?\ntwo?\n")
    (journal,) = (file for file in Path.home().rglob("journal.db"))
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(bytes(100) + journal.read_bytes()[100:])
    other = ("--journal-path", str(tmp_path / "other.db"))
    assert cli("trace", "salvage", str(damaged), *other).out == "1 conversation with 2 questions saved\n"
    assert cli("trace", "salvage", str(damaged), *other).out == (
        "0 conversations with 0 questions saved, 2 there already\n"
    )
    assert [row["question"] for row in cli("trace", "list", "--json", *other).objects] == ["two?", "one?"]


def test_salvaging_names_what_it_cannot_use(cli, tmp_path):
    assert cli("trace", "salvage", str(tmp_path / "none.db")).status == 2
    shopping = tmp_path / "shopping.txt"
    shopping.write_text("milk\n" * 9000, encoding="utf-8")
    ran = cli("trace", "salvage", str(shopping))
    assert (ran.status, ran.out) == (1, "")
    assert f"Nothing in {shopping} can be read as a journal." in ran.err
    assert shopping.read_text(encoding="utf-8") == "milk\n" * 9000
    ran = cli("trace", "salvage", str(shopping), "--journal-path", str(shopping))
    assert ran.status == 1
    assert "is no journal of campus-agent" in ran.err
