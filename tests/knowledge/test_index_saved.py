from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from campus_agent.knowledge import files, index, rules, saved, watching
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.search import SearchResult
from campus_agent.knowledge.words import Words

QUERIES = ["hall 7 library", "gym opens", "libary", "what is the wifi password"]


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "LARGE", 10)
    monkeypatch.setattr(files, "LARGE", 10)


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    folder = tmp_path / "kb"
    folder.mkdir()
    for part in range(4):
        rows = [f"Hall {n},Hall {n} is near the {('library', 'gym')[n % 2]}. It opens at {n}." for n in _numbers(part)]
        (folder / f"part{part}.csv").write_text("\n".join(["title,text", *rows]))
    return folder


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    read = watching.read_alone

    def noted(document, *, now):  # type: ignore[no-untyped-def]
        names.append(document.source)
        return read(document, now=now)

    monkeypatch.setattr(watching, "read_alone", noted)
    return names


class AtOnce:
    def submit(self, call: Callable[..., None], *arguments: object) -> None:
        call(*arguments)


class Later:
    def __init__(self, waiting: list[Callable[[], None]]) -> None:
        self.waiting = waiting

    def submit(self, call: Callable[..., None], *arguments: object) -> None:
        self.waiting.append(partial(call, *arguments))


def _numbers(part: int) -> range:
    return range(part * 10, part * 10 + 10)


def found(base: KnowledgeBase) -> list[SearchResult]:
    return [base.search(query) for query in QUERIES]


def generations() -> Iterator[Path]:
    cache = Path(os.environ["XDG_CACHE_HOME"])
    yield from (path.parent for path in cache.rglob("terms.json"))


def test_the_next_start_reads_no_document_and_finds_the_same(kb: Path, opened: list[str]):
    first = found(KnowledgeBase.load([kb]))
    assert len(opened) == 4
    again = KnowledgeBase.load([kb])
    assert (found(again), len(again.passages), again.documents) == (first, 40, 4)
    assert len(opened) == 4


def test_after_a_change_only_the_changed_document_is_read(kb: Path, opened: list[str]):
    found(KnowledgeBase.load([kb]))
    opened.clear()
    (kb / "part2.csv").write_text("title,text\nTower,The tower is closed to all visitors.\n")
    base = KnowledgeBase.load([kb])
    assert base.search("tower visitors").passages[0].passage.text == "The tower is closed to all visitors."
    assert base.search("hall 25").unmatched_terms == ("25",)
    assert opened == ["part2.csv"]
    assert len(list(generations())) == 1


def test_a_base_that_was_kept_is_refreshed_by_the_changed_document_only(kb: Path, opened: list[str]):
    found(KnowledgeBase.load([kb]))
    base = KnowledgeBase.load([kb])
    found(base)
    opened.clear()
    (kb / "part2.csv").write_text("title,text\nTower,The tower is closed to all visitors.\n")
    assert str(base.refresh(datetime(2026, 6, 13, tzinfo=UTC))) == "part2.csv changed: 1 passage"
    assert base.search("tower visitors").passages[0].passage.text == "The tower is closed to all visitors."
    assert opened == ["part2.csv"]


def test_what_a_refresh_found_is_kept_for_the_next_start(kb: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "DaemonThreads", AtOnce)
    base = KnowledgeBase.load([kb])
    found(base)
    (kb / "part2.csv").write_text("title,text\nTower,The tower is closed to all visitors.\n")
    base.refresh(datetime(2026, 6, 13, tzinfo=UTC))
    opened.clear()
    again = KnowledgeBase.load([kb])
    assert again.search("tower visitors").passages[0].passage.text == "The tower is closed to all visitors."
    assert (found(again), opened) == (found(base), [])
    assert len(list(generations())) == 1


def test_of_two_changes_the_second_is_kept_by_the_next_start_where_the_first_is_still_being_kept(
    kb: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
):
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(files, "DaemonThreads", lambda: Later(waiting))
    base = KnowledgeBase.load([kb])
    found(base)
    for part in (1, 2):
        (kb / f"part{part}.csv").write_text(f"title,text\nTower,The tower {part} is closed to all visitors.\n")
        base.refresh(datetime(2026, 6, 13, tzinfo=UTC))
    waiting[0]()
    opened.clear()
    assert found(KnowledgeBase.load([kb])) == found(base)
    assert opened == ["part2.csv"]


