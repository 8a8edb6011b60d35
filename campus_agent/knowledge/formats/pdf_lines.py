"""The lines of a PDF document, page by page; it is run as a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.apart import serve

MOST_PAGES = 2_000
SOFT_HYPHEN = "\u00ad"
_MOST_BOOKMARKS = 5_000
_HYPHENS = ("\x02", "\ufffe")  # what PDFium says where a word was cut at the end of a line


def pages(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the outline, `{"outline": [[level, title]], "pages": count}`, then each page.

    A page is `{"page": number, "lines": [[text, top, bottom]], "pictures": bool}`, in points from the lower edge.

    Raises:
        Unreadable: a password is needed, or it is no PDF.
    """
    import pypdfium2 as pdfium
    from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_PAGEOBJ_IMAGE

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise Unreadable("it is protected by a password; save a copy without one") from None
        raise Unreadable("it is no PDF, or a damaged one; save it again") from None
    marks = islice(document.get_toc(), _MOST_BOOKMARKS)
    yield {"outline": [[mark.level + 1, mark.get_title()] for mark in marks], "pages": len(document)}
    for number in range(1, min(len(document), MOST_PAGES) + 1):
        try:
            page = document[number - 1]
            lines = [line for line in _lines(page.get_textpage()) if line[0].strip()]
            pictures = not lines and any(page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE]))
        except pdfium.PdfiumError:
            lines, pictures = [], True
        yield {"page": number, "lines": lines, "pictures": pictures}


def _lines(text: Any) -> Iterator[tuple[str, float, float]]:  # noqa: ANN401 - of a package without types
    """Yield the lines of a page, each with the upper and lower edge of its tallest character."""
    from pypdfium2.raw import FPDFText_GetUnicode

    line, top, bottom = "", 0.0, 0.0
    for index in range(text.count_chars()):
        character = chr(FPDFText_GetUnicode(text, index))
        if character == "\n":
            yield _whole(line), top, bottom
            line = ""
        elif character != "\r":
            if not line.strip() or (len(line) < 3 and character.isalpha()):
                _, bottom, _, top = text.get_charbox(index, loose=True)
            line += SOFT_HYPHEN if character in _HYPHENS else character
    yield _whole(line), top, bottom


def _whole(line: str) -> str:
    """Put together the halves of characters that take two."""
    return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


if __name__ == "__main__":
    serve(pages)
