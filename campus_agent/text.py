"""The border where text from outside (people, models, tools, files, servers) becomes safe to show."""

from __future__ import annotations

import re

# C0 without tab and newline, DEL, C1, the bidi overrides and isolates, and lone surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPACES = re.compile(r"\s+")


def sanitize(text: str) -> str:
    """Return `text` with every character that could drive a terminal made visible as U+FFFD.

    Single characters are replaced, never sequences, so the result is the same however a stream
    was cut into fragments. Newline and tab stay; carriage return before a newline is dropped.
    """
    return _UNSAFE.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str, limit: int = 0) -> str:
    """Return `text` sanitized, on one line, at most `limit` characters (0: any length), cut with an ellipsis."""
    line = _SPACES.sub(" ", sanitize(text)).strip()
    return f"{line[: limit - 1].rstrip()}…" if 0 < limit < len(line) else line


def well_formed(text: str) -> str:
    """Return `text` with half characters (lone surrogates) replaced: no JSON line, file or socket can hold them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
