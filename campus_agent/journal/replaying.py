"""Finds what is to be replayed: a file, or a run or a conversation of the journal."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from campus_agent.recording import Recording, RecordingError, must_be_readable, read
from campus_agent.text import one_line

_LONGEST_NAME = 80  # characters


def recording_of(named: str, journal: Path, *, stop: Callable[[], bool] | None = None) -> Recording:
    """Return what a name stands for: a file, or the run or conversation of the journal with this id.

    What looks like a path, or is one that is there, is a file. Raises `RecordingError` for a file that cannot be
    replayed, or once `stop`, asked again and again, says True, and `JournalError` for an id that stands for nothing.
    """
    if (file := _file(named)) is not None:
        return read(file, stop=stop)

    from campus_agent.journal.store import Journal

    with Journal(journal) as opened:
        kind, id = opened.resolve(named)
        name = opened.run(id).question if kind == "run" else opened.conversation(id).title
        runs = tuple(run for row in opened.matching(id) if (run := opened.events(row.id)))
    if not runs:
        raise RecordingError("Nothing of that run can be read.", "It may be from a newer campus-agent.")
    return Recording(one_line(name, _LONGEST_NAME), runs)


def must_be_there(named: str, journal: Path) -> None:
    """Raise what `recording_of` raises when there is no such file, or no such run; nothing of it is read."""
    if (file := _file(named)) is not None:
        return must_be_readable(file)

    from campus_agent.journal.store import Journal

    with Journal(journal) as opened:
        opened.resolve(named)


def _file(named: str) -> Path | None:
    """Return the file that a name stands for, None for an id."""
    file = Path(os.path.expanduser(named.strip()))
    return file if file.suffix or len(file.parts) > 1 or file.exists() else None
