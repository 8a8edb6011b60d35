"""`campus-agent demo`: the starter questions of a base, played with their traces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import as_json, nowhere, result
from campus_agent.cli.printer import Printer, introduce
from campus_agent.cli.runs import play, recorder_of
from campus_agent.errors import KnowledgeError

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.cli.output import Write
    from campus_agent.journal.recorder import Recorder
    from campus_agent.settings import Settings


@click.command(cls=Command)
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object a question, a line each.")
@click.pass_context
def demo(context: click.Context, one_object: bool) -> int:
    """Play the starter questions of the base with their traces, by default without any network."""
    settings = _offline_unless_told(loaded(context).settings)

    from campus_agent.assemble import assemble

    assistant = assemble(settings)
    if not assistant.about.questions:
        raise KnowledgeError(
            "This knowledge base has no starter questions to play.",
            next='Put questions = ["...", "..."] into its campus.toml.',
        )
    recorder = recorder_of(settings, assistant)
    if one_object:
        return play(assistant.agent, _each(assistant, recorder, nowhere), finish=as_json, recorder=recorder)
    introduce(assistant.about, result)
    printer = Printer(trace=result, murmur=result, answer=result, message=lambda explanation: result(str(explanation)))
    return play(assistant.agent, _each(assistant, recorder, result), read=printer.read, recorder=recorder)


def _offline_unless_told(settings: Settings) -> Settings:
    if settings.provider or settings.base_url:
        return settings
    return settings.model_copy(update={"provider": "offline"})


def _each(assistant: Assistant, recorder: Recorder, write: Write) -> Iterator[str]:
    """Yield each starter question, announced, as the first of a conversation of its own."""
    for question in assistant.about.questions:
        assistant.agent.reset()
        recorder.begin()
        write(f"\n> {question}\n")
        yield question
