"""`campus-agent trace import`, `salvage`, `rename` and `delete`: what changes the journal."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import aside, result, to_standard_error
from campus_agent.cli.trace_filter import journal_of, short
from campus_agent.text import one_line, plural, sanitize


@click.command("import", cls=Command)
@click.argument("file", type=click.Path())
@click.pass_context
def import_(context: click.Context, file: str) -> int:
    """Read the runs of FILE, a line of JSON for each event, into the journal, as one conversation.

    It is what `ask --jsonl` and `trace export --format jsonl` write. A line that cannot be used is named, and the rest
    is kept.
    """
    from campus_agent.journal.importing import take_in
    from campus_agent.journal.opening import journal_path
    from campus_agent.recording import read

    recording = read(file)
    for problem in recording.problems:
        aside(f"✕ {one_line(problem)}")
    if recording.more_problems:
        aside(f"✕ and {plural(recording.more_problems, 'more problem')}")
    path = journal_path(loaded(context).settings.journal_path)
    imported = take_in(path, recording.runs, base=f"imported from {recording.name}")
    problems = len(recording.problems) + recording.more_problems
    left_out = f", {plural(problems, 'problem')}" if problems else ""
    known = f", {imported.known:,} already there" if imported.known else ""
    result(f"{plural(len(imported.ids), 'run')} imported{known}{left_out}")
    for id in imported.ids:
        result(f"  {short(id)}")
    return 0


@click.command(cls=Command)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def salvage(context: click.Context, file: Path) -> int:
    """Save what can still be read of the damaged journal FILE: its conversations are copied into the journal.

    FILE stays as it is. What is in the journal already is passed over.
    """
    from campus_agent.journal.opening import journal_path
    from campus_agent.journal.salvaging import Salvaged, salvage_into
    from campus_agent.journal.schema import JournalError

    if not file.is_file():
        raise click.UsageError(f"{one_line(str(file))} is no ordinary file.")
    saved = salvage_into(journal_path(loaded(context).settings.journal_path), file)
    if saved == Salvaged():
        raise JournalError(f"Nothing in {one_line(str(file))} can be read as a journal.")
    if saved == Salvaged(stopped=saved.stopped):
        again = f"campus-agent trace salvage {shlex.quote(one_line(str(file)))}"
        raise JournalError(f"Nothing was saved: {saved.stopped}.", next=f"As soon as that is over: {again}")
    known = f", {saved.known:,} there already" if saved.known else ""
    result(f"{plural(saved.conversations, 'conversation')} with {plural(saved.runs, 'question')} saved{known}")
    if saved.stopped:
        aside(f"Not all of it was looked at: {saved.stopped}. What was saved stays; the command can be sent again.")
    return 1 if saved.stopped else 0


@click.command(cls=Command)
@click.argument("id")
@click.argument("title", nargs=-1, required=True)
@click.pass_context
def rename(context: click.Context, id: str, title: tuple[str, ...]) -> int:
    """Give the conversation ID another TITLE; for a run, that is the conversation that it belongs to."""
    with journal_of(loaded(context).settings) as journal:
        kind, whole = journal.resolve(id)
        conversation = whole if kind == "conversation" else journal.run(whole).conversation
        try:
            journal.rename(conversation, " ".join(title))
        except ValueError:
            raise click.UsageError("The title is blank.") from None
        result(f"{short(conversation)}  {one_line(journal.conversation(conversation).title)}")
    return 0


@click.command(cls=Command)
@click.argument("id")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.pass_context
def delete(context: click.Context, id: str, yes: bool) -> int:
    """Delete the run ID, or the conversation ID with its runs, for good.

    What a branch shares with the conversation stays in the branch. The questions leave the prompt's history as well.
    """
    from campus_agent.tui.history import History

    with journal_of(loaded(context).settings) as journal:
        kind, whole = journal.resolve(id)
        rows = journal.leaving(whole)
        first = f', the first: "{one_line(rows[0].question, 60)}"' if rows else " of its own"
        what = f"{'the conversation with ' if kind == 'conversation' else ''}{plural(len(rows), 'run')}{first}"
        if not yes and not _wanted(f"Delete {what}?"):
            return 1
        gone = journal.delete(whole)
    History().forget(row.question for row in rows)
    result(f"{plural(gone, 'run')} deleted")
    return 0


def _wanted(question: str) -> bool:
    """Ask on standard error; everything but a yes is a no, also the end of the input."""
    with to_standard_error():
        click.echo(f"{sanitize(question)} [y/N] ", nl=False, err=True)
    answer = sys.stdin.readline()
    if not answer:
        aside("")
    return answer.strip().lower() in ("y", "yes")
