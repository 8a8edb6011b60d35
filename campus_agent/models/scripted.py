"""A model that plays a list of replies: for tests, and to show a workshop exactly the run that it should see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import AnswerPiece, ModelPiece, ModelRequest, Reply, RequestedCall, ThoughtPiece

Scripted = Reply | str | Exception | Sequence[RequestedCall] | Sequence[ModelPiece | Exception]
"""One reply of a script: a whole reply, an answer, an error to raise, some tool calls, or the very pieces to play."""

_PIECES = 3


class ScriptedModel:
    """A `ChatModel` that answers the first request with the first reply of its script, the second with the second.

    Attributes:
        requests: every request so far, in order, as the loop made it.
    """

    provider = "scripted"
    protocol = "native"

    def __init__(
        self,
        replies: Iterable[Scripted | Callable[[ModelRequest], Scripted]],
        *,
        name: str = "scripted",
        delay: float = 0.0,
    ) -> None:
        """Take the script; a function in it is given the request and returns the reply.

        Args:
            replies: the replies, one a model call.
            name: what the model calls itself.
            delay: seconds to wait before each piece.
        """
        self.name = name
        self.requests: list[ModelRequest] = []
        self._replies = iter(replies)
        self._delay = delay

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """Play the next reply; raises what the script says, and `ModelError` when the script is over."""
        self.requests.append(request)
        reply = next(self._replies, None)
        if reply is None:
            raise ModelError(f"The script is over: it has no reply number {len(self.requests)}.")
        for piece in _pieces(reply(request) if callable(reply) else reply):
            await asyncio.sleep(self._delay)
            if isinstance(piece, Exception):
                raise piece
            yield piece


def _pieces(reply: Scripted) -> Sequence[ModelPiece | Exception]:
    match reply:
        case str():
            return _pieces(Reply(text=reply))
        case Exception():
            return (reply,)
        case Reply():
            thought = [ThoughtPiece(reply.thought)] if reply.thought else []
            return [*thought, *map(AnswerPiece, _cut(reply.text)), reply]
    calls = [part for part in reply if isinstance(part, RequestedCall)]
    if calls:
        return (Reply(calls=tuple(calls)),)
    return [part for part in reply if not isinstance(part, RequestedCall)]


def _cut(text: str) -> list[str]:
    """Cut `text` into a few pieces, as a stream would."""
    size = max(1, -(-len(text) // _PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]
