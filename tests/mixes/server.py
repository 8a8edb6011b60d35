"""A server on loopback that plays a mix to each of the models asked for."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.mixes.calls import CLOCK, COUNT, SEARCH, Call
from tests.mixes.framing import stream_of
from tests.mixes.generator import Mix
from tests.mixes.messages import BLANKS, EXAMPLE, THOUGHT, Said, chunks, completion
from tests.mixes.refusals import refused_history, refused_parameter
from tests.quirk_server import check_history

FIRST, SECOND = "When does the AI Club meet?", "And where is that?"
LOST = ("dropped", "reset", "cut", "cut-anew")
QUERIES = {
    "plain": "AI Club meeting day",
    "apostrophe": "what's the AI Club's day",
    "quotes": 'the "AI" Club\'s day',
    "newline": "AI Club\nmeeting day",
    "foreign": "俱乐部 café 🦀",
    "braces": 'a},{"b": [c',
    "backslash": "50% \\ off\\n",
    "separator": "AI\u2028Club\u00a0day",
    "tags": "<b>AI</b> & [Co]",
    "null": "null",
}


def stages(mix: Mix, question: str) -> list[tuple[Call, ...]]:
    """Return the calls that the model makes, step by step, before it answers."""
    search = Call(SEARCH, {"query": QUERIES[mix["query"]]})
    count, clock = Call(COUNT, {"weekday": "Thursday"}), Call(CLOCK, {})
    if question == SECOND:
        return [(Call(SEARCH, {"query": "where the AI Club meets"}),)]
    return {
        "chain": [(search,), (count,)],
        "pair": [(search, clock)],
        "twins": [(search, Call(SEARCH, {"query": "AI Club room"}))],
        "three": [(clock, search, count)],
        "one": [(search,)],
        "clock": [(clock,), (search,)],
    }[mix["policy"]]


@dataclass
class Session:
    """One conversation as the server sees it: what it answered, and what was wrong with what it was sent."""

    mix: Mix
    answers: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    requests: int = 0
    seen: Counter[tuple[str, int]] = field(default_factory=Counter)

    def said(self, messages: list[dict[str, Any]]) -> Said:
        """Return what the model says to these messages."""
        start, question = self._turn(messages)
        observed = dict.fromkeys(message["content"] for message in messages[start:] if message["role"] == "tool")
        step, before = 0, 0
        for calls in stages(self.mix, question):
            before += len(calls)
            if len(observed) < before:
                return Said(step, calls)
            step += 1
        answer = " ".join(observed) + (EXAMPLE if self.mix["answer"] == "example" else "")
        return Said(step, answer=answer)

    def fails(self, messages: list[dict[str, Any]], said: Said) -> bool:
        """Return whether this request fails."""
        if self.mix["failure"] == "none" or self.mix["failing"] not in ("each", str(said.step)):
            return False
        _, question = self._turn(messages)
        self.seen[question, said.step] += 1
        return self.seen[question, said.step] <= int(self.mix["times"])

    def check(self, messages: list[dict[str, Any]]) -> None:
        """Remember what is wrong with a history."""
        failure = check_history(messages)
        if failure:
            self.faults.append(f"history: {failure.body['error']['message']}")
        for message in messages:
            if THOUGHT in json.dumps(message.get("content")):
                self.faults.append("history: a thought went back as content")
            for call in message.get("tool_calls") or []:
                if not isinstance(json.loads(call["function"]["arguments"]), dict):
                    self.faults.append("history: arguments are no object")

    @staticmethod
    def _turn(messages: list[dict[str, Any]]) -> tuple[int, str]:
        """Return where the last question stands, and which it is."""
        for start in reversed(range(len(messages))):
            for question in (FIRST, SECOND):
                if messages[start]["role"] == "user" and question in messages[start]["content"]:
                    return start, question
        raise AssertionError("a request without a question")


class MixServer:
    """Plays the mix of a session to whoever asks for the model of that name."""

    def __init__(self) -> None:
        self.base_url = ""
        self.sessions: dict[str, Session] = {}

    async def __aenter__(self) -> MixServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**24)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            stays = True
            while stays:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = int(head.partition("content-length:")[2].split("\r\n")[0])
                stays = await self._answer(json.loads(await reader.readexactly(length)), writer)
                await writer.drain()
        writer.close()

    async def _answer(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        """Answer a request; return whether the connection stays open."""
        session = self.sessions[body["model"]]
        mix, messages = session.mix, body["messages"]
        session.requests += 1
        session.check(messages)
        refusal = refused_parameter(body, mix) or refused_history(messages, mix)
        if refusal:
            return _document(writer, *refusal)
        said = session.said(messages)
        streams = bool(body.get("stream")) == (mix["body"] == "asked")
        if session.fails(messages, said):
            return await _fail(writer, mix, said, streams=streams, number=session.requests)
        if said.answer:
            session.answers.append(said.answer)
        if not streams:
            return _document(writer, 200, completion(said, mix), kind=_kind(mix, "application/json"))
        return _stream(writer, mix, stream_of(chunks(said, mix), mix))


async def _fail(writer: asyncio.StreamWriter, mix: Mix, said: Said, *, streams: bool, number: int) -> bool:
    chance = Random(f"{mix.seed} {said.step}")
    error = {"error": {"message": "Internal server error", "type": "server_error", "code": chance.choice([500, None])}}
    match mix["failure"]:
        case "500":
            return _document(writer, 500, chance.choice([error, "Internal Server Error", {"detail": "Oops"}]))
        case "429":
            return _document(writer, 429, {"error": {"message": "Rate limit reached"}}, "Retry-After: 0")
        case "503":
            return _document(writer, 503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable"}})
        case "blank":
            return _blank(writer, mix, chance.choice(BLANKS), streams=streams)
        case "error" if not streams:
            return _document(writer, 200, error)
        case "dropped":
            writer.close()
            return False
    last = [error] if mix["failure"] == "error" else []
    return await _break_off(writer, mix, said, chance, last, streams=streams, number=number)


async def _break_off(
    writer: asyncio.StreamWriter,
    mix: Mix,
    said: Said,
    chance: Random,
    last: list[dict[str, Any]],
    *,
    streams: bool,
    number: int,
) -> bool:
    """Send the beginning of a reply, and then an error, nothing, or the end of the connection."""
    if streams:
        whole = [item for item in chunks(said, mix) if item["choices"]][:-1]
        place = chance.randrange(len(whole) + 1)
        if mix["failure"] == "cut-anew":
            place = (place + number) % (len(whole) + 1)  # not where the last one was cut
        kept = whole[:place]
        if last or kept:
            packets = stream_of([*kept, *last], mix, ends=False)
            if not last and mix["failure"] != "cut-anew":
                packets = packets[: chance.randint(1, len(packets))]
            closes = mix["failure"] == "reset"
            stays = _stream(writer, mix, packets, broken=closes)
            if not closes:
                return stays
    else:
        data = json.dumps(completion(said, mix)).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(data) + data[: len(data) // 2])
    await writer.drain()
    if mix["failure"] == "reset":
        writer.transport.abort()
    else:
        writer.close()
    return False


def _blank(writer: asyncio.StreamWriter, mix: Mix, message: dict[str, Any], *, streams: bool) -> bool:
    choices = [{"index": 0, "delta" if streams else "message": message, "finish_reason": "stop"}] if message else []
    if streams:
        return _stream(writer, mix, stream_of([{"choices": choices}], mix))
    return _document(writer, 200, {"choices": choices})


def _document(writer: asyncio.StreamWriter, status: int, body: Any, *headers: str, kind: str = "") -> bool:
    data = body.encode() if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode()
    kind = kind or ("text/plain" if isinstance(body, str) else "application/json")
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {kind}", f"Content-Length: {len(data)}", *headers]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
    return True


def _stream(writer: asyncio.StreamWriter, mix: Mix, packets: Sequence[bytes], *, broken: bool = False) -> bool:
    chunked = mix["transfer"] == "chunked"
    length = "Transfer-Encoding: chunked" if chunked else "Connection: close"
    kind = _kind(mix, "text/event-stream")
    writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{length}\r\n\r\n".encode())
    for packet in packets:
        writer.write(b"%x\r\n%s\r\n" % (len(packet), packet) if chunked else packet)
    if chunked and not broken:
        writer.write(b"0\r\n\r\n")
    return chunked


def _kind(mix: Mix, kind: str) -> str:
    """Return the content type, which may be that of the other kind of body."""
    if mix.seed % 5:
        return kind
    return "application/json" if kind == "text/event-stream" else "text/event-stream"
