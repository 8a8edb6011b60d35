"""`campus-agent ask`: one question, one answer."""

from __future__ import annotations

import sys

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import as_json, aside, complain, nowhere, result, whisper
from campus_agent.cli.printer import Printer, introduce
from campus_agent.cli.runs import keeping, play


@click.command(cls=Command)
@click.argument("question", nargs=-1, required=True)
@click.option("--quiet", "-q", is_flag=True, help="Print the answer alone.")
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.option("--jsonl", "events", is_flag=True, help="Print every event as a line of JSON instead.")
@click.pass_context
def ask(context: click.Context, question: tuple[str, ...], quiet: bool, one_object: bool, events: bool) -> int:
    """Ask QUESTION: the trace goes to standard error, the answer to standard output.

    With - as the question it is read from standard input.
    """
    if quiet + one_object + events > 1:
        raise click.UsageError("--quiet, --json and --jsonl exclude each other.")
    text = _read(question)
    if not text:
        raise click.UsageError('The question is blank. Try: campus-agent ask "When does the club meet?"')
    settings = loaded(context).settings

    from campus_agent.assemble import assemble

    assistant = assemble(settings)
    with keeping(settings, assistant) as recorder:
        if one_object:
            return play(assistant.agent, [text], finish=as_json, recorder=recorder)
        if events:
            return play(assistant.agent, [text], read=as_json, recorder=recorder)
        if quiet:
            printer = Printer(trace=nowhere, murmur=nowhere, answer=result, message=complain)
        else:
            introduce(assistant.about, aside)
            printer = Printer(trace=aside, murmur=whisper, answer=result, message=complain)
        return play(assistant.agent, [text], read=printer.read, recorder=recorder)


def _read(question: tuple[str, ...]) -> str:
    text = " ".join(question)
    if text == "-":
        text = sys.stdin.read() if sys.stdin else ""
    return text.strip("\ufeff").strip()
