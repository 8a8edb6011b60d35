"""Takes the runs of a recording into the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from campus_agent.agent.events import Event
from campus_agent.journal.opening import connect, reason
from campus_agent.journal.schema import JournalError, searchable, transaction
from campus_agent.journal.writing import Place, write
from campus_agent.text import one_line
from campus_agent.tools import clock

_PATIENCE = 2.0  # seconds to wait for another process


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import: the id of each run that was new, and how many were in the journal already."""

    ids: tuple[str, ...]
    known: int


def take_in(path: Path, runs: Iterable[Sequence[Event]], *, base: str) -> Imported:
    """Store runs as one conversation about `base`; a run that is in the journal, event for event, is not stored again.

    They count as new for how long they are kept. Raises `JournalError`; then nothing was stored.
    """
    try:
        with closing(connect(path, patience=_PATIENCE)) as db, transaction(db):
            return _take_in(db, runs, base)
    except (sqlite3.Error, OSError) as error:
        where = one_line(str(path))
        raise JournalError(f"Nothing was imported: {reason(error)}.", f"The journal is {where}.") from None


def _take_in(db: sqlite3.Connection, runs: Iterable[Sequence[Event]], base: str) -> Imported:
    words = searchable(db)
    now = clock.real_time().timestamp()
    keys: list[int] = []
    known = 0
    place = Place(base, "")
    for run in runs:
        bodies = [event.model_dump_json() for event in run]
        if _is_known(db, run[0].run_id, bodies):
            known += 1
            continue
        place = Place(base, getattr(run[0], "model", ""), place.conversation)
        for event, body in zip(run, bodies, strict=True):
            place = write(db, place, event, body, stored=now, searchable=words)
        assert place.run is not None
        keys.append(place.run)
    ids = [db.execute("SELECT id FROM runs WHERE key = ?", (key,)).fetchone()[0] for key in keys]
    return Imported(tuple(ids), known)


def _is_known(db: sqlite3.Connection, id: str, bodies: Sequence[str]) -> bool:
    query = "SELECT e.body FROM runs r JOIN events e ON e.run = r.key WHERE r.id = ? ORDER BY e.place"
    return [body for (body,) in db.execute(query, (id,))] == list(bodies)
