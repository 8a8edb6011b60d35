"""Opens the file of the journal: for its owner only, and what is no journal any more is set aside."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from campus_agent.journal.schema import JournalError, prepare
from campus_agent.text import one_line

_SPOILED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_MOST_ASIDE = 1_000
IN_MEMORY = Path(":memory:")


def journal_path(setting: str | None) -> Path:
    """Return where the journal lives: where the setting says, else in the person's own data folder."""
    if setting:
        return Path(os.path.expanduser(setting))
    from platformdirs import user_data_path

    return user_data_path("campus-agent", appauthor=False) / "journal.db"


def connect(path: Path, *, patience: float) -> sqlite3.Connection:
    """Open the journal, making it if it is not there, and bring it up to date.

    Args:
        path: the file; `IN_MEMORY` for an empty journal that nothing keeps.
        patience: seconds to wait when another process writes.

    Raises:
        OSError: the file cannot be made.
        sqlite3.Error: it cannot be used; see `is_damage`.
        JournalError: it is of a newer version.
    """
    if path != IN_MEMORY:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        with suppress(OSError):  # of somebody else, or on a disk that knows no modes
            path.chmod(0o600)
    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        if not db.execute("PRAGMA page_count").fetchone()[0]:
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only a file without tables can still choose it
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = FAST")
        prepare(db)
    except BaseException:
        db.close()
        raise
    return db


def settle(path: Path) -> None:
    """Move what stands in the log into the file, and wait for the disk: for a thread."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")


def is_damage(error: BaseException) -> bool:
    """Return whether an error says that the file is no journal, or no whole one."""
    return isinstance(error, sqlite3.DatabaseError) and (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _SPOILED


def set_aside(path: Path, now: datetime) -> Path:
    """Move a damaged journal out of the way, with the files that belong to it, and return its new name.

    Raises `OSError` when it cannot be moved.
    """
    for number in range(_MOST_ASIDE):
        aside = path.with_name(f"{path.stem}-damaged-{now:%Y%m%d}{f'-{number}' if number else ''}{path.suffix}")
        if not aside.exists():
            break
    path.rename(aside)
    for part in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{part}").rename(f"{aside}{part}")
    return aside


def reason(error: BaseException) -> str:
    """Say in a few words why a journal cannot be used."""
    if isinstance(error, JournalError):
        return error.explanation.what
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    known = {
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_BUSY: "another program keeps it locked",
        sqlite3.SQLITE_LOCKED: "another program keeps it locked",
        sqlite3.SQLITE_READONLY: "it cannot be written",
        sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
        sqlite3.SQLITE_IOERR: "it could not be read or written",
    }
    if is_damage(error):
        return "its file is damaged"
    said = getattr(error, "strerror", None) or str(error)
    return known.get(code) or one_line(str(said), 200)
