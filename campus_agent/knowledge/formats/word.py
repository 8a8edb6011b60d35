"""Word documents (.docx): read as the page that they would be on the web."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from campus_agent.guardrail.looks import alike
from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.apart import serve_reader, told_apart
from campus_agent.knowledge.formats.reader import Content, need
from campus_agent.knowledge.formats.web_page import read_html
from campus_agent.knowledge.passage import Passage, Problem

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_MEGABYTES = 100  # unpacked
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_COLORED = (f"{_WORD}tbl", f"{_WORD}txbxContent")  # whose style may have given them a colour
_STYLES = "word/styles.xml"
_TINY = 4  # half points
_MAY_HIDE = re.compile(rb":vanish|:val=\"(?:[EFef][0-9A-Fa-f]{5}|[0-4])\"")
_OLD_WORD = b"\xd0\xcf\x11\xe0"  # the old format of Word, and what a document with a password is wrapped in


def read_word(content: Content) -> Iterator[Passage | Problem]:
    """Yield the passages of a document: headings, paragraphs, lists and tables; comments and deletions are left out.

    Raises:
        Unreadable: it is no such document or has a password, or the package that reads it is missing.
    """
    if content.data.startswith(_OLD_WORD):
        raise Unreadable("it has a password, or is an old Word file; save it as .docx without a password")
    need("mammoth", extra="docx")
    yield from told_apart("campus_agent.knowledge.formats.word", content)


def _read(content: Content) -> Iterator[Passage]:
    import zipfile

    import mammoth

    broken = Unreadable("it is no Word document, or a damaged one; save it again as .docx")
    try:
        with zipfile.ZipFile(io.BytesIO(content.data)) as parts:
            size = sum(part.file_size for part in parts.infolist())
    except zipfile.BadZipFile:
        raise broken from None
    if size > _MOST_MEGABYTES * 1024 * 1024:
        raise Unreadable(f"it is over {_MOST_MEGABYTES} MB when unpacked; cut it into smaller files")
    try:
        page = mammoth.convert_to_html(
            _visible(content.data), include_embedded_style_map=False, convert_image=lambda image: []
        )
    except Exception:  # the border to whatever a damaged document does to the package
        raise broken from None
    for passage in read_html(page.value, content.source):
        yield dataclasses.replace(passage, line=None)  # a line of the page, which nobody sees


def _visible(data: bytes) -> io.BytesIO:
    """Return the document without the text that nobody sees, of which the package knows nothing."""
    import zipfile

    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(kept, "w") as rest:
        shaded = _shaded_styles(parts.read(_STYLES)) if _STYLES in parts.namelist() else frozenset()
        for part in parts.infolist():
            content = parts.read(part)
            rest.writestr(part.filename, _without_hidden(content, shaded) if _MAY_HIDE.search(content) else content)
    return kept


def _shaded_styles(xml: bytes) -> frozenset[str]:
    """Return the names of the styles that give what is behind the text a colour."""
    from xml.etree import ElementTree

    styles = ElementTree.fromstring(xml).findall(f"{_WORD}style")
    return frozenset(
        one.get(f"{_WORD}styleId", "") for one in styles if next(one.iter(f"{_WORD}shd"), None) is not None
    )


def _without_hidden(xml: bytes, shaded: frozenset[str]) -> bytes:
    from xml.etree import ElementTree

    root = ElementTree.fromstring(xml)
    around = [(root, root.find(f"{_WORD}background") is None)]  # each with whether it is written on white
    while around:
        parent, on_white = around.pop()
        for child in list(parent):
            if child.tag == f"{_WORD}r" and _is_hidden(child, on_white=on_white):
                parent.remove(child)
            else:
                style = child.find(f"{_WORD}pPr/{_WORD}pStyle")
                colored = child.find(f"{_WORD}pPr/{_WORD}shd") is not None or child.tag in _COLORED
                colored = colored or (style is not None and style.get(f"{_WORD}val") in shaded)
                around.append((child, on_white and not colored))
    return ElementTree.tostring(root)


def _is_hidden(run: Element, *, on_white: bool) -> bool:
    """Tell whether nobody sees a run of text: it is marked as hidden, too small, or as white as what is behind it."""
    said = {mark.tag.removeprefix(_WORD): mark.get(f"{_WORD}val", "") for mark in run.findall(f"{_WORD}rPr/*")}
    if "vanish" in said and said["vanish"] not in ("0", "false", "off"):
        return True
    if said.get("sz", "").isdecimal() and int(said["sz"]) <= _TINY:
        return True
    return on_white and alike(said.get("color", ""), "ffffff") and not {"shd", "highlight"} & said.keys()


if __name__ == "__main__":
    serve_reader(_read)
