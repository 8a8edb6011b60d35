"""Decides whether a requested tool call may run. Every "no" is an observation that the model can act on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campus_agent.agent.arguments import Read, Unreadable, read_arguments
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.shapes import ARGUMENT_KEYS
from campus_agent.text import one_line
from campus_agent.tools.tool import BadArguments, Tool

NO_NAME = "unnamed"  # stands in a history, where servers refuse an empty name


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gatekeeper says of a call.

    Attributes:
        name: the tool's name, never empty.
        arguments: what the model meant, as an object; None when that could not be read.
        repaired: what had to be repaired to read them, if anything.
        tool: the tool to run with `checked`; None when the call may not run.
        checked: the arguments converted to the tool's types.
        observation: what the model is told when the call may not run.
        unreadable: whether it may not run because it could not be read at all.
    """

    name: str
    arguments: dict[str, Any] | None = None
    repaired: str | None = None
    tool: Tool | None = None
    checked: dict[str, Any] | None = None
    observation: str = ""
    unreadable: bool = False


def judge(call: RequestedCall, tools: Mapping[str, Tool]) -> Verdict:
    """Look at a call in a fixed order: is it one, can it be read, is the tool known, do the arguments fit."""
    name = one_line(call.name, 100)
    nameless = f"No tool call was found: it has no name. {_valid(tools)}"
    if not name and call.arguments in (None, "", {}):
        return Verdict(NO_NAME, observation=nameless, unreadable=True)
    name = name or NO_NAME
    if call.cut:
        return Verdict(name, observation=f"{_not_run(name)} they were cut off by the token limit.", unreadable=True)
    read = read_arguments(call.arguments)
    if isinstance(read, Unreadable):
        advice = f"Send one JSON object{_example(tools.get(name))}."
        return Verdict(name, observation=f"{_not_run(name)} {read.reason}. {advice}", unreadable=True)
    if name == NO_NAME:
        return Verdict(name, read.arguments, read.repaired, observation=nameless, unreadable=True)
    if name not in tools:
        observation = f"Tool '{name}' is not available. {_valid(tools)}"
        return Verdict(name, read.arguments, read.repaired, observation=observation)
    tool = tools[name]
    read = _unwrapped(read, tool)
    try:
        checked = tool.check(read.arguments)
    except BadArguments as error:
        return Verdict(name, read.arguments, read.repaired, observation=f"{_not_run(name)} {error}.")
    return Verdict(name, read.arguments, read.repaired, tool, checked)


def _unwrapped(read: Read, tool: Tool) -> Read:
    """Take the arguments out of an object that holds nothing else of the tool's, such as `{"arguments": {...}}`."""
    if set(read.arguments) & set(tool.arguments.model_fields):
        return read
    inner = next((read.arguments[key] for key in (*ARGUMENT_KEYS, tool.name) if key in read.arguments), None)
    found = read_arguments(inner) if isinstance(inner, dict | str) else None
    return Read(found.arguments, "the arguments stood inside another object") if isinstance(found, Read) else read


def raw_text(call: RequestedCall) -> str:
    """Return the arguments of a call as text, as they came."""
    raw = call.arguments
    return raw if isinstance(raw, str) else "" if raw is None else json.dumps(raw, ensure_ascii=False, default=str)


def _not_run(name: str) -> str:
    return f"Tool '{name}' was not run, invalid arguments:"


def _valid(tools: Mapping[str, Tool]) -> str:
    return f"Valid tools: {', '.join(tools)}." if tools else "There are no tools."


def _example(tool: Tool | None) -> str:
    if tool is None:
        return ""
    required = [name for name, field in tool.arguments.model_fields.items() if field.is_required()]
    return f", such as {json.dumps(dict.fromkeys(required, '...'))}"
