"""Markdown: headings become the title path, and what stands under them one or more passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from campus_agent.guardrail.looks import Screen
from campus_agent.knowledge.formats.blocks import Block, join_lines, paragraph, unwrapped
from campus_agent.knowledge.formats.inside import COMMENT, HIDDEN, orders_in_comments
from campus_agent.knowledge.formats.plain_text import read_plain_text
from campus_agent.knowledge.formats.records import row_text
from campus_agent.knowledge.formats.sections import Sections
from campus_agent.knowledge.passage import Passage, Problem

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markdown_it.tree import SyntaxTreeNode

# About what it costs to read a line that is not blank, a mark and a cell, in microseconds, and the most for a document:
# some 700 KB of ordinary text, or 22,000 lines of one letter.
_LINE, _MARK, _CELL, _MOST_WORK = 90, 25, 70, 2_000_000
_MARKS = re.compile(r"[]\[!*_`~<&\\]")

# YAML or TOML between two marks at the very top: names with values, and what is indented or listed under them.
_FRONT_MATTER = re.compile(
    r"""
    \A (---|\+\+\+) [ \t]*\n (?!\s*\n)
    (?: [\w"'][^\n:=]*[:=][^\n]*\n | [ \t\#\[\]-][^\n]*\n | \n )*?
    (?:\1|\.\.\.) [ \t]* (?:\n|\Z)
    """,
    re.VERBOSE,
)
_TITLE = re.compile(r"""^title[ \t]*[:=][ \t]*(?P<mark>["']?)(?P<title>\w[^\n]*?)(?P=mark)[ \t]*$""", re.MULTILINE)
_UNSEEN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|template|noscript)\b.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_PERCENT = re.compile(r"%%[^%\n]{1,1000}%%")  # a comment in the editors of notes
_COMMENTS = re.compile(
    rf"{COMMENT.pattern}|{_PERCENT.pattern}|^ {{0,3}}\[[^]\n]{{1,100}}\]:[ \t]*\S+[ \t]+[\"'(][^\n]{{1,1000}}",
    re.DOTALL | re.MULTILINE,
)
_LINE_BREAK = re.compile(r"<br\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WRAPPED = "\v"  # where a line ends in the file, inside a paragraph; white space in what is read
_TASK = re.compile(r"^\[[ xX]\]\s+")


def read_markdown(text: str, source: str) -> Iterator[Passage | Problem]:
    """Yield the passages of a document; comments are left out, and so is what is struck through or hidden by HTML.

    Of the front matter only the title counts, for what has no heading of the first level above it. What would take too
    long to read as Markdown is read as plain text. That is named as a problem, and so is hidden text.
    """
    from markdown_it.tree import SyntaxTreeNode

    whole, text = text, _PERCENT.sub("", text)
    front = _FRONT_MATTER.match(text)
    if front:  # its lines still count
        text = "\n" * front[0].count("\n") + text[front.end() :]
    lines = text.split("\n")
    end = _affordable(lines)
    tokens = _parser().parse("\n".join(lines[:end]))
    hidden = _blank_hidden(tokens)
    if hidden:
        yield Problem(source, hidden, HIDDEN)
    else:
        yield from orders_in_comments(whole, source, _COMMENTS)
    named = _TITLE.search(front[0]) if front else None
    yield from _Reader(source, named["title"] if named else "").read(SyntaxTreeNode(tokens))
    if end < len(lines):
        yield Problem(
            source,
            end + 1,
            "from here on it is read as plain text: it is too long for Markdown, or has too many marks; "
            "cut it into smaller files",
        )
        yield from read_plain_text("\n" * end + "\n".join(lines[end:]), source)


@cache
def _parser() -> MarkdownIt:
    """Return a parser, which takes as long to make as a short document to read."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _blank_hidden(tokens: Sequence[Token]) -> int | None:
    """Take out what the HTML among `tokens` hides, also over several blocks; return the first line where it does."""
    screen, line, first = Screen(), 1, None
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        for part in token.children or [token]:
            if part.type in ("html_block", "html_inline"):
                part.content = screen.shown(_UNSEEN.sub(" ", part.content))
            elif part.nesting > 0:
                screen.open(part.tag, {})
            elif part.nesting < 0:
                screen.close(part.tag)
            elif not screen.seen:
                part.content = screen.shown(escape(part.content))
            if not screen.seen and part.type == "link_open":
                part.attrs["href"] = "#"
        first = first or (line if screen.hid else None)
    return first


def _affordable(lines: list[str]) -> int:
    """Return how many lines from the top are not too much work."""
    work = columns = 0
    for number, line in enumerate(lines):
        if not line.strip():
            columns = 0
            continue
        columns = max(columns, line.count("|"))  # a short row of a table is filled up with cells
        work += _LINE + _MARK * len(_MARKS.findall(line)) + _CELL * columns
        if work > _MOST_WORK:
            return number
    return len(lines)


class _Reader:
    def __init__(self, source: str, title: str) -> None:
        self._sections = Sections(source, title=title)

    def read(self, document: SyntaxTreeNode) -> Iterator[Passage]:
        for node in document.children:
            if node.type == "heading":
                yield from self._sections.heading(int(node.tag[1:]), _inline(node), _line(node))
            else:
                self._add(node)
        yield from self._sections.end()

    def _add(self, node: SyntaxTreeNode) -> None:
        match node.type:
            case "bullet_list" | "ordered_list":
                self._sections.add_list([(_item(item), _line(item)) for item in node.children])
            case "table":
                self._sections.add(*_rows(node))
            case "blockquote":
                for child in node.children:
                    self._add(child)
            case "fence" | "code_block":
                code = " ".join(node.content.split())
                self._sections.add(Block(code, _line(node), "back"))
            case "html_block":
                self._extend(_plain(node.content), node)
            case "paragraph" | "heading":
                self._extend(_inline(node), node)

    def _extend(self, text: str, node: SyntaxTreeNode) -> None:
        self._sections.add(paragraph(text, _line(node)))


def _line(node: SyntaxTreeNode) -> int:
    return node.map[0] + 1 if node.map else 1


def _rows(table: SyntaxTreeNode) -> Iterator[Block]:
    head, *body = table.children
    names = [_inline(cell) for cell in head.children[0].children]
    for row in (row for part in body for row in part.children):
        text = row_text(names, [_inline(cell) for cell in row.children])
        if text:
            yield Block(text, _line(row), "alone")


def _item(node: SyntaxTreeNode) -> str:
    """Return a list item on one line, the lists inside it after a colon."""
    text = ""
    for child in node.children:
        if child.type in ("bullet_list", "ordered_list"):
            inner = ", ".join(filter(None, map(_item, child.children)))
            text = f"{text.removesuffix(':')}: {inner}" if text else inner
        elif child.type in ("fence", "code_block", "html_block"):
            text = f"{text} {_plain(child.content)}".strip()
        else:
            text = f"{text} {_inline(child)}".strip()
    return _TASK.sub("", text)


def _inline(node: SyntaxTreeNode) -> str:
    """Return the text of a node without its marks; the address of a link stands after its text."""
    parts = (part.split(_WRAPPED) for part in "".join(_pieces(node)).split("\n"))
    lines = (unwrapped([told for line in part if (told := " ".join(line.split()))]) for part in parts)
    return join_lines(*filter(None, lines))


def _pieces(node: SyntaxTreeNode) -> Iterator[str]:
    match node.type:
        case "text" | "code_inline" | "image":
            yield node.content
        case "softbreak":
            yield _WRAPPED
        case "hardbreak":
            yield "\n"
        case "html_inline":
            yield "\n" if _LINE_BREAK.match(node.content) else ""
        case "s":
            return
        case "link":
            text, address = "".join(map("".join, map(_pieces, node.children))), str(node.attrs.get("href", ""))
            shown = address.removeprefix("mailto:")
            yield text if shown in text or address.startswith("#") else f"{text} ({shown})" if text else shown
        case _:
            for child in node.children:
                yield from _pieces(child)


def _plain(html: str) -> str:
    return " ".join(_TAG.sub(" ", _UNSEEN.sub(" ", html)).split())
