"""Writes a base to PostgreSQL as a new generation and puts it in force, all in one transaction."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any
from uuid import UUID, uuid4

import psycopg

from campus_agent.errors import CampusAgentError, KnowledgeError
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.campus_file import CampusFile
from campus_agent.knowledge.postgres.address import Address
from campus_agent.knowledge.postgres.connections import Connection, connect, reason, unusable
from campus_agent.knowledge.postgres.tables import TABLES, VERSION, packed, passage_text, posting_rows
from campus_agent.knowledge.rules import rules_in_force

_LOCK = 0x63616D707573  # of the advisory lock that one push holds; any number that nobody else is likely to take
_TOLD_EVERY = 500  # rows

Progress = Callable[[int, int], None]  # rows written, of how many


def push(
    base: KnowledgeBase,
    campus: CampusFile,
    address: Address,
    *,
    progress: Progress | None = None,
    waiting: Callable[[], None] | None = None,
) -> None:
    """Write `base`, and what its `campus.toml` says, to the server at `address`.

    Readers search the generation before until this one is whole, and for ever if it is broken off. That generation is
    kept beside the new one, so that nobody loses it in the middle of a search; older ones are removed.

    Args:
        base: read from files.
        campus: what the base sets.
        address: of a server that can be written.
        progress: told now and then, and at the end.
        waiting: told when another push is under way, whose end is waited for.

    Raises:
        KnowledgeError: the server cannot be reached or written, or has tables of another version.
        CampusAgentError: the push was broken off; nothing of it can be seen.
    """
    try:
        connection = connect(address, writing=True)
    except psycopg.Error as error:
        raise unusable(address, error) from None
    with closing(connection):
        try:
            with connection.transaction():
                _take_turn(connection, waiting)
                before = _current(connection, address)
                _write(connection, base, campus, before, progress)
        except psycopg.errors.InsufficientPrivilege as error:
            raise unusable(address, error) from None
        except psycopg.Error as error:
            raise CampusAgentError(
                f"The push to {address.where} was broken off: {reason(error)}",
                "Nothing of it can be seen: readers go on with what was there before.",
                "Push again.",
            ) from None


def _take_turn(connection: Connection, waiting: Callable[[], None] | None) -> None:
    (taken,) = _row(connection, "SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
    if not taken:
        if waiting:
            waiting()
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _current(connection: Connection, address: Address) -> UUID | None:
    """Return the generation that is in force, None when there is none; make the tables where they are missing."""
    (schema, table) = _row(
        connection, "SELECT to_regnamespace('campus_agent') IS NULL, to_regclass('campus_agent.current') IS NULL"
    )
    if schema:
        connection.execute("CREATE SCHEMA campus_agent")
    if table:
        connection.execute(TABLES)
        connection.execute("INSERT INTO campus_agent.current (version) VALUES (%s)", [VERSION])
    version, generation = _row(connection, "SELECT version, generation FROM campus_agent.current")
    if version != VERSION:
        raise KnowledgeError(
            f"The tables in {address.database} on {address.where} have version {version}; this program has {VERSION}.",
            "They were made by another version of campus-agent.",
            "Push with that version, or to another database.",
        )
    return generation if isinstance(generation, UUID) else None


def _write(
    connection: Connection, base: KnowledgeBase, campus: CampusFile, before: UUID | None, progress: Progress | None
) -> None:
    terms, letters = base.index.inverted()
    fresh = uuid4()
    header = {
        "name": base.name,
        "language": base.language,
        "passages": len(base.passages),
        "documents": base.documents,
        "letters": letters is not None,
        "rules": rules_in_force(),
        "campus": campus.model_dump(exclude={"problems"}, exclude_unset=True),
    }
    connection.execute(
        "INSERT INTO campus_agent.generation (generation, header, vocabulary) VALUES (%s, %s, %s)",
        [fresh, json.dumps(header), packed(base.index.vocabulary)],
    )

    def postings() -> Iterator[Sequence[Any]]:
        yield from posting_rows(fresh, "word", terms)
        if letters is not None:
            yield from posting_rows(fresh, "letters", letters)

    passages = ((fresh, position, passage_text(passage)) for position, passage in enumerate(base.passages))
    total = len(base.passages) + len(terms.terms) + (len(letters.terms) if letters else 0)
    told = _Told(progress, total)
    into_passage = "COPY campus_agent.passage FROM STDIN (FORMAT BINARY)"
    _copy(connection, into_passage, ("uuid", "int4", "text"), told.passing(passages))
    into_posting = "COPY campus_agent.posting FROM STDIN (FORMAT BINARY)"
    _copy(connection, into_posting, ("uuid", "bytea", "int4", "int4", "bytea", "bytea"), told.passing(postings()))
    connection.execute("UPDATE campus_agent.current SET generation = %s", [fresh])
    for statement in (
        "DELETE FROM campus_agent.posting WHERE generation <> ALL(%s)",
        "DELETE FROM campus_agent.passage WHERE generation <> ALL(%s)",
        "DELETE FROM campus_agent.generation WHERE generation <> ALL(%s)",
    ):
        connection.execute(statement, [[fresh, *([before] if before else ())]])
    connection.execute("ANALYZE campus_agent.passage, campus_agent.posting")
    told.finished()


def _copy(connection: Connection, statement: str, types: Sequence[str], rows: Iterator[Sequence[Any]]) -> None:
    with connection.cursor() as cursor, cursor.copy(statement.encode()) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def _row(connection: Connection, statement: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
    row = connection.execute(statement.encode(), values).fetchone()
    return row if row else (None, None)


class _Told:
    """Counts rows, and tells how many."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def passing(self, rows: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
        for row in rows:
            yield row
            self._done += 1
            if self._progress and self._done % _TOLD_EVERY == 0:
                self._progress(min(self._done, self._total), self._total)

    def finished(self) -> None:
        if self._progress:
            self._progress(self._total, self._total)
