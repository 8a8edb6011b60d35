"""The two ways out: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import click
from pydantic import BaseModel

from campus_agent.cli.wrapping import fitted
from campus_agent.errors import Explanation
from campus_agent.text import sanitize

Write = Callable[[str], None]


def result(text: str) -> None:
    """Write a line of result to standard output, at once."""
    click.echo(sanitize(text))


def tell(text: str) -> None:
    """Write a text for a person to standard output, at once; in a terminal its lines are broken between words."""
    result(fitted(text))


def aside(text: str) -> None:
    """Write a line to standard error, at once."""
    click.echo(sanitize(text), err=True)


def whisper(text: str) -> None:
    """Write a line to standard error, dimmed where it is a terminal and NO_COLOR is unset."""
    click.secho(sanitize(text), err=True, dim=True, color=False if os.environ.get("NO_COLOR") else None)


def nowhere(text: str) -> None:
    """Drop a line."""


def complain(explanation: Explanation) -> None:
    """Write what happened, the likely cause and the next step to standard error, a line each."""
    aside(f"campus-agent: {explanation}")


def as_json(value: BaseModel | Mapping[str, Any]) -> None:
    """Write one JSON object as one line of standard output, at once.

    Every character outside ASCII is escaped: the value survives any encoding, and none can drive a terminal.
    """
    text = value.model_dump_json(ensure_ascii=True) if isinstance(value, BaseModel) else json.dumps(value)
    click.echo(text.replace("\x7f", "\\u007f"))
