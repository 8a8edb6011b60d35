"""A knowledge base: folders and files, read into passages that can be searched."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.bounds import LoadingStopped, Stop
from campus_agent.knowledge.campus_file import folder_name, read_campus_file
from campus_agent.knowledge.files import Files
from campus_agent.knowledge.index import Index
from campus_agent.knowledge.language import likely_language
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.postgres.address import SCHEMES, parsed
from campus_agent.knowledge.reading import Progress
from campus_agent.knowledge.search import ExplainedPassage, Searcher, SearchResult
from campus_agent.knowledge.synonyms import Synonyms
from campus_agent.knowledge.watching import Changes
from campus_agent.knowledge.words import AUTO, Words
from campus_agent.text import one_line, without_credentials

if TYPE_CHECKING:
    from campus_agent.knowledge.semantic.embedder import Embedder
    from campus_agent.knowledge.semantic.meaning import Meaning

__all__ = ["Changes", "KnowledgeBase", "LoadingStopped", "Passage", "Problem"]


class KnowledgeBase:
    """What an assistant may answer from; may be searched and refreshed from several threads.

    Attributes:
        name: what the base calls itself, else the name of its folder or file.
        passages: in the order of their documents; what is said again is there once, with the other places in `also`.
        problems: what was skipped, and why.
        language: that of the base, a Snowball name or "none".
    """

    def __init__(
        self,
        name: str,
        passages: Sequence[Passage],
        *,
        problems: Sequence[Problem] = (),
        language: str = "english",
        synonyms: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.name = name
        self.passages = passages
        self.problems = tuple(problems)
        self.language = likely_language(passage.text for passage in passages) if language == AUTO else language
        self._words = Words(self.language)
        self._synonyms = synonyms
        self._searcher: Searcher | None = None
        self._embedder: Embedder | None = None
        self._lock = threading.RLock()
        self._files: Files | None = None

    @classmethod
    def load(
        cls,
        paths: Sequence[str | Path],
        *,
        language: str = "english",
        now: datetime | None = None,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> KnowledgeBase:
        """Read the folders and files in `paths`; what was kept of a large base is used where it is still true.

        Args:
            paths: folders and files; or one address of PostgreSQL, whose base has the language that it was pushed in.
            language: a Snowball name, "none", or "auto" for that of most of the text.
            now: the time on campus, from which events count as past; None: the time of this machine.
            progress: told how many documents are read, of how many, and the one that is next.
            stop: asked again and again while files are read; once it says True, reading is given up.

        Raises:
            LoadingStopped: `stop` said so; nothing is left behind.
            KnowledgeError: a path does not exist, there is nothing readable in any of them, or no such language.
        """
        if any(str(path).startswith(SCHEMES) for path in paths):
            return _pushed(paths)
        bases = list(dict.fromkeys(_existing(path) for path in paths))
        if not bases:
            raise KnowledgeError("No knowledge base was named.", next="Name a folder with documents.")
        Words(language)  # an unknown one is said before anything is read
        campus = read_campus_file(bases)
        files = Files(bases, language, now or _machine_time(), progress=progress, stop=stop)
        if not files.passages:
            raise _nothing(bases, files.problems)
        problems = [*campus.problems, *files.problems]
        base = cls(campus.name or folder_name(bases[0]), files.passages, problems=problems, language=language)
        base._synonyms = campus.synonyms
        base._files = files
        return base

    @property
    def documents(self) -> int:
        """How many documents the passages come from."""
        return len({passage.document for passage in self.passages})

    @property
    def vocabulary(self) -> Counter[str]:
        """Every folded word of the passages and their titles, and how often it stands there; not to be changed."""
        return self._ready().index.vocabulary

    @property
    def kept(self) -> Path | None:
        """The folder where the index of a large base is kept for the next start; None where none is."""
        return self._files.kept if self._files else None

    @property
    def index(self) -> Index:
        """The index of the passages, built when it is first needed."""
        return self._ready().index

    def understand(self, embedder: Embedder) -> None:
        """Search by what a query means too, with vectors of `embedder`; to be called before the first search."""
        self._embedder = embedder

    def prepare(self, *, stop: Stop | None = None) -> None:
        """Build the index now, so that the first search is as quick as any other; raise `LoadingStopped`."""
        searcher = self._ready(stop)
        if searcher.meaning:
            searcher.meaning.start()
        searcher.index.letter_scores(())

    def search(self, query: str, k: int = 3, *, today: date | None = None) -> SearchResult:
        """Return the best `k` passages for `query`, and how sure it is that they are about it.

        With `today`, the date on campus, "tomorrow" and "next week" prefer the passages of that time.
        """
        return self._ready().search(query, k, today)

    def explain(self, query: str, k: int = 3, *, today: date | None = None) -> list[ExplainedPassage]:
        """Return the best `k` passages, found or not, with what each word of `query` adds to their scores."""
        return self._ready().explain(query, k, today)

    def refresh(self, now: datetime | None = None, *, every: float = 0.0) -> Changes | None:
        """Read again what changed in the files, and nothing else; return what that was, None when nothing did.

        What cannot be read any more stays as it was, and that is said once. A search that runs meanwhile goes on.

        Args:
            now: the time on campus; None: the time of this machine.
            every: seconds after a look within which there is no other, unless a look takes next to no time.
        """
        if self._files is None or not self._lock.acquire(blocking=False):
            return None  # made of passages, or another thread is at it
        try:
            changes = self._files.changes(now or _machine_time()) if self._files.due(every) else None
            if changes and changes.said:
                campus = read_campus_file(self._files.bases)
                self._synonyms = self._synonyms if campus.broken else campus.synonyms
                if self._searcher:
                    index = self._searcher.index.updated(self._files.passages)
                    self._searcher = self._searching(index, self._searcher.meaning)
                    self._files.keep(index)
                self.name = self.name if campus.broken else campus.name or folder_name(self._files.bases[0])
                self.passages = self._files.passages
                told = [str(problem) for problem in campus.problems if problem not in self.problems]
                self.problems = (*campus.problems, *self._files.problems)
                return Changes((*changes.said, *told), changes.troubles)
            return changes
        finally:
            self._lock.release()

    def _ready(self, stop: Stop | None = None) -> Searcher:
        if self._searcher is None:
            with self._lock:
                if self._searcher is None:
                    made = self._files.index if self._files else partial(Index.build, self.passages)
                    index = made(self._words, stop)
                    self._searcher = self._searching(index)
        return self._searcher

    def _searching(self, index: Index, before: Meaning | None = None) -> Searcher:
        meaning = before.updated(index.passages) if before else None
        if self._embedder and not before:
            from campus_agent.knowledge.semantic.meaning import Meaning
            from campus_agent.knowledge.semantic.store import VectorStore, kept_vectors

            meaning = Meaning(self._embedder, index.passages, VectorStore(kept_vectors()))
        return Searcher(index, Synonyms(self._words, self._synonyms), meaning)


def _pushed(paths: Sequence[str | Path]) -> KnowledgeBase:
    """Open a base in PostgreSQL."""
    if len(paths) > 1:
        raise KnowledgeError(
            "A knowledge base in PostgreSQL is searched alone, and there are others beside it.",
            "What is pushed there is weighed as a whole, so nothing can be added to it afterwards.",
            "Push them together: campus-agent kb push ADDRESS --kb ONE --kb ANOTHER",
        )
    address = parsed(str(paths[0]))
    from campus_agent.knowledge.postgres.base import PushedBase

    return PushedBase(address)


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
            "A base is a folder or a file on this machine, or was pushed to PostgreSQL.",
            "Name a folder, a file, or an address such as postgresql://HOST/DATABASE. Never write a password into an "
            "address: it ends up in histories and logs.",
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


def _machine_time() -> datetime:
    return datetime.now(UTC).astimezone()


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
