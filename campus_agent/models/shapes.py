"""The shapes in which servers and models write the same few things: a text, the parts of a message, a tool call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from campus_agent.models.chat_model import AnswerPiece, ThoughtPiece

ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "tool_input", "action_input")
"""Where the arguments of a call stand, the usual place first."""

_NAME_KEYS = ("name", "tool", "tool_name", "action", "function")
_CALL_KEYS = ("function", "functionCall", "function_call", "tool_call")  # where a call stands inside another object
_CALL_TYPES = ("tool_use", "tool_call", "function_call")
_ITS_OWN = frozenset(
    ("id", "tool_call_id", "index", "type", *_NAME_KEYS, *ARGUMENT_KEYS, *_CALL_KEYS)
)  # the rest, servers add


@dataclass(frozen=True, slots=True)
class CallPart:
    """A tool call that stands among the parts of a message's content."""

    call: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The provider's words for withholding the answer."""

    text: str


def text_of(value: object) -> str:
    """Return a text, plain or as an object that holds it; "" for anything else."""
    match value:
        case str():
            return value
        case {"value": str(text)} | {"text": str(text)} | {"text": {"value": str(text)}}:
            return text
    return ""


def content_parts(content: object) -> Iterator[AnswerPiece | ThoughtPiece | CallPart | Refusal]:
    """Yield what a message's content holds: a text, a part, or a list of both."""
    match content:
        case list():
            for part in content:
                yield from content_parts(part) if not isinstance(part, list) else ()
        case {"type": "thinking" | "reasoning", **rest}:
            inner = rest.get("thinking") or rest.get("reasoning") or rest.get("text")
            yield ThoughtPiece("".join(part.text for part in content_parts(inner) if isinstance(part, AnswerPiece)))
        case {"refusal": str(text)} if text:
            yield Refusal(text)
        case dict() if content.get("type") in _CALL_TYPES or function_of(content) is not content:
            yield CallPart(content)
        case _:
            yield AnswerPiece(text_of(content))


def calls_of(value: object) -> list[dict[str, Any]]:
    """Return the items of `tool_calls`: a list, one call alone, calls by their index, or any of these as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    if isinstance(value, dict):
        alone = name_of(function_of(value)) or function_of(value) is not value
        value = [value] if alone else [{"index": n, **call} for n, call in value.items() if isinstance(call, dict)]
    return [call for call in value if isinstance(call, dict)] if isinstance(value, list) else []


def function_of(call: dict[str, Any]) -> dict[str, Any]:
    """Return the object that holds the name and the arguments of a call: a part of it, or itself."""
    return next((call[key] for key in _CALL_KEYS if isinstance(call.get(key), dict)), call)


def name_of(function: Mapping[str, Any]) -> str:
    """Return the tool's name, "" for none."""
    return next((function[key] for key in _NAME_KEYS if isinstance(function.get(key), str)), "")


def arguments_of(function: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever stands there
    """Return the arguments as they are, None for none."""
    return next((function[key] for key in ARGUMENT_KEYS if key in function), None)


def has_arguments(function: Mapping[str, Any]) -> bool:
    """Return whether there is a place for arguments, be it an empty one."""
    return any(key in function for key in ARGUMENT_KEYS)


def added_to(call: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a server added to a call, for itself to read; {} also where that could not be sent back."""
    added = {key: value for key, value in call.items() if key not in _ITS_OWN and value is not None}
    try:
        json.dumps(added, allow_nan=False)
    except (ValueError, RecursionError):
        return {}
    return added
