"""The styles of a web page, its own style sheets among them, as far as they tell what of it a person can see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from campus_agent.guardrail.looks import Declarations, Look, declarations, look_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MOST_RULES = 200
_MOST_MATCHES = 200_000
_SIMPLE = re.compile(r"[\w\s.#,>*-]{1,200}")  # no states, and no neighbours or counts, which take a parser long to find
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


class Styles:
    """The styles of a page: those of its elements, and those that its own style sheets give them.

    Args:
        page: the page; with a style sheet of its own somewhere else, its background is unknown.
    """

    def __init__(self, page: LexborHTMLParser) -> None:
        self._sheet = _sheet(page)
        outside = any("stylesheet" in (link.attributes.get("rel") or "").lower() for link in page.css("link"))
        self.start = Look(background=None) if outside else Look()

    def look(self, node: LexborNode, around: Look) -> Look:
        """Return how the text of an element looks that stands in one that looks like `around`."""
        attributes = node.attributes
        if not attributes and node.mem_id not in self._sheet:
            return around
        style = {**self._sheet.get(node.mem_id, {}), **declarations(attributes.get("style") or "")}
        return look_of(str(node.tag), attributes, style, around)


def _sheet(page: LexborHTMLParser) -> dict[int, Declarations]:
    """Return what the style sheets in the page give to its elements, by element."""
    from selectolax.lexbor import SelectolaxError

    styles: dict[int, Declarations] = {}
    matches = 0
    css = "\n".join(node.text() or "" for node in page.css("style"))
    for number, (selector, telling) in enumerate(_rules(css)):
        if number >= _MOST_RULES or matches >= _MOST_MATCHES:
            break
        try:
            nodes = page.css(selector)
        except SelectolaxError:  # what is no selector at all
            continue
        matches += len(nodes)
        for node in nodes:
            styles.setdefault(node.mem_id, {}).update(telling)
    return styles


def _rules(css: str) -> Iterator[tuple[str, Declarations]]:
    """Yield the rules that may hide something, without those for paper or some screens only."""
    depth, selector, at_rule = 0, "", False
    for piece in re.split(r"([{}])", _COMMENT.sub("", css)):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth = max(depth - 1, 0)
        elif depth == 0:
            selector = piece.rpartition(";")[2].strip()
            at_rule = selector.startswith("@")
        elif depth == 1 and not at_rule:
            telling = declarations(piece)
            selector = selector.replace(":root", "html")
            if telling and _SIMPLE.fullmatch(selector):
                yield selector, telling
