"""The bare command: the app at a terminal, a plain conversation in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import loaded
from campus_agent.cli.opening import is_at_a_terminal
from campus_agent.cli.output import as_json, aside, complain, nowhere, result, tell
from campus_agent.cli.printer import Printer
from campus_agent.cli.runs import keeping, play
from campus_agent.errors import SettingsError

if TYPE_CHECKING:
    from campus_agent.settings import Settings
    from campus_agent.transcript import Runs


@dataclass(frozen=True, slots=True)
class Way:
    """How the person wants to chat.

    Attributes:
        one_object: with one JSON object for each question on standard input.
        resume: by resuming the conversation of this id; None for a new one.
        replay: not at all: a recording, or a run of the journal, is shown.
        plain: line by line, without drawing on the screen.
        inline: in the app, under what the terminal shows.
        transcript: with what was asked and answered printed when the app is closed.
    """

    one_object: bool
    resume: str | None
    replay: str | None
    plain: bool
    inline: bool
    transcript: bool


def chat(context: click.Context, way: Way) -> int:
    """Open the app, or answer the questions on standard input; return the exit status."""

    def load(**changes: object) -> Settings:
        return loaded(context, **changes).settings

    settings = load()
    if way.replay:
        return _replay(settings, way.replay, inline=way.inline)
    if way.plain:
        return _plain(settings, way, load)
    if not sys.stdin.isatty():
        return _answer(settings, sys.stdin, way.one_object, way.resume or "")
    if way.one_object:
        raise click.UsageError("--json reads questions from standard input. For one: campus-agent ask --json QUESTION")
    if sys.stdout is None or not sys.stdout.isatty():
        raise click.UsageError("The app needs a terminal to draw on. For one answer: campus-agent ask QUESTION")

    if not is_at_a_terminal():
        raise SettingsError(
            "The app cannot be drawn on this terminal.",
            f"TERM is {os.environ.get('TERM')}: lines can be written on it, and nothing else.",
            "To chat line by line: campus-agent --plain. If the terminal can do more: TERM=xterm-256color campus-agent",
        )

    from campus_agent.tui.run import run_app

    status, runs = run_app(settings, load=load, resume=way.resume or "", inline=_inline(way.inline))
    if way.transcript and runs:
        _print(settings, runs)
    return status


def _print(settings: Settings, runs: Runs) -> None:
    """Print the conversation as far as it was led in this sitting, and say what came before."""
    from campus_agent.models.providers import known_keys
    from campus_agent.transcript import as_text

    if before := _before(settings, [run[0].run_id for run in runs if run]):
        tell(f"{before}\n")
    tell(as_text(runs, secrets=known_keys(settings, os.environ)).rstrip("\n"))


def _before(settings: Settings, runs: Sequence[str]) -> str:
    """Say how many questions a conversation had before these runs, and how to print them; "" where none is kept."""
    from campus_agent.cli.trace_filter import journal_of, short
    from campus_agent.journal.schema import JournalError
    from campus_agent.text import plural

    with suppress(JournalError, ValueError), journal_of(settings) as journal:
        id = journal.run(runs[-1]).conversation
        if number := [run for run, _ in journal.outline(id)].index(runs[0]):
            earlier = plural(number, "earlier question")
            return f"Resumed: {earlier} not printed here. For all: campus-agent trace show {short(id)}"
    return ""


def _inline(wanted: bool) -> bool:
    """Return whether the app can be drawn under what the terminal shows; say so where it cannot."""
    if wanted and os.name == "nt":
        aside("campus-agent: --inline does not work on Windows, so the app takes the whole window.")
        return False
    return wanted


def _plain(settings: Settings, way: Way, load: Callable[..., Settings]) -> int:
    if way.one_object:
        raise click.UsageError("--plain and --json exclude each other.")
    from campus_agent.assemble import assemble
    from campus_agent.cli.plain import converse

    return converse(settings, load=load, assemble=assemble, resume=way.resume or "")


def _replay(settings: Settings, path: str, *, inline: bool) -> int:
    """Open the app with a recording; neither a model nor a knowledge base is needed.

    That it is not there is said before the app opens; it is read, and may turn out to be none, after that.
    """
    if not is_at_a_terminal():
        raise click.UsageError("A replay needs a terminal to draw on.")
    from campus_agent.journal.opening import journal_path
    from campus_agent.journal.replaying import must_be_there
    from campus_agent.journal.schema import JournalError
    from campus_agent.recording import RecordingError

    try:
        must_be_there(path, journal_path(settings.journal_path))
        from campus_agent.tui.run import run_app

        return run_app(settings, replay=path, inline=_inline(inline))[0]
    except (RecordingError, JournalError) as error:
        complain(error.explanation)
        return 2


def _answer(settings: Settings, lines: Iterable[str], one_object: bool, resume: str) -> int:
    from campus_agent.assemble import assemble

    assistant = assemble(settings)
    questions = _said_if_none(question for line in lines if (question := line.strip("\ufeff").strip()))
    with keeping(settings, assistant, resume=resume) as recorder:
        if one_object:
            return play(assistant.agent, questions, finish=as_json, recorder=recorder)
        printer = Printer(trace=nowhere, murmur=nowhere, answer=result, message=complain)
        return play(assistant.agent, questions, read=printer.read, recorder=recorder)


def _said_if_none(questions: Iterable[str]) -> Iterator[str]:
    """Yield the questions; say at their end when there was not one."""
    none = True
    for question in questions:
        none = False
        yield question
    if none:
        aside('campus-agent: No question came on standard input. For one: campus-agent ask "..."')
