from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from campus_agent.tui.remembered import Look, LookFile

SOME = Look(theme="campus-light", share=60, trace=False)


def test_what_is_kept_is_there_at_the_next_start(tmp_path: Path):
    path = tmp_path / "state" / "look.json"
    LookFile(path).keep(SOME)
    assert LookFile(path).look == SOME
    assert [file.name for file in path.parent.iterdir()] == ["look.json"]


def test_nothing_is_written_when_nothing_has_changed(tmp_path: Path):
    path = tmp_path / "look.json"
    LookFile(path).keep(Look())
    assert not path.exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[1]", b"null", b'{"share": "wide", "theme": 3}', b"[" * 9000, b'{"share": true}'],
    ids=["empty", "cut", "no text", "a list", "null", "other types", "nested", "a bool"],
)
def test_a_broken_file_is_as_good_as_none(tmp_path: Path, content: bytes):
    path = tmp_path / "look.json"
    path.write_bytes(content)
    file = LookFile(path)
    assert file.look == Look()
    file.keep(SOME)
    assert LookFile(path).look == SOME


def test_of_a_file_that_is_partly_usable_the_usable_part_is_used(tmp_path: Path):
    path = tmp_path / "look.json"
    path.write_text('{"theme": 3, "share": 60, "new in a later version": []}')
    assert LookFile(path).look == Look(share=60)


def test_a_folder_in_the_place_of_the_file_does_no_harm(tmp_path: Path):
    file = LookFile(tmp_path)
    file.keep(SOME)
    assert file.look == SOME
    assert list(tmp_path.parent.glob(f"{tmp_path.name}.*")) == []


def test_a_place_that_cannot_be_written_costs_the_memory_and_nothing_else(tmp_path: Path):
    (tmp_path / "state").write_text("a file where the folder should be")
    file = LookFile(tmp_path / "state" / "look.json")
    file.keep(SOME)
    assert file.look == SOME
    assert LookFile(tmp_path / "state" / "look.json").look == Look()


def test_a_later_choice_replaces_the_earlier_one(tmp_path: Path):
    path = tmp_path / "look.json"
    file = LookFile(path)
    file.keep(SOME)
    file.keep(replace(file.look, theme="nord"))
    assert LookFile(path).look == replace(SOME, theme="nord")
    assert stat.S_ISREG(path.stat().st_mode)
