"""`campus-agent trace send`: the spans of runs to a collector of OpenTelemetry."""

from __future__ import annotations

import os

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import aside
from campus_agent.cli.trace_filter import journal_of
from campus_agent.text import one_line, plural, without_credentials


@click.command(cls=Command)
@click.argument("id")
@click.option("--to", metavar="URL", help="The collector, as in http://localhost:4318.")
@click.pass_context
def send(context: click.Context, id: str, to: str | None) -> int:
    """Send the run ID, or every run of the conversation ID, to a collector of OpenTelemetry (OTLP over HTTP).

    Without --to it goes where OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT say, with what
    OTEL_EXPORTER_OTLP_HEADERS adds. The questions, answers and observations go with it.
    """
    from campus_agent.journal.exporting import written
    from campus_agent.journal.sending import endpoint, headers
    from campus_agent.journal.sending import send as send_spans
    from campus_agent.models.providers import known_keys

    address = endpoint(to, os.environ)
    settings = loaded(context).settings
    with journal_of(settings) as journal:
        runs = [journal.events(row.id) for row in journal.matching(id)]
    secrets = known_keys(settings, os.environ)
    send_spans(written(runs, "otel-json", secrets=secrets), address, headers=headers(os.environ))
    aside(f"Sent {plural(len(runs), 'run')} to {one_line(without_credentials(address))}")
    return 0
