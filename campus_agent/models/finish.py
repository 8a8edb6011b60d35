"""Why a server says that a reply ended, in the words of many servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

_LENGTH = frozenset(
    ("length", "max_tokens", "max_output_tokens", "max_length", "model_length", "token_limit", "incomplete")
)
_FILTER = frozenset(
    (
        *("content_filter", "content_filtered", "filter", "moderation", "safety", "image_safety", "prohibited_content"),
        *("blocklist", "spii", "recitation", "sensitive", "refusal", "guardrail_intervened", "error_toxic"),
    )
)


_CALLS = frozenset(("tool_calls", "tool_call", "tool_use", "function_call", "function_calls"))


def reason_of(choice: Mapping[str, Any]) -> str | None:
    """Return the reason for which a choice says that it ended, None where it says none."""
    reason = choice.get("finish_reason")
    return reason if isinstance(reason, str) and reason.strip().lower() not in ("", "null", "none") else None


def says_end(chunk: Mapping[str, Any]) -> bool:
    """Return whether a chunk says that the reply is over."""
    choices = chunk.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return isinstance(first, dict) and reason_of(first) is not None


def promises_calls(reason: str | None) -> bool:
    """Return whether a finish reason says that the reply asks for tools."""
    return (reason or "").strip().lower() in _CALLS


def meaning(reason: str | None) -> Literal["stop", "length", "filter"]:
    """Return what a finish reason means for the reply: a hint that most say the same way, but for their spelling."""
    word = (reason or "").strip().lower()
    if word in _LENGTH:
        return "length"
    return "filter" if word in _FILTER else "stop"
