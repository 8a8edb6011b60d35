"""The documents of a base on the disk: what they say, kept for the next start where that is much."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from campus_agent.knowledge.folder import Document, documents_of
from campus_agent.knowledge.index import LARGE, Index
from campus_agent.knowledge.intents import joined
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.reading import Progress
from campus_agent.knowledge.saved import place_of, save, saved_at
from campus_agent.knowledge.watching import Changes, ReadDocument, Watch, read_again, signature_of
from campus_agent.knowledge.words import Words, fold


class Files:
    """What the files of a base say.

    Args:
        bases: folders and files, resolved.
        language: as it was set; what is kept of a base in another one is not used.
        now: the time on campus.
        progress: told before each document that is read and once at the end.

    Attributes:
        bases: as given.
        passages: of all documents, each once.
        problems: what was skipped, and why.
    """

    def __init__(self, bases: Sequence[Path], language: str, now: datetime, progress: Progress | None = None) -> None:
        self.bases = bases
        self.passages: Sequence[Passage] = ()
        self.problems: Sequence[Problem] = ()
        self._place = place_of(bases, language)
        self._saved = saved_at(self._place)
        self._looked = time.monotonic()
        listed = partial(_documents, bases)
        self._as_saved = self._saved is not None and self._saved.in_force(now.date().isoformat())
        if self._saved and self._as_saved:
            self._watch = Watch(bases, listed, self._earlier, self._saved.signature, day=self._saved.day)
            self.passages, self.problems = self._saved.passages(), self._saved.problems
        else:
            earlier = {one.source: one for one in self._earlier()}
            documents, unlisted = listed()
            read = read_again(documents, earlier, now=now, progress=progress)
            day = max((one.day for one in read), default="")
            self._watch = Watch(bases, listed, read, signature_of(bases, read), day=day, unlisted=unlisted)
            self._join()

    def due(self, every: float) -> bool:
        """Tell whether the last look is `every` seconds ago; if so, this is the next one."""
        moment = time.monotonic()
        if moment - self._looked < every:
            return False
        self._looked = moment
        return True

    def changes(self, now: datetime) -> Changes | None:
        """Read what changed since the last look; None when nothing did."""
        changes = self._watch.look(now)
        if changes:
            self._as_saved = False
            self._join()
        return changes

    def index(self, words: Words) -> Index:
        """Return the index of the passages; that of a large base is kept for the next start."""
        if self._saved and self._as_saved:
            return self._saved.index(words)
        if len(self.passages) <= LARGE:
            return Index.build(self.passages, words)
        if self._saved and self._saved.whole():
            index = self._saved.index(words).updated(self.passages)
        else:
            index = Index.build(self.passages, words)
        save(self._place, index, tuple(self._watch.read.values()), self._watch.signature, self.problems)
        return index

    @property
    def kept(self) -> Path | None:
        """The folder where the index is kept; None where none is."""
        return self._place if self._place.is_dir() else None

    def _earlier(self) -> list[ReadDocument]:
        """Return what was kept of each document."""
        return list(self._saved.read()) if self._saved and self._saved.whole() else []

    def _join(self) -> None:
        read = self._watch.read.values()
        self.passages = once(joined(passage for one in read for passage in one.passages))
        self.problems = (*self._watch.unlisted, *(problem for one in read for problem in one.problems))


def once(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Keep one of those that say the same under the same title, with the places of the others.

    The same is what has the same words, however they are written. Copies would make their words look common, and fill
    the places of what else is found.
    """
    split = Words("none").split
    copies: dict[tuple[str, str], list[Passage]] = {}
    for passage in passages:
        said = " ".join(split(fold(passage.title))), " ".join(split(fold(passage.text)))
        copies.setdefault(said, []).append(passage)
    return tuple(_merged(*same) for same in copies.values())


def _merged(first: Passage, *others: Passage) -> Passage:
    if not others:
        return first
    places = (place for one in others for place in (one.place, *one.also))
    also = tuple(place for place in dict.fromkeys((*first.also, *places)) if place != first.place)
    phrasings = tuple(dict.fromkeys(phrasing for one in (first, *others) for phrasing in one.phrasings))
    return replace(first, phrasings=phrasings, also=also)


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
