"""The bare command: the app at a terminal, a plain conversation in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import loaded
from campus_agent.cli.output import as_json, complain, nowhere, result
from campus_agent.cli.printer import Printer
from campus_agent.cli.runs import play

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent


def chat(context: click.Context, *, one_object: bool) -> int:
    """Open the app, or answer the questions on standard input; return the exit status."""
    settings = loaded(context).settings
    if sys.stdin is None or not sys.stdin.isatty():
        from campus_agent.assemble import assemble

        return _answer(assemble(settings).agent, sys.stdin or (), one_object)
    if one_object:
        raise click.UsageError("--json reads questions from standard input. For one: campus-agent ask --json QUESTION")
    if sys.stdout is None or not sys.stdout.isatty():
        raise click.UsageError("The app needs a terminal to draw on. For one answer: campus-agent ask QUESTION")

    from campus_agent.tui.run import run_app

    return run_app(settings)


def _answer(agent: Agent, lines: Iterable[str], one_object: bool) -> int:
    questions = (question for line in lines if (question := line.strip("\ufeff").strip()))
    if one_object:
        return play(agent, questions, finish=as_json)
    printer = Printer(trace=nowhere, murmur=nowhere, answer=result, message=complain)
    return play(agent, questions, read=printer.read)
