"""What a knowledge base is made of: passages, and notes on what could not be read."""

from __future__ import annotations

from dataclasses import dataclass

_LONGEST_TITLE = 500  # characters; every passage under a title repeats it
_MOST_TITLES = 12


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document, small enough to be about one thing: the unit that a search returns.

    Attributes:
        title: the title path, such as "Clubs › AI Club".
        text: what the document says.
        source: the document's POSIX path inside its base, such as "labs/gpu.md", and the page in one that has pages:
            "handbook.pdf, page 3". A document inside an archive has the archive before it: "forms.zip/fees.csv".
        line: the line of the document where the text begins (the first is 1), None where lines mean nothing.
        phrasings: questions that the text is known to answer; they are searched and never shown.
        page: the page where the text begins (the first is 1), None in a document without pages.
        also: the other places that say the same, each as `place` writes it.
    """

    title: str
    text: str
    source: str
    line: int | None
    phrasings: tuple[str, ...] = ()
    page: int | None = None
    also: tuple[str, ...] = ()

    @property
    def document(self) -> str:
        """The source without the page: the same for all that one document says."""
        return self.source if self.page is None else self.source.removesuffix(f", page {self.page}")

    @property
    def place(self) -> str:
        """Where it is said, as a person reads it: "clubs.md, line 3", "handbook.pdf, page 3"."""
        return self.source if self.line is None else f"{self.source}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a base that was skipped, and why; `line` is None where the whole document is meant."""

    source: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}, line {self.line}"
        return f"{where}: {self.reason}"


def title_path(*titles: str) -> str:
    """Join titles from the widest to the narrowest, leaving out empty ones: "Clubs › AI Club".

    Of a title as long as a page only the beginning is taken, and of very many only the narrowest.
    """
    told = [title.strip() for title in (title[:_LONGEST_TITLE] for title in titles) if title.strip()]
    return " › ".join(told[-_MOST_TITLES:])
