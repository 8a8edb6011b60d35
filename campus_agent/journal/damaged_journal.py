"""Reads a damaged journal, run by run.

SQLite gives a whole list up at the first page of it that is spoiled. So nothing is listed here: each run is asked for
by its key, and what cannot be read of it costs no other run. Where the way from page to page is lost, the pages are
looked at one by one. It is a copy that is read: opening a file with a log changes it.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

from campus_agent.agent.events import Event, event_from_json
from campus_agent.journal.damage import is_damage, private
from campus_agent.journal.opening import as_text, connect
from campus_agent.journal.pages import SIZE, events_in
from campus_agent.journal.possible import impossible
from campus_agent.journal.schema import searchable

_MOST_KEYS = 10_000_000  # what says that there are more runs is damaged itself
_NEWEST = (
    "SELECT max(run) FROM events",
    "SELECT max(key) FROM runs",
    "SELECT seq FROM sqlite_sequence WHERE name = 'runs'",
)
_TRACES = (("runs", "key"), ("members", "run"), ("steps", "run"), ("events", "run"))  # of a run that was not deleted

Bodies = Sequence[tuple[Event, str]]
"""Events, each with the JSON that it is stored as."""


def last_keys(db: sqlite3.Connection) -> list[tuple[str, int]]:
    """Return the name and the last key of each table of a journal that gives keys, as far as that can be read."""
    query = "SELECT name, seq FROM sqlite_sequence WHERE typeof(seq) = 'integer' AND seq BETWEEN 1 AND ?"
    with suppress(sqlite3.DatabaseError):
        return db.execute(query, (_MOST_KEYS,)).fetchall()
    return []


class DamagedJournal:
    """A damaged journal: what is asked for comes by the tables, or out of the pages where the way there is lost."""

    def __init__(self, path: Path, room: Path, *, end: float) -> None:
        """Open a copy of a damaged file.

        Args:
            path: the file; a log beside it belongs to it.
            room: an empty folder for the copy.
            end: when its pages are not to be looked at any more, by the clock that only grows.

        Raises:
            OSError: it cannot be copied.
            sqlite3.DatabaseError: nothing in it can be read.
        """
        self._path = room / "damaged.db"
        self._db = _opened(path, self._path, room / "new.db")
        self._end = end
        self._scanned: dict[int, dict[int, bytes]] | None = None

    def close(self) -> None:
        """Let go of the copy."""
        self._db.close()

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows up to the first that cannot be read."""
        return self._rows(query, *values)[0]

    def run_keys(self) -> Iterator[int]:
        """Yield every key that a run may have, the newest first: a spoiled page can also hide that there is one."""
        return iter(range(self._newest(), 0, -1))

    def events(self, key: int) -> Bodies:
        """Return the events of a run up to the first that cannot be read, or that cannot follow the others."""
        rows = self.rows("SELECT place, CAST(body AS BLOB) FROM events WHERE run = ? ORDER BY place", key)
        bodies = {place: body for place, body in rows if isinstance(place, int) and isinstance(body, bytes)}
        read = _following(bodies)
        if not (read and read[-1][0].kind == "run_finished") and self._was_there(key):
            read = _following(bodies | self._pages().get(key, {}))
        return read if read and read[0][0].kind == "run_started" else ()

    def _newest(self) -> int:
        """Return the key of the newest run: the second largest that is told, for one may be spoiled."""
        told = sorted(key for query in _NEWEST for (key,) in self.rows(query) if isinstance(key, int))
        return min(told[-2:][0] if told else max(self._pages(), default=0), _MOST_KEYS)

    def _was_there(self, key: int) -> bool:
        """Return whether a run was not deleted: what may be left of one that was is not to come back."""
        found = [self._rows(f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1", key) for table, column in _TRACES]
        return any(rows or not whole for rows, whole in found)

    def _pages(self) -> dict[int, dict[int, bytes]]:
        if self._scanned is None:
            self._scanned = {}
            with suppress(sqlite3.DatabaseError):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            for run, place, body in events_in(self._path):
                if monotonic() > self._end:
                    break
                self._scanned.setdefault(run, {})[place] = body
        return self._scanned

    def _rows(self, query: str, *values: object) -> tuple[list[tuple[object, ...]], bool]:
        """Return the rows up to the first that cannot be read, and whether these are all."""
        rows: list[tuple[object, ...]] = []
        try:
            for row in self._db.execute(query, values):
                rows.append(row)
        except sqlite3.DatabaseError:
            return rows, False
        return rows, True


def _following(bodies: Mapping[int, bytes]) -> Bodies:
    """Return the events that stand one behind the other, from the first place on, and belong to one run."""
    read: list[tuple[Event, str]] = []
    while (stored := bodies.get(len(read))) is not None:
        try:
            event = event_from_json(body := stored.decode())  # a text with a spoiled letter is none
        except ValueError:
            break
        if impossible(event) or (read and event.run_id != read[0][0].run_id):
            break
        read.append((event, body))
    return read


def _opened(damaged: Path, copy: Path, new: Path) -> sqlite3.Connection:
    """Copy a damaged file and open the copy; `new` is where a new journal can be made to see how one begins."""
    private(copy)
    shutil.copyfile(damaged, copy)
    if Path(f"{damaged}-wal").exists():
        private(Path(f"{copy}-wal"))
        shutil.copyfile(f"{damaged}-wal", f"{copy}-wal")
    try:
        return _connected(copy)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not is_damage(error):
            raise
        _give_first_page(copy, new)
        return _connected(copy)


def _connected(copy: Path) -> sqlite3.Connection:
    db = sqlite3.connect(copy, isolation_level=None)
    try:
        db.text_factory = as_text
        db.execute("PRAGMA writable_schema = ON")  # lets SQLite open a file that is shorter than it says of itself
        db.execute("SELECT run, place, body FROM events LIMIT 0")
    except BaseException:
        db.close()
        raise
    return db


def _give_first_page(copy: Path, new: Path) -> None:
    """Put the first page of a new journal in the place of one that says nothing any more.

    It tells where each table begins, which is the same in every journal: its tables are made in the same order.
    """
    with closing(connect(new, patience=0)) as db:
        searchable(db)
    with new.open("rb") as file:
        page = bytearray(file.read(SIZE))
    page[28:32] = (copy.stat().st_size // SIZE).to_bytes(4, "big")  # how many pages the file has
    with copy.open("r+b") as file:
        file.write(page)
