"""Tool calls on the wire, as odd as a mix wants them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from tests.mixes.generator import Mix

SEARCH, CLOCK, COUNT = "search_campus_info", "get_current_time", "days_until_weekday"


@dataclass(frozen=True)
class Call:
    """A call as the model means it."""

    name: str
    arguments: dict[str, str]

    @property
    def key(self) -> str:
        return f"{self.name} {json.dumps(self.arguments, sort_keys=True)}"


def whole_calls(calls: tuple[Call, ...], mix: Mix, step: int) -> list[dict[str, Any]]:
    """Return `tool_calls` of a whole message."""
    items = []
    for n, (name, raw) in enumerate(_named(calls, mix)):
        function = {"name": _name(name, mix), **_arguments(raw)}
        items.append(_dressed(mix, {**_id(mix, step, n), **signed(mix), "function": function}))
    return items


def call_deltas(calls: tuple[Call, ...], mix: Mix, step: int) -> list[dict[str, Any]]:
    """Return the deltas in which a stream brings the calls."""
    rows = [_fragments(name, raw, mix, step, n) for n, (name, raw) in enumerate(_named(calls, mix))]
    match mix["order"]:
        case "plain":
            return [{"tool_calls": [item]} for row in rows for item in row]
        case "interleaved":
            return [{"tool_calls": [item]} for column in zip_longest(*rows) for item in column if item]
        case _:
            return [{"tool_calls": [item for item in column if item]} for column in zip_longest(*rows)]


def _named(calls: tuple[Call, ...], mix: Mix) -> list[tuple[str, Any]]:
    """Return each call's name and its arguments as they are sent."""
    if mix["wrapper"] == "row" and len(calls) > 1:
        return [(calls[0].name, "".join(notated(call.arguments, mix) for call in calls))]
    return [(call.name, raw_arguments(call, mix)) for call in calls]


def _fragments(name: str, raw: Any, mix: Mix, step: int, n: int) -> list[dict[str, Any]]:
    size = int(mix["pieces"])
    at_once = not isinstance(raw, str) or len(raw) <= size
    names = _name_parts(name, mix)
    pieces = [] if at_once else [raw[start : start + size] for start in range(0, len(raw), size)]
    late = "repeated" in mix["name"]
    items: list[dict[str, Any]] = [{"name": names[0], "arguments": ""}]
    items += [{"name": part, "arguments": ""} for part in names[1:]]
    if at_once:
        items[-1] = {"name": names[-1], **_arguments(raw)}
    items += [{**({"name": names[0]} if late else {}), "arguments": piece} for piece in pieces]
    id = _id(mix, step, n)
    dressed = [_dressed(mix, {**_index(mix, n), **id, **signed(mix), "function": items[0]})]
    for function in items[1:]:
        again = id if mix["id"] == "each" else {}
        if mix["id"] == "blank-later":
            again, function = {"id": "", "type": "function"}, {"name": "", **function}
        dressed.append({**_index(mix, n), **again, "function": function})
    return dressed


def signed(mix: Mix) -> dict[str, Any]:
    """Return what the server adds to each call, where it will demand it back."""
    return {"extra_content": {"google": {"thought_signature": "SIG"}}} if mix["history"] == "signature-back" else {}


def _dressed(mix: Mix, item: dict[str, Any]) -> dict[str, Any]:
    if mix["type"] != "missing":
        item["type"] = "function" if mix["type"] == "plain" else ""
    return item


def _id(mix: Mix, step: int, n: int) -> dict[str, Any]:
    match mix["id"]:
        case "missing":
            return {}
        case "empty":
            return {"id": ""}
        case "null":
            return {"id": None}
        case "number":
            return {"id": n}
        case "duplicate":
            return {"id": f"call_{step}"}
        case "reused":
            return {"id": f"call_{n}"}
        case "nine":
            return {"id": f"Ab{step:03d}{n:04d}"}
        case _:
            return {"id": f"call_{step}_{n}_{mix.seed}"}


def _index(mix: Mix, n: int) -> dict[str, Any]:
    match mix["index"]:
        case "missing":
            return {}
        case "null":
            return {"index": None}
        case "zero":
            return {"index": 0}
        case "offset":
            return {"index": n + 1}
        case "text":
            return {"index": str(n)}
        case _:
            return {"index": n}


def _name(name: str, mix: Mix) -> str:
    match mix["name"]:
        case "prefixed" | "prefixed-repeated":
            return f"functions.{name}"
        case "counted":
            return f"functions.{name}:0"
        case "channel":
            return f"{name}<|channel|>commentary"
        case _:
            return name


def _name_parts(name: str, mix: Mix) -> list[str]:
    middle = len(name) // 2
    match mix["name"]:
        case "split":
            return [name[:middle], name[middle:]]
        case "grows":
            return [name[:middle], name]
        case _:
            return [_name(name, mix)]


_ABSENT = object()


def _arguments(raw: Any) -> dict[str, Any]:
    return {} if raw is _ABSENT else {"arguments": raw}


def raw_arguments(call: Call, mix: Mix) -> Any:
    """Return the arguments of a call as the mix writes them."""
    if not call.arguments and mix["nothing"] != "{}":
        nothing = {"empty": "", "null": None, "null-text": "null", "None-text": "None", "absent": _ABSENT}
        return nothing[mix["nothing"]]
    text = notated(call.arguments, mix)
    match mix["wrapper"]:
        case "object":
            return call.arguments
        case "fenced":
            return f"```json\n{text}\n```"
        case "encoded":
            return json.dumps(text)
        case "encoded-twice":
            return json.dumps(json.dumps(text))
        case "doubled":
            return text * 2
        case "after-empty":
            return "{}" + text
        case "brace":
            return text + "}"
        case "tag":
            return f"{text}\n</tool_call>"
        case "inside":
            return f'{{"arguments": {text}}}'
        case "mark":
            return f"\ufeff{text}"
        case _:
            return text


def notated(arguments: dict[str, str], mix: Mix) -> str:
    """Return an object as text, in JSON or in what a model takes for it."""
    match mix["notation"]:
        case "spaces":
            return json.dumps(arguments, indent=2, ensure_ascii=False).join("\n ")
        case "escapes":
            return json.dumps(arguments, ensure_ascii=True)
        case "comma":
            return json.dumps(arguments, ensure_ascii=False)[:-1] + (",}" if arguments else "}")
        case "python":
            return repr(arguments)
        case "newline":
            inner = (f"{json.dumps(name)}: {_raw(value)}" for name, value in arguments.items())
            return f"{{{', '.join(inner)}}}"
        case _:
            return json.dumps(arguments, ensure_ascii=False)


def _raw(value: str) -> str:
    """Return a JSON string in which a newline stands as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\\n", "\n") if "\\" not in value else json.dumps(value)
