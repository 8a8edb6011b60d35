"""Reads one action of a ReAct text: the tool's name, and its input in whatever shape a model wrote it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from campus_agent.models.chat_model import RequestedCall, ToolSchema
from campus_agent.models.text_calls import clean_name, read_calls
from campus_agent.text import unfenced

_NO_ACTION = re.compile(r"\W*(?:none|n/?a|null|no(?: further)? action.*|not (?:needed|required))?\W*", re.IGNORECASE)
_NO_INPUT = re.compile(r"\W*(?:none|null|n/a)?\W*", re.IGNORECASE)
_WORD = re.compile(r"[\w.:-]+")
_CALLED = re.compile(r"`?([\w.:-]+)[(\[](.*)[)\]]`?", re.DOTALL)
_OBJECT = re.compile(r"\s*(?:```\w*\s*)?(?=[{\[])")
_QUOTE_OR_BRACKET = re.compile(r"""\\.|["'{}\[\]]""", re.DOTALL)  # or something escaped, which is neither
_LONGEST = 20_000  # characters in which the end of an object is looked for
_NOT_A_TEXT = ("NaN", "Infinity", "-Infinity")


def read_action(name: str, given: str | None, tools: Mapping[str, ToolSchema], *, end: bool) -> RequestedCall | None:
    """Return the call that an action asks for, None when it asks for none.

    Args:
        name: the text behind `Action:`.
        given: the text behind `Action Input:`, None where that is missing; then only a known tool is called.
        tools: what may be called, by name.
        end: whether the tokens ran out behind this text, so that a part of it may be missing.
    """
    if given is None:
        if written := read_calls(name.strip(), tools.keys())[0]:
            return written[0]  # in Python, or as an object with the tool's name in it
        name, given = _in_brackets(name)
    word = _WORD.search(name)
    tool = clean_name(word[0], tools.keys()) if word else ""
    if tool not in tools:
        if given is None or _NO_ACTION.fullmatch(name):
            return None
        tool = name.strip(" \t\n*_`\"'[]()")
    arguments, whole = _read_input(given or "", tools.get(tool))
    return RequestedCall(tool, arguments, cut=end and not whole)


def _in_brackets(name: str) -> tuple[str, str | None]:
    """Divide `tool[its input]` into the two; the input is None where there are no brackets."""
    found = _CALLED.fullmatch(name.strip())
    return (found[1], found[2]) if found else (name, None)


def object_end(text: str, start: int = 0) -> int | None:
    """Return where the JSON or Python object that begins at `start`, in a fence or not, ends; None for no whole one."""
    opening = _OBJECT.match(text, start)
    depth, quote = 0, ""
    for found in _QUOTE_OR_BRACKET.finditer(text, opening.end(), start + _LONGEST) if opening else ():
        mark = found[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in ('"', "'"):
            quote = mark
        else:
            depth += (mark in ("{", "[")) - (mark in ("}", "]"))
            if depth == 0:
                return found.end()
    return None


def _read_input(text: str, tool: ToolSchema | None) -> tuple[str | None, bool]:
    """Return the arguments, and whether they surely are whole.

    What is no object is never rewritten; it is the argument where the tool has one that it can only be.
    """
    end = object_end(text)
    if end is not None:
        return _without_fence(text[:end]), True
    text = _without_fence(text)
    if _NO_INPUT.fullmatch(text):
        return None, False
    text = _unquoted(text)
    if text.startswith(("{", "[")) or text in _NOT_A_TEXT:
        return text, False
    argument = _only_text_argument(tool)
    return (json.dumps({argument: text}, ensure_ascii=False) if argument else text), False


def _only_text_argument(tool: ToolSchema | None) -> str | None:
    """Return the name of the one argument that a tool needs (or has, if it needs none), where it takes text."""
    properties = tool.parameters.get("properties", {}) if tool else {}
    names = tool.parameters.get("required") or list(properties) if tool else []
    if len(names) == 1 and properties.get(names[0], {}).get("type") == "string":
        return str(names[0])
    return None


def _without_fence(text: str) -> str:
    """Take off a fence, whole or only begun or only ended."""
    text = unfenced(text)
    opening = _OBJECT.match(text)
    return text[opening.end() :] if opening else text.removesuffix("```").rstrip()


def _unquoted(text: str) -> str:
    """Take off the quotes of a text that is one JSON string."""
    try:
        value = json.loads(text) if text.startswith('"') else text
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str) else text
