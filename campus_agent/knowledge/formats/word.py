"""Word documents (.docx): read as the page that they would be on the web."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from campus_agent.guardrail.hostile import speaks
from campus_agent.guardrail.looks import alike
from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.apart import serve_reader, told_apart
from campus_agent.knowledge.formats.inside import HIDDEN
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
_WHITE = "ffffff"
_MAY_HIDE = re.compile(
    rb":(?:v|specV)anish|:(?:shd|highlight|delText|comment)\b|=\"background|:val=\"(?:[EFef][0-9A-Fa-f]{5}|[0-4])\""
)
_HIGHLIGHTS = {
    **{"yellow": "ffff00", "green": "00ff00", "cyan": "00ffff", "magenta": "ff00ff", "blue": "0000ff", "red": "ff0000"},
    **{"darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000", "darkMagenta": "800080", "darkRed": "800000"},
    **{"darkYellow": "808000", "darkGray": "808080", "lightGray": "c0c0c0", "black": "000000", "white": "ffffff"},
}
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


def _read(content: Content) -> Iterator[Passage | Problem]:
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
        kept, hides = _visible(content.data)
        page = mammoth.convert_to_html(kept, include_embedded_style_map=False, convert_image=lambda image: [])
    except Exception:  # the border to whatever a damaged document does to the package
        raise broken from None
    for told in read_html(page.value, content.source):
        yield dataclasses.replace(told, line=None)  # a line of the page, which nobody sees
    if hides:
        yield Problem(content.source, None, HIDDEN)


def _visible(data: bytes) -> tuple[io.BytesIO, bool]:
    """Return the document without the text that nobody sees, of which the package knows nothing, and if there is any.

    What was deleted, or said in a comment, counts as hidden where it speaks to the assistant.
    """
    import zipfile

    kept = io.BytesIO()
    hidden: list[str] = []
    aside: list[str] = []
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(kept, "w") as rest:
        shaded = _shaded_styles(parts.read(_STYLES)) if _STYLES in parts.namelist() else frozenset()
        for part in parts.infolist():
            content = parts.read(part)
            if _MAY_HIDE.search(content):
                content = _without_hidden(content, shaded, hidden, aside)
            rest.writestr(part.filename, content)
    return kept, any(map(str.isalnum, "".join(hidden))) or speaks(" ".join(aside))


def _shaded_styles(xml: bytes) -> frozenset[str]:
    """Return the names of the styles that give what is behind the text a colour."""
    from xml.etree import ElementTree

    styles = ElementTree.fromstring(xml).findall(f"{_WORD}style")
    return frozenset(
        one.get(f"{_WORD}styleId", "") for one in styles if next(one.iter(f"{_WORD}shd"), None) is not None
    )


def _without_hidden(xml: bytes, shaded: frozenset[str], hidden: list[str], aside: list[str]) -> bytes:
    """Return a part without the text that nobody sees, which is added to `hidden`; `aside` gets what nobody reads."""
    from xml.etree import ElementTree

    root = ElementTree.fromstring(xml)
    aside += [told.text or "" for told in root.iter(f"{_WORD}delText")]
    aside += [told.text or "" for comment in root.iter(f"{_WORD}comment") for told in comment.iter(f"{_WORD}t")]
    around = [(root, root.find(f"{_WORD}background") is None)]  # each with whether it is written on white
    while around:
        parent, on_white = around.pop()
        for child in list(parent):
            if child.tag == f"{_WORD}r" and _is_hidden(child, on_white=on_white):
                hidden += [told.text or "" for told in child.iter(f"{_WORD}t")]
                parent.remove(child)
            else:
                style = child.find(f"{_WORD}pPr/{_WORD}pStyle")
                colored = child.find(f"{_WORD}pPr/{_WORD}shd") is not None or child.tag in _COLORED
                colored = colored or (style is not None and style.get(f"{_WORD}val") in shaded)
                around.append((child, on_white and not colored))
    return ElementTree.tostring(root)


def _is_hidden(run: Element, *, on_white: bool) -> bool:
    """Tell whether nobody sees a run of text: it is marked as hidden, too small, or in the colour of what is behind."""
    said = {mark.tag.removeprefix(_WORD): mark for mark in run.findall(f"{_WORD}rPr/*")}
    values = {name: mark.get(f"{_WORD}val", "") for name, mark in said.items()}
    if any(values.get(name, "0") not in ("0", "false", "off") for name in ("vanish", "specVanish")):
        return True
    if values.get("sz", "").isdecimal() and int(values["sz"]) <= _TINY:
        return True
    color, ground = values.get("color", ""), _WHITE if on_white else ""
    if "color" in said and said["color"].get(f"{_WORD}themeColor") == "background1":
        color = _WHITE
    if "shd" in said:
        ground = said["shd"].get(f"{_WORD}fill", "")
    if "highlight" in said:
        ground = _HIGHLIGHTS.get(values["highlight"], "")
    return bool(color) and alike(color.lower(), ground.lower())


if __name__ == "__main__":
    serve_reader(_read)
