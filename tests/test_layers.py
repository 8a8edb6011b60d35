from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from campus_agent.errors import KnowledgeError, SettingsError
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.layers import base_paths, config_path, load, masked
from campus_agent.settings import Settings


@pytest.fixture
def file(tmp_path):
    """Write a configuration file and return its path."""

    def write(text: str) -> Path:
        path = tmp_path / "settings.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def base(tmp_path):
    """Make a knowledge base whose campus.toml holds this, and return its folder."""

    def make(text: str, name: str = "club") -> str:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "club.md").write_text("# Club\n\nIt meets at noon.\n", encoding="utf-8")
        (folder / "campus.toml").write_text(text, encoding="utf-8")
        return str(folder)

    return make


def refused(flags=None, environ=None, config=None) -> str:
    """Load, expect a refusal, and return what it says."""
    with pytest.raises(SettingsError) as caught:
        load(flags or {}, environ=environ or {}, config=config)
    return str(caught.value)


# ---- the order -----------------------------------------------------------------------------------------------------


def test_with_no_layer_everything_is_the_default_or_of_the_bundled_base():
    loaded = load({}, environ={})
    assert loaded.settings.max_steps == 5
    assert loaded.origins["max_steps"] == "default"
    assert loaded.origins["timezone"] in ("base USC demo", "default")
    assert set(loaded.origins) == set(Settings.model_fields)


@pytest.mark.parametrize(
    ("given", "value", "origin"),
    [
        ("flag environment file base", "UTC", "flag"),
        ("environment file base", "Asia/Tokyo", "environment CAMPUS_AGENT_TIMEZONE"),
        ("file base", "Europe/Madrid", "file {file}"),
        ("base", "Europe/Paris", "base Chess"),
    ],
)
def test_the_highest_layer_that_has_a_value_wins(given, value, origin, file, base):
    campus = base('name = "Chess"\ntimezone = "Europe/Paris"')
    path = file('timezone = "Europe/Madrid"' if "file" in given else "")
    flags = {"kb": (campus,), "timezone": "UTC" if "flag" in given else None}
    environ = {"CAMPUS_AGENT_TIMEZONE": "Asia/Tokyo"} if "environment" in given else {}
    loaded = load(flags, environ=environ, config=path)
    assert loaded.settings.timezone == value
    assert loaded.origins["timezone"] == origin.format(file=path)


@pytest.mark.parametrize("layer", ["flag", "environment", "file"])
def test_the_base_is_the_one_that_a_higher_layer_chose(layer, file, base):
    campus = base('name = "Chess"\nrefusal = "Ask the chess club."')
    flags = {"kb": (campus,)} if layer == "flag" else {}
    environ = {"CAMPUS_AGENT_KB": campus} if layer == "environment" else {}
    path = file("kb = ['club']" if layer == "file" else "")
    loaded = load(flags, environ=environ, config=path)
    assert loaded.settings.refusal == "Ask the chess club."
    assert loaded.settings.kb == (campus,)


def test_a_base_without_a_name_is_called_after_its_folder(base):
    assert load({"kb": (base('language = "spanish"'),)}, environ={}).origins["language"] == "base club"


def test_a_base_cannot_choose_a_provider_an_address_or_a_key(base):
    campus = base('provider = "openai"\nbase_url = "http://evil.example/v1"\napi_key = "k"')
    settings = load({"kb": (campus,)}, environ={}).settings
    assert (settings.provider, settings.base_url, settings.api_key) == (None, None, None)


# ---- the places ----------------------------------------------------------------------------------------------------


