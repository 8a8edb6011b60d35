"""A server that fails in the middle of an answer: the run ends as it should, and the next question works."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from campus_agent.agent.agent import Agent
from campus_agent.agent.events import Event
from campus_agent.agent.outcome import Outcome
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from campus_agent.settings import REFUSAL
from tests.models.played import PlayedServer, delta, events, whole

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
LONG = "word " * 40_000  # 200 KB


def begun(text: str) -> bytes:
    return HEAD + f"data: {json.dumps(delta(content=text))}\n\n".encode()


@asynccontextmanager
async def agent_of(server: PlayedServer, **options: Any) -> AsyncIterator[Agent]:
    endpoint = Endpoint("custom", server.base_url, None, "m", "the server", True)
    timers = {"first_byte_timeout": 20.0, "idle_timeout": 0.3, "backoff": 0.01, **options}
    model = OpenAIChatModel(endpoint, **timers)
    yield Agent(model, [], instructions="Answer.", guardrail=Guardrail(mode="off", refusal=REFUSAL))
    await model.aclose()


async def played(agent: Agent, question: str) -> list[Event]:
    return [event async for event in agent.run(question)]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        pytest.param([begun("It mee"), b"data: {"], "broke off", id="killed in the middle of its answer"),
        pytest.param([], "connection", id="killed before its answer"),
        pytest.param([begun("It mee"), None], "Nothing more came", id="silent in the middle of its answer"),
    ],
)
async def test_a_server_that_is_lost_in_mid_answer_ends_the_run_and_the_next_question_works(fault, said: str) -> None:
    async with (
        PlayedServer(fault, fault, fault, whole(content="It does.")) as server,
        agent_of(server, request_retries=1) as agent,
    ):
        first = await played(agent, "Does it meet?")
        server.replies[:] = server.replies[-1:]
        second = await agent.ask("And now?")
    shown = [event.kind for event in first if event.kind in ("answer_delta", "answer_withdrawn")]
    assert shown.count("answer_delta") == shown.count("answer_withdrawn")
    assert first[-1].outcome is Outcome.PROVIDER_ERROR
    assert said in first[-1].message.what
    assert (second.outcome, second.answer) == (Outcome.ANSWERED, "It does.")


@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
async def test_an_answer_of_200_kilobytes_comes_whole_and_the_next_question_works(stream: bool) -> None:
    pieces = [delta(content=LONG[start : start + 4000]) for start in range(0, len(LONG), 4000)]
    long = events(*pieces, delta("stop")) if stream else whole(content=LONG)
    async with PlayedServer(long, whole(content="It does.")) as server, agent_of(server, stream=stream) as agent:
        first, second = await agent.ask("Tell me all."), await agent.ask("Does it?")
    assert (first.outcome, first.answer) == (Outcome.ANSWERED, LONG.strip())
    assert (second.outcome, second.answer) == (Outcome.ANSWERED, "It does.")
