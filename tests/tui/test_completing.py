from __future__ import annotations

import os
from pathlib import Path

import pytest

from campus_agent.settings import THEMES
from campus_agent.tui.slash.completing import Completion, complete, is_slow
from campus_agent.tui.slash.paths import matching_paths
from campus_agent.tui.slash.table import COMMANDS, Typed, as_question, as_typed, read


def completed(text: str, *models: str) -> list[str]:
    return [suggestion.text for suggestion in complete(text, models=lambda: models).suggestions]


# ---- what is a command ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["when?", " /help", "//help", "a /help"])
def test_a_question_is_no_command(text):
    assert read(text) is None
    assert completed(text) == []


def test_a_question_may_begin_with_a_slash_when_a_space_or_another_slash_stands_before_it():
    assert as_question(" /etc is what?") == "/etc is what?"
    assert as_question("//etc is what?") == "/etc is what?"
    assert as_question(as_typed("/etc is what?")) == "/etc is what?"


def test_a_command_has_a_name_and_a_rest():
    assert read("/kb  a b ") == Typed("kb", "a b")
    assert read("/HELP").command is COMMANDS[0]
    assert read("/nothing").command is None


def test_every_command_does_something_that_is_said_in_the_table():
    names = [command.name for command in COMMANDS]
    assert len(names) == len(set(names))
    others = {command.name for command in COMMANDS if not (command.setting or command.action)}
    assert others == {"resume", "rename", "replay", "export", "pace"}  # carried out one by one
    assert all(command.argument for command in COMMANDS if command.name in others)
    assert all(command.meaning for command in COMMANDS)


# ---- names ---------------------------------------------------------------------------------------------------------


def test_a_slash_offers_every_command():
    assert [text.strip() for text in completed("/")] == [f"/{command.name}" for command in COMMANDS]


@pytest.mark.parametrize(
    ("typed", "first"), [("/st", "/steps "), ("/HE", "/help"), ("/hlep", "/help"), ("/eadl", "/deadline ")]
)
def test_a_command_is_found_by_its_beginning_its_middle_and_in_spite_of_a_slip(typed, first):
    assert completed(typed)[0] == first


def test_what_is_like_no_command_offers_nothing():
    assert completed("/zzzz") == []


# ---- arguments -----------------------------------------------------------------------------------------------------


def test_themes_guardrails_protocols_and_providers_are_offered():
    assert completed("/theme dra") == ["/theme dracula"]
    assert completed("/theme ") == [f"/theme {name}" for name in THEMES]
    assert completed("/guardrail ") == ["/guardrail strict", "/guardrail warn", "/guardrail off"]
    assert completed("/protocol j") == ["/protocol json"]
    assert "/provider offline" in completed("/provider ")


def test_models_are_those_that_the_server_lists_and_others_may_be_typed():
    assert completed("/model qw", "llama", "qwen-2") == ["/model qwen-2"]
    assert not complete("/model x", models=tuple).closed
    assert complete("/theme x", models=tuple).closed


def test_a_command_without_an_argument_offers_none():
    assert completed("/help ") == []
    assert complete("/nothing at all", models=tuple) == Completion("/nothing at all")


def test_only_disks_and_servers_are_slow():
    assert [is_slow(text) for text in ("/kb x", "/export ", "/model ")] == [True] * 3
    assert [is_slow(text) for text in ("/", "/kb", "/theme ", "when?")] == [False] * 4


# ---- paths ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("notes", "a folder", ".hidden"):
        (tmp_path / name).mkdir()
    for name in ("Beta.md", "alpha.csv", ".secret.md", "notes/inner.md"):
        (tmp_path / name).write_text("x")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_folders_come_first_then_files_by_name_and_hidden_ones_only_when_asked_for(folder):
    assert matching_paths("") == ["a\\ folder/", "notes/", "alpha.csv", "Beta.md"]
    assert matching_paths(".") == [".hidden/", ".secret.md"]


def test_a_path_goes_on_inside_a_folder_and_from_home(folder, isolation):
    assert matching_paths("notes/") == ["notes/inner.md"]
    (isolation / "campus").mkdir()
    assert matching_paths("~/cam") == ["~/campus/"]


@pytest.mark.parametrize("word", ["missing/", "alpha.csv/", "a\0b/c", "~nobody-at-all/x"])
def test_a_path_that_leads_nowhere_offers_nothing(folder, word):
    assert matching_paths(word) == []


def test_a_base_is_completed_place_by_place(folder):
    assert completed("/kb alpha.csv no") == ["/kb alpha.csv notes/"]
    assert completed("/kb a\\ fo") == ["/kb a\\ folder/"]
    assert completed('/kb "a fo') == ["/kb a\\ folder/"]


def test_an_export_is_offered_folders_and_files_of_its_kinds(folder):
    assert completed("/export ") == ["/export a\\ folder/", "/export notes/", "/export Beta.md"]


@pytest.mark.skipif(os.name == "nt", reason="such a name cannot be there")
def test_a_name_that_could_drive_the_terminal_is_not_offered(folder):
    (folder / "x\x1b]52;c;aGk=\x07.md").write_text("x")
    assert all("\x1b" not in path for path in matching_paths("x"))
