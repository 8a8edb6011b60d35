"""The folder beside a journal in which a damaged one is copied and read: one for each damaged file, gone at the end.

What is left of it shows that saving was stopped in the middle.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from campus_agent.journal.damage import alone

_PREFIX = ".salvage-"
_MARK = "lock"


@contextmanager
def room_for(damaged: Path, beside: Path) -> Iterator[Path]:
    """Make an empty folder for the copy of a damaged file, and remove it afterwards.

    Raises `sqlite3.OperationalError` while another campus-agent has it, and `OSError` when it cannot be made.
    """
    room = beside / f"{_PREFIX}{damaged.name}"
    room.mkdir(mode=0o700, exist_ok=True)
    try:
        with alone(room / _MARK, patience=0):
            for left in room.iterdir():
                if left.name != _MARK:
                    left.unlink()
            yield room
            shutil.rmtree(room, ignore_errors=True)
    except OSError:
        shutil.rmtree(room, ignore_errors=True)
        raise
    shutil.rmtree(room, ignore_errors=True)  # again, where nothing is removed that is open


def left_behind(beside: Path) -> list[Path]:
    """Remove the folders that nobody uses any more; return the damaged files beside them that were not gone through."""
    files = []
    for room in beside.glob(f"{_PREFIX}*"):
        with suppress(sqlite3.Error, OSError), alone(room / _MARK, patience=0):
            shutil.rmtree(room, ignore_errors=True)
            files.append(beside / room.name.removeprefix(_PREFIX))
        with suppress(OSError):
            room.rmdir()  # what is not empty is in use
    return [file for file in files if file.is_file()]
