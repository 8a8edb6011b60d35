from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.agent.conftest import make_agent  # noqa: F401 - a fixture
from tests.quirk_server import QuirkServer


@pytest.fixture(scope="module")
def quirks() -> Iterator[QuirkServer]:
    with QuirkServer() as server:
        yield server
