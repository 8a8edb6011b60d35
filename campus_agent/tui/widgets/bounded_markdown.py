"""Markdown of which no block costs the screen too much to draw, whatever a model writes.

While an answer arrives its last block is drawn again and again, and every part of a block that is a widget of its own
holds up every key. Lists and tables, which answers are full of, become one block each; what is still too large, or too
deep, is shown as it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from textual.widgets import Markdown

LIST, TABLE = "flat_list", "flat_table"  # tokens that stand for a whole block: `meta` holds its rows
_MOST_PARTS = 30  # pieces of text of a block that has a widget for each: of a quote, or of a list with code in it
_MOST_CELLS = 400  # of a table
_DEEPEST = 12  # blocks in each other, where each is a widget
_MOST_MARKS = 500  # signs in a paragraph that may mean something: reading them takes longer than their number tells
_MOST_COLOURED = 4_000  # characters of code
_PLAIN = "text"  # the language of code without colours; with none named it would be guessed, which is slow
_PARTS = ("inline", "fence", "code_block", "hr")
_MARKS = "[]*_`!<~&\\"
_OF_LISTS = ("bullet_list", "ordered_list", "list_item", "paragraph")


def bounded_parser() -> MarkdownIt:
    """Return a parser of Markdown as models write it that leaves no block too large."""
    parser = MarkdownIt("gfm-like")
    parser.core.ruler.before("inline", "unread", _leave_unread)
    parser.core.ruler.push("bounds", _bound)
    return parser


def _leave_unread(state: StateCore) -> None:
    """Keep a text with too many marks from being read."""
    for token in state.tokens:
        if token.type == "inline" and sum(token.content.count(mark) for mark in _MARKS) > _MOST_MARKS:
            token.meta["unread"], token.content = token.content, ""


def _bound(state: StateCore) -> None:
    lines = state.src.split("\n")
    for token in state.tokens:
        if "unread" in token.meta:
            token.content = token.meta.pop("unread")
            token.children = [Token("text", "", 0, content=token.content)]
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
    """Return the block, the one token that it becomes, or the code block that stands for it when it is too large."""
    first, parts = block[0], sum(token.type in _PARTS for token in block)
    if first.type == "table_open" and parts <= _MOST_CELLS:
        return [Token(TABLE, "", 0, map=first.map, block=True, meta={"rows": _cells(block)})]
    if first.tag in ("ul", "ol") and all(token.type == "inline" or _is_of_lists(token) for token in block):
        return [Token(LIST, "", 0, map=first.map, block=True, meta={"rows": _items(block)})]
    if first.map is not None and (parts > _MOST_PARTS or max(token.level for token in block) > _DEEPEST):
        start, end = first.map
        written = "\n".join(lines[start:end])
        return [Token("fence", "code", 0, map=[start, end], content=written, info=_PLAIN, block=True)]
    for token in block:
        if token.type in ("fence", "code_block") and (not token.info or len(token.content) > _MOST_COLOURED):
            token.info = _PLAIN
    return block


def _is_of_lists(token: Token) -> bool:
    return token.type.rpartition("_")[0] in _OF_LISTS


def _cells(block: list[Token]) -> list[list[tuple[bool, Token]]]:
    """Return the rows of a table, the head first: each cell with whether it keeps to the right."""
    rows: list[list[tuple[bool, Token]]] = []
    right = False
    for token in block:
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            right = "right" in str(token.attrs.get("style", ""))
        elif token.type == "inline":
            rows[-1].append((right, token))
    return rows


def _items(block: list[Token]) -> list[tuple[str, Token]]:
    """Return the texts of a list and of those in it, each with what stands before its first line."""
    rows: list[tuple[str, Token]] = []
    signs: list[Iterator[str]] = []  # of each list that is open, the signs of the items to come
    leads = [""]  # of each item that is open, what stands before its next text
    for position, token in enumerate(block):
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                signs.append(_signs(block, position))
            case "bullet_list_close" | "ordered_list_close":
                signs.pop()
            case "list_item_open":
                leads.append(" " * len(leads[-1]) + next(signs[-1]))
            case "list_item_close":
                leads.pop()
            case "inline":
                rows.append((leads[-1], token))
                leads[-1] = " " * len(leads[-1])
    return rows


def _signs(block: list[Token], position: int) -> Iterator[str]:
    """Yield the signs of the items of the list that opens at this position: numbers, or bullets by how deep it is."""
    opens = block[position]
    if opens.tag == "ul":
        depth = sum(token.tag == "ul" and token.nesting for token in block[:position])
        while True:
            yield Markdown.BULLETS[depth % len(Markdown.BULLETS)]
    start = int(opens.attrs.get("start", 1))
    items = 0
    for token in block[position + 1 :]:
        if token.level <= opens.level:
            break
        items += token.type == "list_item_open" and token.level == opens.level + 1
    widest = len(f"{start + items - 1}. ")
    while True:
        yield f"{start}. ".rjust(widest)
        start += 1
