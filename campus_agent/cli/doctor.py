"""`campus-agent doctor`: what works here, what does not, and what to do about it."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import as_json, result

if TYPE_CHECKING:
    from campus_agent.doctor.check import Check
    from campus_agent.layers import Loaded
    from campus_agent.settings import Settings

_PATIENCE = 10.0  # seconds for a reply to begin, and between its parts, where the settings do not say
_WIDTH = len("knowledge base")


@click.command(cls=Command)
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def doctor(context: click.Context, one_object: bool) -> int:
    """Check the key, the server, the model, the clock, the knowledge base, the search by meaning and the terminal.

    A few tiny requests are sent to the configured server. Exit status 1 when something does not work.
    """
    settings = _impatient(loaded(context))

    import asyncio

    checks = asyncio.run(_examined(settings, show=not one_object))
    ok = not any(check.status == "failed" for check in checks)
    if one_object:
        as_json({"checks": [asdict(check) for check in checks], "ok": ok})
    return 0 if ok else 1


async def _examined(settings: Settings, *, show: bool) -> list[Check]:
    from campus_agent.doctor.examine import examine
    from campus_agent.doctor.surroundings import Terminal

    checks = []
    async for check in examine(settings, os.environ, Terminal.here(os.environ)):
        checks.append(check)
        if show:
            _print(check)
    return checks


def _print(check: Check) -> None:
    result(f"{check.status.sign} {check.name:<{_WIDTH}}  {check.found}")
    if check.next:
        result(f"  {'':<{_WIDTH}}  {check.next}")


def _impatient(everything: Loaded) -> Settings:
    """Return the settings with timers that suit somebody who waits, unless the person chose them."""
    timers = ("first_byte_timeout", "idle_timeout")
    return everything.settings.model_copy(
        update={name: _PATIENCE for name in timers if everything.origins[name] == "default"}
    )
