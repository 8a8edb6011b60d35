"""Connections to PostgreSQL, kept between searches, and what to say when there is none."""

from __future__ import annotations

import socket
import threading
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.postgres.address import Address
from campus_agent.text import one_line, without_credentials

Connection = psycopg.Connection[tuple[Any, ...]]

_CONNECT = 3  # seconds for each host that is tried
_KEPT = 4  # connections that nobody uses; more searches at a time open more, and close them afterwards


def connect(address: Address, *, writing: bool = False) -> Connection:
    """Open a connection; raises `psycopg.Error`.

    Of several hosts the first that answers is taken, which may be a replica, but for `writing` one that can be written.
    """
    wanted = {
        "target_session_attrs": "read-write" if writing else "any",
        "connect_timeout": str(_CONNECT),
        "application_name": "campus-agent",
    }
    parameters: dict[str, Any] = {**wanted, **address.parameters}
    # Without prepared statements it works behind a proxy that shares connections between its clients.
    connection: Connection = psycopg.connect(**parameters, prepare_threshold=None)
    if not writing:
        connection.read_only = True
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    return connection


class Connections:
    """Lends connections for reading; may be used from several threads.

    psycopg's own pool is not used: its threads would go on after the last search, it writes what fails to standard
    error, which belongs to the screen, and tells whoever waits for a connection nothing of why there is none.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._idle: deque[Connection] = deque()
        weakref.finalize(self, _close, self._idle)  # when nobody searches any more, at the latest at the end

    @contextmanager
    def reading(self, seconds: float) -> Iterator[Connection]:
        """Lend a connection in a transaction that sees one state of the database; it is cut off after `seconds`."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self._address)
        try:
            with _cut_off(connection, seconds), connection.transaction():
                yield connection
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        while len(self._idle) > _KEPT:
            with suppress(IndexError):
                self._idle.popleft().close()

    def forget(self) -> None:
        """Close what nobody uses: after a failure of one connection the others may be broken too."""
        _close(self._idle)


def _close(idle: deque[Connection]) -> None:
    with suppress(IndexError):
        while True:
            idle.pop().close()


@contextmanager
def _cut_off(connection: Connection, seconds: float) -> Iterator[None]:
    """Break a connection that is still used after `seconds`: a server that hangs would be waited for without end."""

    def cut() -> None:
        with suppress(OSError, psycopg.Error), socket.fromfd(connection.fileno(), socket.AF_INET, 0) as twin:
            twin.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def may_pass(error: psycopg.Error) -> bool:
    """Tell whether the same again may work: a connection that broke, a server that starts or moves, a conflict."""
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)


def reason(error: psycopg.Error) -> str:
    """Return what PostgreSQL said, on one line and without what belongs to nobody else."""
    return without_credentials(one_line(str(error), 300)) or type(error).__name__


def unusable(address: Address, error: psycopg.Error) -> KnowledgeError:
    """Return what to tell a person at the start, when a base cannot be opened or written."""
    match error:
        case psycopg.errors.UndefinedTable():
            return KnowledgeError(
                f"There is no knowledge base in {address.database} on {address.where}.",
                "Nothing was pushed to it, or to another database.",
                "Push one: campus-agent kb push ADDRESS --kb FOLDER",
            )
        case psycopg.errors.InsufficientPrivilege():
            return KnowledgeError(
                f"PostgreSQL on {address.where} does not allow that: {reason(error)}",
                "The user of the address lacks a right.",
                "Readers need USAGE on the schema campus_agent and SELECT on its tables; a push also makes them.",
            )
        case _:
            return KnowledgeError(
                f"PostgreSQL on {address.where} cannot be used: {reason(error)}",
                "The server may be down or unreachable, the address wrong, or the password missing.",
                "Check host, port, database and user. A password is read from PGPASSWORD, ~/.pgpass or a service file.",
            )
