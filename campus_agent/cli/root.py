"""The command itself, and the list of its commands."""

from __future__ import annotations

import click

from campus_agent import __version__
from campus_agent.cli.ask import ask
from campus_agent.cli.chat import Way, chat
from campus_agent.cli.completion import completion
from campus_agent.cli.config import config
from campus_agent.cli.demo import demo
from campus_agent.cli.doctor import doctor
from campus_agent.cli.eval import evaluate
from campus_agent.cli.flags import Group
from campus_agent.cli.kb import kb
from campus_agent.cli.models import models
from campus_agent.cli.opening import LAST
from campus_agent.cli.trace import trace


@click.group(
    cls=Group,
    commands=[ask, demo, kb, trace, evaluate, models, doctor, config, completion],
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--json", "one_object", is_flag=True, help="Answer standard input with one JSON object a question.")
@click.option("--continue", "-c", "go_on", is_flag=True, help="Resume the conversation that was changed last.")
@click.option("--resume", metavar="ID", help="Resume this conversation; as much of its id as is needed, or last.")
@click.option(
    "--replay", metavar="FILE", help="Replay what ask --jsonl has written, or a run of the journal by its id."
)
@click.option("--plain", is_flag=True, help="Chat line by line, without drawing on the screen.")
@click.option("--inline", is_flag=True, help="Open the app under what the terminal shows, not in place of it.")
@click.option("--transcript", is_flag=True, help="When the app is closed, print what was asked in this sitting.")
@click.version_option(__version__, prog_name="campus-agent")
@click.pass_context
def root(
    context: click.Context,
    one_object: bool,
    go_on: bool,
    resume: str | None,
    replay: str | None,
    plain: bool,
    inline: bool,
    transcript: bool,
) -> int | None:
    """A chat assistant for a campus that shows every step it takes and makes nothing up.

    Without a command it opens the app. When standard input is not a terminal, it answers the questions in it, one a
    line.

    A setting may stand before or after a command. It can also be set in the environment (--max-steps is
    CAMPUS_AGENT_MAX_STEPS) or in a file (max_steps; `campus-agent config path` says where).
    """
    given = {"continue": go_on, "resume": resume, "replay": replay, "plain": plain, "inline": inline}
    if resume is not None and not resume.strip():
        raise click.UsageError("--resume needs the id of a conversation; for the last one: campus-agent -c")
    if context.invoked_subcommand is None:
        earlier = resume or (LAST if go_on else None)
        way = Way(
            one_object=one_object, resume=earlier, replay=replay, plain=plain, inline=inline, transcript=transcript
        )
        return chat(context, way)
    if one_object:
        raise click.UsageError(f"--json goes after the command: campus-agent {context.invoked_subcommand} ... --json")
    for flag, value in (*given.items(), ("transcript", transcript)):
        if value:
            raise click.UsageError(f"--{flag} goes without a command.")
    return None
