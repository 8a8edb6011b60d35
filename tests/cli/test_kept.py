from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import pytest
from played import Ending, Terminal

from campus_agent.agent.events import Acting, Event, Observed, RunFinished, StepFinished
from campus_agent.journal.opening import journal_path
from campus_agent.journal.replaying import recording_of
from campus_agent.recording import read
from campus_agent.recordings import workshop
from campus_agent.recordings.__main__ import record

MEETS, DAYS = "When does the USC AI Club meet?", "How many days until then?"


def conversations(cli) -> list[tuple[str, int]]:
    return [(row["title"], row["runs"]) for row in cli("trace", "list", "--conversations", "--json").objects]


# ---- questions that are piped ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_piped_questions_are_kept_as_one_conversation(cli, played, flags):
    played(Ending(), Ending())
    cli(*flags, stdin="one?\ntwo?\n")
    cli(*flags, stdin="three?\n")
    assert sorted(conversations(cli)) == [("one?", 2), ("three?", 1)]


@pytest.mark.parametrize("flags", [(), ("--json",), ("--plain",)])
def test_with_no_journal_nothing_is_kept(cli, played, flags):
    played()
    cli("--no-journal", *flags, stdin="one?\n")
    assert conversations(cli) == []


@pytest.mark.parametrize("flags", [("-c",), ("--continue",), ("--resume", "last")])
def test_a_conversation_goes_on_with_what_it_remembers(cli, flags):
    cli(stdin=f"{MEETS}\n")
    (before,) = cli("trace", "list", "--conversations", "--json").objects
    ran = cli(*flags, "--json", stdin=f"{DAYS}\n")
    assert "Thursday" in ran.objects[0]["answer"]
    assert conversations(cli) == [(MEETS, 2)]
    assert cli("--resume", before["id"][:5], stdin="Where?\n").status == 0
    assert conversations(cli) == [(MEETS, 3)]


@pytest.mark.parametrize("flags", [("--resume", "nothing"), ("--continue",), ("--continue", "--plain")])
def test_a_conversation_that_is_not_there_is_said_before_anything_is_asked(cli, played, flags):
    agent = played()
    ran = cli(*flags, stdin="one?\n")
    assert ran.status == 1
    assert "conversation" in ran.err
    assert agent.questions == []


@pytest.mark.parametrize("flag", ["--continue", "--resume=last"])
def test_going_on_goes_with_no_command(cli, flag):
    assert cli(flag, "config", "path").status == 2


@pytest.mark.parametrize(("flags", "resume"), [(("--resume", "3f2a"), "3f2a"), (("-c", "--inline"), "last")])
def test_the_app_finds_the_conversation_itself_once_it_stands(cli, monkeypatch, flags, resume):
    opened = []
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda _=None, **options: opened.append(options) or (0, ()))
    monkeypatch.setattr("sys.stdout", Terminal())
    cli(*flags, stdin=Terminal())
    assert opened[0]["resume"] == resume


def test_a_journal_that_cannot_be_written_is_said_and_the_answers_come(cli, played, tmp_path):
    played()
    ran = cli("--journal-path", str(tmp_path), stdin="one?\n")
    assert (ran.status, ran.out) == (0, "At noon.\n")
    assert "nothing is kept" in ran.err


# ---- the plain conversation ------------------------------------------------------------------------------------------


def test_a_plain_conversation_goes_on_and_says_where_it_was_left(cli):
    cli(stdin=f"{MEETS}\n")
    ran = cli("--plain", "-c", stdin=f"{DAYS}\n")
    assert f"Resumed “{MEETS}”, 1 question." in ran.out
    assert "in room 204" in ran.out.partition("Type a question")[0]
    assert conversations(cli) == [(MEETS, 2)]


@pytest.mark.parametrize("flags", [("--plain",), ()])
def test_a_conversation_that_goes_on_without_the_journal_is_read_and_says_that_nothing_is_kept(cli, flags):
    cli(stdin=f"{MEETS}\n")
    ran = cli(*flags, "-c", "--no-journal", stdin=f"{DAYS}\n")
    assert "nothing of what you ask from now on is kept" in ran.err
    assert ("Resumed “" in ran.out) is bool(flags)
    assert conversations(cli) == [(MEETS, 1)]


def test_a_plain_conversation_without_the_journal_says_why_nothing_is_kept(cli, played):
    played()
    assert "The journal is off." in cli("--plain", "--no-journal", stdin="one?\n/rename Clubs\n").err


def test_another_base_than_before_is_said(cli, tmp_path):
    cli(stdin=f"{MEETS}\n")
    (tmp_path / "pool.md").write_text("# Pool\n\nThe pool is in the gym.\n")
    assert "instead of USC demo, 7 passages." in cli("--plain", "-c", "--kb", str(tmp_path), stdin="").out


