"""Finds the runs in which some words stand."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from campus_agent.knowledge.words import is_run_part

_WORD = re.compile(r"\w+")
_AROUND = 12  # words of the text around what was found
_MOST_RUNS = 1_000  # whose conversations are looked for
_LOOKED_AT = "('run_started', 'observed', 'run_finished')"

Found = tuple[Sequence[Any], str]
"""The columns that were asked for, and the text around what was found."""


def search(
    db: sqlite3.Connection,
    words: str,
    conditions: str,
    values: Sequence[object],
    *,
    limit: int,
    columns: str,
    indexed: bool,
) -> list[Found]:
    """Return the newest runs in which all of the words stand, newest first.

    The full-text index holds the runs that have an end. The few others are looked through one by one, and so is every
    run where this SQLite has no index (`indexed`).

    Args:
        db: the journal.
        words: what to look for. Raises `ValueError` when there is no word in it.
        conditions: what else has to be true of a run `r`, in SQL.
        values: of the parameters in it.
        limit: most runs to return.
        columns: what to return of each.
        indexed: whether there is an index.
    """
    parts = _WORD.findall(words)
    if not parts:
        raise ValueError("there is no word to search for")
    # The index holds words between spaces, so where none are written it would only find the first of many.
    indexed = indexed and not any(is_run_part(part) for part in parts)
    rows = list(_looked_through(db, parts, conditions, values, limit, columns, only_others=indexed))
    if indexed:
        rows += _from_index(db, parts, conditions, values, limit, columns)
    rows.sort(key=lambda row: row[0], reverse=True)
    return [(row[2:], row[1]) for row in rows[:limit]]


def conversations(db: sqlite3.Connection, words: str, *, indexed: bool) -> list[int] | None:
    """Return the keys of the conversations in whose title, or in one of whose newer runs, all of the words stand.

    None, for every one, when there is no word in `words`.
    """
    parts = _WORD.findall(words)
    if not parts:
        return None
    titled = " AND ".join(["title LIKE ?"] * len(parts))
    keys = {
        key for (key,) in db.execute(f"SELECT key FROM conversations WHERE {titled}", [f"%{one}%" for one in parts])
    }
    found = search(db, words, "1", (), limit=_MOST_RUNS, columns="r.key", indexed=indexed)
    runs = json.dumps([columns[0] for columns, _ in found])
    holding = "SELECT DISTINCT conversation FROM members WHERE run IN (SELECT value FROM json_each(?))"
    return sorted(keys | {key for (key,) in db.execute(holding, (runs,))})


def _from_index(
    db: sqlite3.Connection, parts: Sequence[str], conditions: str, values: Sequence[object], limit: int, columns: str
) -> Iterator[Any]:
    wanted = " ".join(f'"{part}"*' for part in parts)
    yield from db.execute(
        f"SELECT r.key, snippet(words, 0, '', '', '…', {_AROUND}), {columns}"
        f" FROM words CROSS JOIN runs r ON r.key = words.rowid"
        f" WHERE words MATCH ? AND {conditions} ORDER BY words.rowid DESC LIMIT ?",
        (wanted, *values, limit),
    )


def _looked_through(
    db: sqlite3.Connection,
    parts: Sequence[str],
    conditions: str,
    values: Sequence[object],
    limit: int,
    columns: str,
    *,
    only_others: bool,
) -> Iterator[Any]:
    stands = (
        "EXISTS (SELECT 1 FROM events e WHERE e.run = r.key"
        f" AND e.kind IN {_LOOKED_AT} AND json_extract(e.body, '$.question', '$.content', '$.answer') LIKE ?)"
    )
    every = " AND ".join([stands] * len(parts))
    others = "r.indexed = 0 AND" if only_others else ""
    yield from db.execute(
        f"SELECT r.key, '', {columns} FROM runs r WHERE {others} {every} AND {conditions} ORDER BY r.key DESC LIMIT ?",
        (*(f"%{part}%" for part in parts), *values, limit),
    )
