"""PDF: paragraphs and lists under the headings of the outline, or else under what is written larger than the rest."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.apart import read_apart
from campus_agent.knowledge.formats.blocks import is_sentence
from campus_agent.knowledge.formats.inside import HIDDEN
from campus_agent.knowledge.formats.pdf_lines import MOST_PAGES, SOFT_HYPHEN
from campus_agent.knowledge.formats.plain_text import text_blocks
from campus_agent.knowledge.formats.reader import Content, need
from campus_agent.knowledge.formats.sections import Sections
from campus_agent.knowledge.passage import Passage, Problem

_LARGER = 1.15  # times the usual size, from which on a line is a heading
_LONGEST_HEADING = 120  # characters
_GAP = 0.6  # of the height of a line, beyond which a paragraph ends
_REPEATED = 3  # pages, and half of them, from which on a first or last line is one that frames the page


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a page, with its upper and lower edge in points; a page has its y axis upwards."""

    text: str
    page: int
    top: float
    bottom: float

    @property
    def size(self) -> float:
        """The height, to half a point."""
        return round(2 * (self.top - self.bottom)) / 2


def read_pdf(content: Content) -> Iterator[Passage | Problem]:
    """Yield the passages of a document, each with its page, and problems for pages that are pictures or hide text.

    Raises:
        Unreadable: it is no PDF or has a password, there is no text in it, or the package that reads it is missing.
    """
    need("pypdfium2", extra="pdf")
    outline: list[tuple[int, str]] = []
    pages: list[list[_Line]] = []
    pictures: list[int] = []
    hiding: list[int] = []
    reason, count = "", 0
    try:
        for said in read_apart("campus_agent.knowledge.formats.pdf_lines", content.data):
            if "outline" in said:
                outline, count = [(level, title) for level, title in said["outline"]], said["pages"]
            else:
                pages.append(_page(said))
                pictures += [said["page"]] if said["pictures"] else []
                hiding += [said["page"]] if said["hides"] else []
    except Unreadable as error:
        if not pages:
            raise
        reason = error.reason
    if not any(pages) and hiding:
        raise Unreadable(HIDDEN)
    if not any(pages):
        raise Unreadable("there is no text in it, as in a scan; run text recognition (OCR) over it, or write it out")
    for passage in _sections(_framed_out(pages), outline, content.source):
        yield dataclasses.replace(passage, page=passage.line, line=None)
    yield from _unread(content.source, pictures, reason, count)
    if hiding:
        yield Problem(content.source, None, f"{HIDDEN} (page {_listed(hiding)})")


def _listed(pages: Sequence[int]) -> str:
    return ", ".join(map(str, pages[:20])) + (", ..." if len(pages) > 20 else "")


def _unread(source: str, pictures: Sequence[int], reason: str, count: int) -> Iterator[Problem]:
    if pictures:
        reason_of_pages = f"no text on page {_listed(pictures)}, as in a scan; run text recognition (OCR) over it"
        yield Problem(source, None, reason_of_pages)
    if count > MOST_PAGES:
        yield Problem(source, None, f"only the first {MOST_PAGES:,} pages are read; cut it into smaller files")
    if reason:
        yield Problem(source, None, f"the rest is not read: {reason}")


def _page(said: dict[str, Any]) -> list[_Line]:
    lines = (_Line(" ".join(text.split()), said["page"], top, bottom) for text, top, bottom in said["lines"])
    return [line for line in lines if line.text]


def _framed_out(pages: Sequence[list[_Line]]) -> list[_Line]:
    """Return the lines of all pages without those that head and foot page after page."""
    edges = Counter(mark for page in pages for mark in {_mark(line) for line in (page[:1] + page[-1:])})
    least = max(_REPEATED, len(pages) // 2)
    repeated = {mark for mark, times in edges.items() if times >= least}
    lines: list[_Line] = []
    for page in pages:
        while page and (_mark(page[0]) in repeated or page[0].text.isdecimal()):
            page = page[1:]
        while page and (_mark(page[-1]) in repeated or page[-1].text.isdecimal()):
            page = page[:-1]
        lines += page
    return lines


def _mark(line: _Line) -> str:
    """Return what is the same of a line on each page that it frames: all but the number, unless it says something."""
    return line.text if is_sentence(line.text) else re.sub(r"\d+", "#", line.text)


def _sections(lines: Sequence[_Line], outline: Sequence[tuple[int, str]], source: str) -> Iterator[Passage]:
    """Yield the passages, with the page as the line of each."""
    sections = Sections(source)
    titles = _levels(lines, outline)
    waiting: list[_Line] = []
    for line in lines:
        level = titles.get((line.text, line.size))
        if level is None:
            waiting.append(line)
            continue
        _close(sections, waiting)
        waiting = []
        yield from sections.heading(level, line.text, line.page)
    _close(sections, waiting)
    yield from sections.end()


def _close(sections: Sections, lines: Sequence[_Line]) -> None:
    """Put lines into the section as the paragraphs and lists that they are."""
    text, pages = "", list[int]()
    for line, before in zip(lines, [None, *lines], strict=False):
        if before is not None and _is_apart(line, before):
            text += "\n"
            pages.append(line.page)
        cut = line.text.endswith(SOFT_HYPHEN)
        text += line.text.removesuffix(SOFT_HYPHEN) if cut else f"{line.text}\n"
        pages += [] if cut else [line.page]
    for block in text_blocks(text):
        at = min((block.line or 1) - 1, len(pages) - 1)
        sections.add(dataclasses.replace(block, line=pages[at] if pages else None))


def _is_apart(line: _Line, before: _Line) -> bool:
    """Tell whether a paragraph ends between two lines; over the end of a page it may go on."""
    if not 1 / _LARGER < line.size / max(before.size, 0.5) < _LARGER:
        return True
    if line.page != before.page or line.top > before.top:  # or at the top of the next column
        return is_sentence(before.text)
    return before.bottom - line.top > _GAP * line.size


def _levels(lines: Sequence[_Line], outline: Iterable[tuple[int, str]]) -> dict[tuple[str, float], int]:
    """Return the level of each heading, by its text and size."""
    named = {_plain(title): level for level, title in outline if title.strip()}
    levels = {(line.text, line.size): named[_plain(line.text)] for line in lines if _plain(line.text) in named}
    if levels:
        return levels
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    usual = max(sizes, key=lambda size: (sizes[size], -size), default=0.0)
    large = sorted({size for size in sizes if size > usual * _LARGER}, reverse=True)
    return {
        (line.text, line.size): large.index(line.size) + 1
        for line in lines
        if line.size in large and len(line.text) <= _LONGEST_HEADING and not line.text.endswith(".")
    }


def _plain(title: str) -> str:
    """Return a heading without its number, case and spaces: "2.1  Opening Hours" -> "opening hours"."""
    return re.sub(r"^[\d.]+\s+", "", " ".join(title.split())).casefold()
