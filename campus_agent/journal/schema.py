"""The tables of the journal, and how an older journal becomes a newer one.

`events` is the journal; all else is made from it, in the same transaction, so that lists and searches need not read
every event. Few have an index: each makes every run dearer, and looking through the short rows of 100,000 runs takes
less than a person notices. A run may belong to several conversations: a branch shares the runs that it begins with.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from campus_agent.errors import CampusAgentError
from campus_agent.text import one_line

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE conversations (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        base TEXT NOT NULL,
        model TEXT NOT NULL,
        began REAL NOT NULL,            -- seconds since 1970, as all times here
        changed REAL NOT NULL
    );
    CREATE INDEX conversations_by_change ON conversations (changed);
    CREATE TABLE runs (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        question TEXT NOT NULL,
        model TEXT NOT NULL,
        provider TEXT NOT NULL,
        began REAL NOT NULL,
        stored REAL NOT NULL,           -- when it came into the journal: later than `began` for an import
        outcome TEXT,                   -- NULL while there is no end
        duration_ms REAL,
        prompt_tokens INTEGER,          -- NULL where the server did not say
        completion_tokens INTEGER,
        indexed INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX runs_not_indexed ON runs (key) WHERE indexed = 0;
    CREATE TABLE members (
        conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
        place INTEGER NOT NULL,
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        PRIMARY KEY (conversation, place)
    ) WITHOUT ROWID;
    CREATE INDEX members_by_run ON members (run);
    CREATE TABLE events (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        place INTEGER NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (run, place)
    ) WITHOUT ROWID;
    CREATE TABLE steps (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        step INTEGER NOT NULL,
        model_ms REAL,                  -- NULL while the step goes on
        PRIMARY KEY (run, step)
    ) WITHOUT ROWID;
    CREATE TABLE calls (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        step INTEGER NOT NULL,
        call_id TEXT NOT NULL,
        tool TEXT NOT NULL,
        repaired INTEGER NOT NULL,
        status TEXT,                    -- NULL until something came back
        latency_ms REAL,
        PRIMARY KEY (run, step, call_id)
    ) WITHOUT ROWID;
    """,
)
"""The scripts that lead from each version to the next; version 0 is an empty file."""

APPLICATION_ID = 0x43614A6F  # "CaJo"
"""Marks the file as a journal of this program, as SQLite's own header has room for."""

_LAST_VERSION = 999  # what says that it is of a later one is damaged
_TABLES = ("conversations", "runs", "members", "events", "steps", "calls")
_OURS = {"conversations", "runs", "members", "events"}
_WORDS = 'CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, tokenize = "unicode61 remove_diacritics 2")'


class JournalError(CampusAgentError):
    """A journal, or a record in it, that cannot be used."""


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Do what follows wholly or not at all; the right to write is asked for first, so nothing can block later."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite itself rolls back after some errors, such as a full disk
            db.execute("ROLLBACK")
        raise


def recognise(db: sqlite3.Connection, path: Path) -> None:
    """Raise `JournalError` for a file in which another program keeps something; nothing is written.

    A journal that is older than the mark in the header, or whose mark is spoiled, is known by its tables.
    """
    mark = db.execute("PRAGMA application_id").fetchone()[0]
    if mark == APPLICATION_ID:
        return
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if (mark or tables) and not (tables >= _OURS and _version(db)):
        raise foreign(path)


def must_be_complete(db: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` when the tables are not those of the version that the file says it is of."""
    version = _version(db)
    if 0 <= version <= len(MIGRATIONS):
        with closing(sqlite3.connect(":memory:")) as new:
            new.executescript("".join(MIGRATIONS[:version]))
            whole = _columns(db) == _columns(new)
    else:
        whole = 0 < version <= _LAST_VERSION
    if not whole:
        raise spoiled()


def spoiled() -> sqlite3.DatabaseError:
    """Return the error for damage that SQLite itself does not call so."""
    error = sqlite3.DatabaseError("the file is damaged")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _columns(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    query = "SELECT ?1, name, type FROM pragma_table_info(?1)"
    return {row for table in _TABLES for row in db.execute(query, (table,))}


def foreign(path: Path) -> JournalError:
    """Return the error for a file that is something else than a journal."""
    return JournalError(
        f"{one_line(str(path))} is no journal of campus-agent, and stays as it is.",
        next="Name another file as journal_path.",
    )


def prepare(db: sqlite3.Connection) -> None:
    """Make the tables of a new journal, or bring those of an older one up to date.

    Raises `JournalError` for a journal of a newer version, and `sqlite3.Error` for what SQLite cannot do.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    if _version(db) < len(MIGRATIONS):
        try:
            _migrate(db)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_ERROR:
                raise
            # The tables were found to be whole, so the fault is the script's, and the file must not pay for it.
            raise JournalError(f"The journal could not be brought up to date: {one_line(str(error), 200)}.") from None
    must_be_current(db)


def _migrate(db: sqlite3.Connection) -> None:
    with transaction(db):
        for number in range(_version(db), len(MIGRATIONS)):  # asked again: another process may have been faster
            for statement in MIGRATIONS[number].split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {number + 1}")


def must_be_current(db: sqlite3.Connection) -> None:
    """Raise `JournalError` for a journal of another version than this program's."""
    if _version(db) > len(MIGRATIONS):
        raise JournalError(
            "The journal was written by a newer campus-agent.",
            next="Update campus-agent, or name another journal_path.",
        )
    if _version(db) < len(MIGRATIONS):
        raise JournalError(
            "The journal is of an older campus-agent, and cannot be written to bring it up to date.",
            next="Copy it to a folder of your own, and name the copy as journal_path.",
        )


def searchable(db: sqlite3.Connection) -> bool:
    """Return whether this SQLite can search full text; the index for it is made when it is not there."""
    try:
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'words'").fetchone():
            db.execute("SELECT rowid FROM words LIMIT 0")
        else:
            db.execute(_WORDS)
    except sqlite3.OperationalError as error:
        if "no such module" in str(error) or error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_READONLY:
            return False
        raise
    return True


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version
