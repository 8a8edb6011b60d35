"""A knowledge base: folders and files, read into passages that can be searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.campus_file import read_campus_file
from campus_agent.knowledge.folder import Document, documents_of
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.reading import read_document
from campus_agent.knowledge.search import Searcher, SearchResult
from campus_agent.knowledge.words import Words, fold
from campus_agent.text import one_line, without_credentials

__all__ = ["KnowledgeBase", "Passage", "Problem"]


class KnowledgeBase:
    """What an assistant may answer from.

    Attributes:
        name: what the base calls itself, else the name of its folder or file.
        passages: in the order of their documents; what a document repeats word for word is there once.
        documents: how many documents the passages come from.
        problems: what was skipped, and why.
    """

    def __init__(
        self,
        name: str,
        passages: Sequence[Passage],
        *,
        problems: Sequence[Problem] = (),
        language: str = "english",
    ) -> None:
        self.name = name
        self.passages = tuple(passages)
        self.documents = len({passage.source for passage in passages})
        self.problems = tuple(problems)
        self._words = Words(language)

    @classmethod
    def load(cls, paths: Sequence[str | Path], *, language: str = "english") -> KnowledgeBase:
        """Read the folders and files in `paths`.

        Raises:
            KnowledgeError: a path does not exist, there is nothing readable in any of them, or no such language.
        """
        bases = list(dict.fromkeys(_existing(path) for path in paths))
        if not bases:
            raise KnowledgeError("No knowledge base was named.", next="Name a folder with documents.")
        campus = read_campus_file(bases)
        documents, problems = _documents(bases)
        passages: list[Passage] = []
        for document in documents:
            read, unread = read_document(document)
            passages.extend(read)
            problems.extend(unread)
        if not passages:
            raise _nothing(bases, problems)
        name = campus.name or bases[0].name
        return cls(name, _once(passages), problems=[*campus.problems, *problems], language=language)

    def prepare(self) -> None:
        """Build the index now, so that the first search is as quick as any other."""
        _ = self._searcher

    def search(self, query: str, k: int = 3) -> SearchResult:
        """Return the best `k` passages for `query`, and how sure it is that they are about it."""
        return self._searcher.search(query, k)

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.passages, self._words)


def _existing(path: str | Path) -> Path:
    if not str(path).strip():  # which would be read as the folder that one happens to be in
        raise KnowledgeError(
            "The path of a knowledge base is empty.",
            "A variable that it was made of may not be set.",
            "Name a folder or a file; the folder that you are in is written as a dot.",
        )
    if "://" in str(path):
        raise KnowledgeError(
            f"A knowledge base cannot be read from {without_credentials(one_line(str(path), 200))}.",
            "It is an address, and a base is a folder or a file on this machine.",
            "Name a folder or a file. Never write a password into an address: it ends up in histories and logs.",
        )
    base = Path(path).expanduser()
    try:
        return base.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # ValueError: a null byte, RuntimeError: a link to itself
        raise KnowledgeError(
            f"There is no knowledge base at {one_line(str(path), 200)}.",
            "The path may be misspelt, or be meant from another folder.",
            "Name a folder or a file that exists.",
        ) from None


def _documents(bases: Sequence[Path]) -> tuple[list[Document], list[Problem]]:
    """List the documents of all bases; where two have the same path in theirs, the base's name goes before it."""
    listings = [documents_of(base) for base in bases]
    documents = [
        (base, document) for base, listing in zip(bases, listings, strict=True) for document in listing.documents
    ]
    names = [document.source for _, document in documents]
    for depth in range(1, max(len(base.parts) for base in bases)):
        taken = Counter(names)
        if len(taken) == len(names):
            break
        names = [
            "/".join((*_folder(base).parts[-depth:], document.source)) if taken[name] > 1 else name
            for name, (base, document) in zip(names, documents, strict=True)
        ]
    named = [Document(document.path, name) for name, (_, document) in zip(names, documents, strict=True)]
    return named, [problem for listing in listings for problem in listing.problems]


def _folder(base: Path) -> Path:
    return base if base.is_dir() else base.parent


def _once(passages: Sequence[Passage]) -> list[Passage]:
    """Drop what is said again under the same title, which would make its words look common."""
    first: dict[tuple[str, str], Passage] = {}
    for passage in passages:
        first.setdefault((fold(passage.title), fold(passage.text)), passage)
    return list(first.values())


def _nothing(bases: Sequence[Path], problems: Sequence[Problem]) -> KnowledgeError:
    where = ", ".join(map(str, bases))
    if not problems:
        return KnowledgeError(
            f"There are no documents in {where}.",
            "The folder is empty, or holds hidden files only.",
            "Put a Markdown, text, CSV or JSON file into it.",
        )
    return KnowledgeError(
        f"Nothing in {where} can be read.",
        "; ".join(map(str, problems[:5])),
        "Add a Markdown, text, CSV or JSON file, saved as UTF-8.",
    )
