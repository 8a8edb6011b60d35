"""What the protocols that write tool calls as text have in common: the model inside, and a history of plain turns."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

from campus_agent.models.chat_model import (
    AnswerPiece,
    AnswerWithdrawn,
    AssistantMessage,
    ChatModel,
    Message,
    ModelPiece,
    ModelRequest,
    Reply,
    ToolMessage,
    ToolSchema,
    UserMessage,
)
from campus_agent.models.wire import one_call_each
from campus_agent.text import one_line

_LONGEST_THOUGHT = 200  # characters
_TICKS = re.compile("`{3,}")


class Wrapper:
    """Stands around another model, and is it in all but how it is asked.

    Attributes:
        inner: the model inside.
    """

    def __init__(self, inner: ChatModel) -> None:
        self.inner = inner

    @property
    def name(self) -> str:
        """The name of the model inside."""
        return self.inner.name

    @property
    def provider(self) -> str:
        """The provider of the model inside."""
        return self.inner.provider

    def warm(self) -> None:
        """Prepare the model inside for its first request, where it can be; may take a second."""
        warm = getattr(self.inner, "warm", None)
        if warm:
            warm()

    async def models(self) -> list[str]:
        """Ask the server of the model inside for the names of its models; none where it cannot be asked."""
        models = getattr(self.inner, "models", None)
        return await models() if models else []

    async def aclose(self) -> None:
        """Close the connections of the model inside, where it has some."""
        close = getattr(self.inner, "aclose", None)
        if close:
            await close()


class Reader(Protocol):
    """Reads the text of one reply as it streams.

    Attributes:
        shown: whether it has given out answer text.
    """

    shown: bool

    def feed(self, text: str) -> Iterator[ModelPiece]:
        """Take some text; yield what can be shown by now."""
        ...

    def close(self, reply: Reply) -> Iterator[ModelPiece]:
        """Say that the text is over, with the reply of the model inside; yield what is left, the `Reply` last."""
        ...


class WrittenProtocol(Wrapper, ABC):
    """A model that writes its tool calls into its text, in a form that it was told."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """Make one model call; without tools there is nothing to decide, and the request goes through as it is.

        Raises `ModelError` as the model inside does.
        """
        return self._read(request) if request.tools else self.inner.stream(request)

    async def _read(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        reader, fed = self._reader(request.tools), False
        async for piece in self.inner.stream(self._ask(request)):
            match piece:
                case AnswerPiece(text):
                    fed = True
                    said: Iterable[ModelPiece] = reader.feed(text)
                case AnswerWithdrawn():
                    said = (piece,) if reader.shown else ()
                    reader, fed = self._reader(request.tools), False
                case Reply(calls=()):
                    said = chain(() if fed else reader.feed(piece.text), reader.close(piece))
                case _:  # a note, a thought, or tool calls of a model that can make them after all
                    said = (piece,)
            for one in said:
                yield one

    @abstractmethod
    def _ask(self, request: ModelRequest) -> ModelRequest:
        """Return the request that is made of the model inside."""

    @abstractmethod
    def _reader(self, tools: Sequence[ToolSchema]) -> Reader:
        """Return a reader for one reply."""


def plain_turns(
    messages: tuple[Message, ...], *, say: Callable[[AssistantMessage], str], observe: Callable[[ToolMessage], str]
) -> tuple[Message, ...]:
    """Write a history as turns of text, user and assistant by turns, as every chat template can take it.

    Args:
        messages: the conversation.
        say: writes what the model said; it has one call at most.
        observe: writes an observation, which becomes something that the user says.
    """
    turns: list[UserMessage | AssistantMessage] = []
    for message in one_call_each(messages):
        match message:
            case ToolMessage():
                turn: UserMessage | AssistantMessage = UserMessage(observe(message))
            case AssistantMessage():
                turn = AssistantMessage(say(message))
            case UserMessage():
                turn = message
        if turns and type(turns[-1]) is type(turn):
            turn = type(turn)(f"{turns[-1].text}\n\n{turn.text}")
            turns.pop()
        turns.append(turn)
    return tuple(turns)


def as_data(text: str) -> str:
    """Put a fence around text from outside; nothing in it can end the fence."""
    fence = "`" * max(3, *(len(ticks) + 1 for ticks in _TICKS.findall(text)), 0)
    return f"{fence}\n{text}\n{fence}"


def described(tool: ToolSchema) -> str:
    """Describe a tool in a few lines: its name, what it does, and each argument."""
    required = tool.parameters.get("required", ())
    lines = [f"- {tool.name}: {tool.description}"]
    for name, field in tool.parameters.get("properties", {}).items():
        choices = ", ".join(map(json_text, field.get("enum", ())))
        kind = f"one of {choices}" if choices else field.get("type", "any value")
        need = "required" if name in required else "optional"
        lines.append(f"  - {name} ({kind}; {need}): {field.get('description', '')}".rstrip(" :"))
    return "\n".join(lines)


def earlier_thought(message: AssistantMessage) -> str:
    """Return what the model thought beside its calls as it sees it again: on one line, and not all of it."""
    return one_line(message.thought or (message.text if message.calls else ""), _LONGEST_THOUGHT)


def json_text(value: object) -> str:
    """Write JSON as a model reads it best, without escapes."""
    return json.dumps(value, ensure_ascii=False)
