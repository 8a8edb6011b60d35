"""Fragments of tool calls, in whatever order and shape a server sends them -> whole calls."""

from __future__ import annotations

import json
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.text_calls import clean_name


@dataclass
class _Slot:
    """A tool call in the making."""

    index: object
    id: str | None
    name: str = ""
    text: list[str] = field(default_factory=list)
    container: dict[str, Any] | list[Any] | None = None

    @property
    def arguments(self) -> str | dict[str, Any] | list[Any] | None:
        return "".join(self.text) or self.container

    @property
    def complete(self) -> bool:
        return any(self.row)  # some gateways begin with an empty {}

    @property
    def row(self) -> list[dict[str, Any]]:
        """The objects that stand one after the other where one should be."""
        return read_json_row("".join(self.text))


class CallSlots:
    """The tool calls of one reply in the making."""

    def __init__(self, tools: Set[str]) -> None:
        self._tools = tools
        self._slots: list[_Slot] = []

    def add(self, fragment: dict[str, Any], *, whole: bool) -> None:
        """Take an item of `tool_calls`: a `whole` call, or a fragment that opens or continues one."""
        function = fragment["function"] if isinstance(fragment.get("function"), dict) else fragment
        name = _text(function.get("name"))
        arguments = function.get("arguments", function.get("parameters"))
        id = _text(fragment.get("id")) or None
        index = fragment.get("index")
        slot = None if whole else self._slot(index, id, name, arguments)
        if slot is None:
            slot = _Slot(index, id)
            self._slots.append(slot)
        slot.id = slot.id or id
        slot.name = _joined(slot.name, name, self._tools)
        if isinstance(arguments, str):
            slot.text.append(arguments)
        elif isinstance(arguments, dict | list):
            slot.container = arguments
        elif arguments is not None:
            slot.text.append(json.dumps(arguments))

    def _slot(self, index: object, id: str | None, name: str, arguments: object) -> _Slot | None:
        """Find the call that a fragment continues: by index, then id, then name; None when it opens a new one."""
        slots = [slot for slot in self._slots if slot.index == index] if index is not None else self._slots
        if not slots:
            return None
        same = next((slot for slot in slots if id and slot.id == id), None)
        last = same or slots[-1]
        if not name:
            return last  # only the first fragment of a call names its tool
        if same is None and id and last.id:
            return None  # another call under the same index, or with none
        if self._is_of_another(name, last.name):
            return None
        if last.container is not None:
            return None if arguments and last.name else last
        if index is not None or same:
            return last  # what is more than one object is told apart at the end
        begins = arguments.strip() if isinstance(arguments, str) else arguments
        return None if begins and last.name and last.complete else last

    def _is_of_another(self, part: str, name: str) -> bool:
        """Return whether a name, or a part of one, cannot belong to the call of the tool `name`."""
        part, name = clean_name(part, self._tools), clean_name(name, self._tools)
        if name not in self._tools or name.startswith(part) or name + part in self._tools:
            return False
        return any(tool.startswith(part) for tool in self._tools)

    def calls(self) -> list[RequestedCall]:
        """Return the calls in the order in which they began."""
        return [call for slot in self._slots for call in self._calls(slot)]

    def doubled(self) -> list[str]:
        """Return the names of the calls whose arguments held more than one object."""
        return [clean_name(slot.name, self._tools) for slot in self._slots if len(slot.row) > 1]

    def _calls(self, slot: _Slot) -> list[RequestedCall]:
        name = clean_name(slot.name, self._tools)
        row = slot.row
        if len(row) < 2:
            return [RequestedCall(name, slot.arguments, slot.id)]
        distinct = [item for n, item in enumerate(row) if item not in row[:n]]
        filled = [item for item in distinct if item] or distinct[:1]  # some gateways begin with an empty {}
        return [RequestedCall(name, item, None if n else slot.id) for n, item in enumerate(filled)]


def read_json(text: str) -> Any:  # noqa: ANN401 - a JSON value of any shape
    """Return the value of a JSON text, None where it is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def read_json_row(text: str) -> list[dict[str, Any]]:
    """Return the objects of a text such as `{..}{..}`, [] where it is anything else."""
    decoder, row, text = json.JSONDecoder(strict=False), [], text.strip()
    while text:
        try:
            value, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        row.append(value)
        text = text[end:].lstrip(" \t\r\n,;")
    return row


def _joined(name: str, part: str, known: Set[str]) -> str:
    """Add a fragment to a tool's name; some servers repeat the whole name, or all of it so far, in each fragment."""
    whole = name + part
    if whole in known or (part != name and clean_name(whole, known) in known):
        return whole
    if not part or part == name or clean_name(name, known) in known:
        return name
    return part if name and part.startswith(name) else whole


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
