from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import ModelNote
from campus_agent.models.failures import ServerFailure
from campus_agent.models.patience import asked_to_wait, patience
from campus_agent.models.providers import Endpoint
from campus_agent.models.tries import Tries
from tests.models.played import HELLO


@pytest.mark.parametrize(
    ("retry_after", "said"),
    [
        (6.0, "waiting 6 s because the server asked for it, then trying again (2 of 2)."),
        (None, "; trying again (2 of 2)."),
        (0.0, "; trying again (2 of 2)."),
    ],
)
async def test_the_note_on_another_try_says_how_long_the_server_asked_to_wait(
    retry_after: float | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rested: list[float] = []

    async def rest(seconds: float) -> None:
        rested.append(seconds)

    async def refuse(body: dict[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise ServerFailure("slow down", "status", status=429, retry_after=retry_after)
        yield body

    monkeypatch.setattr(asyncio, "sleep", rest)
    endpoint = Endpoint("custom", "http://127.0.0.1:1/v1", None, "m", label="a server", local=True)
    tries = Tries(endpoint, refuse, stream=False, temperature=0.0, max_tokens=10, request_retries=1, backoff=0.5)
    notes: list[ModelNote] = []

    async def listen() -> None:
        async for piece in tries.reply(HELLO, "m"):
            if isinstance(piece, ModelNote):
                notes.append(piece)

    with pytest.raises(ModelError):
        await listen()
    (note,) = notes
    assert note.text.endswith(said)
    assert note.wait == (retry_after or 0.0)
    assert len(rested) == 1


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, "Wait a little"),
        (0.2, "Wait a little"),
        (1, "Wait 1 second"),
        (61.5, "Wait 62 seconds"),
        (600, "Wait 10 minutes"),
        (5_999, "Wait 100 minutes"),
        (7_200, "Wait 2 hours"),
        (1e9, "Wait a little"),
    ],
)
def test_a_limit_that_is_reached_says_how_long_to_wait(seconds: float | None, said: str) -> None:
    assert patience(seconds) == said


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "20"}, 20.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
    ],
)
def test_the_wait_that_a_server_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_to_wait(headers) == seconds