def test_a_plain_conversation_is_renamed_begun_anew_and_deleted(cli, played):
    played()
    cli("--plain", stdin="one?\n/rename Clubs\n/new\ntwo?\n")
    assert sorted(conversations(cli)) == [("Clubs", 1), ("two?", 1)]
    ran = cli("--plain", stdin="/delete\n/rename\nthree?\n/delete\nno\n/delete\ny\n")
    assert "Nothing of this conversation is kept." in ran.err
    assert "/rename needs a title." in ran.err
    assert sorted(conversations(cli)) == [("Clubs", 1), ("two?", 1)]


def test_what_is_asked_in_private_is_not_kept(cli, played):
    played()
    cli("--plain", stdin="one?\n/private\nsecret?\n/private\ntwo?\n")
    assert conversations(cli) == [("one?", 2)]
    assert cli("trace", "search", "secret").out == ""


def test_an_export_of_a_plain_conversation_that_goes_on_is_whole(cli, tmp_path):
    cli(stdin=f"{MEETS}\n")
    file = tmp_path / "talk.jsonl"
    cli("--plain", "-c", stdin=f"{DAYS}\n/export {file}\n")
    assert len(read(file).runs) == 2


# ---- the recorded workshop -------------------------------------------------------------------------------------------


def timeless(event: Event) -> Event:
    """The event without what depends on the moment and on how fast the machine is."""
    changed = {"time": None}
    match event:
        case Observed():
            changed |= {"latency_ms": 0.0, "seq": 0}
        case StepFinished():
            changed["latency_ms"] = 0.0
        case RunFinished():
            changed["duration_ms"] = 0.0
    return event.model_copy(update=changed)


def _call(event: Event) -> str:
    return event.call_id if isinstance(event, Observed) else ""


def as_asked(run: Iterable[Event]) -> list[Event]:
    """The events without their times; what came back side by side stands in the order in which it was asked for."""
    groups = (list(group) for _, group in groupby(map(timeless, run), lambda event: isinstance(event, Observed)))
    return [event for group in groups for event in sorted(group, key=_call)]


async def test_the_workshop_recorded_again_is_the_same_event_by_event_but_for_times():
    recorded = read(workshop())
    assert recorded.problems == ()
    again = await record()
    assert len(again) == 4
    assert [as_asked(run) for run in again] == [as_asked(run) for run in recorded.runs]


def test_what_is_stored_and_replayed_of_the_workshop_is_what_was_shown_event_by_event(cli):
    questions = [run[0].question for run in read(workshop()).runs]
    for question in questions:
        shown = cli("ask", "--jsonl", question).objects
        assert cli("trace", "export", "last", "--format", "jsonl").objects == shown
        (replayed,) = recording_of("last", journal_path(None)).runs
        assert [event.model_dump(mode="json") for event in replayed] == shown
    assert len(conversations(cli)) == len(questions) == 4


def test_the_recorded_workshop_is_printed_where_there_is_no_terminal(cli, tmp_path):
    ran = cli("demo", "--replay", "--kb", str(tmp_path / "none"))
    assert (ran.status, ran.err) == (0, "")
    calls = [event for run in read(workshop()).runs for event in run if isinstance(event, Acting)]
    assert ran.out.count("acting  ->") == len(calls)
    assert conversations(cli) == []


def test_the_recorded_workshop_is_printed_as_objects(cli):
    outcomes = [one["outcome"] for one in cli("demo", "--replay", "--json").objects]
    assert outcomes == ["answered", "answered", "answered", "refused"]


def test_the_recorded_workshop_opens_the_app_at_a_terminal(cli, monkeypatch):
    opened = []
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda _, **options: opened.append(options) or (0, ()))
    monkeypatch.setattr("sys.stdout", Terminal())
    assert cli("demo", "--replay", stdin=Terminal()).status == 0
    assert len(opened[0]["replay"].runs) == 4


# ---- replaying -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("--replay",), ("trace", "replay")])
@pytest.mark.parametrize("named", ["last", "the id", "the conversation", "a file"])
def test_a_run_a_conversation_or_a_file_is_replayed(cli, played, monkeypatch, tmp_path, words, named):
    played()
    cli(stdin="one?\ntwo?\n")
    (row,) = cli("trace", "list", "--conversations", "--json").objects
    run = cli("trace", "list", "--json").objects[0]["id"]
    file = tmp_path / "talk.jsonl"
    cli("trace", "export", row["id"], "-o", str(file))
    stands_for = {"last": "last", "the id": run, "the conversation": row["id"], "a file": str(file)}[named]
    opened = []
    monkeypatch.setattr("campus_agent.tui.run.run_app", lambda _, **options: opened.append(options) or (0, ()))
    monkeypatch.setattr("sys.stdout", Terminal())
    assert cli(*words, stands_for, stdin=Terminal()).status == 0
    replayed = opened[0]["replay"]
    recording = recording_of(replayed, journal_path(None)) if isinstance(replayed, str) else replayed
    assert len(recording.runs) == (1 if named in ("last", "the id") else 2)


def test_what_cannot_be_replayed_is_said(cli, monkeypatch):
    monkeypatch.setattr("sys.stdout", Terminal())
    ran = cli("trace", "replay", "abc", stdin=Terminal())
    assert ran.status == 1
    assert "abc" in ran.err
