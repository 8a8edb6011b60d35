"""Runs the command line and turns everything that can go wrong into a message and an exit status."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence

from campus_agent.cli.opening import is_at_a_terminal, open_app, wish
from campus_agent.errors import CampusAgentError, Explanation, KnowledgeError, SettingsError

FAILED, MISUSED, INTERRUPTED = 1, 2, 130


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command in `arguments` (by default the process's own) and return its exit status.

    0: done; 1: it failed; 2: wrong usage, settings or nothing readable to search; 130: interrupted. When the reader
    of standard output goes away, click ends the process quietly with 1.
    """
    _make_streams_safe()
    try:
        wanted = wish(sys.argv[1:] if arguments is None else arguments)
        if wanted is not None and is_at_a_terminal():
            return open_app(wanted)
        from campus_agent.cli.root import root

        status = root.main(arguments, prog_name="campus-agent", standalone_mode=False)
    except Exception as error:
        return _told(error)
    return status if isinstance(status, int) else 0


def _told(error: Exception) -> int:
    """Say what went wrong and return the exit status; an error that nobody expects is raised again."""
    import click

    from campus_agent.cli.output import complain, to_standard_error

    match error:
        case click.Abort():
            return INTERRUPTED
        case click.ClickException():
            with to_standard_error():
                error.show()
            return error.exit_code
        case CampusAgentError():
            complain(error.explanation)
            return MISUSED if isinstance(error, SettingsError | KnowledgeError) else FAILED
        case OSError() if _is_of_output(error):
            sys.stdout = None  # or Python would try again at the end, and make that the exit status
            complain(
                Explanation(
                    what=f"Standard output takes no more: {error.strerror}.",
                    next="Make room where it goes, or send it somewhere else.",
                )
            )
            return FAILED
        case OSError() if not _is_somewhere():
            complain(Explanation(what="The folder that the program was started in is gone.", next="Change to another."))
            return FAILED
        case OSError():
            complain(Explanation(what=f"A file could not be read or written: {error}"))
            return FAILED
    raise error


def _is_somewhere() -> bool:
    """Return whether the folder that the program was started in is still there."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _is_of_output(error: OSError) -> bool:
    """Return whether it was standard output that could not be written: what standard error does not take is lost."""
    import click

    return any(frame.f_code is click.echo.__code__ for frame, _ in traceback.walk_tb(error.__traceback__))


def _make_streams_safe() -> None:
    """Let no character end the program: what a terminal's encoding lacks is replaced; Windows pipes carry UTF-8.

    A stream that is closed has nothing in it, and takes what nobody reads.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115 - open until the end
    encoding = "utf-8" if os.name == "nt" else None
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")
