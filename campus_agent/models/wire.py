"""A request as the loop makes it -> the body that goes over the wire, for what this server is able to read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from campus_agent.models.abilities import Abilities
from campus_agent.models.chat_model import (
    AssistantMessage,
    Message,
    ModelRequest,
    ToolCall,
    ToolMessage,
    ToolSchema,
    UserMessage,
)
from campus_agent.text import well_formed

ONE_CALL = "Call at most one tool at a time."
_READ = "I have read these results."  # stands where a server wants a word of the model between them and a person's
_ODD = re.compile(r"[^A-Za-z0-9_-]")


def encode(
    request: ModelRequest, abilities: Abilities, *, model: str, temperature: float, max_tokens: int, stream: bool
) -> dict[str, Any]:
    """Return the body of a chat completion request.

    The history is built anew, never echoed: nothing that a server added to its replies goes back unless this server has
    demanded it, because some refuse fields that others demand.
    """
    body: dict[str, Any] = {"model": model, "messages": list(_messages(request, abilities)), "stream": stream}
    if request.tools and (request.tool_choice == "auto" or abilities.tool_choice):
        body["tools"] = [_tool(tool) for tool in request.tools]
        if request.tool_choice == "none":
            body["tool_choice"] = "none"
    if abilities.temperature:
        body["temperature"] = temperature
    if abilities.room:
        body[abilities.room] = max_tokens
    if request.reply_schema is not None:
        schema = {"name": "decision", "schema": request.reply_schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.stop and abilities.stop:
        body["stop"] = list(request.stop)
    if stream and abilities.stream_options:
        body["stream_options"] = {"include_usage": True}
    return body


def _tool(tool: ToolSchema) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def _messages(request: ModelRequest, abilities: Abilities) -> Iterator[dict[str, Any]]:
    system = request.system if abilities.several_calls else f"{request.system}\n\n{ONE_CALL}".strip()
    messages = request.messages if abilities.several_calls else tuple(one_call_each(request.messages))
    system = well_formed(system)
    if system and abilities.system_role:
        yield {"role": "system", "content": system}
        system = ""
    for before, message in zip((None, *messages), messages, strict=False):
        if isinstance(message, UserMessage) and isinstance(before, ToolMessage) and not abilities.user_after_tool:
            yield {"role": "assistant", "content": _READ}
        match message:
            case UserMessage(text):
                text = well_formed(text)
                yield {"role": "user", "content": f"{system}\n\n{text}" if system else text}
                system = ""
            case ToolMessage(call_id, _, text):
                yield {"role": "tool", "tool_call_id": call_id, "content": well_formed(text)}
            case AssistantMessage():
                yield _assistant(message, abilities)


def _assistant(message: AssistantMessage, abilities: Abilities) -> dict[str, Any]:
    # The content is always there and a string: one server refuses null, another a missing key.
    encoded: dict[str, Any] = {"role": "assistant", "content": well_formed(message.text)}
    if message.calls:
        encoded["content"] = encoded["content"] or abilities.empty_content
        encoded["tool_calls"] = [_call(call, abilities) for call in message.calls]
    if message.calls or message.thought:
        encoded |= _thoughts(message, abilities)
    return encoded


def _thoughts(message: AssistantMessage, abilities: Abilities) -> dict[str, Any]:
    """Return what the server demands back of its thoughts; a message that calls tools needs them even if empty."""
    match abilities.thoughts_back:
        case None:
            return {}
        case "reasoning_details" as key:
            return {key: list(message.details)}
        case key:
            return {key: well_formed(message.thought)}


def _call(call: ToolCall, abilities: Abilities) -> dict[str, Any]:
    name = _ODD.sub("_", call.name)[:64] or "unknown_tool"
    try:
        arguments = well_formed(json.dumps(call.arguments, ensure_ascii=False, allow_nan=False))
    except ValueError:  # of an older recording: a number that JSON has no word for
        arguments = "{}"
    extra = call.extra if abilities.extra_back else {}
    return {**extra, "id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}}


def one_call_each(messages: tuple[Message, ...]) -> Iterator[Message]:
    """Write each message with several calls as several with one, each followed by its own observation."""
    waiting = list(reversed(messages))
    while waiting:
        message = waiting.pop()
        if not isinstance(message, AssistantMessage) or len(message.calls) < 2:
            yield message
            continue
        results: dict[str, ToolMessage] = {}  # of this message alone: a later one may use the same ids again
        while waiting and isinstance(result := waiting[-1], ToolMessage):
            results[result.call_id] = result
            waiting.pop()
        for n, call in enumerate(message.calls):
            yield AssistantMessage("" if n else message.text, (call,), message.thought, message.details)
            if call.id in results:
                yield results[call.id]
