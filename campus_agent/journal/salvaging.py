"""Copies what can still be read of a damaged journal into another one: run by run, the newest first.

The events alone decide what is saved, for all else is made from them.
"""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from campus_agent.agent.events import Event
from campus_agent.journal.damage import is_damage
from campus_agent.journal.damaged_journal import DamagedJournal
from campus_agent.journal.opening import connect, reason
from campus_agent.journal.possible import is_id
from campus_agent.journal.salvage_room import room_for
from campus_agent.journal.schema import JournalError, searchable, transaction
from campus_agent.journal.writing import Place, append, new_id
from campus_agent.text import one_line

_PATIENCE = 2.0  # seconds to wait for another process
_NAMELESS = "Saved from a damaged journal"
_LATE = "there was no more time"
_UNWRITABLE = (sqlite3.IntegrityError, ValueError, OverflowError)  # a run that no journal can hold


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What came of a damaged journal.

    Attributes:
        conversations: how many conversations what was saved belongs to.
        runs: how many runs were saved.
        known: how many were in the other journal already.
        stopped: why not everything was looked at, "" when it was.
    """

    conversations: int = 0
    runs: int = 0
    known: int = 0
    stopped: str = ""


def salvage(damaged: Path, db: sqlite3.Connection, *, seconds: float = math.inf) -> Salvaged:
    """Copy what can be read of a damaged journal into the open journal `db`, for at most so many seconds.

    A run keeps its key and its place where they are free, so that what is asked later stays the newest. One whose
    events can be read in part is saved up to the first that cannot, and so has no end. With so many seconds, `db` waits
    for other processes as long as they last; how long it waits afterwards is for the caller to set.
    """
    end = monotonic() + seconds
    beside = Path(db.execute("PRAGMA database_list").fetchone()[2]).parent
    try:
        with room_for(damaged, beside) as room, closing(DamagedJournal(damaged, room, end=end)) as old:
            return _Saving(old, db, searchable(db)).go_through(end)
    except (sqlite3.Error, OSError) as error:  # nothing in it can be read, or there is no room for the copy
        return Salvaged(stopped="" if is_damage(error) else reason(error))


def salvage_into(path: Path, damaged: Path) -> Salvaged:
    """Copy what can be read of a damaged journal into the one at `path`; raises `JournalError` for one of no use."""
    try:
        with closing(connect(path, patience=_PATIENCE)) as db:
            return salvage(damaged, db)
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"Nothing was saved: {reason(error)}.", f"The journal is {one_line(str(path))}.") from None


@dataclass
class _Saving:
    """One journal that is read, one that is written, and what of the one has become what in the other."""

    old: DamagedJournal
    db: sqlite3.Connection
    words: bool  # whether there is a full-text index to keep
    conversations: dict[int | None, int] = field(default_factory=dict)  # the new key of each old one; None: not known

    def go_through(self, end: float) -> Salvaged:
        """Save every run, the newest first, until the clock says `end`."""
        runs = known = 0
        stopped = ""
        for key in self.old.run_keys():
            if (left := end - monotonic()) < 0:
                stopped = _LATE
                break
            try:
                self._wait_for_others(left)
                with transaction(self.db):
                    saved = self._save(key)
            except _UNWRITABLE:
                self._forget_unmade()
                continue
            except sqlite3.Error as error:
                stopped = reason(error)
                break
            runs += saved is True
            known += saved is False
        return Salvaged(len(set(self.conversations.values())), runs, known, stopped)

    def _wait_for_others(self, seconds: float) -> None:
        if seconds < math.inf:
            self.db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def _forget_unmade(self) -> None:
        """Forget the conversations that were not made after all, with the run that they were made for."""
        made = "SELECT 1 FROM conversations WHERE key = ?"
        self.conversations = {
            old: key for old, key in self.conversations.items() if self.db.execute(made, (key,)).fetchone()
        }

    def _save(self, key: int) -> bool | None:
        """Save a run; return False for one that is there already, None where there is none to be read."""
        events = self.old.events(key)
        if not events:
            return None
        first = events[0][0]
        id, stored = first.run_id, first.time.timestamp()
        match self.old.rows("SELECT id, stored FROM runs WHERE key = ?", key):
            case [(str(said), float(moment))] if is_id(said):
                id, stored = said, moment
        if self.db.execute("SELECT 1 FROM runs WHERE id = ?", (id,)).fetchone():
            return False
        run = self._begin(key, id, first, stored)
        place = Place(run=run)
        for event, body in events:
            place = append(self.db, place, event, body, searchable=self.words)
        return True

    def _begin(self, key: int, id: str, first: Event, stored: float) -> int:
        """Add a run to the conversations that it belongs to, and return its key."""
        time = first.time.timestamp()
        row = (self._free("runs", key), id, *(getattr(first, name) for name in ("question", "model", "provider")))
        made = self.db.execute(
            "INSERT INTO runs (key, id, question, model, provider, began, stored) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*row, time, stored),
        )
        members = self.old.rows("SELECT conversation, place FROM members WHERE run = ?", key)
        for old, place in members or [(None, key)]:
            conversation = self._conversation(old if isinstance(old, int) else None, time)
            self.db.execute(
                "INSERT INTO members VALUES (?1, CASE WHEN EXISTS"
                " (SELECT 1 FROM members WHERE conversation = ?1 AND place = ?2)"
                " THEN (SELECT 1 + max(place) FROM members WHERE conversation = ?1) ELSE ?2 END, ?3)",
                (conversation, place, made.lastrowid),
            )
        assert made.lastrowid is not None
        return made.lastrowid

    def _conversation(self, old: int | None, time: float) -> int:
        """Return the new key of a conversation, which is made when it is not there."""
        if old not in self.conversations:
            self.conversations[old] = self._made(old, time)
        key = self.conversations[old]
        moments = "UPDATE conversations SET began = min(began, ?1), changed = max(changed, ?1) WHERE key = ?2"
        self.db.execute(moments, (time, key))
        return key

    def _made(self, old: int | None, time: float) -> int:
        row: tuple[object, ...] = (new_id(), _NAMELESS, "", "", time, time)
        match self.old.rows("SELECT id, title, base, model, began, changed FROM conversations WHERE key = ?", old):
            case [(str(id), str(), str(), str(), float(), float()) as said] if is_id(id):
                row = said
        there = self.db.execute("SELECT key FROM conversations WHERE id = ?", row[:1]).fetchone()
        if there:
            return int(there[0])
        key = self._free("conversations", old)
        made = self.db.execute("INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?, ?)", (key, *row))
        assert made.lastrowid is not None
        return made.lastrowid

    def _free(self, table: str, key: int | None) -> int | None:
        """Return a key that nothing else has yet, else None: then the journal gives it the next."""
        return None if self.db.execute(f"SELECT 1 FROM {table} WHERE key = ?", (key,)).fetchone() else key
