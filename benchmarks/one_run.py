"""What the loop costs: one run against a server without delay, beside the same three requests sent raw.

The run makes three model calls and two tool calls. Two baselines send the very bodies that the run sent through the
openai package, in the same process and in turns with it: `bytes` reads the replies without looking at them, `parsed` as
the package hands them to a program. The mark is for the first, which is the harder one.

    python benchmarks/one_run.py [--rounds 200]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import openai

from campus_agent.agent.agent import Agent
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.models.abilities import Abilities
from campus_agent.models.chat_model import ModelPiece, ModelRequest
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from campus_agent.models.wire import encode
from campus_agent.settings import REFUSAL
from campus_agent.tools.tool import tool

SERVER = Path(__file__).parent.parent / "tests" / "quirk_server.py"
MARK = 1.25


@tool(searches=True)
def search_campus_info(query: str) -> str:
    """Search the campus information."""
    return "- AI Club: The AI Club meets every Thursday at 5 PM. (clubs.md)"


@tool(timeless=False)
def days_until_weekday(weekday: str) -> str:
    """Count the days to a weekday."""
    return f"The next {weekday} is in 5 day(s), on June 18, 2026."


def start_server() -> tuple[subprocess.Popen[str], str]:
    """Start the quirk server in a process of its own; return it and its address."""
    command = [sys.executable, str(SERVER), "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    return server, server.stderr.readline().split()[-1]


class Recorder(OpenAIChatModel):
    """A model that keeps what the loop asked of it."""

    def __init__(self, base_url: str, *, stream: bool) -> None:
        super().__init__(Endpoint("custom", base_url, None, "good", "quirks", True), stream=stream)
        self.requests: list[ModelRequest] = []

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPiece]:
        """Keep the request and make the call."""
        self.requests.append(request)
        return super().stream(request)


async def one_run(model: OpenAIChatModel) -> None:
    """Make one whole run."""
    agent = Agent(
        model,
        [search_campus_info, days_until_weekday],
        instructions="Answer from the tools.",
        guardrail=Guardrail(refusal=REFUSAL),
    )
    result = await agent.ask("How many days until the AI Club meets?")
    assert result.outcome == "answered", result


def make_baselines(base_url: str, bodies: list[dict[str, Any]]) -> dict[str, Callable[[], Awaitable[None]]]:
    """Return functions that send the bodies raw, by what they do with the replies."""
    client = openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0, http_client=httpx2.AsyncClient())

    async def read() -> None:
        for body in bodies:
            async with client.chat.completions.with_streaming_response.create(**body) as response:
                async for _ in response.iter_bytes():
                    pass

    async def parse() -> None:
        for body in bodies:
            reply = await client.chat.completions.create(**body)
            if body.get("stream"):
                async for _ in reply:
                    pass

    return {"bytes": read, "parsed": parse}


async def measure(base_url: str, rounds: int, *, stream: bool) -> None:
    """Measure all in turns; print the medians in milliseconds and their ratios."""
    model = Recorder(base_url, stream=stream)
    await one_run(model)
    bodies = [
        encode(request, Abilities(), model="good", temperature=0.2, max_tokens=800, stream=stream)
        for request in model.requests
    ]
    acts = {"run": partial(one_run, model), **make_baselines(base_url, bodies)}
    times: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            began = time.perf_counter()
            await act()
            times[name].append(1000 * (time.perf_counter() - began))
    run, read, parsed = (statistics.median(values[rounds // 10 :]) for values in times.values())
    kind = "streaming" if stream else "whole"
    print(
        f"{kind:9}  run {run:6.2f} ms   bytes {read:6.2f} ms, ratio {run / read:.2f} (mark {MARK})"
        f"   parsed {parsed:6.2f} ms, ratio {run / parsed:.2f}"
    )


def main() -> None:
    """Start the server, measure both ways of asking, and stop it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    server, base_url = start_server()
    try:
        for stream in (False, True):
            asyncio.run(measure(base_url, rounds, stream=stream))
    finally:
        server.terminate()
        server.wait(5)


if __name__ == "__main__":
    main()
