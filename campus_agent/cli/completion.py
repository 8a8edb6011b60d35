"""`campus-agent completion`: lets a shell finish commands and flags."""

from __future__ import annotations

import click

from campus_agent.cli.output import result

_INSTALL = """Print the script that lets a shell finish commands and flags with the Tab key.

\b
bash:  campus-agent completion bash >> ~/.bashrc
zsh:   campus-agent completion zsh >> ~/.zshrc
fish:  campus-agent completion fish > ~/.config/fish/completions/campus-agent.fish
"""


@click.command(help=_INSTALL)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None  # these three come with click
    result(complete(context.find_root().command, {}, "campus-agent", "_CAMPUS_AGENT_COMPLETE").source())
