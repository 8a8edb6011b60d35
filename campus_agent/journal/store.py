"""The journal, as everything but a run under way uses it: lists, searches, events, and what a person does to them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from campus_agent.agent.events import Event, event_from_json
from campus_agent.agent.outcome import Outcome
from campus_agent.journal import searching
from campus_agent.journal.opening import IN_MEMORY, connect, is_damage, reason
from campus_agent.journal.records import ConversationRow, Filter, RunRow
from campus_agent.journal.retention import forget
from campus_agent.journal.schema import JournalError, searchable, transaction
from campus_agent.journal.statistics import Statistics, count
from campus_agent.journal.writing import begin_branch
from campus_agent.models.chat_model import Usage
from campus_agent.text import one_line
from campus_agent.tools import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE = 2.0  # seconds to wait for another process
_LONGEST_TITLE = 200  # characters
LAST = "last"
"""Stands for the newest run wherever the id of one is wanted."""

_RUN = """
    r.id, (SELECT c.id FROM members m JOIN conversations c ON c.key = m.conversation WHERE m.run = r.key LIMIT 1),
    {place}, r.question, r.began, r.model, r.provider, r.outcome,
    (SELECT count(*) FROM steps WHERE run = r.key), (SELECT count(*) FROM calls WHERE run = r.key),
    r.duration_ms, r.prompt_tokens, r.completion_tokens"""
_CONVERSATION = """
    SELECT id, title, base, model, began, changed, (SELECT count(*) FROM members WHERE conversation = key)
    FROM conversations"""


class Journal:
    """An open journal. Every method may raise `JournalError`; use it as a context manager, or `close` it."""

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`; one that is not there is as good as an empty one."""
        self._path = path
        with self._errors():
            self._db = connect(path if path.exists() else IN_MEMORY, patience=_PATIENCE)
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
        query = f"SELECT {_RUN.format(place=0)} FROM runs r WHERE {conditions} ORDER BY r.key DESC LIMIT ?"
        return [_run(row) for row in self._all(query, *values, limit)]

    def search(self, words: str, wanted: Filter | None = None, *, limit: int = 20) -> list[RunRow]:
        """Return the newest runs whose question, answer or observations hold all the words, newest first.

        A word also finds longer ones that begin with it. Raises `ValueError` when there is no word in `words`.
        """
        conditions, values = _where(wanted or Filter())
        with self._errors():
            found = searching.search(
                self._db, words, conditions, values, limit=limit, columns=_RUN.format(place=0), indexed=self.full_text
            )
        return [_run(row, around) for row, around in found]

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
        rows = self._all(f"{_CONVERSATION} WHERE {wanted} ORDER BY changed DESC LIMIT ?", *values, limit)
        return [_conversation(row) for row in rows]

    def named(self, id: str) -> ConversationRow:
        """Return the conversation that is meant by its id or that of one of its runs; `LAST` was changed last."""
        if id == LAST:
            newest = self.conversations(limit=1)
            if not newest:
                raise JournalError("No conversation is recorded yet.", next="Ask something first: campus-agent.")
            return newest[0]
        kind, whole = self.resolve(id)
        return self.conversation(self.run(whole).conversation if kind == "run" else whole)

    def conversation(self, id: str) -> ConversationRow:
        """Return the conversation with this id, or the only one whose id begins so."""
        key = self._key("conversations", id)
        if key is None:
            raise _unknown(id)
        return _conversation(self._all(f"{_CONVERSATION} WHERE key = ?", key)[0])

    def runs(self, conversation: str, *, limit: int | None = None, before: int | None = None) -> list[RunRow]:
        """Return the last runs of a conversation, oldest first.

        Args:
            conversation: its id.
            limit: most runs to return; None for all.
            before: only those whose `place` is smaller, which loads what is older than what is shown.
        """
        query = f"""SELECT {_RUN.format(place="m.place")} FROM conversations c
            JOIN members m ON m.conversation = c.key JOIN runs r ON r.key = m.run
            WHERE c.id = ? AND m.place < ? ORDER BY m.place DESC LIMIT ?"""
        last = 2**62 if before is None else before
        rows = self._all(query, conversation, last, -1 if limit is None else limit)
        return [_run(row) for row in reversed(rows)]

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
        return _run(self._all(f"SELECT {_RUN.format(place=0)} FROM runs r WHERE r.key = ?", key)[0])

    def resolve(self, id: str) -> tuple[Literal["run", "conversation"], str]:
        """Return what an id, or as much of it as is needed, stands for, and the whole id."""
        if self._run_key(id) is not None:
            return "run", self.run(id).id
        return "conversation", self.conversation(id).id

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
                events.append(event_from_json(body))
        return tuple(events)

    # ---- changes ---------------------------------------------------------------------------------------------------

    def rename(self, conversation: str, title: str) -> None:
        """Give a conversation another title. Raises `ValueError` for a blank one."""
        if not (title := one_line(title, _LONGEST_TITLE)):
            raise ValueError("a title needs some text")
        id = self.conversation(conversation).id
        with self._errors():
            self._db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, id))

    def delete(self, id: str) -> int:
        """Delete a run, or a conversation with the runs that no other one shares; return how many runs went."""
        run = self._run_key(id)
        with self._errors(), transaction(self._db):
            if run is not None:
                forget(self._db, [run])
                return 1
            key = self._key("conversations", id)
            if key is None:
                raise _unknown(id)
            rows = self._db.execute(
                "SELECT run FROM members m WHERE conversation = ?1"
                " AND NOT EXISTS (SELECT 1 FROM members o WHERE o.run = m.run AND o.conversation <> ?1)",
                (key,),
            ).fetchall()
            forget(self._db, [one for (one,) in rows])
            self._db.execute("DELETE FROM conversations WHERE key = ?", (key,))
            return len(rows)

    def branch(self, conversation: str, *, before: str | None) -> ConversationRow | None:
        """Begin a conversation that shares the runs of another up to, and without, the run `before` (None: all).

        Returns None when there is nothing before it: then simply a new conversation begins.
        """
        old = self.conversation(conversation)
        if before is not None and before not in dict(self.outline(old.id)):
            raise _unknown(before)
        with self._errors(), transaction(self._db):
            key = begin_branch(self._db, old.id, before, time=clock.real_time().timestamp())
        return _conversation(self._all(f"{_CONVERSATION} WHERE key = ?", key)[0]) if key is not None else None

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
        except (sqlite3.Error, OSError) as error:
            damaged = "It is set aside, and a new one begun, when the next question is asked."
            raise JournalError(
                f"The journal cannot be used: {reason(error)}.",
                f"It is {one_line(str(self._path))}.",
                damaged if is_damage(error) else "Another file can be named with --journal-path.",
            ) from None


def _where(wanted: Filter) -> tuple[str, Sequence[object]]:
    conditions = list(wanted.conditions())
    return " AND ".join(["1", *(text for text, _ in conditions)]), [value for _, value in conditions]


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _run(row: Sequence[Any], found: str = "") -> RunRow:
    id, conversation, place, question, began, model, provider, outcome, steps, calls, duration, read, written = row
    usage = None if read is None else Usage(prompt_tokens=read, completion_tokens=written)
    ending = Outcome(outcome) if outcome else None
    return RunRow(
        id, conversation, place, question, _time(began), model, provider, ending, steps, calls, duration, usage, found
    )


def _conversation(row: Sequence[Any]) -> ConversationRow:
    id, title, base, model, began, changed, runs = row
    return ConversationRow(id, title, base, model, _time(began), _time(changed), runs)


def _unknown(id: str) -> JournalError:
    return JournalError(
        f"There is no run and no conversation {one_line(id, 40)!r}.",
        next="campus-agent trace list shows what there is.",
    )
