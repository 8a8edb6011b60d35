from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from campus_agent.cli.root import root


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_names_the_command_and_its_variable(cli, shell):
    ran = cli("completion", shell)
    assert ran.status == 0
    assert "campus-agent" in ran.out
    assert "_CAMPUS_AGENT_COMPLETE" in ran.out


def test_another_shell_is_wrong_usage(cli):
    ran = cli("completion", "tcsh")
    assert ran.status == 2
    assert "'bash', 'zsh', 'fish'" in ran.err


@pytest.mark.parametrize(
    ("words", "incomplete", "wanted"),
    [
        ([], "de", ["demo"]),
        (["kb"], "s", ["search", "stats"]),
        (["ask"], "--guard", ["--guardrail"]),
        (["--guardrail"], "w", ["warn"]),
    ],
)
def test_commands_flags_and_choices_are_completed(words, incomplete, wanted):
    completions = ShellComplete(root, {}, "campus-agent", "_CAMPUS_AGENT_COMPLETE").get_completions(words, incomplete)
    assert [item.value for item in completions] == wanted
