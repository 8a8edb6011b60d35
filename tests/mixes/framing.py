"""JSON objects -> the bytes of a stream of events, in the packets in which they leave the server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.mixes.generator import Mix


def stream_of(objects: Sequence[dict[str, Any]], mix: Mix, *, ends: bool = True) -> list[bytes]:
    """Return the packets of a stream; one that does not end lacks the sign that it is over."""
    events = [_event(item, mix) for item in objects]
    if mix["extras"] == "byte-order-mark":
        events[0] = "\ufeff" + events[0]
    if ends and mix["extras"] == "error-after":
        events.append('data: {"error": {"message": "The counter broke.", "code": 500}}\n\n')
    if ends and mix["done"] != "no":
        events.append("data: [DONE]\n\n" if mix["done"] == "yes" else "data:[DONE]\n")
    line_end = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}[mix["line"]]
    encoded = [event.replace("\n", line_end).encode() for event in events]
    return list(_packets(encoded, mix["packet"]))


def _event(item: dict[str, Any], mix: Mix) -> str:
    text = json.dumps(item, ensure_ascii=False, indent=1 if mix["lines"] == "several" else None)
    field = {"space": "data: ", "bare": "data:", "twice": "data: data: "}[mix["field"]]
    data = "".join(f"{field}{line}\n" for line in text.split("\n"))
    match mix["extras"]:
        case "comments":
            return f": PROCESSING\n\n{data}\n: still here\n"
        case "events":
            return f"event: message\nid: 7\nretry: 3000\n{data}\n"
        case "blank-lines":
            return f"\n\ndata:\n\n{data}\n\n"
        case _:
            return f"{data}\n"


def _packets(events: list[bytes], packet: str) -> Iterator[bytes]:
    if packet == "event":
        yield from events
        return
    body = b"".join(events)
    size = len(body) if packet == "one" else int(packet)
    for start in range(0, len(body), size):
        yield body[start : start + size]
