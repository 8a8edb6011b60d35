"""Where a long text is cut into the pieces that are shown one at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOST = 8_000  # characters of a piece; it goes on to the next good place to cut, by a quarter at most
_WEIGHT = 200  # so many lines of code, or half as many other lines
_OPENING = 8  # what a block of code weighs beside its lines
_OVER = 1.25
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")  # under the head of a table
_SPACE = re.compile(r"\s")
_SEEK = 200  # characters; so far on a long line is cut at a space


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a piece ends.

    Attributes:
        end: the position in the text.
        carried: what the next piece begins with, so that it is read as this one was: what opens code that goes on, or
            the head of a table that goes on.
        complete: whether the piece ends there, not only the text so far.
    """

    end: int
    carried: str = ""
    complete: bool = False


class _Reader:
    """Reads the lines of a piece and knows whether code, or a table, goes on."""

    def __init__(self, carried: str) -> None:
        self.fence = self.head = self._before = ""
        self.weight = 0
        for line in carried.splitlines(keepends=True):
            self.read(line)
        self.weight = 0

    @property
    def carried(self) -> str:
        """What the next piece begins with, if this one ends here."""
        return self.fence or self.head

    def ends_before(self, line: str) -> bool:
        """Return whether a piece may well end before `line`."""
        return not self.fence and not self._before.strip() and not line[:1].isspace()

    def read(self, line: str) -> None:
        """Take in the next line."""
        fence = _FENCE.match(line)
        if self.fence:
            opened = _FENCE.match(self.fence)
            if fence and opened and fence[1].startswith(opened[1]) and not line[fence.end() :].strip():
                self.fence = ""
        elif fence:
            self.fence = line.lstrip()
            self.weight += _OPENING
        elif "|" not in line:
            self.head = ""
        elif "|" in self._before and not self.head and _RULE.match(line):
            self.head = self._before + line
        self.weight += 1 if self.fence else 2 * bool(line.strip())
        self._before = line


def cut(text: str, start: int = 0, carried: str = "") -> Cut:
    """Return where the piece ends that begins at `start`: at the end of a block, if one ends about there.

    As a text grows, the end of a piece that is complete stays where it is.
    """
    reader, position, most = _Reader(carried), start, start + int(_MOST * _OVER)
    while position < len(text):
        end = text.find("\n", position) + 1 or len(text)
        line = text[position:end]
        full = max((position - start) / _MOST, reader.weight / _WEIGHT)
        if full >= _OVER or (full >= 1 and reader.ends_before(line)):
            return Cut(position, reader.carried, complete=True)
        if end > most:
            return _cut_in_line(text, most, reader.carried)
        reader.read(line)
        position = end
    return Cut(len(text))


def _cut_in_line(text: str, most: int, carried: str) -> Cut:
    """Return a cut at the first space from `most` on, or some characters after."""
    space = _SPACE.search(text, most, most + _SEEK)
    end = space.end() if space else most + _SEEK
    return Cut(end, carried, complete=True) if end < len(text) else Cut(len(text))
