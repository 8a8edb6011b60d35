"""Fragments of tool calls, in whatever order and shape a server sends them -> whole calls."""

from __future__ import annotations

import json
import re
from collections.abc import Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.growing import whole_characters
from campus_agent.models.shapes import added_to, arguments_of, function_of, name_of
from campus_agent.models.text_calls import clean_name

MOST_CALLS = 100
"""Calls of one reply that are looked at."""

_MANY = 1_000  # fragments of one call
_BETWEEN = re.compile(r"[\s,;]*")  # what may stand between two objects


@dataclass
class _Slot:
    """A tool call in the making."""

    index: object
    id: str | None
    name: str = ""
    text: list[str] = field(default_factory=list)
    container: dict[str, Any] | list[Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> str | dict[str, Any] | list[Any] | None:
        text = whole_characters("".join(self.text))
        if text and read_json(text) is None and self._grows:
            return self.text[-1]
        return text or self.container

    @property
    def _grows(self) -> bool:
        """Whether each fragment holds all of the one before: some servers send everything so far again and again."""
        parts = [part for part in self.text if part]
        return len(parts) > 1 and all(later.startswith(part) for part, later in pairwise(parts))

    @property
    def blank(self) -> bool:
        """Whether it asks for nothing: some servers send an empty call beside every answer."""
        return not self.name.strip() and not self.container and "".join(self.text).strip() in ("", "{}", "null")

    @property
    def complete(self) -> bool:
        # Some gateways begin with an empty {}. Of very many fragments what is complete is told at the end, and once.
        return len(self.text) <= _MANY and any(self.row)

    @property
    def row(self) -> list[dict[str, Any]]:
        """The objects that stand one after the other where one should be."""
        return read_json_row("".join(self.text))


class CallSlots:
    """The tool calls of one reply in the making.

    Attributes:
        full: whether the reply asked for more than `MOST_CALLS`; nothing behind them is read.
    """

    def __init__(self, tools: Set[str]) -> None:
        self.full = False
        self._tools = tools
        self._slots: list[_Slot] = []

    @property
    def empty(self) -> bool:
        """Whether there is nothing here that could be a call."""
        return all(slot.blank for slot in self._slots)

    def add(self, fragment: dict[str, Any], *, whole: bool) -> None:
        """Take an item of `tool_calls`: a `whole` call, or a fragment that opens or continues one."""
        function = function_of(fragment)
        name, arguments = name_of(function), arguments_of(function)
        id = _text(fragment.get("id") or fragment.get("tool_call_id")) or None
        index = fragment.get("index")
        slot = None if whole else self._slot(index, id, name, arguments)
        self.full = self.full or (slot is None and len(self._slots) >= MOST_CALLS)
        if self.full:
            return
        if slot is None:
            slot = _Slot(index, id)
            self._slots.append(slot)
        slot.id = slot.id or id
        slot.name = _joined(slot.name, name, self._tools)
        slot.extra |= added_to(fragment)
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
        # What stands behind a whole object, a brace too many or the end of some markup, is no beginning.
        begins = arguments.strip().lstrip("}])<") if isinstance(arguments, str) else arguments
        return None if begins and last.name and last.complete else last

    def _is_of_another(self, part: str, name: str) -> bool:
        """Return whether a name, or a part of one, cannot belong to the call of the tool `name`."""
        part, name = clean_name(part, self._tools), clean_name(name, self._tools)
        if name not in self._tools or name.startswith(part) or name + part in self._tools:
            return False
        return any(tool.startswith(part) for tool in self._tools)

    def calls(self) -> list[RequestedCall]:
        """Return the calls in the order in which they began; blank ones only where there is no other."""
        slots = [slot for slot in self._slots if not slot.blank] or self._slots
        return [call for slot in slots for call in self._calls(slot)][:MOST_CALLS]

    def doubled(self) -> list[str]:
        """Return the names of the calls whose arguments held more than one object."""
        return [clean_name(slot.name, self._tools) for slot in self._slots if len(slot.row) > 1]

    def _calls(self, slot: _Slot) -> list[RequestedCall]:
        name = clean_name(slot.name, self._tools)
        row = slot.row
        if len(row) < 2:
            return [RequestedCall(name, slot.arguments, slot.id, extra=slot.extra)]
        distinct = [item for n, item in enumerate(row) if item not in row[:n]]
        filled = [item for item in distinct if item] or distinct[:1]  # some gateways begin with an empty {}
        return [RequestedCall(name, item, None if n else slot.id, extra=slot.extra) for n, item in enumerate(filled)]


def read_json(text: str) -> Any:  # noqa: ANN401 - a JSON value of any shape
    """Return the value of a JSON text, None where it is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def read_json_row(text: str) -> list[dict[str, Any]]:
    """Return the objects of a text such as `{..}{..}`, [] where it is anything else, or longer than any such row."""
    row: list[dict[str, Any]] = []
    decoder, at = json.JSONDecoder(strict=False), 0
    while (at := _between(text, at)) < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict) or len(row) == MOST_CALLS:
            return []
        row.append(value)
    return row


def _between(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


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
