"""The border where text from outside (people, models, tools, files, servers) becomes safe to show."""

from __future__ import annotations

import re

# C0 without tab, newline and carriage return, DEL, C1, the bidi overrides and isolates, and lone surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LANGUAGE = re.compile(r"\w*[ \t]*\n|json\b")
_SPACES = re.compile(r"\s+")
_USER_IN_ADDRESS = re.compile(r"(?<=://)\S+(?=@)")
# As a parameter of the address; of a name that is in part written as percentages nobody can tell what it is.
_PASSWORD_IN_ADDRESS = re.compile(r"([?&][^=&\s]{0,40}?(?:pass|secret|key|%)[^=&\s]{0,40}=)[^&\s'\"]+", re.IGNORECASE)
MASK = "********"


def sanitize(text: str) -> str:
    """Return `text` with every character that could drive a terminal made visible as U+FFFD.

    Single characters are replaced, never sequences, so the result is the same however a stream
    was cut into fragments. Newline and tab stay; carriage returns are dropped.
    """
    return _UNSAFE.sub("\ufffd", text.replace("\r", ""))


def one_line(text: str, limit: int = 0) -> str:
    """Return `text` sanitized, on one line, at most `limit` characters (0: any length), cut with an ellipsis."""
    line = _SPACES.sub(" ", sanitize(text)).strip()
    return f"{line[: limit - 1].rstrip()}…" if 0 < limit < len(line) else line


def without_credentials(text: str) -> str:
    """Return `text` with the user and password of every address in it replaced by a mask."""
    return _PASSWORD_IN_ADDRESS.sub(rf"\g<1>{MASK}", _USER_IN_ADDRESS.sub(MASK, text))


def well_formed(text: str) -> str:
    """Return `text` with half characters (lone surrogates) replaced: no JSON line, file or socket can hold them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def plural(count: int, word: str) -> str:
    """Return `count` with `word`, such as "1 step" and "2 steps"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def duration(milliseconds: float) -> str:
    """Return a length of time as a person says it: "6 ms", "1.4 s", "2 min 5 s"."""
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def unfenced(text: str) -> str:
    """Return `text` stripped, without the fence if one is all around it."""
    text = text.strip()
    if len(text) < 6 or not (text.startswith("```") and text.endswith("```")):
        return text
    inner = text[3:-3]
    language = _LANGUAGE.match(inner)
    return inner[language.end() if language else 0 :].strip()
