from __future__ import annotations

import pytest

from campus_agent.cli.flags import SECTIONS
from campus_agent.settings import Settings


def shown(ran) -> dict[str, object]:
    return {name: one["value"] for name, one in ran.objects[0].items()}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--max-steps", "3", "--no-stream", "config", "show", "--json"),
        ("config", "--max-steps=3", "--no-stream", "show", "--json"),
        ("config", "show", "--max-steps", "3", "--json", "--no-stream"),
        ("--max-steps", "9", "--stream", "config", "show", "--json", "--max-steps", "3", "--no-stream"),
    ],
)
def test_a_setting_may_stand_before_or_after_the_command_and_the_later_one_wins(cli, arguments):
    values = shown(cli(*arguments))
    assert (values["max_steps"], values["stream"]) == (3, False)


def test_a_repeatable_setting_gathers_its_values_from_both_sides(cli):
    values = shown(cli("--kb", "a", "config", "show", "--json", "--kb", "b", "--kb", "c"))
    assert values["kb"] == ["a", "b", "c"]


def test_one_command_line_knows_nothing_of_the_one_before(cli):
    cli("config", "show", "--max-steps", "3")
    assert shown(cli("config", "show", "--json"))["max_steps"] == 5


@pytest.mark.parametrize("command", [(), ("ask",), ("demo",), ("kb", "check"), ("config", "show")])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_setting_but_the_key_on_every_command(cli, command, flag):
    ran = cli(*command, flag)
    assert ran.status == 0
    names = {f"--{name.replace('_', '-')}" for name in Settings.model_fields}
    assert {name for name in names if f"  {name}" not in ran.out} == {"--api-key"}


def test_help_shows_the_choices_the_defaults_and_the_commands(cli):
    out = " ".join(cli("--help").out.split())
    assert "--guardrail [strict|warn|off]" in out
    assert "Most steps (model calls) of a run. [default: 5]" in out
    assert "--stream / --no-stream" in out
    assert [name for name in ("ask", "demo", "kb", "config", "completion") if f" {name} " not in out] == []


def test_the_sections_of_the_help_begin_at_settings_that_exist():
    assert [name for name in SECTIONS if name not in Settings.model_fields] == []
    assert next(iter(Settings.model_fields)) in SECTIONS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--max-stesp", "3"), "'--max-steps'"),
        (("ask", "--max-stesp", "3", "q"), "'--max-steps'"),
        (("aks",), "Did you mean 'ask'?"),
        (("kb", "serch"), "Did you mean 'search'?"),
        (("When does it meet?",), "campus-agent ask"),
        (("--api-key", "sk-1"), "No such option '--api-key'"),
        (("ask", "--api-key=sk-1", "q"), "No such option '--api-key'"),
        (("--guardrail", "loose", "config", "show"), "'strict', 'warn', 'off'"),
        (("--max-steps",), "requires an argument"),
        (("ask",), "QUESTION"),
        (("config", "show", "--max-steps", "0"), "flag --max-steps"),
        (("config", "show", "--temperature", "-1"), "flag --temperature"),
        (("config", "show", "--config", "/nowhere/x.toml"), "/nowhere/x.toml"),
    ],
)
def test_wrong_usage_is_said_with_status_two(cli, arguments, said):
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "sk-1" not in ran.err
