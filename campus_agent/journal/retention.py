"""Forgets the oldest runs: those past their time, and those for which there is no more room."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

from campus_agent.journal.opening import connect
from campus_agent.journal.schema import JournalError, searchable, transaction
from campus_agent.tools import clock

_AT_ONCE = 50  # runs; a short transaction, so that another process hardly has to wait
_LONGEST = 0.1  # seconds of a start; the next start goes on
_DAY = 86_400  # seconds


def apply(path: Path, *, days: int, megabytes: int) -> int:
    """Forget what was stored more than `days` ago, and the oldest of what is more than `megabytes`; return how much.

    It takes a tenth of a second at most, so that after a large change of the limits several starts share the work.
    """
    forgotten = 0
    end = monotonic() + _LONGEST
    with suppress(sqlite3.Error, OSError, JournalError), closing(connect(path, patience=0)) as db:
        while runs := _too_old(db, days) or _too_much(db, megabytes):
            with transaction(db):
                forget(db, runs)
            db.execute("PRAGMA incremental_vacuum").fetchall()
            forgotten += len(runs)
            if monotonic() > end:
                break
    return forgotten


def forget(db: sqlite3.Connection, runs: Sequence[int]) -> None:
    """Delete runs, and the conversations of which nothing is left. Only to be called in a transaction."""
    words = searchable(db)
    for run in runs:
        if words:
            db.execute("DELETE FROM words WHERE rowid = ?", (run,))
        conversations = db.execute("SELECT DISTINCT conversation FROM members WHERE run = ?", (run,)).fetchall()
        db.execute("DELETE FROM runs WHERE key = ?", (run,))
        for conversation in conversations:
            db.execute(
                "DELETE FROM conversations WHERE key = ?1"
                " AND NOT EXISTS (SELECT 1 FROM members WHERE conversation = ?1)",
                conversation,
            )


def _too_old(db: sqlite3.Connection, days: int) -> list[int]:
    before = clock.real_time().timestamp() - days * _DAY
    oldest = db.execute("SELECT key, stored FROM runs ORDER BY key LIMIT ?", (_AT_ONCE,))
    return [key for key, stored in oldest if stored < before]


def _too_much(db: sqlite3.Connection, megabytes: int) -> list[int]:
    used = _pragma(db, "page_size") * (_pragma(db, "page_count") - _pragma(db, "freelist_count"))
    share = 1 - megabytes * 1_000_000 / used
    if share <= 0:
        return []
    runs = db.execute("SELECT count(*) FROM runs").fetchone()[0]
    number = min(_AT_ONCE, math.ceil(runs * share))  # as many as would be enough if all were equally long
    return [key for (key,) in db.execute("SELECT key FROM runs ORDER BY key LIMIT ?", (number,))]


def _pragma(db: sqlite3.Connection, name: str) -> int:
    value: int = db.execute(f"PRAGMA {name}").fetchone()[0]
    return value
