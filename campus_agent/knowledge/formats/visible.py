"""A web page without what nobody reads on it: scripts, menus, what is hidden, what frames every page of a site."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

from campus_agent.guardrail.hostile import speaks
from campus_agent.guardrail.looks import Look, Screen
from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.styles import Styles

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MOST_CHARACTERS = 5_000_000
_MOST_WORK = 10_000_000  # elements, each as often as there are others around it: about 3 s
_MOST_WORK_OF_PIECE = 50_000  # of which a document may have thousands
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_TEXT = re.compile(r">([^<]+)")

# Never open at the same time as another of their kind, or never closed.
_FLAT = """
    area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option
"""
_UNREAD = """
    script style template noscript svg math iframe object embed canvas audio video select button input textarea
    datalist head del s strike
"""
# Around what the page is about.
_FRAME = ("nav", "footer", "aside")
_FRAME_ROLES = """
    navigation banner contentinfo search complementary menu menubar dialog alertdialog
"""


@dataclass(frozen=True, slots=True)
class Words:
    """A run of text, and the line where it stands."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Element:
    """An element of which something can be seen; `note` is the address of a link, or what a picture shows."""

    tag: str
    children: tuple[Element | Words, ...]
    note: str = ""

    @property
    def line(self) -> int | None:
        """The line of the first text in it."""
        found = (child.line for child in self.children if not isinstance(child, Words) or child.text.strip())
        return next((line for line in found if line is not None), None)


def visible(html: str) -> tuple[str, Element, int | None]:
    """Return the title of a page, what can be seen of it, and the first line where it hides text, None for nowhere.

    It is told of its main part, if it marks one. What a script may show, or what is for screen readers, is no secret
    and only left out, unless it speaks to the assistant.

    Raises:
        Unreadable: it is longer than any page, or elements are nested as no page has them.
    """
    page = _parsed(html, _MOST_WORK)
    title = page.css_first("head > title")
    name = " ".join((title.text() or "").split()) if title is not None else ""
    seen = _Seen(page, html)
    return name, Element("body", tuple(seen.parts())), seen.hides


def visible_piece(html: str) -> tuple[Element, bool]:
    """Return what can be seen of a piece of HTML, all of which is text of a document, and whether any of it cannot.

    Raises:
        Unreadable: elements are nested as nobody nests them.
    """
    screen = Screen()
    screen.shown(html)
    return Element("body", tuple(_Seen(_parsed(html, _MOST_WORK_OF_PIECE), html).every_part())), screen.hid


def _parsed(html: str, most_work: int) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    if len(html) > _MOST_CHARACTERS:
        raise Unreadable(f"it is over {_MOST_CHARACTERS // 1_000_000} MB; cut it into smaller files")
    if _work(html) > most_work:
        raise Unreadable("its elements are nested too deeply; save the page as text")
    return LexborHTMLParser(html)


def _work(html: str) -> int:
    """Estimate what parsing costs: a parser looks at all elements that are open, and may open each again and again."""
    work = depth = 0
    flat = frozenset(_FLAT.split())
    for closing, name in _TAG.findall(html):
        if name.lower() in flat:
            work += depth
        elif closing:
            depth = max(depth - 1, 0)
        else:
            depth += 1
            work += depth
    return work


class _Seen:
    def __init__(self, page: LexborHTMLParser, html: str) -> None:
        self._page = page
        self._places = _Places(html)
        self._styles = Styles(page)
        self.hides: int | None = None
        self._unread = frozenset(_UNREAD.split())
        self._roles = frozenset(_FRAME_ROLES.split())

    def parts(self) -> Iterator[Element | Words]:
        if self._page.body is None:
            return
        main = self._page.css("main, [role=main]") or self._page.css("article")
        if len(main) == 1:
            yield from self._parts(main[0], self._around(main[0]), whole=False)
        else:
            yield from self._parts(self._page.body, self._around(self._page.body), whole=True)

    def every_part(self) -> Iterator[Element | Words]:
        if self._page.body is not None:
            yield from self._parts(self._page.body, self._styles.start, whole=False)

    def _around(self, node: LexborNode) -> Look:
        """Return how the text in an element looks, after all the elements around it."""
        path = [node]
        while (above := path[-1].parent) is not None:
            path.append(above)
        look = self._styles.start
        for element in reversed(path):
            if element.is_element_node:
                look = self._styles.look(element, look)
        return look

    def _parts(self, node: LexborNode, look: Look, *, whole: bool) -> Iterator[Element | Words]:
        for child in node.iter(include_text=True):
            if child.is_text_node:
                text = child.text_content or ""
                self._places.pass_by(text)
                if not look.seen and any(map(str.isalnum, text)):
                    self.hides = self.hides or self._places.line
                if look.seen:
                    yield Words(" ".join(re.split(r"[^\S\u00a0]+", text)), self._places.line)
            elif child.is_element_node and not self._skipped(child, whole=whole):
                inner = self._styles.look(child, look)
                if inner.hidden:
                    self._look_through(child.text() or "")
                else:
                    yield Element(str(child.tag), tuple(self._parts(child, inner, whole=whole)), _note(child))

    def _look_through(self, text: str) -> None:
        """Remember where text is hidden that speaks to the assistant."""
        if self.hides is None and speaks(text):
            self._places.pass_by(text)
            self.hides = self._places.line

    def _skipped(self, node: LexborNode, *, whole: bool) -> bool:
        """Tell whether an element is never read; of a whole body, also not what frames it."""
        tag, attributes = node.tag, node.attributes
        if tag in self._unread or (tag == "dialog" and "open" not in attributes):
            return True
        framing = tag in _FRAME or attributes.get("role") in self._roles
        if tag == "header" and whole:
            framing = node.css_first("h1, h2") is None
        return framing and (whole or tag == "nav" or attributes.get("role") == "navigation")


def _note(node: LexborNode) -> str:
    attributes = node.attributes
    if node.tag == "a":
        address = (attributes.get("href") or "").strip()
        return address if re.match(r"(?:https?|mailto|tel):", address, re.IGNORECASE) else ""
    return (attributes.get("alt") or "").strip() if node.tag == "img" else ""


class _Places:
    """Finds the lines of texts, which are asked for in the order of the page."""

    def __init__(self, html: str) -> None:
        self._lines: dict[str, list[int]] = {}
        self.line = 1
        at, line = 0, 1
        for found in _TEXT.finditer(html):
            text = found[1]
            start = found.start(1) + len(text) - len(text.lstrip())
            line, at = line + html.count("\n", at, start), start
            self._lines.setdefault(unescape(text).strip(), []).append(line)

    def pass_by(self, text: str) -> None:
        """Go on to where `text` stands next; stay here when it is written in a way that is not found."""
        lines = self._lines.get(text.strip(), [])
        position = bisect_left(lines, self.line)
        if text.strip() and position < len(lines):
            self.line = lines[position]
