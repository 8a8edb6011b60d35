"""The lines of a PDF document, page by page; it is run as a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.apart import serve
from campus_agent.knowledge.formats.pdf_seen import Sight

MOST_PAGES = 2_000
SOFT_HYPHEN = "\u00ad"
_MOST_BOOKMARKS = 5_000
_HYPHENS = ("\x02", "\ufffe")  # what PDFium says where a word was cut at the end of a line


def pages(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the outline, `{"outline": [[level, title]], "pages": count}`, then each page.

    A page is `{"page": number, "lines": [[text, top, bottom]], "pictures": bool, "hides": bool}`, in points from the
    lower edge: without the text that nobody can see on it, and whether there is any.

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
            found = _Lines(page)
            lines = [line for line in found.read() if line[0].strip()]
            hides = found.hidden
            pictures = not lines and not hides and any(page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE]))
        except pdfium.PdfiumError:
            lines, pictures, hides = [], True, False
        yield {"page": number, "lines": lines, "pictures": pictures, "hides": hides}


class _Lines:
    """The lines of a page, without the text that nobody can see; once they are read, `hidden` says if there is any."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401 - of a package without types
        self._text = page.get_textpage()
        self._sight = Sight(page, self._text)
        self.hidden = False

    def read(self) -> Iterator[tuple[str, float, float]]:
        """Yield the lines, each with the upper and lower edge of its tallest character."""
        from pypdfium2.raw import FPDFText_GetUnicode

        line, top, bottom = "", 0.0, 0.0
        for index in range(self._text.count_chars()):
            character = chr(FPDFText_GetUnicode(self._text, index))
            if character == "\n":
                yield _whole(line), top, bottom
                line = ""
            elif character == "\r":
                continue
            elif self._sight.sees(index):
                if not line.strip() or (len(line) < 3 and character.isalpha()):
                    _, bottom, _, top = self._text.get_charbox(index, loose=True)
                line += SOFT_HYPHEN if character in _HYPHENS else character
            else:
                self.hidden = self.hidden or character.isalnum()
        yield _whole(line), top, bottom


def _whole(line: str) -> str:
    """Put together the halves of characters that take two."""
    return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


if __name__ == "__main__":
    serve(pages)
