from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

import pytest

from campus_agent.doctor.check import Check
from campus_agent.doctor.examine import examine
from campus_agent.doctor.surroundings import Terminal
from campus_agent.settings import Settings
from tests.quirk_server import QuirkServer

PIPE = Terminal(interactive=False, columns=80, rows=24, encoding="utf-8", kind="", colours="16 colours")


@pytest.fixture(scope="module")
def quirks() -> Iterator[QuirkServer]:
    with QuirkServer() as server:
        yield server


@pytest.fixture
def examined() -> Callable[..., Awaitable[dict[str, Check]]]:
    """Make every check with these settings, and return them by name, in their order."""

    async def call(environ: dict[str, str] | None = None, **settings) -> dict[str, Check]:
        limits = {"first_byte_timeout": 2.0, "idle_timeout": 0.3, "request_retries": 0}
        stream = examine(Settings(**{**limits, **settings}), environ or {}, PIPE)
        return {check.name: check async for check in stream}

    return call
