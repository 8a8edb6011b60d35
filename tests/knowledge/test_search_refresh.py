from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from campus_agent.knowledge import files, watching
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage
from campus_agent.tools.campus import FollowedBase, search_tool

NOW = datetime(2026, 6, 13, 17, 0, tzinfo=UTC)
LATER = datetime(2026, 6, 13, 18, 30, tzinfo=UTC)
CHESS = "# Chess club\n\nThe chess club meets on Monday.\n"
LIBRARY = "# Library\n\nThe library opens at eight.\n"


class Clock:
    """Gives every write a later time, so that no test depends on how fine the dates of a disk are."""

    def __init__(self) -> None:
        self.seconds = 1_700_000_000

    def write(self, path: Path, text: str) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.seconds += 1
        for touched in (path, path.parent):
            os.utime(touched, (self.seconds, self.seconds))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kb(tmp_path: Path, clock: Clock) -> Path:
    clock.write(tmp_path / "kb" / "clubs.md", CHESS)
    clock.write(tmp_path / "kb" / "library.md", LIBRARY)
    return tmp_path / "kb"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that were read, in their order."""
    names: list[str] = []
    read = watching.read_alone

    def noted(document, *, now):  # type: ignore[no-untyped-def]
        names.append(document.source)
        return read(document, now=now)

    monkeypatch.setattr(watching, "read_alone", noted)
    return names


def denied(look: Callable[..., Any], begins: tuple[str, ...]) -> Callable[..., Any]:
    """Return `look` as it is where the rights to all that begins so were taken away."""

    def looking(path: Any, *args: Any, **options: Any) -> Any:
        if str(path).startswith(begins):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path, *args, **options)

    return looking


def texts(base: KnowledgeBase, query: str) -> list[str]:
    return [scored.passage.text for scored in base.search(query).passages]


def test_nothing_is_read_again_when_nothing_changed(kb: Path, opened: list[str]):
    base = KnowledgeBase.load([kb])
    assert base.refresh(NOW) is None
    assert opened == ["clubs.md", "library.md"]


def test_a_changed_document_is_read_again_and_no_other_and_that_is_said(kb: Path, clock: Clock, opened: list[str]):
    base = KnowledgeBase.load([kb])
    base.prepare()
    clock.write(kb / "clubs.md", CHESS + "\n# Go club\n\nThe go club meets on Friday.\n")
    assert str(base.refresh(NOW)) == "clubs.md changed: 2 passages"
    assert opened == ["clubs.md", "library.md", "clubs.md"]
    assert texts(base, "go club friday")[0] == "The go club meets on Friday."
    assert base.refresh(NOW) is None


def test_new_and_removed_documents_are_said_with_how_much_they_held(kb: Path, clock: Clock):
    base = KnowledgeBase.load([kb])
    clock.write(kb / "inner" / "gym.md", "# Gym\n\nThe gym opens at six.\n")
    (kb / "library.md").unlink()
    changes = base.refresh(NOW)
    assert changes is not None
    assert changes.said == ("inner/gym.md is new: 1 passage", "library.md is gone: 1 passage")
    assert (texts(base, "gym"), texts(base, "library")) == (["The gym opens at six."], [])


def test_a_document_that_appears_in_a_new_folder_later_is_seen(kb: Path, clock: Clock):
    base = KnowledgeBase.load([kb])
    (kb / "later").mkdir()
    base.refresh(NOW)
    clock.write(kb / "later" / "pool.md", "# Pool\n\nThe pool is closed.\n")
    assert str(base.refresh(NOW)) == "later/pool.md is new: 1 passage"


def test_a_document_that_was_only_touched_is_no_change(kb: Path, clock: Clock, opened: list[str]):
    base = KnowledgeBase.load([kb])
    clock.write(kb / "clubs.md", CHESS)
    assert base.refresh(NOW) is None
    assert opened == ["clubs.md", "library.md"]


@pytest.mark.parametrize("broken", ["", "\0\1\2 not a text"])
def test_a_document_that_cannot_be_read_any_more_serves_on_as_it_was_and_that_is_said_once(
    kb: Path, clock: Clock, broken: str
):
    base = KnowledgeBase.load([kb])
    clock.write(kb / "clubs.md", broken)
    changes = base.refresh(NOW)
    assert changes is not None
    assert changes.troubles[0].startswith("clubs.md cannot be read now (")
    assert texts(base, "chess") == ["The chess club meets on Monday."]
    assert base.refresh(NOW) is None
    clock.write(kb / "clubs.md", "# Go club\n\nThe go club meets on Friday.\n")
    assert str(base.refresh(NOW)) == "clubs.md changed: 1 passage"


def test_a_document_that_is_being_written_serves_on_until_it_is_whole(
    kb: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    base = KnowledgeBase.load([kb])
    read = watching.read_alone

    def while_it_is_written(document, *, now):  # type: ignore[no-untyped-def]
        half = read(document, now=now)
        clock.write(kb / "clubs.md", "# Chess club\n\nThe chess club meets on Tuesday.\n")
        monkeypatch.setattr(watching, "read_alone", read)
        return half

    clock.write(kb / "clubs.md", "# Chess club\n\nThe chess")
    monkeypatch.setattr(watching, "read_alone", while_it_is_written)
    assert "it is just being written" in str(base.refresh(NOW))
    assert texts(base, "chess") == ["The chess club meets on Monday."]
    assert str(base.refresh(NOW)) == "clubs.md changed: 1 passage"
    assert texts(base, "chess") == ["The chess club meets on Tuesday."]


@pytest.mark.parametrize("left", [[], ["folder"]])
def test_a_base_that_disappears_serves_on_and_that_is_said_once(kb: Path, clock: Clock, left: Sequence[str]):
    base = KnowledgeBase.load([kb], now=NOW)
    shutil.rmtree(kb)
    if left:
        kb.mkdir()
    gone = "there are no documents any more" if left else f"the folder {kb} is gone"
    assert str(base.refresh(LATER)) == f"{gone}; answering from what was read on June 13 at 05:00 PM"
    assert base.refresh(LATER) is None
    assert texts(base, "chess") == ["The chess club meets on Monday."]
    clock.write(kb / "clubs.md", "# Go club\n\nThe go club meets on Friday.\n")
    assert str(base.refresh(NOW)) == "clubs.md changed: 1 passage; library.md is gone: 1 passage"


def test_a_base_of_one_file_that_disappears_is_called_a_file(kb: Path):
    base = KnowledgeBase.load([kb / "clubs.md"], now=NOW)
    (kb / "clubs.md").unlink()
    assert str(base.refresh(LATER)).startswith(f"the file {kb / 'clubs.md'} is gone; ")


@pytest.mark.parametrize("closed", ["kb", "kb/inner"])
def test_a_folder_that_can_no_longer_be_opened_serves_on_and_that_is_said_once(
    tmp_path: Path, kb: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, closed: str
):
    clock.write(kb / "inner" / "gym.md", "# Gym\n\nThe gym opens at six.\n")
    clock.write(tmp_path / "more" / "pool.md", "# Pool\n\nThe pool is closed.\n")
    base = KnowledgeBase.load([kb, tmp_path / "more"], now=NOW)
    barred = (str(tmp_path / closed) + "/", str(tmp_path / closed))
    with monkeypatch.context() as patch:
        patch.setattr(os, "listdir", denied(os.listdir, barred[1:]))
        patch.setattr(os, "stat", denied(os.stat, barred[:1]))
        clock.write(tmp_path / "more" / "pool.md", "# Pool\n\nThe pool is open.\n")
        said = str(base.refresh(LATER))
        assert f"{tmp_path / closed} cannot be opened (Permission denied); answering from what was read on" in said
        assert "pool.md changed: 1 passage" in said
        assert "is gone" not in said
        assert base.refresh(LATER) is None
        assert (texts(base, "gym"), texts(base, "pool")) == (["The gym opens at six."], ["The pool is open."])
    clock.write(kb / "inner" / "gym.md", "# Gym\n\nThe gym opens at nine.\n")
    assert str(base.refresh(LATER)) == "inner/gym.md changed: 1 passage"
    assert texts(base, "gym") == ["The gym opens at nine."]


def test_a_base_that_can_no_longer_be_looked_at_serves_on_and_that_is_said(kb: Path, monkeypatch: pytest.MonkeyPatch):
    base = KnowledgeBase.load([kb], now=NOW)
    monkeypatch.setattr(os, "stat", denied(os.stat, (str(kb),)))
    assert str(base.refresh(LATER)).startswith(f"{kb} cannot be opened (Permission denied); answering from")
    assert base.refresh(LATER) is None
    assert texts(base, "chess") == ["The chess club meets on Monday."]


def test_what_the_base_says_of_itself_is_read_again_too(kb: Path, clock: Clock):
    base = KnowledgeBase.load([kb])
    clock.write(kb / "campus.toml", 'name = "Riverside"\n')
    assert str(base.refresh(NOW)) == "campus.toml changed"
    assert base.name == "Riverside"


@pytest.mark.parametrize("broken", ['name = "', None], ids=["broken", "gone with its base"])
def test_what_the_base_said_of_itself_stays_while_it_cannot_be_read(kb: Path, clock: Clock, broken: str | None):
    clock.write(kb / "campus.toml", 'name = "Riverside"\n[synonyms]\nknights = ["chess"]\n')
    base = KnowledgeBase.load([kb])
    base.prepare()
    if broken:
        clock.write(kb / "campus.toml", broken)
        clock.write(kb / "library.md", LIBRARY + "It closes at ten.\n")
    else:
        shutil.rmtree(kb)
    assert base.refresh(NOW)
    assert (base.name, texts(base, "knights")) == ("Riverside", ["The chess club meets on Monday."])


def test_a_base_of_passages_has_no_files_that_could_change():
    assert KnowledgeBase("test", [Passage("", "A fact.", "a.md", 1)]).refresh(NOW) is None


@pytest.mark.parametrize(("looks_take", "seen"), [(10**12, False), (0, True)], ids=["costly", "cheap"])
def test_within_the_time_after_a_costly_look_there_is_no_other_and_after_a_cheap_one_there_is(
    kb: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, looks_take: int, seen: bool
):
    monkeypatch.setattr(files, "_LOOKS_TAKE", looks_take)
    base = KnowledgeBase.load([kb])
    assert base.refresh(NOW) is None
    clock.write(kb / "clubs.md", "# Go club\n\nThe go club meets on Friday.\n")
    assert (base.refresh(NOW, every=3600) is not None) == seen
    assert (base.refresh(NOW) is None) == seen


def test_the_tool_searches_the_files_as_they_are_and_says_what_changed(
    kb: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("campus_agent.tools.campus._LOOK_EVERY", 0.0)
    tool = search_tool(FollowedBase(KnowledgeBase.load([kb]), lambda: NOW))
    assert "Monday" in tool.function("chess club").content
    clock.write(kb / "clubs.md", "# Chess club\n\nThe chess club meets on Tuesday.\n")
    found = tool.function("chess club")
    assert found.content == "- Chess club: The chess club meets on Tuesday. (clubs.md, line 3)"
    assert found.notes == ("Read again: clubs.md changed: 1 passage.",)
    assert tool.function("chess club").notes == ()


def test_the_tool_says_when_what_it_answers_from_is_gone(kb: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("campus_agent.tools.campus._LOOK_EVERY", 0.0)
    tool = search_tool(FollowedBase(KnowledgeBase.load([kb], now=NOW), lambda: LATER))
    shutil.rmtree(kb)
    found = tool.function("chess club")
    assert found.content == "- Chess club: The chess club meets on Monday. (clubs.md, line 3)"
    gone = f"Not up to date: the folder {kb} is gone; answering from what was read on June 13 at 05:00 PM."
    assert found.notes == (gone,)
    assert tool.function("chess club").notes == ()


def test_the_tool_knows_which_day_it_is(kb: Path, clock: Clock):
    events = ("The book sale is on June 21.", "The book sale is on June 14.")
    clock.write(kb / "events.md", "\n\n".join(f"# Event {n}\n\n{text}" for n, text in enumerate(events)))
    tool = search_tool(FollowedBase(KnowledgeBase.load([kb]), lambda: NOW))
    lines = tool.function("book sale tomorrow").content.split("\n")
    assert lines[0].startswith(f"- Event 1: {events[1]}")
