"""`campus-agent trace show`, `replay` and `audit`: one run, or the runs of one conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.opening import is_at_a_terminal
from campus_agent.cli.output import as_json, result
from campus_agent.cli.printer import Printer
from campus_agent.cli.trace_filter import journal_of, short
from campus_agent.text import duration, one_line

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.journal.records import RunRow

CUT_LINE = "  ✕ cut: the program ended in the middle of this run, or it is still under way"


@click.command(cls=Command)
@click.argument("id")
@click.option("--json", "objects", is_flag=True, help="Print one JSON object a run, a line each.")
@click.pass_context
def show(context: click.Context, id: str, objects: bool) -> int:
    """Print the trace and the answer of the run ID, or of every run of the conversation ID."""
    settings = loaded(context).settings
    with journal_of(settings) as journal:
        for row in journal.matching(id):
            events = journal.events(row.id)
            if objects:
                as_json(_record(row, events))
                continue
            when = f"{row.began.astimezone(settings.zone):%Y-%m-%d %H:%M}"
            result(f"  {short(row.id)} · {when} · {one_line(row.model)} ({one_line(row.provider)})")
            result(f"\n> {one_line(row.question)}\n")
            _print(events)
    return 0


@click.command(cls=Command)
@click.argument("id", metavar="ID|FILE")
@click.pass_context
def replay(context: click.Context, id: str) -> int:
    """Play the run ID, every run of the conversation ID, or a FILE of events in the app, as it happened."""
    if not is_at_a_terminal():
        raise click.UsageError("A replay needs a terminal to draw on. To print it: campus-agent trace show ID")
    from campus_agent.journal.opening import journal_path
    from campus_agent.journal.replaying import must_be_there

    settings = loaded(context).settings
    must_be_there(id, journal_path(settings.journal_path))
    from campus_agent.tui.run import run_app

    return run_app(settings, replay=id)[0]


@click.command(cls=Command)
@click.argument("id")
@click.option("--json", "objects", is_flag=True, help="Print one JSON object a call, a line each.")
@click.pass_context
def audit(context: click.Context, id: str, objects: bool) -> int:
    """Print the record of every tool call that the run ID, or the conversation ID, asked for, in order."""
    from campus_agent.journal.audit import audit_of

    with journal_of(loaded(context).settings) as journal:
        for row in journal.matching(id):
            for entry in audit_of(journal.events(row.id)):
                if objects:
                    as_json({"run": row.id, **entry.model_dump(mode="json")})
                    continue
                asked = entry.input if isinstance(entry.input, str) else json.dumps(entry.input, ensure_ascii=False)
                length = "n/a" if entry.output_length is None else f"{entry.output_length:,} characters"
                took = "n/a" if entry.latency_ms is None else duration(entry.latency_ms)
                call = f"{one_line(entry.tool)}({one_line(asked)})"
                result(f"{entry.timestamp:%Y-%m-%dT%H:%M:%S.%fZ}  {short(row.id)}  step {entry.step}  {call}")
                result(f"    {entry.status or 'no end'} · {length} · {took}")
    return 0


def _print(events: Sequence[Event]) -> None:
    printer = Printer(trace=result, murmur=result, answer=result, message=lambda explanation: result(str(explanation)))
    for event in events:
        printer.read(event)
    if not events or events[-1].kind != "run_finished":
        result(CUT_LINE)
    result("")


def _record(row: RunRow, events: Sequence[Event]) -> dict[str, Any]:
    """Return a run as `ask --json` prints it, with its ids and when it began; what a cut one lacks is null."""
    from campus_agent.agent.result import RunResult

    about = {"id": row.id, "conversation": row.conversation, "began": row.began.isoformat()}
    if not events or events[0].kind != "run_started":
        return {**about, "question": row.question, "outcome": None, "complete": False, "steps": []}
    if events[-1].kind == "run_finished":
        return {**about, **RunResult.from_events(events).model_dump(mode="json")}
    whole = RunResult.from_events([*events, _end(events[-1])]).model_dump(mode="json")
    return {**about, **whole, "outcome": None, "duration_ms": None}


def _end(last: Event) -> Event:
    """Return an end for a run that has none, so that what there is of it can be put together."""
    from campus_agent.agent.events import RunFinished
    from campus_agent.agent.outcome import Outcome

    return RunFinished(
        run_id=last.run_id,
        seq=last.seq + 1,
        time=last.time,
        outcome=Outcome.CANCELLED,
        complete=False,
        answer=None,
        message=None,
        usage=None,
        duration_ms=0,
    )
