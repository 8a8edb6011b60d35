"""Opens the file of the journal: for its owner only, and what is no journal any more is set aside."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from campus_agent.journal.schema import APPLICATION_ID, JournalError, foreign, must_be_current, prepare, recognise
from campus_agent.text import one_line

_NAME = "journal.db"
_HEADER = b"SQLite format 3\0"
_SCHEMA = 65_536  # bytes at the beginning of a file, in which the words that made its tables stand
_SPOILED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_MOST_ASIDE = 1_000
IN_MEMORY = Path(":memory:")


def journal_path(setting: str | None) -> Path:
    """Return where the journal lives: where the setting says, else in the person's own data folder."""
    if setting:
        return Path(os.path.expanduser(setting))
    from platformdirs import user_data_path

    return user_data_path("campus-agent", appauthor=False) / _NAME


def connect(path: Path, *, patience: float) -> sqlite3.Connection:
    """Open the journal, making it if it is not there, and bring it up to date.

    Args:
        path: the file; `IN_MEMORY` for an empty journal that nothing keeps.
        patience: seconds to wait when another process writes.

    Raises:
        OSError: the file cannot be made.
        sqlite3.Error: it cannot be used; see `is_damage`.
        JournalError: it is of a newer version, or another program's.
    """
    if path != IN_MEMORY:
        _must_be_ordinary(path)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make(path)
    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        _recognised(db, path)
        with suppress(OSError):  # of somebody else, or on a disk that knows no modes
            path.chmod(0o600)
        if not db.execute("PRAGMA page_count").fetchone()[0]:  # before the log, so that the file itself shows both
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only a file without tables can still choose it
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = FAST")
        prepare(db)
    except BaseException:
        db.close()
        raise
    return db


def _make(path: Path) -> None:
    """Make the file of a journal that is not there; one that is there is not opened, see `begins_as_journal`.

    Raises `OSError` when it cannot be made, or cannot be written.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path)) from None


def connect_as_possible(path: Path, *, patience: float) -> sqlite3.Connection:
    """Open a journal to look at: an empty one where there is none, and as it stands where it cannot be written.

    Raises what `connect` raises.
    """
    if not path.exists():
        return connect(IN_MEMORY, patience=patience)
    try:
        return connect(path, patience=patience)
    except (sqlite3.Error, OSError) as error:
        if not is_unwritable(error):
            raise
        return connect_to_read(path, patience=patience)


def connect_to_read(path: Path, *, patience: float) -> sqlite3.Connection:
    """Open a journal that cannot be written, as it stands; raises what `connect` raises."""
    _must_be_ordinary(path)
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        return _read_only(address, path, patience)
    except sqlite3.OperationalError:  # beside it there is no room for the files that several readers share
        return _read_only(f"{address}&immutable=1", path, patience)


def _read_only(address: str, path: Path, patience: float) -> sqlite3.Connection:
    db = sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        _recognised(db, path)
        must_be_current(db)
    except BaseException:
        db.close()
        raise
    return db


def _must_be_ordinary(path: Path) -> None:
    """Raise `JournalError` for a pipe, a device or a folder, whose mode must not change either."""
    if path.exists() and not path.is_file():
        raise foreign(path)


def _recognised(db: sqlite3.Connection, path: Path) -> None:
    db.text_factory = as_text
    try:
        recognise(db, path)
    except sqlite3.DatabaseError as error:
        if is_damage(error) and not was_ours(path):
            raise foreign(path) from None
        raise


def as_text(stored: bytes) -> str:
    """Return a text of the journal: one that is spoiled must not hide the others."""
    return stored.decode("utf-8", "replace")


def is_busy(error: BaseException) -> bool:
    """Return whether an error says that another process writes at the moment."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def is_unwritable(error: BaseException) -> bool:
    """Return whether an error says that a file may be there to be read, and cannot be written."""
    codes = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in codes
    return isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)


def was_ours(path: Path) -> bool:
    """Return whether a file that cannot be read any more was a journal, as its name or its first bytes say."""
    if path.name == _NAME:
        return True
    with suppress(OSError), path.open("rb") as file:
        head = file.read(_SCHEMA)
        marked = head[68:72] == APPLICATION_ID.to_bytes(4, "big")
        return head.startswith(_HEADER) and (marked or b"CREATE TABLE conversations" in head)
    return False


def identity(path: Path) -> tuple[int, int] | None:
    """Return the numbers of device and entry of a file, None where there is none."""
    with suppress(OSError):
        state = os.stat(path)
        return state.st_dev, state.st_ino
    return None


def begins_as_journal(path: Path) -> bool:
    """Return whether a file begins as a journal does, whatever its log says.

    SQLite looks, for a file to which this process has a connection must not be opened and closed beside it: that would
    let go of the locks by which others see the connection, and the last of them to leave would take the log with it.
    """
    try:
        with closing(_immutable(path)) as db:
            db.execute("PRAGMA application_id").fetchone()
        return path.stat().st_size >= len(_HEADER)
    except sqlite3.Error as error:  # the others are of a moment: another process moves its log into the file
        return getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_NOTADB
    except OSError:
        return False


def _immutable(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


def doubt(path: Path) -> None:
    """Leave word that a reader has found damage, so that the next start looks the whole journal through."""
    with suppress(OSError):
        _doubted(path).touch(mode=0o600)


def is_whole(path: Path, db: sqlite3.Connection) -> bool:
    """Return whether a journal is undamaged, as far as there was any doubt; then there is none any more."""
    if not _doubted(path).exists():
        return True
    with suppress(OSError):
        _doubted(path).unlink()
    try:
        return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def _doubted(path: Path) -> Path:
    return Path(f"{path}-doubted")


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

    Raises `OSError` when it cannot be moved, `JournalError` when it never was a journal.
    """
    if not was_ours(path):
        raise foreign(path)
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
        return " ".join(filter(None, (error.explanation.what, error.explanation.next))).rstrip(".")
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
