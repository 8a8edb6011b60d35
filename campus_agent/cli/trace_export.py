"""`campus-agent trace export`: runs as a document, a page, a recording or spans."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import aside
from campus_agent.cli.trace_filter import journal_of
from campus_agent.errors import CampusAgentError
from campus_agent.journal.exporting import BY_ENDING, Form, written
from campus_agent.text import one_line, plural


class NotExported(CampusAgentError):
    """Runs that could not be written to a file."""


@click.command(cls=Command)
@click.argument("id")
@click.option(
    "--format", "form", type=click.Choice(get_args(Form)), help="What to write; else the file's name tells it."
)
@click.option("-o", "--output", type=click.Path(), metavar="FILE", help="Where to write it, instead of to the screen.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.pass_context
def export(context: click.Context, id: str, form: Form | None, output: str | None, force: bool) -> int:
    """Write the run ID, or every run of the conversation ID: as Markdown, unless something else is asked for.

    jsonl holds every event and can be imported or replayed; html is one page to read anywhere; cast is a terminal
    recording for asciinema; otel-json holds OpenTelemetry spans.
    """
    from campus_agent.models.providers import known_keys

    settings = loaded(context).settings
    form = form or _form(output)
    with journal_of(settings) as journal:
        runs = [journal.events(row.id) for row in journal.matching(id)]
    text = written(runs, form, secrets=known_keys(settings, os.environ))
    if output is None:
        click.echo(text, nl=False)
        return 0
    _write(Path(output), text, force=force)
    aside(f"Wrote {plural(len(runs), 'run')} to {one_line(output)}")
    return 0


def _form(output: str | None) -> Form:
    """Return what the name of the file asks for; without a file or an ending, Markdown."""
    ending = Path(output or "").suffix.lower()
    if ending and ending not in BY_ENDING:
        raise NotExported(
            f"{one_line(output or '')} is no file to export to.",
            next=f"Its name should end in {', '.join(BY_ENDING)}; or say what to write with --format.",
        )
    return BY_ENDING.get(ending, "md")


def _write(path: Path, text: str, *, force: bool) -> None:
    from campus_agent.transcript import write_whole

    try:
        write_whole(path, text, over=force)
    except FileExistsError:
        raise NotExported(f"{one_line(str(path))} is there already.", next="Add --force to write over it.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotExported(f"{one_line(str(path))} could not be written: {one_line(reason)}.") from None
