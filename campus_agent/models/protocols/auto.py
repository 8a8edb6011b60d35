"""Finds out how a model can be asked for tools: natively, and less well where there is evidence that it cannot be."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from campus_agent.errors import ModelError
from campus_agent.models.chat_model import (
    AnswerPiece,
    AnswerWithdrawn,
    AssistantMessage,
    ChatModel,
    ModelNote,
    ModelPiece,
    ModelRequest,
    Reply,
    Usage,
    UserMessage,
    total_usage,
)
from campus_agent.models.failures import NoSchemaSupport, NoToolSupport
from campus_agent.models.protocols.json_decision import JsonDecisionModel
from campus_agent.models.protocols.react_text import ReactTextModel
from campus_agent.models.protocols.written import Wrapper

_SENT_BACK = "Your draft"  # how the loop begins when it sends a draft back; a test holds the two together


@dataclass(frozen=True)
class _Move:
    """A step down to another protocol, and what a person is told of it."""

    to: str
    note: str


_NO_TOOLS = _Move("json", "The server takes no tools; asking for JSON decisions instead.")
_NO_CALLS = _Move("json", "The model calls no tool, even when told to search; asking for JSON decisions instead.")
_STILL_NONE = _Move(
    "text", "The model calls no tool, even when told to search; asking for steps written as text instead."
)
_NO_SCHEMA = _Move("text", "The server takes no JSON schema; asking for steps written as text instead.")
_NO_DECISION = _Move("text", "The server does not keep to the JSON schema; asking for steps written as text instead.")


class AutoModel(Wrapper):
    """A `ChatModel` that begins with native tool calls and moves down on evidence, within the same model call.

    It remembers where it came to; a moved model never moves up again.
    """

    def __init__(self, inner: ChatModel) -> None:
        super().__init__(inner)
        self._models: dict[str, ChatModel] = {
            "native": inner,
            "json": JsonDecisionModel(inner),
            "text": ReactTextModel(inner),
        }
        self._protocol = "native"

    @property
    def protocol(self) -> str:
        """The protocol in use now."""
        return self._protocol

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """Make one model call, in as many protocols as it takes; raises `ModelError` as the model inside does."""
        return self._descend(request) if request.tools else self.inner.stream(request)

    async def _descend(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        usages: list[Usage | None] = []
        while True:
            move: _Move | None = None
            shown = False
            try:
                async for piece in self._models[self._protocol].stream(request):
                    shown = isinstance(piece, AnswerPiece) or (shown and not isinstance(piece, AnswerWithdrawn))
                    if isinstance(piece, Reply):
                        usages.append(piece.usage)
                        move = self._unfit(request, piece)
                        piece = replace(piece, usage=total_usage(usages))
                    if move is None:
                        yield piece
            except (NoToolSupport, NoSchemaSupport) as refusal:
                move = self._refused(refusal)
                if move is None:
                    raise
            if move is None:
                return
            if shown:
                yield AnswerWithdrawn()
            if move in (_NO_CALLS, _STILL_NONE):  # asked afresh: before its own draft it would only say the same again
                request = replace(request, messages=request.messages[:-2])
            self._protocol = move.to
            yield ModelNote(move.note)

    def _refused(self, refusal: ModelError) -> _Move | None:
        """Return the move that a refusal calls for."""
        match self._protocol, refusal:
            case "native", NoToolSupport():
                return _NO_TOOLS
            case "json", NoSchemaSupport():
                return _NO_SCHEMA
        return None

    def _unfit(self, request: ModelRequest, reply: Reply) -> _Move | None:
        """Return the move that a reply calls for, when it shows that the protocol does not work."""
        match self._protocol:
            case "native" if not reply.calls and _was_sent_back(request):
                return _NO_CALLS
            case "json" if not reply.calls and _was_sent_back(request):
                return _STILL_NONE
            case "json" if any(not call.name for call in reply.calls):
                return _NO_DECISION
        return None


def _was_sent_back(request: ModelRequest) -> bool:
    """Return whether the model was told to search instead of its draft, and has never yet called a tool."""
    match request.messages:
        case (*_, AssistantMessage(), UserMessage(text)) if request.tool_choice == "auto":
            called = any(isinstance(said, AssistantMessage) and said.calls for said in request.messages)
            return text.startswith(_SENT_BACK) and not called
    return False
