"""HTML inside the texts of other formats, such as the cells of a table: only what can be seen of it is told."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from itertools import islice

from campus_agent.guardrail.hostile import speaks
from campus_agent.knowledge.passage import Passage, Problem

HIDDEN = "text in it that nobody can see, such as white on white, is left out; let it be seen, or take it out"
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAGS = """
    a abbr address b big blockquote br center code dd del div dl dt em figure font form h[1-6] hr i iframe img ins li
    mark nav noscript ol p pre script section small span strike strong style sub sup table tbody td template th thead tr
    tt u ul
"""
_HTML = re.compile(rf"</?(?:{'|'.join(_TAGS.split())})(?=[\s/>])[^<>]{{0,1000}}>", re.IGNORECASE)

TextReader = Callable[[str, str], Iterator[Passage | Problem]]


def orders_in_comments(text: str, source: str, comments: re.Pattern[str]) -> Iterator[Problem]:
    """Yield a problem for the first of the `comments` in a text that speaks to the assistant."""
    starts = (comment.start() for comment in comments.finditer(text) if speaks(comment[0]))
    for start in islice(starts, 1):
        yield Problem(source, text.count("\n", 0, start) + 1, HIDDEN)


def seen_only(read: TextReader) -> TextReader:
    """Make a reader that tells of the HTML in another's passages what can be seen, and names what cannot."""

    def reader(text: str, source: str) -> Iterator[Passage | Problem]:
        for told in read(text, source):
            if isinstance(told, Problem) or not _HTML.search(f"{told.title}\n{told.text}"):
                yield told
            else:
                yield from _seen(told)

    return reader


def _seen(passage: Passage) -> Iterator[Passage | Problem]:
    from campus_agent.knowledge.formats.web_page import read_piece

    (title, hid_some), (text, hid_more) = read_piece(passage.title), read_piece(passage.text)
    hidden = hid_some or hid_more or any(orders_in_comments(passage.text, passage.source, COMMENT))
    if hidden:
        yield Problem(passage.source, passage.line, HIDDEN)
    if text:
        yield dataclasses.replace(passage, title=title, text=text)