def test_the_standard_file_may_be_absent_and_is_read_when_it_is_there(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = config_path(environ={})
    assert path.name == "config.toml"
    assert load({}, environ={}).origins["max_steps"] == "default"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("max_steps = 2", encoding="utf-8")
    loaded = load({}, environ={})
    assert (loaded.settings.max_steps, loaded.origins["max_steps"]) == (2, f"file {path}")


def test_a_file_can_be_named_in_the_environment_and_by_flag_which_wins(file, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text("max_steps = 3", encoding="utf-8")
    environ = {"CAMPUS_AGENT_CONFIG": str(file("max_steps = 2"))}
    assert load({}, environ=environ).settings.max_steps == 2
    assert load({}, environ=environ, config=other).settings.max_steps == 3


@pytest.mark.parametrize("way", ["flag", "environment"])
def test_a_named_file_that_does_not_exist_is_an_error(way, tmp_path):
    missing = tmp_path / "none.toml"
    environ = {"CAMPUS_AGENT_CONFIG": str(missing)} if way == "environment" else {}
    said = refused(environ=environ, config=missing if way == "flag" else None)
    assert str(missing) in said
    assert "no such configuration file" in said


def test_a_relative_base_in_the_file_begins_at_its_folder_but_one_of_a_flag_does_not(file, tmp_path):
    path = file('kb = ["club", "~/lab", "/srv/kb", "postgresql://db/kb"]')
    kb = load({}, environ={}, config=path).settings.kb
    assert kb == (str(tmp_path / "club"), os.path.expanduser("~/lab"), "/srv/kb", "postgresql://db/kb")
    assert load({"kb": ("club", "~/lab")}, environ={}).settings.kb == ("club", os.path.expanduser("~/lab"))


def test_lists_in_the_environment_are_separated_as_the_system_does():
    environ = {"CAMPUS_AGENT_KB": os.pathsep.join(("a", "", "~/b")), "CAMPUS_AGENT_TOPICS": "clubs"}
    settings = load({}, environ=environ).settings
    assert settings.kb == ("a", os.path.expanduser("~/b"))
    assert settings.topics == ("clubs",)


def test_no_base_named_means_the_bundled_one():
    assert base_paths(("a", "b")) == ("a", "b")
    assert Path(*base_paths(())).is_dir()


# ---- the values ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [*((text, True) for text in ("true", "1", "YES", "on")), *((text, False) for text in ("false", "0", "No", "off"))],
)
def test_a_switch_in_the_environment_is_written_in_any_common_way(text, value):
    assert load({}, environ={"CAMPUS_AGENT_STREAM": text}).settings.stream is value


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_variable_counts_as_unset(text, file):
    environ = {"CAMPUS_AGENT_MAX_STEPS": text, "CAMPUS_AGENT_CONFIG": text, "CAMPUS_AGENT_NONSENSE": text}
    assert load({}, environ=environ).origins["max_steps"] == "default"


def test_a_blank_optional_text_means_none(file):
    assert load({"model": ""}, environ={"CAMPUS_AGENT_MODEL": "m"}).settings.model is None
    assert load({}, environ={}, config=file('base_url = ""')).settings.base_url is None


def test_numbers_and_moments_in_the_environment_are_read():
    environ = {
        "CAMPUS_AGENT_MAX_STEPS": " 3 ",
        "CAMPUS_AGENT_DEADLINE": "2.5",
        "CAMPUS_AGENT_NOW": "2026-06-13T10:00:00",
        "CAMPUS_AGENT_API_KEY": "sk-1",
    }
    settings = load({}, environ=environ).settings
    assert (settings.max_steps, settings.deadline, settings.now) == (3, 2.5, datetime(2026, 6, 13, 10))
    assert settings.api_key == SecretStr("sk-1")


def test_a_moment_in_the_file_may_be_a_date_of_toml(file):
    assert load({}, environ={}, config=file("now = 2026-06-13T10:00:00")).settings.now == datetime(2026, 6, 13, 10)


# ---- what is wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"CAMPUS_AGENT_MAX_STEPS": "0"}, ("max_steps", "greater than or equal to 1", "not 0")),
        ({"CAMPUS_AGENT_MAX_STEPS": "five"}, ("max_steps", "a whole number", "'five'")),
        ({"CAMPUS_AGENT_MAX_STEPS": "5.0"}, ("max_steps", "a whole number", "'5.0'")),
        ({"CAMPUS_AGENT_DEADLINE": "soon"}, ("deadline", "a number", "'soon'")),
        ({"CAMPUS_AGENT_TEMPERATURE": "nan"}, ("temperature", "not nan")),
        ({"CAMPUS_AGENT_STREAM": "maybe"}, ("stream", "true or false", "'maybe'")),
        ({"CAMPUS_AGENT_GUARDRAIL": "loose"}, ("guardrail", "'strict', 'warn' or 'off'", "'loose'")),
        ({"CAMPUS_AGENT_TIMEZONE": "PST8"}, ("timezone", "'PST8'", "America/Los_Angeles")),
        ({"CAMPUS_AGENT_NOW": "9999-12-31T23:59:59-12:00"}, ("now", "between the years 1900 and 2200", "9999")),
        ({"CAMPUS_AGENT_NOW": "0001-01-01T00:00:00+14:00"}, ("now", "between the years 1900 and 2200")),
        ({"CAMPUS_AGENT_DEADLINE": "inf"}, ("deadline", "not inf")),
        ({"CAMPUS_AGENT_MAX_STEPS": "9" * 5000}, ("max_steps", "a whole number")),
        ({"CAMPUS_AGENT_THEME": "nope"}, ("theme", "'nope'", "campus-dark")),
        ({"CAMPUS_AGENT_NOW": "tomorrow"}, ("now", "'tomorrow'", "2026-06-13T10:00:00-07:00")),
    ],
)
def test_a_wrong_value_is_named_with_its_variable_and_what_would_be_right(environ, wanted):
    said = refused(environ=environ)
    assert "Input should" not in said
    assert "Value error" not in said
    (variable,) = environ
    assert [part for part in (*wanted, variable) if part not in said] == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('max_steps = "5"', ("max_steps", "a whole number", "'5'")),
        ("max_steps = true", ("max_steps", "a whole number", "True")),
        ("max_steps = 5.5", ("max_steps", "a whole number", "5.5")),
        ("stream = 1", ("stream", "true or false")),
        ('kb = "club"', ("kb", "a list of texts")),
        ("kb = [1]", ("kb", "text")),
        ("model = 3", ("model", "text")),
        ('refusal = ""', ("refusal", "not empty")),
        ('refusal = " \u00a0"', ("refusal", "not empty or blank")),
        ('kb = ["club", ""]', ("kb", "not empty or blank")),
        ('kb = ["\u00a0"]', ("kb", "not empty or blank")),
        ("now = 2026-06-13", ("now", "a date and time, such as 2026-06-13T10:00:00-07:00")),
        ("now = 7", ("now", "a date and time, such as")),
        ("deadline = inf", ("deadline", "not inf")),
        ("temperature = nan", ("temperature", "not nan")),
        (f"max_steps = 0x{'f' * 5000}", ("max_steps", "less than or equal to 100")),
        (f"model = 0x{'f' * 5000}", ("model", "a text in quotes")),
        ("model.a" + ".a" * 5000 + " = 1", ("model", "a text in quotes")),
        (f"max_steps = {'1' * 5000}", ("not valid TOML: a number in it is too long",)),
        (f"# {'x' * 1_000_000}", ("over 1 MB",)),
        ('max_step = 3', ("max_step: there is no such setting", "did you mean max_steps?")),
        ("[model]\nname = 'x'", ("model", "text")),
        ("max_steps = 3\nmodel = x", ("not valid TOML", "line 2")),
    ],
)  # fmt: skip
def test_a_wrong_file_is_named_with_its_path_and_what_would_be_right(text, wanted, file):
    path = file(text)
    said = refused(config=path)
    assert [part for part in (*wanted, str(path)) if part not in said] == []
    assert "Input should" not in said
    assert "Value error" not in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_file_that_never_ends_or_never_begins_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    assert "not an ordinary file" in refused(environ={"CAMPUS_AGENT_CONFIG": "/dev/zero"})
    assert "not an ordinary file" in refused(config=tmp_path / "pipe.toml")


