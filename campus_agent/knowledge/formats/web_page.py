"""HTML: headings, paragraphs, lists and tables of a page, as far as they can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from campus_agent.knowledge.encoding import Unreadable, decode
from campus_agent.knowledge.formats.apart import serve_reader, told_apart
from campus_agent.knowledge.formats.blocks import Block, join_lines, paragraph
from campus_agent.knowledge.formats.inside import COMMENT, HIDDEN, orders_in_comments
from campus_agent.knowledge.formats.reader import Content
from campus_agent.knowledge.formats.records import row_text
from campus_agent.knowledge.formats.sections import Sections
from campus_agent.knowledge.formats.visible import Element, Words, visible, visible_piece
from campus_agent.knowledge.passage import Passage, Problem

_LONG = 200_000  # bytes
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})""", re.IGNORECASE)
_INLINE = """
    a abbr acronym b bdi bdo big cite code data dfn em font i img ins kbd label mark meter output q rp rt ruby samp
    small span strong sub sup time tt u var wbr
"""
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_LISTS = frozenset(("ul", "ol", "menu"))


def read_web_page(content: Content) -> Iterator[Passage | Problem]:
    """Yield the passages of a page, from its main part if it marks one.

    Raises:
        Unreadable: no text, or elements nested as no page has them.
    """
    if len(content.data) > _LONG:  # in which a parser may be kept busy for hours
        yield from told_apart("campus_agent.knowledge.formats.web_page", content)
    else:
        yield from _read(content)


def _read(content: Content) -> Iterator[Passage | Problem]:
    yield from read_html(_text(content.data), content.source)


def read_html(html: str, source: str) -> Iterator[Passage | Problem]:
    """Yield the passages of a page that is given as text, and a problem where it hides some."""
    title, body, hides = visible(html)
    if hides:
        yield Problem(source, hides, HIDDEN)
    else:
        yield from orders_in_comments(html, source, COMMENT)
    page = _Page(source)
    if title and not any(_within(body, _HEADINGS)):
        yield from page.sections.heading(1, title, 1)
    yield from page.read(body)
    yield from page.sections.end()


def read_piece(html: str) -> tuple[str, bool]:
    """Return what can be seen of HTML in another text, on one line, and whether any text in it cannot be seen.

    Raises:
        Unreadable: elements nested as nobody nests them.
    """
    piece, hid = visible_piece(html)
    return _inline(piece.children), hid


def _text(data: bytes) -> str:
    """Return the text of a page, in the encoding that it names if it is no UTF-8."""
    try:
        return decode(data)
    except Unreadable:
        named = _CHARSET.search(data[:2000])
        if named is None:
            raise
    try:
        return decode(data.decode(named[1].decode("ascii")).encode())
    except (LookupError, ValueError):
        raise Unreadable("it is not in the encoding that it names; save it as UTF-8") from None


class _Page:
    def __init__(self, source: str) -> None:
        self.sections = Sections(source)

    def read(self, element: Element) -> Iterator[Passage]:
        """Yield the passages that end inside `element`; what stands in it outside of blocks is a paragraph."""
        loose: list[Element | Words] = []
        for child in element.children:
            if isinstance(child, Words) or _is_inline(child) or child.tag == "br":
                loose.append(child)
                continue
            self._paragraph(loose)
            loose = []
            yield from self._block(child)
        self._paragraph(loose)

    def _block(self, element: Element) -> Iterator[Passage]:
        if element.tag in _HEADINGS:
            text = _inline(element.children)
            if text:
                yield from self.sections.heading(_HEADINGS[element.tag], text, element.line)
        elif element.tag in _LISTS:
            self.sections.add_list([(_item(item), item.line) for item in _elements(element)])
        elif element.tag == "dl":
            self.sections.add(*_terms(element))
        elif element.tag == "table" and not any(_within(element, ("table",))):
            self.sections.add(*_rows(element))
        elif element.tag == "pre":
            self.sections.add(Block(_inline(element.children), element.line, "back"))
        else:
            yield from self.read(element)

    def _paragraph(self, loose: list[Element | Words]) -> None:
        text = _inline(loose)
        if text:
            self.sections.add(paragraph(text, Element("p", tuple(loose)).line))


def _is_inline(element: Element) -> bool:
    return f" {element.tag} " in _INLINE.replace("\n", " ")


def _elements(element: Element) -> list[Element]:
    return [child for child in element.children if isinstance(child, Element)]


def _within(element: Element, tags: Iterable[str]) -> Iterator[Element]:
    """Yield the elements inside `element` that have one of `tags`, in their order."""
    for child in _elements(element):
        if child.tag in tags:
            yield child
        yield from _within(child, tags)


def _inline(parts: Iterable[Element | Words]) -> str:
    """Return all that stands in `parts` on one line."""
    lines = (" ".join(line.split()) for line in "".join(_pieces(parts)).split("\n"))
    return join_lines(*filter(None, lines))


def _pieces(parts: Iterable[Element | Words]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Words):
            yield part.text
            continue
        text = "".join(_pieces(part.children))
        if _is_inline(part):
            shown = part.note.removeprefix("mailto:").removeprefix("tel:")
            yield text if shown in text else f"{text} ({shown})" if text.strip() else shown
        else:
            yield f"\n{text}\n"


def _item(item: Element) -> str:
    """Return a list item on one line, the lists inside it after a colon."""
    text = _inline(child for child in item.children if isinstance(child, Words) or child.tag not in _LISTS)
    for nested in (child for child in _elements(item) if child.tag in _LISTS):
        inner = ", ".join(filter(None, map(_item, _elements(nested))))
        text = f"{text.removesuffix(':')}: {inner}" if text and inner else text or inner
    return text


def _terms(element: Element) -> Iterator[Block]:
    """Yield "term: what it means" for each term of a list of definitions."""
    terms: list[str] = []
    meant = True
    for child in _within(element, ("dt", "dd")):
        text = _inline(child.children)
        if child.tag == "dt":
            terms = [text] if meant else [*terms, text]
        elif text:
            yield Block(row_text([" / ".join(filter(None, terms))], [text]), child.line)
        meant = child.tag == "dd"


def _rows(table: Element) -> Iterator[Block]:
    """Yield the rows of a table, each told with its caption and header, if there are any."""
    caption = " ".join(_inline(found.children) for found in _within(table, ("caption",)))
    names: list[str] = []
    for row in _within(table, ("tr",)):
        cells = [cell for cell in _elements(row) if cell.tag in ("td", "th")]
        texts = [_inline(cell.children) for cell in cells]
        if not names and len(cells) > 1 and all(cell.tag == "th" for cell in cells):
            names = texts
        elif not names and len(cells) == 2 and cells[0].tag == "th":
            yield Block(row_text([caption], [row_text(texts[:1], texts[1:])]), row.line, "alone")
        else:
            yield Block(row_text([caption], [row_text(names, texts)]), row.line, "alone")


if __name__ == "__main__":
    serve_reader(_read)
