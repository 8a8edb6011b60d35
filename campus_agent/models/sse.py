"""Bytes from the network -> JSON objects, whether the server streams events or sends one document."""

from __future__ import annotations

import json
from typing import Any

MOST_BYTES = 32_000_000  # of a body; the longest answer that is read takes a fraction of it
_MOST_LINES = 1_000  # of one event
_MARK = b"\xef\xbb\xbf"  # of UTF-8, which may stand at the beginning of any body
_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")


class NotACompletion(Exception):
    """The body is neither a stream of events nor a JSON document; the text is how it begins."""


class BodyReader:
    """Reads the body of a chat completion as it arrives.

    What the body is, is told by how it begins and never by its content type, because servers send one for the other.
    Bytes are cut at newlines alone and decoded by whole lines: a character may be spread over network packets, and
    U+2028 inside a JSON text is no end of a line.

    Attributes:
        done: whether the server has said that the stream is over, or sent its whole document.
        cut: whether the stream ended inside an event.
    """

    def __init__(self) -> None:
        self.done = False
        self.cut = False
        self._size = 0
        self._rest = bytearray()
        self._data: list[bytes] = []  # the lines of an event whose JSON is not whole yet
        self._event = b""
        self._events: bool | None = None  # True: a stream of events; False: one document; None: not known yet

    def feed(self, data: bytes) -> list[dict[str, Any]]:
        """Take some bytes; return the JSON objects that are now complete, in order. Raises `NotACompletion`."""
        self._size += len(data)
        if self._size > MOST_BYTES:
            raise NotACompletion(f"The reply is longer than {MOST_BYTES:,} bytes; it was not read further.")
        self._rest += data
        if self._events is None:
            self._events = _is_events(bytes(self._rest))
            self._rest = self._rest.removeprefix(_MARK) if self._events else self._rest
        if not self._events or b"\n" not in data:
            return []
        *lines, rest = self._rest.split(b"\n")
        self._rest = rest
        return [item for line in lines if (item := self._line(bytes(line))) is not None]

    def close(self) -> list[dict[str, Any]]:
        """Say that no more bytes come; return what they complete. Raises `NotACompletion` for any other body."""
        rest = bytes(self._rest)
        if self._events or not rest.strip():
            last = self._line(rest) if rest else None
            if last is None and self._event == b"error":  # in plain words, without the empty line after it
                last = self._end_of_event()
            self.cut = bool(self._data)
            return [] if last is None else [last]
        item = _object(rest)
        if item is None:
            raise NotACompletion(_begin(rest))
        self.done = True
        return [item]

    def _line(self, line: bytes) -> dict[str, Any] | None:
        """Read one line; an event may be spread over several `data:` lines, and ends with an empty line."""
        line = line.strip(b"\r")
        if self.done:
            return None
        if not line:
            return self._end_of_event()
        field, _, value = line.partition(b":")
        value = value.strip()
        if field == b"event":
            self._event = value
        if field != b"data" or not value:
            return None
        if value == b"[DONE]":
            self.done = True
            return None
        self._data.append(value)
        if len(self._data) > _MOST_LINES:
            raise NotACompletion(f"One event of the reply is longer than {_MOST_LINES:,} lines.")
        item = _object(b"\n".join(self._data)) if value.endswith(b"}") else None
        if item is not None:
            self._data.clear()
        return item

    def _end_of_event(self) -> dict[str, Any] | None:
        """Deal with an event that is no JSON object: an error in plain words, a sign of life, or half of one."""
        data, event = b"\n".join(self._data), self._event
        self._data.clear()
        self._event = b""
        if event == b"error" and data:
            return {"error": {"message": _begin(data)}}
        if data.startswith(b"{"):
            raise NotACompletion(_begin(data))
        return None


def _is_events(body: bytes) -> bool | None:
    start = body.lstrip(_MARK + b" \t\r\n")
    if start.startswith(_FIELDS):
        return True
    # A field's name may have arrived only in part; an empty body says nothing.
    return None if any(field.startswith(start) for field in _FIELDS) else False


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _begin(body: bytes) -> str:
    return body[:2000].decode("utf-8", "replace")
