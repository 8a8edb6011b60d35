"""The journal, as everything but a run under way uses it: lists, searches, events, and what a person does to them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from campus_agent.agent.events import Event, event_from_json
from campus_agent.journal import searching
from campus_agent.journal.damage import doubt, is_damage
from campus_agent.journal.opening import connect_as_possible, reason
from campus_agent.journal.possible import mended
from campus_agent.journal.records import (
    CONVERSATIONS,
    RUN_COLUMNS,
    ConversationRow,
    Filter,
    RunRow,
    conversation_row,
    run_row,
)
from campus_agent.journal.retention import forget
from campus_agent.journal.schema import JournalError, searchable, transaction
from campus_agent.journal.statistics import Statistics, count
from campus_agent.journal.writing import begin_branch
from campus_agent.text import one_line
from campus_agent.tools import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE = 2.0  # seconds to wait for another process
_LONGEST_TITLE = 200  # characters
LAST = "last"
"""Stands for the newest run wherever the id of one is wanted."""


class NoSuchRecord(JournalError):
    """An id that stands for nothing in the journal."""


class Journal:
    """An open journal. Every method may raise `JournalError`; use it as a context manager, or `close` it."""

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`; one that is not there is as good as an empty one.

        One that cannot be written can still be read.
        """
        self._path = path
        with self._errors():
            self._db = connect_as_possible(path, patience=_PATIENCE)
            self.full_text = searchable(self._db)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # ---- lists -----------------------------------------------------------------------------------------------------

    def newest(self, wanted: Filter | None = None, *, limit: int = 20) -> list[RunRow]:
        """Return the newest runs, newest first."""
        conditions, values = _where(wanted or Filter())
        query = f"SELECT {RUN_COLUMNS.format(place=0)} FROM runs r WHERE {conditions} ORDER BY r.key DESC LIMIT ?"
        return [run_row(row) for row in self._all(query, *values, limit)]

    def search(self, words: str, wanted: Filter | None = None, *, limit: int = 20) -> list[RunRow]:
        """Return the newest runs whose question, answer or observations hold all the words, newest first.

        A word also finds longer ones that begin with it. Raises `ValueError` when there is no word in `words`.
        """
        conditions, values = _where(wanted or Filter())
        with self._errors():
            found = searching.search(
                self._db,
                words,
                conditions,
                values,
                limit=limit,
                columns=RUN_COLUMNS.format(place=0),
                indexed=self.full_text,
            )
        return [run_row(row, around) for row, around in found]

    def statistics(self, wanted: Filter | None = None) -> Statistics:
        """Count what happened in the runs that are wanted."""
        conditions, values = _where(wanted or Filter())
        with self._errors():
            return count(self._db, conditions, values)

    def conversations(self, words: str = "", *, limit: int = 50) -> list[ConversationRow]:
        """Return the conversations, the one that was changed last first.

        With `words`, only those in whose title, or in one of whose newer runs, all of them stand.
        """
        with self._errors():
            found = searching.conversations(self._db, words, indexed=self.full_text)
        wanted = "1" if found is None else "key IN (SELECT value FROM json_each(?))"
        values = () if found is None else (json.dumps(found),)
        rows = self._all(f"{CONVERSATIONS} WHERE {wanted} ORDER BY changed DESC LIMIT ?", *values, limit)
        return [conversation_row(row) for row in rows]

    def named(self, id: str) -> ConversationRow:
        """Return the conversation that is meant by its id or that of one of its runs; `LAST` was changed last."""
        if id == LAST:
            newest = self.conversations(limit=1)
            if not newest:
                raise JournalError("No conversation is recorded yet.", next="What you ask next begins one.")
            return newest[0]
        kind, whole = self.resolve(id)
        return self.conversation(self.run(whole).conversation if kind == "run" else whole)

    def conversation(self, id: str) -> ConversationRow:
        """Return the conversation with this id, or the only one whose id begins so."""
        key = self._key("conversations", id)
        if key is None:
            raise _unknown(id)
        return conversation_row(self._all(f"{CONVERSATIONS} WHERE key = ?", key)[0])

    def runs(self, conversation: str, *, limit: int | None = None, before: int | None = None) -> list[RunRow]:
        """Return the last runs of a conversation, oldest first.

        Args:
            conversation: its id.
            limit: most runs to return; None for all.
            before: only those whose `place` is smaller, which loads what is older than what is shown.
        """
        query = f"""SELECT {RUN_COLUMNS.format(place="m.place")} FROM conversations c
            JOIN members m ON m.conversation = c.key JOIN runs r ON r.key = m.run
            WHERE c.id = ? AND m.place < ? ORDER BY m.place DESC LIMIT ?"""
        last = 2**62 if before is None else before
        rows = self._all(query, conversation, last, -1 if limit is None else limit)
        return [run_row(row) for row in reversed(rows)]

    def outline(self, conversation: str) -> list[tuple[str, str]]:
        """Return the id and the question of every run of a conversation, oldest first."""
        query = """SELECT r.id, r.question FROM conversations c JOIN members m ON m.conversation = c.key
            JOIN runs r ON r.key = m.run WHERE c.id = ? ORDER BY m.place"""
        return [(id, question) for id, question in self._all(query, conversation)]

    def run(self, id: str) -> RunRow:
        """Return the run with this id, or the only one whose id begins so; `LAST` is the newest."""
        key = self._run_key(id)
        if key is None:
            raise _unknown(id)
        return run_row(self._all(f"SELECT {RUN_COLUMNS.format(place=0)} FROM runs r WHERE r.key = ?", key)[0])

    def resolve(self, id: str) -> tuple[Literal["run", "conversation"], str]:
        """Return what an id, or as much of it as is needed, stands for, and the whole id."""
        run = self._run_key(id)
        key = None if id == LAST else self._key("conversations", id)
        if run is None:
            return "conversation", self.conversation(id).id
        whole = self.run(id).id
        if key is not None and whole != id.strip():
            other = self.conversation(id)
            if other.id == id.strip():
                return "conversation", other.id
            raise JournalError(
                f"Both a run and a conversation begin with {one_line(id, 40)}.",
                f"The run is {one_line(whole, 40)}, the conversation {one_line(other.id, 40)}.",
                "Write more of the one that you mean.",
            )
        return "run", whole

    def matching(self, id: str) -> list[RunRow]:
        """Return what an id stands for: one run, or every run of a conversation, oldest first."""
        kind, whole = self.resolve(id)
        return [self.run(whole)] if kind == "run" else self.runs(whole)

    def events(self, run: str) -> tuple[Event, ...]:
        """Return the events of a run, in order; what a newer version wrote and this one cannot read is left out."""
        from pydantic import ValidationError

        events = []
        query = "SELECT e.body FROM runs r JOIN events e ON e.run = r.key WHERE r.id = ? ORDER BY e.place"
        for (body,) in self._all(query, run):
            with suppress(ValidationError):
                events.append(mended(event_from_json(body)))
        return tuple(events)

    # ---- changes ---------------------------------------------------------------------------------------------------

    def rename(self, conversation: str, title: str) -> None:
        """Give a conversation another title. Raises `ValueError` for a blank one."""
        if not (title := one_line(title, _LONGEST_TITLE)):
            raise ValueError("a title needs some text")
        id = self.conversation(conversation).id
        with self._errors():
            self._db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, id))

    def leaving(self, id: str) -> list[RunRow]:
        """Return the runs that would go with what an id stands for, oldest first: not those that a branch shares."""
        kind, whole = self.resolve(id)
        if kind == "run":
            return [self.run(whole)]
        going = set(self._going(whole))
        return [row for row in self.runs(whole) if row.id in going]

    def delete(self, id: str) -> int:
        """Delete a run, or a conversation with the runs that no other one shares; return how many runs went.

        Nothing of their text is left in the file.
        """
        kind, whole = self.resolve(id)
        with self._errors():
            self._db.execute("PRAGMA secure_delete = ON")
            with transaction(self._db):
                ids = [whole] if kind == "run" else self._going(whole)
                forget(self._db, [key for key in map(self._run_key, ids) if key is not None])
                if kind == "conversation":
                    self._db.execute("DELETE FROM conversations WHERE id = ?", (whole,))
                if self.full_text:  # which only marks words as deleted, until it is written anew
                    self._db.execute("INSERT INTO words (words) VALUES ('optimize')")
            with suppress(sqlite3.Error):  # the log holds the old pages; with others at work it is emptied later
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return len(ids)

    def _going(self, conversation: str) -> list[str]:
        """Return the ids of the runs that belong to this conversation alone."""
        query = """
            SELECT r.id FROM conversations c JOIN members m ON m.conversation = c.key JOIN runs r ON r.key = m.run
            WHERE c.id = ? AND NOT EXISTS (SELECT 1 FROM members o WHERE o.run = m.run AND o.conversation <> c.key)"""
        return [id for (id,) in self._all(query, conversation)]

    def branch(self, conversation: str, *, before: str | None) -> ConversationRow | None:
        """Begin a conversation that shares the runs of another up to, and without, the run `before` (None: all).

        Returns None when there is nothing before it: then simply a new conversation begins.
        """
        old = self.conversation(conversation)
        if before is not None and before not in dict(self.outline(old.id)):
            raise _unknown(before)
        with self._errors(), transaction(self._db):
            key = begin_branch(self._db, old.id, before, time=clock.real_time().timestamp())
        return conversation_row(self._all(f"{CONVERSATIONS} WHERE key = ?", key)[0]) if key is not None else None

    # ---- inside ----------------------------------------------------------------------------------------------------

    def _run_key(self, id: str) -> int | None:
        if id == LAST:
            newest = self._all("SELECT max(key) FROM runs")[0][0]
            if newest is None:
                raise JournalError("No run is recorded yet.", next='Ask something: campus-agent ask "..."')
            return int(newest)
        return self._key("runs", id)

    def _key(self, table: str, id: str) -> int | None:
        """Return the key of the one record whose id is, or begins with, this text; None when there is none."""
        text = id.strip()
        rows = self._all(f"SELECT key, id FROM {table} WHERE id >= ? AND id < ? LIMIT 2", text, f"{text}\U0010ffff")
        if not text or not rows:
            return None
        if len(rows) > 1 and rows[0][1] != text:
            raise JournalError(f"Several ids begin with {one_line(id, 40)}.", next="Write more of it.")
        return int(rows[0][0])

    def _all(self, query: str, *values: object) -> list[Any]:
        with self._errors():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Say in words what SQLite cannot do."""
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            if is_damage(error):
                doubt(self._path)
            damaged = (
                "The next start of campus-agent mends it, or sets it aside, begins a new one and saves what it can."
            )
            raise JournalError(
                f"The journal cannot be used: {reason(error)}.",
                f"It is {one_line(str(self._path))}.",
                damaged if is_damage(error) else "Another file can be named with --journal-path.",
            ) from None


def _where(wanted: Filter) -> tuple[str, Sequence[object]]:
    conditions = list(wanted.conditions())
    return " AND ".join(["1", *(text for text, _ in conditions)]), [value for _, value in conditions]


def _unknown(id: str) -> NoSuchRecord:
    return NoSuchRecord(
        f"There is no run and no conversation {one_line(id, 40)!r}.",
        next="campus-agent trace list shows what there is.",
    )