@pytest.mark.parametrize("path", ["", " ", "\u00a0"])
def test_an_empty_base_is_said_and_not_taken_for_the_folder_that_one_is_in(path):
    assert "kb: should be a text that is not empty or blank (flag --kb)" in refused({"kb": (path,)})


def test_a_base_that_is_a_link_to_itself_is_left_for_the_knowledge_base_to_name(tmp_path):
    (tmp_path / "self").symlink_to("self")
    loaded = load({"kb": (str(tmp_path / "self"),)}, environ={})
    with pytest.raises(KnowledgeError):
        KnowledgeBase.load(loaded.settings.kb)


def test_a_file_that_is_no_text_or_cannot_be_read_is_said(file, tmp_path):
    path = file("")
    path.write_bytes(b"model = '\xff'")
    assert "not UTF-8" in refused(config=path)
    assert "not an ordinary file" in refused(config=tmp_path)


def test_an_unknown_variable_is_named_with_the_nearest_one():
    said = refused(environ={"CAMPUS_AGENT_MAXSTEPS": "3"})
    assert "maxsteps: there is no such setting (environment CAMPUS_AGENT_MAXSTEPS); did you mean max_steps?" in said


def test_a_name_that_is_near_nothing_gets_no_suggestion():
    assert "did you mean" not in refused(flags={"zzzz": 1})


