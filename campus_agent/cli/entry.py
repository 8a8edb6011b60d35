"""Runs the command line and turns everything that can go wrong into a message and an exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import click

from campus_agent.cli.output import complain
from campus_agent.cli.root import root
from campus_agent.errors import CampusAgentError, Explanation, KnowledgeError, SettingsError

FAILED, MISUSED, INTERRUPTED = 1, 2, 130


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command in `arguments` (by default the process's own) and return its exit status.

    0: done; 1: it failed; 2: wrong usage, settings or nothing readable to search; 130: interrupted. When the reader
    of standard output goes away, click ends the process quietly with 1.
    """
    _make_streams_safe()
    try:
        status = root.main(arguments, prog_name="campus-agent", standalone_mode=False)
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except CampusAgentError as error:
        complain(error.explanation)
        return MISUSED if isinstance(error, SettingsError | KnowledgeError) else FAILED
    except OSError as error:
        complain(Explanation(what=f"A file could not be read or written: {error}"))
        return FAILED
    return status if isinstance(status, int) else 0


def _make_streams_safe() -> None:
    """Let no character end the program: what a terminal's encoding lacks is replaced; Windows pipes carry UTF-8."""
    encoding = "utf-8" if os.name == "nt" else None
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")
