"""Looks after the full-text index: made from the events, so that it can always be made again."""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from campus_agent.journal.damage import is_damage
from campus_agent.journal.opening import is_busy
from campus_agent.journal.schema import searchable, transaction
from campus_agent.journal.writing import spoken

_LACKING = "SELECT 1 FROM runs WHERE indexed = 0 AND outcome IS NOT NULL LIMIT 1"


def mended(db: sqlite3.Connection, *, doubted: bool) -> bool:
    """Return whether there is an index that can be used; one that is damaged, or lacks runs, is made anew first.

    Args:
        db: the journal, whose tables are sound.
        doubted: whether the index is to be looked through; else only what is seen at once counts.

    Raises:
        sqlite3.Error: it cannot be made; a lock only means that there is none for now.
    """
    try:
        lost = not _is_there(db) and db.execute("SELECT 1 FROM runs WHERE indexed LIMIT 1").fetchone()
        if not searchable(db):
            return False
        if doubted:
            db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        if not lost and not db.execute(_LACKING).fetchone():
            return True
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if is_busy(error):
            return True
        if not is_damage(error):
            raise
    return _made_anew(db)


def _is_there(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'words'").fetchone() is not None


def _made_anew(db: sqlite3.Connection) -> bool:
    try:
        with transaction(db):
            _forget_old(db)
            searchable(db)
            for (run,) in db.execute("SELECT key FROM runs WHERE outcome IS NOT NULL").fetchall():
                with suppress(ValueError):  # an event that is no JSON
                    db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (run, spoken(db, run)))
            db.execute("UPDATE runs SET indexed = outcome IS NOT NULL")
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        return False
    return True


def _forget_old(db: sqlite3.Connection) -> None:
    """Drop the index without asking it, which a damaged one would not survive."""
    db.execute("PRAGMA writable_schema = ON")
    try:
        db.execute("DELETE FROM sqlite_master WHERE name = 'words'")
    finally:
        db.execute("PRAGMA writable_schema = RESET")
    parts = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'words!_%' ESCAPE '!'"
    for (name,) in db.execute(parts).fetchall():
        db.execute(f'DROP TABLE "{name}"')
