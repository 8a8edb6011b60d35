from __future__ import annotations

import socket
from dataclasses import replace
from datetime import datetime

import pytest

from campus_agent.doctor.surroundings import (
    Surroundings,
    Terminal,
    check_clock,
    check_knowledge_base,
    check_semantic,
    check_terminal,
)
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.semantic.local import LocalEmbedder
from campus_agent.settings import Settings

GOOD = Terminal(
    interactive=True, columns=80, rows=24, encoding="UTF-8", kind="xterm-256color", colours="16 million colours"
)


async def test_the_real_time_is_fine_and_names_zone_and_zone_data():
    check = await check_clock(Surroundings(Settings(timezone="Europe/Madrid"), GOOD))
    assert (check.status, check.next) == ("ok", "")
    assert ", Europe/Madrid, tzdata 20" in check.found


async def test_a_clock_that_stands_still_is_a_warning_with_the_time_and_the_way_out():
    settings = Settings(now=datetime(2026, 6, 13, 10))
    check = await check_clock(Surroundings(settings, GOOD))
    assert check.status == "warning"
    assert check.found.startswith("stands still at Saturday, June 13, 2026 at 10:00 AM PDT, America/Los_Angeles, ")
    assert "--now" in check.next
    assert "CAMPUS_AGENT_NOW" in check.next


async def test_a_base_is_counted(tmp_path):
    (tmp_path / "a.md").write_text("# Chess\n\nMondays at noon.\n", encoding="utf-8")
    check = await check_knowledge_base(Surroundings(Settings(kb=(str(tmp_path),)), GOOD))
    assert (check.status, check.found) == ("ok", f"{tmp_path.name}: 1 passage from 1 document")


async def test_what_a_base_cannot_use_is_a_warning_that_names_it(tmp_path):
    (tmp_path / "a.md").write_text("# Chess\n\nMondays at noon.\n", encoding="utf-8")
    (tmp_path / "b.json").write_text("{", encoding="utf-8")
    check = await check_knowledge_base(Surroundings(Settings(kb=(str(tmp_path),)), GOOD))
    assert check.status == "warning"
    assert "1 problem, such as b.json" in check.found
    assert "campus-agent kb check" in check.next


@pytest.mark.parametrize("place", ["", "nowhere"])
async def test_nothing_to_search_is_a_failure_with_what_to_do(tmp_path, place):
    check = await check_knowledge_base(Surroundings(Settings(kb=(str(tmp_path / place),)), GOOD))
    assert check.status == "failed"
    assert str(tmp_path) in check.found
    assert check.next


async def test_the_events_of_a_base_are_read_for_the_time_that_the_clock_stands_at(tmp_path, monkeypatch):
    load, seen = KnowledgeBase.load, []
    (tmp_path / "a.md").write_text("Mondays at noon.")

    def noted(paths, **options):
        seen.append(options["now"].isoformat())
        return load(paths, **options)

    monkeypatch.setattr(KnowledgeBase, "load", noted)
    await check_knowledge_base(Surroundings(Settings(kb=(str(tmp_path),), now=datetime(2026, 6, 13, 10)), GOOD))
    assert seen == ["2026-06-13T10:00:00-07:00"]


async def test_a_search_by_meaning_that_nobody_asked_for_is_not_applicable():
    assert (await check_semantic(Surroundings(Settings(), GOOD))).status == "not_applicable"


async def test_the_weights_of_the_extra_are_loaded_and_tried():
    pytest.importorskip("wordllama", reason='the extra is not installed: pip install "campus-agent[semantic]"')
    check = await check_semantic(Surroundings(Settings(semantic="local"), GOOD))
    assert (check.status, check.next) == ("ok", "")
    assert check.found.startswith("wordllama ")
    assert check.found.endswith(": a text gives 256 numbers")


async def test_without_the_extra_it_is_said_how_to_install_it(monkeypatch):
    monkeypatch.setattr(LocalEmbedder, "installed", staticmethod(lambda: False))
    check = await check_semantic(Surroundings(Settings(semantic="local"), GOOD))
    assert check.status == "failed"
    assert "pip install 'campus-agent[semantic]'" in check.found


@pytest.mark.parametrize(
    ("semantic", "kb", "said"),
    [
        ("nomic", (), "No server is set"),
        ("local", ("postgresql://db/campus",), "a base in PostgreSQL holds no vectors"),
        ("ollama:nomic", (), "The connection failed"),
    ],
)
async def test_a_search_by_meaning_that_cannot_be_made_is_a_failure_with_what_to_do(monkeypatch, semantic, kb, said):
    monkeypatch.setattr(socket.socket, "connect", refused)
    check = await check_semantic(Surroundings(Settings(semantic=semantic, kb=kb), GOOD))
    assert check.status == "failed"
    assert said in check.found
    assert check.next


def refused(*_):
    raise ConnectionRefusedError(111, "Connection refused")


async def test_a_good_terminal_is_described():
    check = await check_terminal(Surroundings(Settings(), GOOD))
    assert (check.status, check.next) == ("ok", "")
    assert check.found == "80x24, 16 million colours, UTF-8, xterm-256color"


async def test_output_that_is_no_terminal_is_no_fault():
    check = await check_terminal(Surroundings(Settings(), replace(GOOD, interactive=False, encoding="ascii")))
    assert check.status == "not_applicable"


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"columns": 59}, "60x20"),
        ({"rows": 19}, "60x20"),
        ({"encoding": "latin-1"}, "PYTHONUTF8=1"),
        ({"encoding": "no-such-code"}, "PYTHONUTF8=1"),
        ({"kind": "dumb"}, "campus-agent --plain"),
        ({"kind": "unknown"}, "TERM=xterm-256color"),
        ({"kind": ""}, "TERM=xterm-256color"),
    ],
)
async def test_a_terminal_that_shows_the_app_badly_is_a_warning(change, advice):
    check = await check_terminal(Surroundings(Settings(), replace(GOOD, **change)))
    assert check.status == "warning"
    assert advice in check.next


@pytest.mark.parametrize("change", [{"columns": 60, "rows": 20}, {"encoding": "utf8"}, {"kind": None}])
async def test_a_terminal_that_is_just_good_enough_is_fine(change):
    check = await check_terminal(Surroundings(Settings(), replace(GOOD, **change)))
    assert check.status == "ok"


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm"}, "16 colours"),
        ({"TERM": "screen-256color"}, "256 colours"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "16 million colours"),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "no colours (NO_COLOR)"),
    ],
)
def test_the_colours_are_those_that_the_terminal_announces(environ, colours, monkeypatch):
    monkeypatch.setattr("os.name", "posix")
    assert Terminal.here(environ).colours == colours


def test_the_size_is_the_one_that_the_app_would_get(monkeypatch):
    monkeypatch.setenv("COLUMNS", "59")
    monkeypatch.setenv("LINES", "19")
    here = Terminal.here({})
    assert (here.columns, here.rows) == (59, 19)
