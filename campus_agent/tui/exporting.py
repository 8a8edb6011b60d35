"""Saves a conversation to a file, without ever overwriting one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from campus_agent.errors import CampusAgentError
from campus_agent.journal.exporting import BY_ENDING, written
from campus_agent.text import one_line
from campus_agent.transcript import Runs, write_new
from campus_agent.tui.slash.paths import typed_path

if TYPE_CHECKING:
    from campus_agent.tui.app import CampusApp
    from campus_agent.tui.record import Record

_PICTURE = ".svg"


class NotExported(CampusAgentError):
    """A conversation that could not be saved."""


def export(runs: Runs, typed: str, *, picture: Callable[[], str], now: datetime, secrets: Iterable[str] = ()) -> Path:
    """Save the conversation and return the file: what its name ends in decides what is saved.

    Args:
        runs: the events of each run.
        typed: the path that was typed, "" for one in the current folder that tells the date and time of `now`.
        picture: draws the screen as SVG.
        now: the moment, in local time.
        secrets: texts that must not stand in the file.

    Raises:
        NotExported: there is nothing to save, another kind of file is asked for, or it cannot be written.
    """
    path = Path(typed_path(typed) or f"campus-agent-{now:%Y-%m-%d-%H%M%S}.md")
    if not path.suffix:
        path = path.with_name(f"{path.name}.md") if path.name and not os.path.isdir(path) else path
    ending = path.suffix.lower()
    if ending != _PICTURE and ending not in BY_ENDING:
        raise NotExported(
            f"{one_line(str(typed or path), 200)} is no file to export to.",
            next=f"Its name should end in {', '.join((*BY_ENDING, _PICTURE))}.",
        )
    if not runs and ending != _PICTURE:
        raise NotExported("There is nothing to export yet.", next="Ask something first.")
    try:
        text = picture() if ending == _PICTURE else written(runs, BY_ENDING[ending], secrets=tuple(secrets))
        return write_new(path, text).absolute()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NotExported(f"{one_line(str(path), 200)} could not be written: {reason}.") from None


async def export_from(app: CampusApp, records: Sequence[Record], typed: str) -> Path:
    """Save the conversation of the app, in a thread: it may be long. Raises `NotExported`."""
    from campus_agent.models.providers import known_keys
    from campus_agent.tools import clock

    now, keys = clock.real_time().astimezone(), known_keys(app.chosen.settings, os.environ)
    drawn = app.export_screenshot(title="campus-agent") if typed.strip("\"' ").lower().endswith(_PICTURE) else ""
    here = {record: record.events for record in records if not record.stored}  # as they stand now

    def save() -> Path:
        runs = [here.get(record) or record.events for record in records]
        return export(runs, typed, picture=lambda: drawn, now=now, secrets=keys)

    return await asyncio.to_thread(save)
