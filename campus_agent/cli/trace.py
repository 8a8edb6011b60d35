"""`campus-agent trace`: look at the runs of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from campus_agent.cli.flags import Command, Group, loaded
from campus_agent.cli.output import as_json, aside, result
from campus_agent.cli.trace_change import delete, import_, rename, salvage
from campus_agent.cli.trace_diff import diff
from campus_agent.cli.trace_export import export
from campus_agent.cli.trace_filter import ending, filtered, journal_of, short
from campus_agent.cli.trace_send import send
from campus_agent.cli.trace_show import audit, replay, show
from campus_agent.cli.trace_stats import stats
from campus_agent.text import duration, one_line, plural

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from campus_agent.journal.records import ConversationRow, Filter, RunRow

_LONGEST = 70  # characters of a question


@click.group(cls=Group, commands=[show, replay, audit, stats, diff, export, send, import_, salvage, rename, delete])
def trace() -> None:
    """Look at the runs of the journal: list, search, show, compare, export.

    A run or a conversation is named by its id, or by as much of it as is needed; "last" is the newest run.
    """


@trace.command("list", cls=Command)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), help="Most lines to print.")
@click.option("--conversations", is_flag=True, help="List conversations, the one that was changed last first.")
@click.option("--json", "objects", is_flag=True, help="Print one JSON object a line.")
@filtered
@click.pass_context
def list_runs(context: click.Context, limit: int, conversations: bool, objects: bool, wanted: Filter) -> int:
    """List the runs, newest first."""
    from campus_agent.journal.records import Filter

    settings = loaded(context).settings
    with journal_of(settings) as journal:
        if not conversations:
            _print(journal.newest(wanted, limit=limit), objects, settings.zone, "No run is recorded yet.", wanted)
            return 0
        if wanted != Filter():
            raise click.UsageError("--conversations goes without flags that pick runs.")
        rows = journal.conversations(limit=limit)
    for row in rows:
        if objects:
            as_json(_conversation(row))
        else:
            when = f"{row.changed.astimezone(settings.zone):%Y-%m-%d %H:%M}"
            result(f"{short(row.id)}  {when}  {plural(row.runs, 'question'):<12}  {one_line(row.title, _LONGEST)}")
    return 0


@trace.command(cls=Command)
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), help="Most runs to print.")
@click.option("--json", "objects", is_flag=True, help="Print one JSON object a line.")
@filtered
@click.pass_context
def search(context: click.Context, words: tuple[str, ...], limit: int, objects: bool, wanted: Filter) -> int:
    """List the runs in whose question, answer or observations all the WORDS stand, newest first.

    A word also finds longer ones that begin with it.
    """
    settings = loaded(context).settings
    with journal_of(settings) as journal:
        if not journal.full_text:
            aside("This Python's SQLite has no full-text index, so every run is looked through.")
        try:
            rows = journal.search(" ".join(words), wanted, limit=limit)
        except ValueError:
            raise click.UsageError("There is no word to search for.") from None
    _print(rows, objects, settings.zone, "No run holds all of these words.", wanted)
    return 0


def _print(rows: list[RunRow], objects: bool, zone: ZoneInfo, nothing: str, wanted: Filter) -> None:
    from campus_agent.journal.records import Filter

    for row in rows:
        if objects:
            as_json(_run(row))
            continue
        when = f"{row.began.astimezone(zone):%Y-%m-%d %H:%M}"
        took = "n/a" if row.duration_ms is None else duration(row.duration_ms)
        size = f"{plural(row.steps, 'step'):<7}  {took:>7}"
        result(f"{short(row.id)}  {when}  {ending(row):<18}  {size}  {one_line(row.question, _LONGEST)}")
        if row.found:
            result(f"          {one_line(row.found)}")
    if not rows and not objects:
        aside(nothing if wanted == Filter() else "No run is like that.")


def _run(row: RunRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "conversation": row.conversation,
        "question": row.question,
        "began": row.began.isoformat(),
        "model": row.model,
        "provider": row.provider,
        "outcome": row.outcome,
        "steps": row.steps,
        "calls": row.calls,
        "duration_ms": row.duration_ms,
        "usage": row.usage.model_dump() if row.usage else None,
        **({"found": one_line(row.found)} if row.found else {}),
    }


def _conversation(row: ConversationRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title,
        "base": row.base,
        "model": row.model,
        "began": row.began.isoformat(),
        "changed": row.changed.isoformat(),
        "runs": row.runs,
    }