@pytest.mark.parametrize("name", ["weights.npy", "documents.npy", "terms.json", "passages.jsonl", "words.json"])
@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_what_was_damaged_is_read_anew(kb: Path, opened: list[str], name: str, damage: str):
    first = found(KnowledgeBase.load([kb]))
    (generation,) = generations()
    path = generation / name
    data = path.read_bytes()
    match damage:
        case "cut":
            path.write_bytes(data[: len(data) // 2])
        case "changed":
            path.write_bytes(data[:-8] + bytes(byte ^ 255 for byte in data[-8:]))
        case "gone":
            path.unlink()
    opened.clear()
    assert found(KnowledgeBase.load([kb])) == first
    assert len(opened) == 4


@pytest.mark.parametrize("name", ["documents.jsonl", "counts.npy"])
def test_damage_in_what_only_a_change_needs_does_not_break_a_change(kb: Path, name: str):
    found(KnowledgeBase.load([kb]))
    (generation,) = generations()
    (generation / name).write_bytes(b"?")
    (kb / "part2.csv").write_text("title,text\nTower,The tower is closed to all visitors.\n")
    base = KnowledgeBase.load([kb])
    assert base.search("tower visitors").passages[0].passage.text == "The tower is closed to all visitors."
    assert len(base.passages) == 31


@pytest.mark.parametrize("header", ["", "[]", "{}", '{"generation": "../..", "files": {}}', "\0"])
def test_a_header_that_says_nothing_of_use_counts_as_not_there(kb: Path, opened: list[str], header: str):
    first = found(KnowledgeBase.load([kb]))
    (generation,) = generations()
    (generation.parent / "current.json").write_text(header)
    opened.clear()
    assert found(KnowledgeBase.load([kb])) == first
    assert len(opened) == 4


def test_what_another_version_kept_is_replaced(kb: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch):
    first = found(KnowledgeBase.load([kb]))
    monkeypatch.setattr("campus_agent.__version__", "99")
    assert found(KnowledgeBase.load([kb])) == first
    assert len(opened) == 8
    assert len(list(generations())) == 1


def test_what_was_indexed_by_other_rules_for_words_is_made_anew(kb: Path, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(saved, "rules_in_force", lambda: "earlier ones")
        earlier.setattr(Words, "stem", lambda self, token: token[:4])
        found(KnowledgeBase.load([kb]))
    assert KnowledgeBase.load([kb]).search("opening").found
    assert len(list(generations())) == 1


@pytest.mark.parametrize("module", ["words.py", "stop_words.py", "index.py", "inverted.py"])
def test_the_mark_of_the_rules_is_another_when_one_of_them_is(
    module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    before = rules.rules_in_force()
    shutil.copytree(Path(rules.__file__).parent, tmp_path / "knowledge", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(rules, "files", lambda package: tmp_path / "knowledge")
    assert rules.rules_in_force() == before
    (tmp_path / "knowledge" / module).write_text("OTHER = True")
    assert rules.rules_in_force() != before


def test_the_mark_of_the_rules_is_another_with_another_stemmer(monkeypatch: pytest.MonkeyPatch):
    before = rules.rules_in_force()
    monkeypatch.setattr(rules, "version", lambda package: f"99 of {package}")
    assert rules.rules_in_force() != before


def test_each_language_is_kept_apart(kb: Path):
    assert saved.place_of([kb], "english") != saved.place_of([kb], "french")


def test_a_cache_that_cannot_be_written_is_done_without(kb: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert found(KnowledgeBase.load([kb]))[0].found


def test_a_small_base_is_not_kept(kb: Path):
    for part in (1, 2, 3):
        (kb / f"part{part}.csv").unlink()
    found(KnowledgeBase.load([kb]))
    assert list(generations()) == []
