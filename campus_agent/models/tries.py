"""One reply, asked for until it is whole: what may be tried again, how often, and after how long."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from campus_agent.errors import ModelError
from campus_agent.models.abilities import Abilities
from campus_agent.models.assembly import Assembly
from campus_agent.models.chat_model import (
    AnswerWithdrawn,
    ModelNote,
    ModelPiece,
    ModelRequest,
    Reply,
    Usage,
    total_usage,
)
from campus_agent.models.failures import ServerFailure, explain
from campus_agent.models.providers import Endpoint
from campus_agent.models.wire import encode

LONGEST_WAIT = 20.0
"""Seconds that a server may ask to wait; beyond that the person hears of it at once."""


@dataclass(frozen=True)
class Tries:
    """Asks a server for replies, and knows what to do about a try that failed.

    Attributes:
        endpoint: the server.
        send: sends a body and yields the JSON objects of the reply; raises `ServerFailure`.
        stream: whether to ask for the reply as it is written.
        temperature: how freely the model chooses its words.
        max_tokens: the most tokens of a reply.
        request_retries: tries after the first; a silent server is tried again at most once.
        backoff: seconds before the second try, twice as many before each further one.
        abilities: what the server is able to do, as far as its refusals have shown.
    """

    endpoint: Endpoint
    send: Callable[[dict[str, Any]], AsyncGenerator[dict[str, Any]]]
    _: KW_ONLY
    stream: bool
    temperature: float
    max_tokens: int
    request_retries: int
    backoff: float
    abilities: Abilities = field(default_factory=Abilities)

    async def reply(self, request: ModelRequest, model: str) -> AsyncGenerator[ModelPiece]:
        """Get a reply, the last piece.

        A stream that is blank or lacks the calls that it promises, and a reply that was cut off, are asked for once
        more. Raises `ModelError` when there is no usable one.
        """
        stream, room = self.stream and self.abilities.stream, self.max_tokens
        usages: list[Usage | None] = []
        kept: Reply | None = None  # what there is, while a better one is asked for
        while True:
            reply = Reply()
            try:
                async with aclosing(self._try(request, model, stream=stream, max_tokens=room)) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, Reply):
                            reply = piece
                        else:
                            yield piece
            except ModelError:
                if kept is None:
                    raise
                reply = kept  # it was refused: what there is, and is counted, must do
            else:
                usages.append(reply.usage)
            better = self._better(reply, stream, room)
            if better is None:
                break
            stream, room, note = better
            if not _is_blank(reply):
                kept = reply
                yield AnswerWithdrawn()
            yield ModelNote(note)
        self._learn(reply, stream)
        yield replace(reply, usage=total_usage(usages))

    def _better(self, reply: Reply, stream: bool, room: int) -> tuple[bool, int, str] | None:
        """Return how to ask for a better reply (streamed? most tokens?), and a note of it; None to take this one."""
        streamed = stream and self.abilities.stream
        if streamed and _is_blank(reply):
            return False, room, "The streamed reply was blank; asking for it whole."
        if streamed and reply.finish == "calls" and self.abilities.promises:
            return False, room, "The streamed reply lacks the tool call that it promises; asking for it whole."
        if reply.finish == "length" and not reply.calls and room == self.max_tokens and self.abilities.room:
            return stream, 2 * room, f"The reply was cut off at {room} tokens; asking for one twice as long."
        return None

    def _learn(self, reply: Reply, stream: bool) -> None:
        """Remember what a reply that was asked for whole instead says of the server's streams."""
        if stream or not self.stream:
            return
        if reply.calls:
            self.abilities.stream = False  # they lose tool calls
        elif reply.finish == "calls":
            self.abilities.promises = False  # it was none: the whole reply has no call either

    async def _try(
        self, request: ModelRequest, model: str, *, stream: bool, max_tokens: int
    ) -> AsyncGenerator[ModelPiece]:
        """Send the request, again where that may help; yield pieces, the `Reply` last. Raises `ModelError`."""
        tools = frozenset(tool.name for tool in request.tools)
        failures: list[ServerFailure] = []
        unfinished: list[Any] = []  # what was said in the tries that ended without saying that they were over
        while True:
            body = encode(
                request,
                self.abilities,
                model=model,
                temperature=self.temperature,
                max_tokens=max_tokens,
                stream=stream and self.abilities.stream and len(unfinished) < 2,
            )
            assembly = Assembly(tools)
            failure = None
            try:
                async with aclosing(self.send(body)) as objects:
                    async for item in objects:
                        for piece in assembly.add(item):
                            yield piece
            except ServerFailure as error:
                failure = error
            if failure is None or _is_whole(assembly, failure, unfinished):
                for piece in assembly.close():
                    yield piece
                return
            if assembly.shown:
                yield AnswerWithdrawn()
            learned = self.abilities.adapt(failure, body)
            if learned:
                yield ModelNote(learned)
                continue
            failures.append(failure)
            wait = self._wait(failures)
            said = explain(failure, self.endpoint, model, schema=request.reply_schema is not None)
            if wait is None:
                raise said
            what = said.explanation.what.rstrip(".")
            asked = failure.retry_after is not None and wait >= 1
            waiting = f"waiting {wait:.0f} s because the server asked for it, then " if asked else ""
            again = f"trying again ({len(failures) + 1} of {self.request_retries + 1})"
            yield ModelNote(f"{what}; {waiting}{again}.", wait if asked else 0.0)
            await asyncio.sleep(wait)

    def _wait(self, failures: list[ServerFailure]) -> float | None:
        """Return the seconds to wait before another try, None when there should be none."""
        last = failures[-1]
        silences = sum(failure.kind == "silent" for failure in failures)
        if not last.transient or len(failures) > self.request_retries or silences > 1:
            return None
        if last.retry_after is not None:
            return last.retry_after if last.retry_after <= LONGEST_WAIT else None
        growth: int = 2 ** (len(failures) - 1)
        return min(LONGEST_WAIT, self.backoff * growth) * random.uniform(0.75, 1.25)


def _is_blank(reply: Reply) -> bool:
    return reply.finish in ("stop", "calls") and not reply.calls and not reply.text


def _is_whole(assembly: Assembly, failure: ServerFailure, unfinished: list[Any]) -> bool:
    """Return whether a reply can be used although its end failed: it had said that it was over.

    A server that never says so is believed when two of its replies say the same. `unfinished` is what those so far
    said; this one joins them.
    """
    if assembly.ended and (failure.kind != "status" or any(assembly.said)):
        return True
    if failure.kind != "unfinished" or not assembly.answered:
        return False
    unfinished.append(assembly.said)
    return assembly.said in unfinished[:-1]
