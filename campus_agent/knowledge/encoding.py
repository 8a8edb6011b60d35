"""From the bytes of a document to its text."""

from __future__ import annotations

import codecs
import re
from typing import Final

_BYTE_ORDER_MARKS: Final = (  # the longer ones first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]"
)  # not what moves the cursor, nor the escape of a coloured log
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_WESTERN = re.compile("[\u00c0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u2013-\u2026\u20ac\u00a0-\u00bf]")


class Unreadable(Exception):
    """A document, or the rest of it, that cannot be read; `line` is where that shows, None for all of it."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def decode(data: bytes) -> str:
    """Return the text of `data`: as its byte order mark says, else UTF-8, else Windows-1252 if that reads as text.

    Lines end in a single newline, whatever they ended in.

    Raises:
        Unreadable: no text, or text in an encoding that cannot be told.
    """
    return _decoded(data).replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _as_marked(data, encoding)
    if b"\0" in data:
        raise Unreadable("it is binary, not text")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _as_windows(data)
    if len(_CONTROL.findall(text)) > len(text) // 20:
        raise Unreadable("it is binary, not text")
    return text


def _as_marked(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise Unreadable(
            f"it begins as {encoding.removesuffix('-sig').upper()} and goes on as something else"
        ) from None


def _as_windows(data: bytes) -> str:
    """Read text as Windows-1252 if its few letters beyond ASCII are those of western Europe."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = ""
    beyond = len(_BEYOND_ASCII.findall(text))
    if not text or _CONTROL.search(text) or beyond > len(text) * 0.3 or len(_WESTERN.findall(text)) < beyond * 0.9:
        raise Unreadable("it is binary, or text in an unknown encoding; save it as UTF-8")
    return text
