"""Bytes from the network -> JSON objects, whether the server streams events or sends one document."""

from __future__ import annotations

import json
import re
from typing import Any

MOST_BYTES = 32_000_000  # of a body; the longest answer that is read takes a fraction of it
_MOST_LINES = 1_000  # of one event
_MARK = b"\xef\xbb\xbf"  # of UTF-8, which may stand at the beginning of any body
_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")
_WRAPPED = re.compile(rb"^(?:data:\s*)+")
_LINE_END = re.compile(rb"\r?\n|\r(?=[^\n])")  # a \r at the end may be half of one


class NotACompletion(Exception):
    """The body is neither a stream of events nor a JSON document; the text is how it begins."""


class BodyReader:
    """Reads the body of a chat completion as it arrives.

    What the body is, is told by how it begins and never by its content type, because servers send one for the other.
    Bytes are cut as the first line ends and decoded by whole lines: a character may be spread over network packets,
    and U+2028 inside a JSON text is no end of a line. A document may be one JSON object a line.

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
        self._events: bool | None = None  # True: a stream of events; False: a document; None: not known yet
        self._line_end = b""  # a newline, with or without what else stands there, or a carriage return alone

    def feed(self, data: bytes) -> list[dict[str, Any]]:
        """Take some bytes; return the JSON objects that are now complete, in order. Raises `NotACompletion`."""
        self._size += len(data)
        if self._size > MOST_BYTES:
            raise NotACompletion(f"The reply is longer than {MOST_BYTES:,} bytes; it was not read further.")
        self._rest += data
        if self._events is None:
            self._events = _is_events(bytes(self._rest))
            self._rest = self._rest.removeprefix(_MARK) if self._events else self._rest
        if not self._events:
            return []
        if not self._line_end and (end := _LINE_END.search(self._rest, max(0, len(self._rest) - len(data) - 1))):
            self._line_end = end[0][-1:]
        if not self._line_end or self._line_end not in self._rest[-len(data) - 1 :]:
            return []
        *lines, rest = self._rest.split(self._line_end)
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
            return self._rows(rest)
        self.done = True
        return [item]

    def _rows(self, body: bytes) -> list[dict[str, Any]]:
        """Read a document of one object a line, which does not say that it is over."""
        items = [_object(line) for line in body.split(b"\n") if line.strip()]
        if len(items) < 2 or None in items[:-1]:
            raise NotACompletion(_begin(body))
        self.cut = items[-1] is None
        return [item for item in items if item is not None]

    def _line(self, line: bytes) -> dict[str, Any] | None:
        """Read one line; an event may be spread over several `data:` lines, and ends with an empty line."""
        line = line.strip(b"\r")
        if self.done:
            return None
        if not line:
            return self._end_of_event()
        field, _, value = line.partition(b":")
        value = value.strip()
        if value.startswith(b"data:"):  # a gateway wrapped the lines of another stream
            value = _WRAPPED.sub(b"", value)
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
