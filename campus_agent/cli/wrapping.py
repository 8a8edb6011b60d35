"""Breaks lines between words, for what is read in a terminal line by line."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator

from campus_agent.text import sanitize

_LEAST = 20  # cells; in less room words have to be broken anyway
_HEAD = re.compile(  # what stands before the text of a line: white space, a part of the trace, the dash of a list
    r" *(?:(?:step \d+ · [^\W\d]+ +(?:->|<-|==|xx|\?\?|\.\.)|-|\d+\.|\[\d+\]) )?"
)


def fitted(text: str) -> str:
    """Return `text` with its lines broken for the terminal on standard output; as it is where that is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    return wrapped(text, max(_LEAST, shutil.get_terminal_size().columns - 1))


def wrapped(text: str, width: int) -> str:
    """Return `text` with lines of at most `width` cells, broken between words; only a word that is wider stays whole.

    What goes on in the next line begins where the text of the line begins, behind the head of a line of the trace.
    """
    return "\n".join(part for line in sanitize(text).split("\n") for part in _parts(line, width))


def _parts(line: str, width: int) -> Iterator[str]:
    from rich.cells import cell_len

    words = line.split(" ")
    head = _HEAD.match(line)
    indent = " " * min(len(head[0]) if head else 0, width // 2)
    part, used = words[0], cell_len(words[0])
    for word in words[1:]:
        cells = cell_len(word)
        if used + 1 + cells > width and part.strip():
            yield part
            part, used = indent + word, len(indent) + cells
        else:
            part, used = f"{part} {word}", used + 1 + cells
    yield part
