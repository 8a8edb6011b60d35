"""The two ways out: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click
from pydantic import BaseModel

from campus_agent.cli.opening import cannot_draw
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
    with to_standard_error():
        click.echo(sanitize(text), err=True)


def whisper(text: str) -> None:
    """Write a line to standard error, dimmed where it is a terminal that can and NO_COLOR is unset."""
    colourless = os.environ.get("NO_COLOR") or cannot_draw(os.environ.get("TERM"))
    with to_standard_error():
        click.secho(sanitize(text), err=True, dim=True, color=False if colourless else None)


def nowhere(text: str) -> None:
    """Drop a line."""


@contextmanager
def to_standard_error() -> Iterator[None]:
    """Let what is written to standard error in here be lost where it takes nothing: no answer depends on it."""
    try:
        yield
    except OSError:
        # Python would try again at the end, and make that the exit status.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it stays open until the end


def complain(explanation: Explanation) -> None:
    """Write what happened, the likely cause and the next step to standard error, a line each."""
    aside(f"campus-agent: {explanation}")


def as_json(value: BaseModel | Mapping[str, Any]) -> None:
    """Write one JSON object as one line of standard output, at once.

    Every character outside ASCII is escaped: the value survives any encoding, and none can drive a terminal.
    """
    text = value.model_dump_json(ensure_ascii=True) if isinstance(value, BaseModel) else json.dumps(value)
    click.echo(text.replace("\x7f", "\\u007f"))
