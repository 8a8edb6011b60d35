"""`campus-agent demo`: the starter questions of a base, played with their traces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.opening import is_at_a_terminal
from campus_agent.cli.output import as_json, nowhere, tell
from campus_agent.cli.printer import Printer, introduce
from campus_agent.cli.runs import keeping, play
from campus_agent.errors import KnowledgeError

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.cli.output import Write
    from campus_agent.journal.recorder import Recorder
    from campus_agent.settings import Settings


@click.command(cls=Command)
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object a question, a line each.")
@click.option("--replay", "replayed", is_flag=True, help="Play the recorded workshop: no model, no network, no base.")
@click.option("--inventing", is_flag=True, help="Let a scripted model make facts up, and see what becomes of them.")
@click.pass_context
def demo(context: click.Context, one_object: bool, replayed: bool, inventing: bool) -> int:
    """Play the starter questions of the base with their traces, by default without any network.

    With --replay a recorded workshop is played instead, with --inventing the first question is given to a scripted
    model that makes facts up: in the app, or printed where there is no terminal.
    """
    if replayed:
        return _replay(context, one_object)
    from campus_agent.assemble import assemble
    from campus_agent.cli.inventing import offline_for_inventing, play_inventing

    settings = (offline_for_inventing if inventing else _offline_unless_told)(loaded(context).settings)

    assistant = assemble(settings)
    if not assistant.about.questions:
        raise KnowledgeError(
            "This knowledge base has no starter questions to play.",
            next='Put questions = ["...", "..."] into its campus.toml.',
        )
    if inventing:
        return play_inventing(settings, assistant, one_object=one_object)
    with keeping(settings, assistant) as recorder:
        if one_object:
            return play(assistant.agent, _each(assistant, recorder, nowhere), finish=as_json, recorder=recorder)
        introduce(assistant.about, tell)
        return play(assistant.agent, _each(assistant, recorder, tell), read=_printer().read, recorder=recorder)


def _replay(context: click.Context, one_object: bool) -> int:
    """Play the recorded workshop."""
    from campus_agent.agent.result import RunResult
    from campus_agent.recording import read
    from campus_agent.recordings import workshop

    recorded = read(workshop())
    if one_object:
        for run in recorded.runs:
            as_json(RunResult.from_events(run))
        return 0
    if is_at_a_terminal():
        from campus_agent.tui.run import run_app

        return run_app(loaded(context).settings, replay=recorded)[0]
    for run in recorded.runs:
        tell(f"\n> {getattr(run[0], 'question', '')}\n")
        printer = _printer()
        for event in run:
            printer.read(event)
    return 0


def _printer() -> Printer:
    return Printer(trace=tell, murmur=tell, answer=tell, message=lambda explanation: tell(str(explanation)))


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
