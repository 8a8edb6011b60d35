from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from stored import ANSWER, MORNING, TOOLS, agent, keep, record, run

from campus_agent.agent.events import Event
from campus_agent.journal.exporting import BY_ENDING, written
from campus_agent.journal.memory import last_turns
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.replaying import recording_of
from campus_agent.journal.schema import JournalError
from campus_agent.journal.store import Journal
from campus_agent.recording import RecordingError

BY_NAME = {tool.name: tool for tool in TOOLS}


@pytest.fixture
def talks(path: Path) -> Path:
    """A journal of three conversations: about the pool, about lunch, about the library in two questions."""
    keep(path, run(1, question="Where is the pool?", answer="In the gym."))
    keep(path, run(2, question="When is lunch?", answer="At noon.", began=MORNING + timedelta(days=1)))
    library = [run(number, question=f"Library, {number}", began=MORNING + timedelta(days=2)) for number in (3, 4)]
    keep(path, *library)
    return path


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", ["Library, 3", "When is lunch?", "Where is the pool?"]),
        ("?!", ["Library, 3", "When is lunch?", "Where is the pool?"]),
        ("gym", ["Where is the pool?"]),
        ("LUNCH", ["When is lunch?"]),
        ("libr 4", ["Library, 3"]),
        ("room 204", ["Library, 3", "When is lunch?", "Where is the pool?"]),
        ("gym lunch", []),
    ],
)
def test_conversations_are_found_by_title_and_by_all_that_was_said_in_them(
    talks: Path, words: str, found: list[str]
) -> None:
    with Journal(talks) as journal:
        assert [row.title for row in journal.conversations(words)] == found


def test_a_conversation_is_found_by_the_title_that_it_was_given(talks: Path) -> None:
    with Journal(talks) as journal:
        journal.rename(journal.conversations("pool")[0].id, "100% wet")
        assert [row.title for row in journal.conversations("wet")] == ["100% wet"]
        assert [row.title for row in journal.conversations("pool")] == ["100% wet"]


def test_a_conversation_is_named_by_its_id_by_a_run_or_as_the_last(talks: Path) -> None:
    with Journal(talks) as journal:
        last, lunch, _ = journal.conversations()
        assert journal.named("last") == last
        assert journal.named(lunch.id[:6]) == lunch
        assert journal.named(journal.outline(lunch.id)[0][0]) == lunch
        with pytest.raises(JournalError, match="no conversation 'zzz'"):
            journal.named("zzz")


def test_there_is_no_last_conversation_in_an_empty_journal(path: Path) -> None:
    with Journal(path) as journal, pytest.raises(JournalError, match="No conversation"):
        journal.named("last")


def test_the_outline_of_a_conversation_has_its_runs_oldest_first(talks: Path) -> None:
    with Journal(talks) as journal:
        outline = journal.outline(journal.named("last").id)
        assert [question for _, question in outline] == ["Library, 3", "Library, 4"]
        assert [journal.run(id).question for id, _ in outline] == ["Library, 3", "Library, 4"]
        assert journal.outline("nothing") == []


def test_a_branch_before_nothing_is_a_copy(talks: Path) -> None:
    with Journal(talks) as journal:
        old = journal.named("last")
        copy = journal.branch(old.id, before=None)
        assert copy
        assert copy.id != old.id
        assert journal.outline(copy.id) == journal.outline(old.id)


@pytest.mark.parametrize(
    ("base", "model", "said"),
    [
        ("b", "m", ""),
        ("c", "m", "From here on answers come from c instead of b."),
        ("b", "n", "From here on answers come by n instead of m."),
        ("c", "n", "From here on answers come from c instead of b and by n instead of m."),
    ],
)
def test_what_is_not_as_it_was_is_said(talks: Path, base: str, model: str, said: str) -> None:
    with Journal(talks) as journal:
        row = replace(journal.named("last"), base="b", model="m")
    assert row.instead(base=base, model=model) == said


# ---- the one that goes on ----------------------------------------------------------------------------------------


async def test_the_recorder_names_the_run_that_it_follows(path: Path) -> None:
    recorder = Recorder(path)
    assert recorder.run is None
    shown = await record(recorder, agent())
    assert recorder.run == shown[0].run_id
    recorder.close()
    assert recorder.run is None


async def test_what_begins_in_private_is_not_kept_and_what_comes_after_is(path: Path) -> None:
    recorder = Recorder(path)
    talking = agent("One.", "Two.", "Three.")
    first = await record(recorder, talking, "one?")
    recorder.private = True
    await record(recorder, talking, "two?")
    assert recorder.run is None
    recorder.private = False
    third = await record(recorder, talking, "three?")
    assert recorder.run == third[0].run_id != first[0].run_id
    recorder.close()
    with Journal(path) as journal:
        assert [question for _, question in journal.outline(journal.named("last").id)] == ["one?", "three?"]


def test_of_a_long_conversation_no_more_is_read_than_is_remembered() -> None:
    read: list[int] = []

    def runs() -> object:
        for number in range(100, 0, -1):
            read.append(number)
            yield run(number, question=f"{number}?", cut=number == 99)

    turns = last_turns(runs(), BY_NAME, most=3)
    assert [turn.messages[0].text for turn in turns] == ["97?", "98?", "100?"]
    assert read == [100, 99, 98, 97]
    assert last_turns(runs(), BY_NAME, most=0) == ()


# ---- elsewhere -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(set(BY_ENDING.values())))
def test_no_form_holds_a_secret(form: str) -> None:
    secret = "nvapi-Secret_0123456789"
    talk = [run(question=f"{secret}?", answer=f"{ANSWER} {secret}", content=f"- {secret}")]
    text = written(talk, form, secrets=[secret])  # type: ignore[arg-type]
    assert secret in written(talk, form)  # type: ignore[arg-type]
    assert secret not in text
    assert "********" in text


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [event.kind for event in events]


def test_a_name_stands_for_a_file_or_for_what_is_in_the_journal(talks: Path, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    with Journal(talks) as journal:
        library = journal.named("last")
        events = [journal.events(id) for id, _ in journal.outline(library.id)]
    file.write_text(written(events, "jsonl"), encoding="utf-8")
    assert recording_of(str(file), talks).runs == recording_of(library.id, talks).runs == tuple(events)
    assert recording_of("last", talks).runs == (events[-1],)
    assert recording_of(library.id[:5], talks).name == "Library, 3"


@pytest.mark.parametrize(
    ("named", "error"), [("zzz", JournalError), ("zzz.jsonl", RecordingError), ("no/such", RecordingError)]
)
def test_a_name_that_stands_for_nothing_is_an_error(talks: Path, named: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        recording_of(named, talks)
