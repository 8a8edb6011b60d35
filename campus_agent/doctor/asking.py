"""Small questions to a server, as a run would ask them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import AnswerPiece, ModelNote, ModelRequest, Reply, ThoughtPiece, UserMessage
from campus_agent.models.failures import ServerFailure, explain
from campus_agent.models.openai_chat import OpenAIChatModel
from campus_agent.models.providers import Endpoint
from campus_agent.settings import Settings

GREETING = ModelRequest("You are being tested. Be brief.", (UserMessage("Say hello, and nothing else."),))

_MOST_TOKENS = 200  # tokens of a reply: a word would do, but some models think before they say it


@dataclass(frozen=True, slots=True)
class Said:
    """What came of one request.

    Attributes:
        reply: the whole reply.
        model: the name of the model that was asked.
        notes: what had to be changed or repeated to get the reply.
        began: seconds until its first piece.
        seconds: seconds until its end.
    """

    reply: Reply
    model: str
    notes: tuple[str, ...]
    began: float
    seconds: float


@dataclass(frozen=True)
class Server:
    """A server that can be asked.

    Attributes:
        endpoint: its address, the key for it and the model on it.
        settings: how a run would ask it; the two timers of a reply bound every request here.
    """

    endpoint: Endpoint
    settings: Settings

    @cached_property
    def greeting(self) -> asyncio.Task[Said]:
        """The reply to a greeting that is not streamed: asked for once, however many checks look at it."""
        return asyncio.create_task(self.ask(GREETING))

    async def names(self) -> list[str]:
        """Ask for the names of its models; raises `ModelError`."""
        async with self._model(stream=False) as model:
            return await model.models()

    async def ask(self, request: ModelRequest, *, stream: bool = False) -> Said:
        """Make one model call; raises `ModelError` when there is no usable reply in time."""
        now = asyncio.get_running_loop().time
        start, began = now(), None
        reply, notes = Reply(), []
        limit = self.settings.first_byte_timeout + self.settings.idle_timeout
        try:
            async with asyncio.timeout(limit), self._model(stream=stream) as model:
                async for piece in model.stream(request):
                    match piece:
                        case ModelNote(text):
                            notes.append(text)
                        case AnswerPiece() | ThoughtPiece():
                            began = began or now() - start
                        case Reply():
                            reply = piece
        except TimeoutError:
            raise self._explained(ServerFailure(f"There was no whole reply within {limit:g} s.", "silent")) from None
        seconds = now() - start
        return Said(reply, model.name, tuple(notes), began or seconds, seconds)

    def is_out_of_reach(self, error: ModelError) -> bool:
        """Return whether the error says that nothing answers at the address."""
        return self._is_like(error, ServerFailure("", "lost"), ServerFailure("", "silent"))

    def is_about_the_key(self, error: ModelError) -> bool:
        """Return whether the error says that the key is missing or wrong."""
        return self._is_like(error, ServerFailure("", "status", status=401))

    def _is_like(self, error: ModelError, *failures: ServerFailure) -> bool:
        """Compare causes: a `ModelError` keeps the words for a person, and no code to tell one kind from another."""
        return error.explanation.cause in {self._explained(failure).explanation.cause for failure in failures}

    def _explained(self, failure: ServerFailure) -> ModelError:
        return explain(failure, self.endpoint, self.endpoint.model or "")

    @asynccontextmanager
    async def _model(self, *, stream: bool) -> AsyncGenerator[OpenAIChatModel]:
        """Give a model that has learned nothing yet, and close its connections."""
        model = OpenAIChatModel(
            self.endpoint,
            stream=stream,
            temperature=self.settings.temperature,
            max_tokens=min(self.settings.max_tokens, _MOST_TOKENS),
            request_retries=self.settings.request_retries,
            first_byte_timeout=self.settings.first_byte_timeout,
            idle_timeout=self.settings.idle_timeout,
        )
        try:
            yield model
        finally:
            await model.aclose()
