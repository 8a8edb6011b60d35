"""Word documents (.docx): read as the page that they would be on the web."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.apart import serve_reader, told_apart
from campus_agent.knowledge.formats.reader import Content, need
from campus_agent.knowledge.formats.web_page import read_html
from campus_agent.knowledge.passage import Passage, Problem

_MOST_MEGABYTES = 100  # unpacked
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
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
    """Return the document without the text that is marked as hidden, of which the package knows nothing."""
    import zipfile

    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(kept, "w") as rest:
        for part in parts.infolist():
            content = parts.read(part)
            rest.writestr(part.filename, _without_hidden(content) if b":vanish" in content else content)
    return kept


def _without_hidden(xml: bytes) -> bytes:
    from xml.etree import ElementTree

    root = ElementTree.fromstring(xml)
    for parent in list(root.iter()):
        for run in parent.findall(f"{_WORD}r"):
            mark = run.find(f"{_WORD}rPr/{_WORD}vanish")
            if mark is not None and mark.get(f"{_WORD}val") not in ("0", "false", "off"):
                parent.remove(run)
    return ElementTree.tostring(root)


if __name__ == "__main__":
    serve_reader(_read)
