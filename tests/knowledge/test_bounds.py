from __future__ import annotations

import os
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge import bounds, files, folder, index
from campus_agent.knowledge.base import KnowledgeBase, LoadingStopped

FACT = "The library opens at eight on weekdays."
NOW = datetime(2026, 6, 13, 10, tzinfo=UTC)


def write(place: Path, names: str, text: str = FACT) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        (place / f"{name}.md").write_text(f"# {name.upper()}\n\n{text} {name * 3}")
    return place


def sources(base: KnowledgeBase) -> list[str]:
    return [passage.source for passage in base.passages]


def problems(base: KnowledgeBase) -> list[str]:
    return [str(problem) for problem in base.problems]


# ---- places that have no end ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("place", ["pipe.md", "/dev/zero", "/dev/tty", "/dev"])
def test_a_pipe_a_device_or_a_folder_of_them_is_no_base_and_is_not_waited_for(tmp_path: Path, place: str):
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(KnowledgeError) as raised:
        KnowledgeBase.load([tmp_path / place])
    assert "can be read" in raised.value.explanation.what


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no such files")
def test_files_that_the_system_makes_up_as_they_are_read_are_named_and_not_opened():
    with pytest.raises(KnowledgeError) as raised:
        KnowledgeBase.load(["/proc/self/attr"])
    assert "there is nothing in it" in raised.value.explanation.cause


def test_a_document_of_no_kind_that_is_read_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, "a")
    (tmp_path / "film.mp4").write_bytes(b"\0" * 1000)
    opened: list[str] = []
    look = os.open

    def noted(path: str | os.PathLike[str], *arguments: int) -> int:
        opened.append(Path(path).name)
        return look(path, *arguments)

    monkeypatch.setattr(os, "open", noted)
    base = KnowledgeBase.load([tmp_path])
    assert (set(opened), len(base.problems)) == ({"a.md"}, 1)


# ---- bounds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most", "reason"),
    [
        ("_MOST_MEGABYTES", 0.00008, "the documents before have over "),
        ("_MOST_PASSAGES", 1, "the documents before have over 1 passages"),
    ],
)
def test_of_a_base_that_is_too_large_the_first_documents_are_read_and_the_rest_is_named_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: float, reason: str
):
    monkeypatch.setattr(bounds, name, most)
    base = KnowledgeBase.load([write(tmp_path, "abcdef")])
    assert sources(base) == ["a.md", "b.md"]
    (problem,) = problems(base)
    assert problem.startswith(f"c.md: it and the rest of the base are not read, for {reason}")


def test_a_file_that_is_too_large_to_be_read_does_not_count_for_the_size_of_the_base(tmp_path: Path):
    write(tmp_path, "az")
    for name in ("film.txt", "lecture.pdf"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(2 * 1024**3)  # a sparse file
    base = KnowledgeBase.load([tmp_path])
    assert sources(base) == ["a.md", "z.md"]
    assert problems(base) == [
        f"{name}: it is over 20 MB; cut it into smaller files" for name in ("film.txt", "lecture.pdf")
    ]


def test_reading_that_takes_too_long_ends_and_its_part_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, "abc")
    monkeypatch.setattr(files, "LARGE", 1)
    monkeypatch.setattr(index, "LARGE", 1)
    moments = iter([0.0, 0.0, 1.0, *[3601.0] * 1000])  # the start twice, two documents, then an hour
    monkeypatch.setattr("campus_agent.knowledge.bounds.time.monotonic", lambda: next(moments))
    base = KnowledgeBase.load([tmp_path])
    base.prepare()
    assert "took over 30 minutes; name a smaller folder" in problems(base)[0]
    assert (len(base.passages) < 3, base.kept) == (True, None)


def test_what_did_not_fit_stays_unread_until_something_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounds, "_MOST_PASSAGES", 1)
    base = KnowledgeBase.load([write(tmp_path, "abc")])
    assert base.refresh(NOW) is None
    (tmp_path / "a.md").write_text("The gym opens at six daily.")
    assert str(base.refresh(NOW)) == "a.md changed: 1 passage"
    assert sources(base) == ["a.md", "b.md"]


def test_of_far_too_many_entries_of_any_kind_the_rest_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(folder, "_MOST_LOOKED_AT", 4)
    write(tmp_path, "a")
    for name in "bcdefg":
        (tmp_path / name).mkdir()
    base = KnowledgeBase.load([tmp_path])
    assert sources(base) == ["a.md"]
    assert problems(base) == [
        "e: there are over 4 files, folders and links in the base, and the rest is not read; name a smaller folder"
    ]


# ---- giving up -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [0, 1, 3])
def test_reading_is_given_up_as_soon_as_another_thread_asks_for_it(tmp_path: Path, after: int):
    write(tmp_path, "abcdef")
    given_up = threading.Event()
    told: list[str] = []

    def progress(done: int, of: int, source: str) -> None:
        told.append(source)
        if done == after:
            given_up.set()

    with pytest.raises(LoadingStopped):
        KnowledgeBase.load([tmp_path], progress=progress, stop=given_up.is_set)
    assert len(told) == after + 1
    assert sources(KnowledgeBase.load([tmp_path])) == [f"{name}.md" for name in "abcdef"]


def test_reading_is_given_up_while_files_are_still_listed(tmp_path: Path):
    told: list[str] = []
    with pytest.raises(LoadingStopped):
        KnowledgeBase.load([write(tmp_path, "abc")], progress=lambda *step: told.append(step[2]), stop=lambda: True)
    assert told == []


@pytest.mark.parametrize("large", [False, True])
def test_indexing_is_given_up_too_and_can_be_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool):
    monkeypatch.setattr(files, "LARGE", 1 if large else 100)
    monkeypatch.setattr(index, "LARGE", 1 if large else 100)
    base = KnowledgeBase.load([write(tmp_path, "abcdef")])
    asked = iter([False, False, True])
    with pytest.raises(LoadingStopped):
        base.prepare(stop=lambda: next(asked))
    assert base.kept is None
    assert base.search("library opens ddd").passages[0].passage.source == "d.md"
    assert (base.kept is not None) == large
