"""Opens the file of the journal: for its owner only, and not before it is known to be one."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep

from campus_agent.journal.damage import NAME, code_of, is_damage, was_ours
from campus_agent.journal.schema import (
    APPLICATION_ID,
    JournalError,
    foreign,
    must_be_complete,
    must_be_current,
    prepare,
    recognise,
    spoiled,
)
from campus_agent.text import one_line

_PAUSE = 0.005  # seconds between two tries
_LEAST = 16  # bytes of a file that may be a journal
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
IN_MEMORY = Path(":memory:")


def journal_path(setting: str | None) -> Path:
    """Return where the journal lives: where the setting says, else in the person's own data folder."""
    if setting:
        return Path(os.path.expanduser(setting))
    from platformdirs import user_data_path

    return user_data_path("campus-agent", appauthor=False) / NAME


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
    known = False
    if path != IN_MEMORY:
        _must_be_ordinary(path)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make(path)
        if Path(f"{path}-wal").exists():  # which the last to close a file that can be written moves into it
            known = _is_known(path, patience)
    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        db.text_factory = as_text
        if not known:
            _recognised(db, path)
        with suppress(OSError):  # of somebody else, or on a disk that knows no modes
            path.chmod(0o600)
        if not db.execute("PRAGMA page_count").fetchone()[0]:  # before the log, so that the file itself shows both
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only a file without tables can still choose it
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _keep_log(db, patience)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = FAST")
        prepare(db)
    except BaseException:
        db.close()
        raise
    return db


def _keep_log(db: sqlite3.Connection, patience: float) -> None:
    """Let the file have a log; SQLite itself does not wait here when several processes make the same file."""
    end = monotonic() + patience
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or monotonic() > end:
                raise
        sleep(_PAUSE)


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
    if not path.exists() and not path.is_symlink():
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


def _is_known(path: Path, patience: float) -> bool:
    """Return whether a file is a journal as far as can be told without the right to write.

    Raises what `connect` raises for one that is none, or a damaged one; it and its log stay as they are.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None)) as db:
            _recognised(db, path)
    except sqlite3.OperationalError as error:
        if not is_unwritable(error):
            raise
        return False
    return True


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
    """Raise `JournalError` for a pipe, a device or a folder, whose mode must not change either, and for a lost link."""
    if path.is_symlink() and not path.exists():
        raise JournalError(
            f"{one_line(str(path))} is a link to a file that is not there.",
            next="Make the file's folder available, or name another file as journal_path.",
        )
    if path.exists() and not path.is_file():
        raise foreign(path)


def _recognised(db: sqlite3.Connection, path: Path) -> None:
    db.text_factory = as_text
    try:
        db.execute("BEGIN")  # so that both see the same, also while another process makes the tables
        recognise(db, path)
        must_be_complete(db)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not is_damage(error):
            raise
        raise (spoiled() if was_ours(path) else foreign(path)) from None
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def as_text(stored: bytes) -> str:
    """Return a text of the journal: one that is spoiled must not hide the others."""
    return stored.decode("utf-8", "replace")


def is_busy(error: BaseException) -> bool:
    """Return whether an error says that another process writes at the moment."""
    return code_of(error) == sqlite3.SQLITE_BUSY


def is_unwritable(error: BaseException) -> bool:
    """Return whether an error says that a file may be there to be read, and cannot be written."""
    codes = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    if isinstance(error, sqlite3.Error):
        return code_of(error) in codes
    return isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)


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
        return path.stat().st_size >= _LEAST
    except sqlite3.Error as error:  # the others are of a moment: another process moves its log into the file
        return code_of(error) != sqlite3.SQLITE_NOTADB
    except OSError:
        return False


def _immutable(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)


def settle(path: Path) -> None:
    """Move what stands in the log into the file, and wait for the disk: for a thread."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")


def reason(error: BaseException) -> str:
    """Say in a few words why a journal cannot be used."""
    if isinstance(error, JournalError):
        return " ".join(filter(None, (error.explanation.what, error.explanation.next))).rstrip(".")
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
    if isinstance(error, OSError) and error.errno in _FULL:
        return known[sqlite3.SQLITE_FULL]
    return known.get(code_of(error)) or one_line(str(said), 200)
