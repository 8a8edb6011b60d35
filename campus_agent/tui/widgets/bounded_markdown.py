"""Markdown of which no block costs the screen too much to draw, whatever a model writes.

While an answer arrives its last block is drawn again and again. A table of thousands of cells, or a list of thousands
of items, would hold up every key; such a block is shown as it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_MOST_PARTS = 150  # pieces of text of one block: cells, items, paragraphs
_MOST_COLOURED = 10_000  # characters of code
_PLAIN = "text"  # the language of code without colours; with none named it would be guessed, which is slow


def bounded_parser() -> MarkdownIt:
    """Return a parser of Markdown as models write it that leaves no block too large."""
    parser = MarkdownIt("gfm-like")
    parser.core.ruler.push("bounds", _bound)
    return parser


def _bound(state: StateCore) -> None:
    lines = state.src.split("\n")
    state.tokens = [token for block in _blocks(state.tokens) for token in _bounded(block, lines)]


def _blocks(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each block that stands in no other."""
    block: list[Token] = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield block
            block = []


def _bounded(block: list[Token], lines: list[str]) -> list[Token]:
    """Return the block, or the code block that stands for it when it is too large."""
    first = block[0]
    if first.map is not None and sum(token.type == "inline" for token in block) > _MOST_PARTS:
        start, end = first.map
        written = "\n".join(lines[start:end])
        return [Token("fence", "code", 0, map=[start, end], content=written, info=_PLAIN, block=True)]
    for token in block:
        if token.type in ("fence", "code_block") and (not token.info or len(token.content) > _MOST_COLOURED):
            token.info = _PLAIN
    return block
