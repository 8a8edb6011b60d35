"""The key for a server, should it come back from there: masked in all that the server sends, before anybody sees it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from campus_agent.models.chat_model import (
    AnswerPiece,
    AnswerWithdrawn,
    ModelNote,
    ModelPiece,
    Reply,
    RequestedCall,
    ThoughtPiece,
)

MASK = "***"
_SHORTEST = 12  # characters; what is shorter, such as `ollama`, is no secret and may be a word of an answer

_Json = TypeVar("_Json")


@dataclass(frozen=True)
class KeyMask:
    """Masks one key in texts and values, also where it is written with escapes or in other letters."""

    key: str

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        ways = (rf"(?:{re.escape(one)}|\\u00{ord(one):02x}|%{ord(one):02x}|&#{ord(one)};)" for one in self.key)
        return re.compile("".join(ways), re.IGNORECASE)

    def text(self, text: str) -> str:
        """Return `text` with the key masked."""
        return self._pattern.sub(MASK, text) if self.key else text

    def value(self, value: _Json) -> _Json | None:
        """Return a JSON value with the key masked in it; None for one that is too deep to look at."""
        try:
            written = json.dumps(value, ensure_ascii=False)
            masked = self.text(written)
            return value if masked == written else json.loads(masked)
        except (ValueError, RecursionError):
            return None

    def certain(self, text: str) -> int:
        """Return how much of `text` cannot be the beginning of a key that goes on after it."""
        if not self.key:
            return len(text)
        start = text.find(self.key[0], max(0, len(text) - len(self.key) + 1))
        while start >= 0 and not self.key.startswith(text[start:]):
            start = text.find(self.key[0], start + 1)
        return len(text) if start < 0 else start

    def reply(self, reply: Reply) -> Reply:
        """Return a reply with the key masked in everything that was said."""
        return replace(
            reply,
            text=self.text(reply.text),
            thought=self.text(reply.thought),
            calls=tuple(map(self._call, reply.calls)),
            details=tuple(self.value(list(reply.details)) or ()),
        )

    def _call(self, call: RequestedCall) -> RequestedCall:
        return replace(
            call,
            name=self.text(call.name),
            arguments=self.value(call.arguments),
            extra=self.value(dict(call.extra)) or {},
        )


async def masked(pieces: AsyncGenerator[ModelPiece], key: str) -> AsyncGenerator[ModelPiece]:
    """Yield the pieces of a model call with the key masked, also where it is spread over several of them."""
    mask = KeyMask(key if len(key) >= _SHORTEST else "")
    held: dict[type[ThoughtPiece] | type[AnswerPiece], str] = {ThoughtPiece: "", AnswerPiece: ""}
    async with aclosing(pieces):
        async for piece in pieces:
            match piece:
                case ThoughtPiece(text) | AnswerPiece(text):
                    text = mask.text(held[type(piece)] + text)
                    end = mask.certain(text)
                    held[type(piece)] = text[end:]
                    if end:
                        yield type(piece)(text[:end])
                case AnswerWithdrawn():
                    held[AnswerPiece] = ""
                    yield piece
                case ModelNote(text, wait):
                    yield ModelNote(mask.text(text), wait)
                case Reply():
                    for kind, rest in held.items():
                        if rest:
                            yield kind(rest)
                    yield mask.reply(piece)
