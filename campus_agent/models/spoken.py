"""What one delta of a stream, or one whole message, says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campus_agent.models.chat_model import AnswerPiece, ThoughtPiece
from campus_agent.models.shapes import CallPart, Refusal, calls_of, content_parts, text_of


@dataclass(frozen=True, slots=True)
class Spoken:
    """What stands in a delta or a message.

    Attributes:
        text: answer text, with thoughts in tags if there are any.
        thought: reasoning that stands apart.
        calls: tool calls or fragments of them, each with whether it is surely whole.
        details: the reasoning in the server's own form.
        refused: whether the provider refused in a field of its own.
    """

    text: str
    thought: str
    calls: tuple[tuple[dict[str, Any], bool], ...]
    details: tuple[dict[str, Any], ...]
    refused: bool


def spoken(message: dict[str, Any], *, whole: bool) -> Spoken:
    """Read a delta or, `whole`, a message."""
    thought = text_of(message.get("reasoning_content") or message.get("reasoning") or message.get("thinking"))
    text, calls, refused = "", [], bool(text_of(message.get("refusal")))
    content = message.get("content")
    if isinstance(content, str):  # as in nearly every piece of a stream
        text, content = content, None
    for part in content_parts(content) if content else ():
        match part:
            case ThoughtPiece(more):
                thought += more
            case AnswerPiece(more):
                text += more
            case CallPart(call):
                calls.append((call, True))
            case Refusal():
                refused = True
    calls += [(call, whole) for call in calls_of(message.get("tool_calls"))]
    if isinstance(message.get("function_call"), dict):  # the name that the API had for it before 2023-11
        calls.append(({"index": "function_call", "function": message["function_call"]}, False))
    details = message.get("reasoning_details")
    details = [item for item in details if isinstance(item, dict)] if isinstance(details, list) else []
    return Spoken(text, thought, tuple(calls), tuple(details), refused)
