"""`campus-agent trace stats`: figures of many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import as_json, result
from campus_agent.cli.trace_filter import filtered, journal_of
from campus_agent.text import duration, one_line, plural

if TYPE_CHECKING:
    from campus_agent.journal.records import Filter
    from campus_agent.journal.statistics import Statistics, Times


@click.command(cls=Command)
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@filtered
@click.pass_context
def stats(context: click.Context, one_object: bool, wanted: Filter) -> int:
    """Count runs, outcomes, steps, tools, times and tokens."""
    with journal_of(loaded(context).settings) as journal:
        figures = journal.statistics(wanted)
    if one_object:
        as_json(figures)
    else:
        _print(figures)
    return 0


def _print(figures: Statistics) -> None:
    result(f"runs      {figures.runs:,}")
    for name, number in figures.outcomes.items():
        result(f"  {name:<14}  {number:,}")
    result(f"steps     {'n/a' if figures.steps is None else f'{figures.steps:g} a run'}")
    result(f"model     {_times(figures.model)}")
    for tool, of_tool in figures.tools.items():
        statuses = ", ".join(f"{number:,} {status}" for status, number in of_tool.statuses.items())
        result(
            f"tool      {one_line(tool, 60)}: {plural(of_tool.calls, 'call')} ({statuses}) · {_times(of_tool.times)}"
        )
    if figures.tokens is None:
        result("tokens    n/a")
    else:
        counted = f"counted in {plural(figures.tokens.runs, 'run')} of {figures.runs:,}"
        read, written = figures.tokens.prompt_tokens, figures.tokens.completion_tokens
        result(f"tokens    {read:,} read, {written:,} written · {counted}")
    result(f"repairs   {figures.repairs:,}")
    result(f"refusals  {figures.refusals:,}")


def _times(times: Times | None) -> str:
    if times is None:
        return "n/a"
    return f"p50 {duration(times.p50)} · p95 {duration(times.p95)} · p99 {duration(times.p99)}"
