from __future__ import annotations

from functools import partial

import pytest

from campus_agent.errors import SettingsError
from campus_agent.layers import load
from campus_agent.settings import Settings
from campus_agent.tui.slash.choosing import Chosen
from campus_agent.tui.slash.table import COMMANDS, Command


def command(name: str) -> Command:
    return next(command for command in COMMANDS if command.name == name)


@pytest.fixture
def chosen() -> Chosen:
    flags = {"max_steps": 4, "base_url": "http://localhost:9/v1", "model": "tiny"}
    reload = partial(lambda **changes: load({**flags, **changes}).settings)
    return Chosen(reload(), reload)


def test_a_change_makes_new_settings_and_leaves_the_old_ones(chosen):
    changed = chosen.changed(command("steps"), "7")
    assert (chosen.settings.max_steps, changed.settings.max_steps) == (4, 7)
    assert changed.said(command("steps")) == "7"


def test_changes_add_up_and_default_takes_one_back_to_what_the_start_said(chosen):
    changed = chosen.changed(command("steps"), "7").changed(command("deadline"), "30")
    assert (changed.settings.max_steps, changed.settings.deadline) == (7, 30.0)
    back = changed.changed(command("steps"), "default")
    assert (back.settings.max_steps, back.settings.deadline) == (4, 30.0)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("steps", "many", "should be a whole number, not 'many'"),
        ("steps", "0", "greater than or equal to 1"),
        ("deadline", "-3", "greater than 0"),
        ("guardrail", "strickt", "strict, warn, off"),
        ("protocol", "xml", "auto, native, json, text"),
        ("theme", "pink", "rose-pine"),
        ("kb", "'half", "no other end"),
    ],
)
def test_a_wrong_value_says_what_is_right_in_the_words_of_the_command(chosen, name, text, said):
    with pytest.raises(SettingsError) as caught:
        chosen.changed(command(name), text)
    assert said in str(caught.value)
    assert not any(word in str(caught.value) for word in ("flag", f"{command(name).setting}: ", "max_steps"))


def test_a_model_is_not_chosen_where_no_server_is_asked(chosen):
    offline = chosen.changed(command("provider"), "offline")
    with pytest.raises(SettingsError, match="changes nothing here") as caught:
        offline.changed(command("model"), "tiny")
    assert "/provider NAME" in str(caught.value)
    assert offline.changed(command("model"), "default").said(command("model")) == "default"


def test_another_provider_is_asked_at_its_own_address_for_a_model_of_its_own(chosen):
    other = chosen.changed(command("provider"), "ollama")
    assert (other.settings.provider, other.settings.base_url, other.settings.model) == ("ollama", None, None)
    named = other.changed(command("model"), "qwen")
    assert (named.settings.base_url, named.settings.model) == (None, "qwen")
    back = named.changed(command("provider"), "default")
    assert (back.settings.provider, back.settings.base_url, back.settings.model) == (
        None,
        "http://localhost:9/v1",
        "tiny",
    )


def test_another_base_brings_the_settings_of_its_own(chosen, tmp_path):
    (tmp_path / "campus.toml").write_text('refusal = "Ask the chess club."')
    (tmp_path / "a b.md").write_text("# Chess\n\nOn Monday.")
    changed = chosen.changed(command("kb"), f"'{tmp_path}'")
    assert changed.settings.refusal == "Ask the chess club."
    assert changed.said(command("kb")) == str(tmp_path)
    assert changed.changed(command("kb"), "default").settings.refusal != "Ask the chess club."


def test_a_base_may_be_of_several_places_with_spaces_in_their_names(chosen):
    assert chosen.changed(command("kb"), r"one\ two 'three four' five").settings.kb == ("one two", "three four", "five")


def test_what_was_never_set_is_called_default(chosen):
    assert chosen.said(command("kb")) == "default"
    assert chosen.said(command("deadline")) == "180"


def test_a_password_in_a_place_is_not_said():
    settings = Settings(kb=("postgresql://me:hidden@host/x",))
    assert "hidden" not in Chosen(settings, Settings.load).said(command("kb"))
