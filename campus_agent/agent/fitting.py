"""Cuts an observation that is too long for the model where nothing is cut in two."""

from __future__ import annotations

import re
from dataclasses import replace

from campus_agent.tools.tool import ToolResult

# Where a text may be cut, best first: behind a line (a passage is one), a sentence, a word.
_BORDERS = (re.compile(r"(?=\n)"), re.compile(r"(?<=[.!?;])(?=\s)|(?<=[。！？；])"), re.compile(r"(?=\s)|(?<=[，、])"))
_CUT = "[cut here: what stood behind this was left out, because it is too long]"  # no figure in it: it is evidence too


def fitted(result: ToolResult, limit: int) -> ToolResult:
    """Return `result` with at most `limit` characters of content and a mark; a source that was left out is no evidence.

    A text that is one long word is left out whole, because half a number or a name is another one.
    """
    content = result.content
    if len(content) <= limit:
        return result
    kept = content[: _border(content, limit)].rstrip()
    read = tuple(source for source in result.sources if source.text in kept or source.text not in content)
    return replace(result, content=f"{kept}\n{_CUT}".lstrip(), sources=read)


def _border(content: str, limit: int) -> int:
    for border in _BORDERS:
        places = (found.start() for found in border.finditer(content, 0, limit + 1))
        if last := max((place for place in places if place <= limit), default=0):
            return last
    return 0
