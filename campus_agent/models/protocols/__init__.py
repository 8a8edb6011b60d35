"""Three ways to ask a model for tools, of which the loop sees only one."""

from __future__ import annotations

from typing import Literal

from campus_agent.models.chat_model import ChatModel
from campus_agent.models.protocols.auto import AutoModel
from campus_agent.models.protocols.json_decision import JsonDecisionModel
from campus_agent.models.protocols.react_text import ReactTextModel

ProtocolName = Literal["auto", "native", "json", "text"]


def with_protocol(inner: ChatModel, protocol: ProtocolName, *, prompt: str | None = None) -> ChatModel:
    """Return a model that asks `inner` for tools in the way that `protocol` names.

    `prompt` explains the form of the text protocol instead of the built-in words; raises `SettingsError` when it lacks
    a part that the protocol needs.
    """
    match protocol:
        case "native":
            return inner
        case "json":
            return JsonDecisionModel(inner)
        case "text":
            return ReactTextModel(inner, prompt=prompt)
        case "auto":
            return AutoModel(inner)
