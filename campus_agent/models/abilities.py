"""What a server turned out to be unable to do, learned from its refusals and remembered for the session."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal

from campus_agent.models.failures import ServerFailure


@dataclass
class Abilities:
    """What to send to this server; begins hopeful, and only ever shrinks.

    Attributes:
        stream: whether it can stream a reply.
        stream_options: whether it can be asked to count tokens in a stream.
        temperature: whether it takes a temperature.
        room: the parameter that limits the length of a reply, None for none.
        stop: whether it can be told where to stop writing.
        tool_choice: whether tools can be shown and forbidden; if not, none are offered instead.
        several_calls: whether its history may hold several calls in one message.
        system_role: whether it takes a system message; if not, the first question carries the instructions.
        empty_content: what stands for no text beside tool calls.
        thoughts_back: under which name it demands the model's thoughts back, None where it does not.
        extra_back: whether it demands back what it added to a tool call.
        user_after_tool: whether a user may speak right after a tool's result.
        promises: whether it says that a reply asks for tools only of one that does.
    """

    stream: bool = True
    stream_options: bool = True
    temperature: bool = True
    room: Literal["max_tokens", "max_completion_tokens"] | None = "max_tokens"
    stop: bool = True
    tool_choice: bool = True
    several_calls: bool = True
    system_role: bool = True
    empty_content: Literal[""] | None = ""
    thoughts_back: Literal["reasoning_content", "reasoning", "reasoning_details"] | None = None
    extra_back: bool = False
    user_after_tool: bool = True
    promises: bool = True

    def adapt(self, failure: ServerFailure, body: Mapping[str, Any]) -> str | None:
        """Learn from a refused request: change one thing and return a note of it, None when nothing can be changed."""
        if failure.status not in (400, 405, 422, 500, 501) or failure.about_context:
            return None
        for lesson in _LESSONS:
            if re.search(lesson.words, failure.named, re.IGNORECASE) and lesson.applies(body):
                before = getattr(self, lesson.ability)
                setattr(self, lesson.ability, lesson.instead.get(before, before))
                if getattr(self, lesson.ability) != before:
                    return lesson.note
        return None


@dataclass(frozen=True)
class _Lesson:
    """What the words of a refusal teach, where they apply to what was sent."""

    words: str
    ability: str
    instead: Mapping[Any, Any]  # value so far -> value from now on
    note: str
    applies: Callable[[Mapping[str, Any]], bool] = lambda body: True


def _sends(parameter: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda body: bool(body.get(parameter))


def _has_empty_content(body: Mapping[str, Any]) -> bool:
    return any(message["role"] == "assistant" and message["content"] == "" for message in body["messages"])


def _has_calls(body: Mapping[str, Any]) -> bool:
    return any("tool_calls" in message for message in body["messages"])


def _has_user_after_tool(body: Mapping[str, Any]) -> bool:
    roles = [message["role"] for message in body["messages"]]
    return ("tool", "user") in pairwise(roles)


_NOT = MappingProxyType({True: False})

# The first that applies is learned. `stream` is a word of many messages, so it comes last.
_LESSONS = (
    _Lesson(
        r"tool[ _]choice",
        "tool_choice",
        _NOT,
        "The server takes no tool_choice; on the last step no tools are offered.",
        _sends("tool_choice"),
    ),
    _Lesson(
        r"stream_options|include_usage",
        "stream_options",
        _NOT,
        "The server takes no stream_options; tokens are not counted.",
        _sends("stream_options"),
    ),
    _Lesson(
        r"\btemperature\b",
        "temperature",
        _NOT,
        "The server takes no temperature; it uses its own.",
        lambda body: "temperature" in body,
    ),
    _Lesson(
        r"\bmax_tokens\b",
        "room",
        MappingProxyType({"max_tokens": "max_completion_tokens"}),
        "The server takes no max_tokens; max_completion_tokens is sent.",
        _sends("max_tokens"),
    ),
    _Lesson(
        r"\bmax_completion_tokens\b",
        "room",
        MappingProxyType({"max_completion_tokens": None}),
        "The server takes no limit on tokens; none is sent.",
        _sends("max_completion_tokens"),
    ),
    _Lesson(
        r"\bstop(?:_sequences?)?\b",
        "stop",
        _NOT,
        "The server cannot be told where to stop; what it writes beyond that is cut off.",
        _sends("stop"),
    ),
    _Lesson(
        r"single tool[- ]?calls?|one tool[- ]?call|(?:multiple|parallel) tool[- ]?calls",
        "several_calls",
        _NOT,
        "The server takes one tool call a message; several are sent one by one.",
    ),
    *(
        _Lesson(
            words,
            "thoughts_back",
            MappingProxyType({None: key}),
            f"The server wants {key} back with each tool call; it is sent.",
            _has_calls,
        )
        for key, words in (
            ("reasoning_content", r"\breasoning_content\b"),
            ("reasoning_details", r"\breasoning_details\b"),
            ("reasoning", r"""["'`]reasoning["'`]"""),
        )
    ),
    _Lesson(
        r"thought_?signature|extra_content",
        "extra_back",
        MappingProxyType({False: True}),
        "The server wants back what it added to its tool calls; it is sent.",
        _has_calls,
    ),
    _Lesson(
        r"role.{0,20}\buser\b.{0,20}after.{0,20}\btool\b",
        "user_after_tool",
        _NOT,
        "The server wants a word of the model after each tool's result; one is put there.",
        _has_user_after_tool,
    ),
    _Lesson(
        r"at least 1 character|(?:content|text).{0,80}(?:empty|blank|null)|(?:empty|blank).{0,40}content",
        "empty_content",
        MappingProxyType({"": None}),
        "The server takes no empty content; null is sent instead.",
        _has_empty_content,
    ),
    _Lesson(
        r"system role|system message|role.{0,40}\bsystem\b",
        "system_role",
        _NOT,
        "The server takes no system message; the question carries the instructions.",
    ),
    _Lesson(
        r"""["'`]stream["'`]|\bto stream\b|streaming|unsupported.{0,20}\bstream\b""",
        "stream",
        _NOT,
        "The server does not stream; whole replies are asked for.",
        _sends("stream"),
    ),
)