def test_a_wrong_flag_is_named_as_it_is_typed():
    assert "max_steps: should be greater than or equal to 1, not 0 (flag --max-steps)" in refused({"max_steps": "0"})


def test_everything_that_is_wrong_is_said_at_once(file):
    path = file("max_step = 3\ndeadline = -1")
    said = refused({"temperature": "9"}, {"CAMPUS_AGENT_STREAM": "maybe", "CAMPUS_AGENT_X": "1"}, path)
    assert said.startswith("5 settings cannot be used.")
    names = ("max_step:", "deadline:", "temperature:", "stream:", "CAMPUS_AGENT_X")
    assert [name for name in names if name not in said] == []


def test_a_wrong_value_that_a_higher_layer_replaces_does_no_harm(file):
    assert load({"max_steps": "3"}, environ={}, config=file("max_steps = 0")).settings.max_steps == 3


def test_no_message_holds_a_secret(file):
    path = file('api_key = ["sk-1"]\napi_ky = "sk-2"\nkb = "postgresql://me:sk-3@host/db"')
    assert "sk-" not in refused({"deadline": -1}, {"CAMPUS_AGENT_API_KY": "sk-4"}, path)
    path = file("api_key = sk-5")
    assert "sk-" not in refused(config=path)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (SecretStr("sk-1"), "********"),
        ("postgresql://me:pw@host/db", "postgresql://********@host/db"),
        ("http://localhost:8000/v1", "http://localhost:8000/v1"),
        (("a", "https://u:p@h"), ("a", "https://********@h")),
        ("me@host", "me@host"),
        (3, 3),
        (None, None),
    ],
)
def test_secrets_are_masked_wherever_a_value_is_shown(value, shown):
    assert masked(value) == shown


@pytest.mark.parametrize("text", ['kb = ["~nobody-of-that-name/kb"]', 'kb = ["a\\u0000b"]'])
def test_a_base_at_an_impossible_place_is_left_for_the_knowledge_base_to_name(text, file):
    loaded = load({}, environ={}, config=file(text))
    with pytest.raises(KnowledgeError):
        KnowledgeBase.load(loaded.settings.kb)


def test_a_file_that_nests_without_end_is_named(file):
    path = file(f"kb = {'[' * 100_000}")
    assert f"{path}: it is not valid TOML" in refused(config=path)
