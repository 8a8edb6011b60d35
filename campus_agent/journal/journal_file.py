"""The journal's file, as one sitting holds it open to write in.

Nothing here waits once it is open. A commit is a write into the system's memory: a process that is killed loses nothing
of it, and the disk is waited for elsewhere, by a thread that moves what was written into the file proper.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread

from campus_agent.journal.damage import alone, is_damage, is_doubted, is_whole, set_aside
from campus_agent.journal.damaged_journal import last_keys
from campus_agent.journal.indexing import mended
from campus_agent.journal.opening import begins_as_journal, connect, identity, is_unwritable, settle
from campus_agent.journal.salvage_room import left_behind
from campus_agent.journal.salvaging import salvage
from campus_agent.journal.saying import REPLACED, damaged, unfinished
from campus_agent.tools import clock

_LARGEST_LOG = 4_000_000  # bytes that wait to be moved into the file
_LONGEST_SALVAGE = 5.0  # seconds of a start
_LONGEST_WAIT = 5.0  # seconds for another process that opens the file, or sets it aside


class JournalFile:
    """A file that is open to be written in, or that is closed again.

    Attributes:
        path: where it is.
        db: the open journal, None when it is closed.
        searchable: whether there is a full-text index to keep.
    """

    def __init__(self, path: Path, *, patience: float) -> None:
        """Take where it is, and the seconds to wait for another process while it is opened."""
        self.path = path
        self.db: sqlite3.Connection | None = None
        self.searchable = False
        self._patience = patience
        self._identity: tuple[int, int] | None = None
        self._settling: Thread | None = None

    def open(self) -> str:
        """Open the file, and return what a person has to be told of that; "" for nothing.

        A damaged one is set aside and a new one begun. Raises `sqlite3.Error`, `OSError` and `JournalError`.
        """
        said = [unfinished(file) for file in left_behind(self.path.parent)]
        with self._alone():
            aside = None if self._is_whole() else self._begin_afresh()
        if aside is not None and self.db is not None:
            said.append(damaged(aside, salvage(aside, self.db, seconds=_LONGEST_SALVAGE)))
            self.db.execute("PRAGMA busy_timeout = 0")
        return " ".join(said)

    def begin_afresh(self) -> str:
        """Set a damaged file aside, begin a new one, and return what a person has to be told; raises as `open`."""
        with self._alone():
            if self._identity == identity(self.path):
                return damaged(self._begin_afresh(), None)
            self.close()  # another campus-agent has done so meanwhile
            self._use()
            return REPLACED

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let nobody else open the file, or set it aside, meanwhile; where no mark can be left, nobody can do so."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with ExitStack() as held:
            try:
                held.enter_context(alone(Path(f"{self.path}-lock"), patience=_LONGEST_WAIT))
            except sqlite3.OperationalError as error:
                if not is_unwritable(error):
                    raise
            yield

    def _is_whole(self) -> bool:
        try:
            return is_whole(self.path, self._use())
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            return False

    def _begin_afresh(self) -> Path:
        """Set the file aside, begin a new one, and return where the old one is."""
        last = last_keys(self.db) if self.db is not None else []
        aside = self._set_aside()
        db = self._use()
        # So that what is saved from the damaged one later can have the keys that it had there, before all that is new.
        db.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", last)
        return aside

    def _set_aside(self) -> Path:
        """Move the file as it is: closing it before would move its log into it."""
        if os.name == "nt":  # where what is open cannot be moved
            self.close()
        aside = set_aside(self.path, clock.real_time())
        self.close()
        return aside

    def close(self) -> None:
        """Let go of the file."""
        if self.db is not None:
            with suppress(sqlite3.Error):
                self.db.execute("PRAGMA synchronous = NORMAL")  # the last one to close moves everything into the file
            self.db.close()
            self.db = self._identity = None

    @property
    def replaced(self) -> bool:
        """Whether the file that is open is not the one that is there any more."""
        if self.db is None:
            return False
        return identity(self.path) != self._identity or not begins_as_journal(self.path)

    def tidy(self) -> None:
        """Have the log moved into the file when it has grown long."""
        if self.db is None or (self._settling and self._settling.is_alive()):
            return
        with suppress(OSError):
            if os.stat(f"{self.path}-wal").st_size > _LARGEST_LOG:
                self._settling = Thread(target=settle, args=(self.path,), name="campus-agent-journal", daemon=True)
                self._settling.start()

    def _use(self) -> sqlite3.Connection:
        db = connect(self.path, patience=self._patience)
        try:
            db.execute("SELECT * FROM runs ORDER BY key DESC LIMIT 1").fetchone()  # finds a file that is cut off
            self.searchable = mended(db, doubted=is_doubted(self.path))
            # From here on nothing waits: not for another process, not for the disk. What is committed stands in the
            # log, and only `settle`, which does wait for the disk, moves it on; so no crash can spoil the file.
            db.execute("PRAGMA busy_timeout = 0")
            db.execute("PRAGMA synchronous = OFF")
            db.execute("PRAGMA wal_autocheckpoint = 0")
            self._identity = identity(self.path)
        except BaseException:
            db.close()
            raise
        self.db = db
        return db
