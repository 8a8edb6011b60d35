"""A server that plays raw bytes, and the words to write them; and what a test wants of a model's pieces."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from campus_agent.models.chat_model import (
    AnswerPiece,
    AnswerWithdrawn,
    ModelNote,
    ModelPiece,
    ModelRequest,
    Reply,
    ThoughtPiece,
    ToolSchema,
    UserMessage,
)


def tool(name: str, *parameters: str) -> ToolSchema:
    properties = {parameter: {"type": "string"} for parameter in parameters}
    return ToolSchema(name, f"{name}.", {"type": "object", "properties": properties})


TOOLS = (
    tool("search_campus_info", "query"),
    tool("get_current_time", "timezone"),
    tool("days_until_weekday", "weekday"),
)
NAMES = frozenset(one.name for one in TOOLS)
HELLO = ModelRequest("Be brief.", (UserMessage("Hello?"),))
ASK = ModelRequest("Be brief.", (UserMessage("When does the AI Club meet?"),), TOOLS)


@dataclass
class Heard:
    """All that a model said in one call."""

    pieces: list[ModelPiece] = field(default_factory=list)

    @property
    def reply(self) -> Reply:
        last = self.pieces[-1]
        assert isinstance(last, Reply)
        assert not any(isinstance(piece, Reply) for piece in self.pieces[:-1])
        return last

    @property
    def shown(self) -> str:
        """The answer text on the screen at the end."""
        text = ""
        for piece in self.pieces:
            text = "" if isinstance(piece, AnswerWithdrawn) else text
            text += piece.text if isinstance(piece, AnswerPiece) else ""
        return text

    @property
    def thought(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, ThoughtPiece))

    @property
    def notes(self) -> list[str]:
        return [piece.text for piece in self.pieces if isinstance(piece, ModelNote)]

    @property
    def withdrawn(self) -> int:
        return sum(isinstance(piece, AnswerWithdrawn) for piece in self.pieces)


async def heard(pieces: AsyncIterable[ModelPiece]) -> Heard:
    return Heard([piece async for piece in pieces])


def respond(status: int, body: str | bytes, *headers: str, kind: str = "application/json") -> bytes:
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {kind}", f"Content-Length: {len(data)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def whole(finish: str | None = "stop", **message: Any) -> bytes:
    return respond(200, json.dumps({"choices": [{"message": message, "finish_reason": finish}]}))


def delta(finish: str | None = None, **content: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": content, "finish_reason": finish}]}


def events(*items: Any, done: bool = True) -> bytes:
    lines = [f"data: {item if isinstance(item, str) else json.dumps(item)}\n\n" for item in items]
    return respond(200, "".join([*lines, *(["data: [DONE]\n\n"] if done else [])]), kind="text/event-stream")


class PlayedServer:
    """Answers each request with the next of its replies, the last one again and again; records what it was sent.

    A reply is the raw bytes of a response; or a list, after which the connection is closed, of bytes, events to wait
    for, and None for silence until the client leaves.
    """

    def __init__(self, *replies: bytes | Sequence[bytes | asyncio.Event | None]) -> None:
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.base_url = ""
        self.replies = list(replies)

    @property
    def bodies(self) -> list[Any]:
        return [body for _, _, body in self.requests]

    async def __aenter__(self) -> PlayedServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode("latin-1").strip().split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                self.requests.append((first, headers, json.loads(body) if body else None))
                reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
                for part in [reply] if isinstance(reply, bytes) else reply:
                    match part:
                        case None:
                            await reader.read()
                        case asyncio.Event():
                            await part.wait()
                        case bytes():
                            writer.write(part)
                            await writer.drain()
                if not isinstance(reply, bytes):
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
