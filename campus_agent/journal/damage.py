"""Tells a damaged journal from one that cannot be used at the moment, and moves it out of the way."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from campus_agent.journal.schema import APPLICATION_ID, foreign

NAME = "journal.db"
_HEADER = b"SQLite format 3\0"
_SCHEMA = 65_536  # bytes at the beginning of a file, in which the words that made its tables stand
_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SENSELESS = (
    *_CORRUPT,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_INTERNAL,
    sqlite3.SQLITE_NOTFOUND,
    sqlite3.SQLITE_FORMAT,
)
_MOST_ASIDE = 1_000
_MOST_TRIES = 20


def is_damage(error: BaseException) -> bool:
    """Return whether an error says that a file that is opened or read is no journal, or no whole one.

    SQLite has many words for what it can make no sense of. None of them stands for what passes, or is of the machine:
    a lock, a full disk, a right that is missing. Where it complains of a name whose letters are spoiled, Python cannot
    even read that.
    """
    senseless = isinstance(error, sqlite3.DatabaseError) and code_of(error) in _SENSELESS
    return senseless or isinstance(error, UnicodeDecodeError)


def is_corrupt(error: BaseException) -> bool:
    """Return whether an error says beyond doubt that the file is damaged, also while something is written."""
    return isinstance(error, sqlite3.DatabaseError) and code_of(error) in _CORRUPT


def code_of(error: BaseException) -> int:
    """Return the number by which SQLite calls an error, 0 for one that is not its own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def was_ours(path: Path) -> bool:
    """Return whether a file that cannot be read any more was a journal, as its name or its first bytes say."""
    if path.name == NAME:
        return True
    with suppress(OSError), path.open("rb") as file:
        head = file.read(_SCHEMA)
        marked = head[68:72] == APPLICATION_ID.to_bytes(4, "big")
        return head.startswith(_HEADER) and (marked or b"CREATE TABLE conversations" in head)
    return False


def doubt(path: Path) -> None:
    """Leave word that damage was found, so that the next start looks the whole journal through."""
    with suppress(OSError):
        _doubted(path).touch(mode=0o600)


def is_doubted(path: Path) -> bool:
    """Return whether somebody has found damage."""
    return _doubted(path).exists()


def is_whole(path: Path, db: sqlite3.Connection) -> bool:
    """Return whether a journal is undamaged, as far as there was any doubt; if it is, there is none any more."""
    if not is_doubted(path):
        return True
    try:
        whole = bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False
    if whole:
        _doubted(path).unlink(missing_ok=True)
    return whole


def _doubted(path: Path) -> Path:
    return Path(f"{path}-doubted")


def set_aside(path: Path, now: datetime) -> Path:
    """Move a damaged journal out of the way, with the files that belong to it, and return its new name.

    Raises `OSError` when it cannot be moved, `JournalError` when it never was a journal.
    """
    if not was_ours(path):
        raise foreign(path)
    for number in range(_MOST_ASIDE):
        aside = path.with_name(f"{path.stem}-damaged-{now:%Y%m%d}{f'-{number}' if number else ''}{path.suffix}")
        if not aside.exists():
            break
    for part in ("-wal", "-shm", ""):  # the file last: a new one must not find the log of the old one
        try:
            Path(f"{path}{part}").rename(f"{aside}{part}")
        except FileNotFoundError:
            if not part:
                raise
    with suppress(OSError):
        _doubted(path).unlink(missing_ok=True)
    return aside


@contextmanager
def alone(mark: Path, *, patience: float) -> Iterator[None]:
    """Let no other campus-agent into what follows.

    The file `mark` stands there meanwhile, and stays only behind a process that was stopped in the middle. Nobody holds
    it then, for the system lets go of what a process has locked.

    Args:
        mark: an empty file, made for this.
        patience: seconds to wait for another.

    Raises:
        sqlite3.OperationalError: another has not left in time, or the file cannot be made.
    """
    try:
        with closing(_locked(mark, patience)):
            yield
    except Exception as error:
        if code_of(error) != sqlite3.SQLITE_BUSY:
            _remove(mark)
        raise
    _remove(mark)


def _locked(mark: Path, patience: float) -> sqlite3.Connection:
    for tries_left in range(_MOST_TRIES, -1, -1):
        lock = sqlite3.connect(mark, timeout=patience, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
            break
        except sqlite3.OperationalError as error:
            lock.close()
            if code_of(error) != sqlite3.SQLITE_IOERR or not tries_left:  # that is: removed by the one that had it
                raise
    return lock


def _remove(mark: Path) -> None:
    with suppress(OSError):
        mark.unlink(missing_ok=True)


def private(path: Path) -> None:
    """Make an empty file that only its owner may read."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
