"""`campus-agent config`: which settings are in force, and where each comes from."""

from __future__ import annotations

from datetime import datetime

import click

from campus_agent.cli.flags import Command, Group, config_flag, loaded
from campus_agent.cli.output import as_json, result
from campus_agent.layers import config_path, masked
from campus_agent.settings import Settings
from campus_agent.text import one_line


@click.group(cls=Group)
def config() -> None:
    """Show the settings in force, or where their file is."""


@config.command(cls=Command)
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def show(context: click.Context, one_object: bool) -> None:
    """Print every setting with its value and where that comes from; keys are masked."""
    everything = loaded(context)
    values = _shown(everything.settings)
    if one_object:
        origins = everything.origins
        as_json({name: {"value": value, "origin": origins[name]} for name, value in values.items()})
        return
    width = max(map(len, values))
    for name, value in values.items():
        result(f"{name:<{width}}  {_plain(value)}  [{everything.origins[name]}]")


@config.command(cls=Command)
@click.pass_context
def path(context: click.Context) -> None:
    """Print where the configuration file is looked for."""
    result(str(config_path(config=config_flag(context))))


def _shown(settings: Settings) -> dict[str, object]:
    """Return every value as JSON has it, with the secrets masked."""
    return {name: value.isoformat() if isinstance(value, datetime) else masked(value) for name, value in settings}


def _plain(value: object) -> str:
    match value:
        case None | () | "":
            return "-"
        case True:
            return "true"
        case False:
            return "false"
        case tuple():
            return one_line(", ".join(map(str, value)), 100)
        case _:
            return one_line(str(value), 100)
