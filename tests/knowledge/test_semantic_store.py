from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from campus_agent.knowledge.semantic import store as stores
from campus_agent.knowledge.semantic.embedder import to_length_one
from campus_agent.knowledge.semantic.store import VectorStore, kept_vectors, key_of

VECTORS = to_length_one(np.random.default_rng(1).normal(size=(1200, 8)))
KEYS = [key_of("model", "passage", str(number)) for number in range(len(VECTORS))]
KEPT = dict(zip(KEYS, VECTORS, strict=True))


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    return VectorStore(tmp_path / "cache" / "vectors.sqlite3")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite3"


def test_what_was_kept_is_read_again_and_nothing_else(store: VectorStore) -> None:
    store.add(KEPT)
    found = store.read([*KEYS, key_of("model", "passage", "unknown")])
    assert found.keys() == KEPT.keys()
    assert np.allclose([found[key] for key in KEYS], VECTORS, atol=1e-3)


def test_a_file_that_is_not_there_has_nothing_in_it_and_is_not_made_by_looking(store: VectorStore, file: Path) -> None:
    assert store.read(KEYS) == {}
    assert not file.exists()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("m", "query", "a"), ("m", "passage", "a")),
        (("m", "query", "a"), ("n", "query", "a")),
        (("m", "query", "a"), ("m", "query", "b")),
        (("mq", "query", "a"), ("m", "query", "qa")),
        (("m", "query", "\ud800"), ("m", "query", "?")),
    ],
)
def test_a_key_tells_models_kinds_and_texts_apart(one, other) -> None:
    assert key_of(*one) != key_of(*other)


@pytest.mark.parametrize(
    "damage", [lambda data: b"garbage" * 5000, lambda data: data[:5000], lambda data: b"\0" * 9000]
)
def test_a_damaged_file_is_begun_anew(store: VectorStore, file: Path, damage) -> None:
    store.add(KEPT)
    file.write_bytes(damage(file.read_bytes()))
    assert store.read(KEYS).keys() <= KEPT.keys()
    store.add(KEPT)
    assert store.read(KEYS).keys() == KEPT.keys()


@pytest.mark.parametrize("value", [b"", b"123", np.full(8, np.nan, np.float16).tobytes(), b"\x7f" * 16, "text", None])
def test_a_vector_that_is_not_whole_is_made_again(store: VectorStore, file: Path, value) -> None:
    store.add(KEPT)
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE other AS SELECT * FROM vectors")
        database.execute("DROP TABLE vectors")
        database.execute("CREATE TABLE vectors (key BLOB PRIMARY KEY, vector)")
        database.execute("INSERT INTO vectors SELECT * FROM other")
        database.execute("UPDATE vectors SET vector = ? WHERE key = ?", (value, KEYS[0]))
    database.close()
    assert store.read(KEYS).keys() == set(KEYS[1:])


def test_a_folder_that_cannot_be_written_keeps_nothing_and_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = VectorStore(tmp_path / "file" / "vectors.sqlite3")
    store.add(KEPT)
    assert store.read(KEYS) == {}


def test_a_file_that_another_process_is_writing_is_left_as_it_is(
    store: VectorStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "_PATIENCE", 0.0)
    store.add(KEPT)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert store.read(KEYS) == {}
    store.add({KEYS[0]: VECTORS[1]})
    other.execute("ROLLBACK")
    other.close()
    assert store.read(KEYS).keys() == KEPT.keys()


def test_the_oldest_make_way(store: VectorStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_MOST", 1000)
    store.add(KEPT)
    assert store.read(KEYS).keys() == set(KEYS[200:])


def test_vectors_are_kept_in_the_cache_folder_of_the_person(isolation: Path) -> None:
    assert kept_vectors().is_relative_to(isolation)
