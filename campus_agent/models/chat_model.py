"""What the loop and every model agree on: messages and tool schemas in, a stream of pieces out, then one reply."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """Tokens that a server says it used."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt_tokens: int
    completion_tokens: int


def total_usage(usages: Iterable[Usage | None]) -> Usage | None:
    """Add up tokens; None where a server did not say some of them, for a part is no sum, and where there are none."""
    counted: list[Usage] = []
    for usage in usages:
        if usage is None:
            return None
        counted.append(usage)
    if not counted:
        return None
    return Usage(
        prompt_tokens=sum(usage.prompt_tokens for usage in counted),
        completion_tokens=sum(usage.completion_tokens for usage in counted),
    )


# ---- in ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the conversation remembers it: `arguments` is always an object, `id` unique in its message.

    `extra` is what its server added to it, as received, for the servers that demand that back.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the person, or the loop on the person's behalf, says to the model."""

    text: str


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model said, the tool calls it asked for, and the thoughts that came with them.

    `details` are these thoughts in their server's own form, as received.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    thought: str = ""
    details: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The observation that answers the tool call with this id."""

    call_id: str
    tool: str
    text: str


Message = UserMessage | AssistantMessage | ToolMessage


def _size(message: Message) -> int:
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    return len(message.text) + sum(len(call.name) + len(json.dumps(call.arguments)) for call in calls)


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as it is offered to a model; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One model call.

    Attributes:
        system: the system prompt.
        messages: the conversation, oldest first.
        tools: what may be called; with `tool_choice` "none" they are shown for reference but must not be called.
        reply_schema: a JSON schema that the text of the reply must follow; None for free text.
        stop: texts at which the model stops writing.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    reply_schema: dict[str, Any] | None = None
    stop: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The characters of all that is sent: instructions, tools and messages."""
        tools = sum(len(json.dumps([tool.name, tool.description, tool.parameters])) for tool in self.tools)
        return len(self.system) + tools + sum(_size(message) for message in self.messages)


# ---- out -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThoughtPiece:
    """Some text of the model's reasoning; never part of an answer."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """Some text of what may become the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerWithdrawn:
    """All answer text of this call so far is void, because the stream broke or needs more room: it starts again."""


@dataclass(frozen=True, slots=True)
class ModelNote:
    """Something that a person should know about this call: a repair, a retry, a dropped parameter.

    Attributes:
        text: what it is.
        wait: seconds that pass before anything else happens.
    """

    text: str
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """A tool call as the model asked for it, before the gatekeeper has looked at it.

    Attributes:
        name: the tool's name, "" when the model gave none.
        arguments: as received: text that should hold a JSON object, or an object, or None for none at all.
        id: as received, or None.
        cut: whether the call was cut off by the token limit; such a call is never run.
        extra: what its server added to it, as received.
    """

    name: str
    arguments: str | dict[str, Any] | list[Any] | None = None
    id: str | None = None
    cut: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of a model call: everything that was said in it.

    Attributes:
        text: the whole answer text, "" for none; free of thoughts.
        calls: the tool calls, in the order asked.
        thought: the whole reasoning text, for the servers that want it back.
        finish: "length" when the tokens ran out (also with more room), "filter" when the provider withheld the
            answer, "calls" when it is said to ask for tools and has no call, else "stop".
        usage: tokens as the server counted them, None where it did not say.
        details: the reasoning in the server's own form, as received.
    """

    text: str = ""
    calls: tuple[RequestedCall, ...] = ()
    thought: str = ""
    finish: Literal["stop", "length", "filter", "calls"] = "stop"
    usage: Usage | None = field(default=None)
    details: tuple[dict[str, Any], ...] = ()


ModelPiece = ThoughtPiece | AnswerPiece | AnswerWithdrawn | ModelNote | Reply


class ChatModel(Protocol):
    """Anything that answers a request with a stream of pieces, of which the last, and only the last, is a `Reply`.

    A call that gets no usable reply raises `ModelError`. The stream runs in a task of its own, which is cancelled
    when the run ends before it does.
    """

    @property
    def name(self) -> str:
        """The model's name, as the server knows it."""
        ...

    @property
    def provider(self) -> str:
        """The provider's name, such as "openai" or "offline"."""
        ...

    @property
    def protocol(self) -> str:
        """How tools are called: "native", "json" or "text"."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """Make one model call and yield its pieces as they come."""
        ...
