"""Saves a conversation to a file, without ever overwriting one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from campus_agent.errors import CampusAgentError
from campus_agent.settings import Settings
from campus_agent.transcript import Runs, as_json_lines, as_markdown, write_new
from campus_agent.tui.slash.paths import typed_path

if TYPE_CHECKING:
    from campus_agent.tui.app import CampusApp

ENDINGS = (".md", ".jsonl", ".svg")


class NotExported(CampusAgentError):
    """A conversation that could not be saved."""


def export(runs: Runs, written: str, *, picture: Callable[[], str], now: datetime, secrets: Iterable[str] = ()) -> Path:
    """Save the conversation and return the file: what its name ends in decides what is saved.

    Args:
        runs: the events of each run.
        written: the path that was typed, "" for one in the current folder that tells the date and time of `now`.
        picture: draws the screen as SVG.
        now: the moment, in local time.
        secrets: texts that must not stand in the file.

    Raises:
        NotExported: there is nothing to save, another kind of file is asked for, or it cannot be written.
    """
    path = Path(typed_path(written) or f"campus-agent-{now:%Y-%m-%d-%H%M%S}.md")
    if not path.suffix:
        path = path.with_name(f"{path.name}.md") if path.name and not os.path.isdir(path) else path
    if path.suffix.lower() not in ENDINGS:
        raise NotExported(
            f"{written or path} is no file to export to.", next=f"Its name should end in {', '.join(ENDINGS)}."
        )
    if not runs and path.suffix.lower() != ".svg":
        raise NotExported("There is nothing to export yet.", next="Ask something first.")
    try:
        return write_new(path, _content(path.suffix.lower(), runs, picture, secrets)).absolute()
    except (OSError, ValueError) as error:
        raise NotExported(f"{path} could not be written: {getattr(error, 'strerror', None) or error}.") from None


def _content(ending: str, runs: Runs, picture: Callable[[], str], secrets: Iterable[str]) -> str:
    match ending:
        case ".jsonl":
            return as_json_lines(runs, secrets=secrets)
        case ".svg":
            return picture()
        case _:
            return as_markdown(runs, secrets=secrets)


def known_keys(settings: Settings, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return every key that this start of the program could know, so that none ends up in a file."""
    from campus_agent.models.providers import OWN_KEY, PROVIDERS

    own = settings.api_key.get_secret_value() if settings.api_key else ""
    variables = (OWN_KEY, *(provider.key_variable for provider in PROVIDERS if provider.key_variable))
    return tuple(filter(None, (own, *(environ.get(name, "").strip() for name in variables))))


def export_from(app: CampusApp, written: str) -> Path:
    """Save the conversation of the app. Raises `NotExported`."""
    from campus_agent.tools import clock

    settings = app.chosen.settings
    return export(
        app.runs,
        written,
        picture=lambda: app.export_screenshot(title="campus-agent"),
        now=clock.real_time().astimezone(),
        secrets=known_keys(settings, os.environ),
    )
