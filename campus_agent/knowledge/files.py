"""The documents of a base on the disk: what they say, kept for the next start where that is much."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from campus_agent.daemon_threads import DaemonThreads
from campus_agent.knowledge.bounds import Bounds, Stop
from campus_agent.knowledge.folder import Document, Listing, documents_of
from campus_agent.knowledge.index import LARGE, Index
from campus_agent.knowledge.intents import joined
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.reading import Progress
from campus_agent.knowledge.saved import place_of, save, saved_at
from campus_agent.knowledge.watching import Changes, ReadDocument, Signature, Watch, read_again, signature_of
from campus_agent.knowledge.words import Words, fold

_LOOKS_TAKE = 50  # times as long as it took a look is not called for again: two hundredths of the time at most

_State = tuple[Index, tuple[ReadDocument, ...], Signature, Sequence[Problem]]
"""What is kept: an index, what was read of each document, when, and what could not be used."""


class Files:
    """What the files of a base say.

    Args:
        bases: folders and files, resolved.
        language: as it was set; what is kept of a base in another one is not used.
        now: the time on campus.
        progress: told before each document that is read and once at the end.
        stop: asked before each file that is looked at.

    Raises:
        LoadingStopped: `stop` said so.

    Attributes:
        bases: as given.
        passages: of all documents, each once.
        problems: what was skipped, and why.
    """

    def __init__(
        self,
        bases: Sequence[Path],
        language: str,
        now: datetime,
        *,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> None:
        self.bases = bases
        self.passages: Sequence[Passage] = ()
        self.problems: Sequence[Problem] = ()
        self._place = place_of(bases, language)
        self._saved = saved_at(self._place)
        self._looked, self._look_took = time.monotonic(), 0.0
        self._keeping = threading.Lock()  # one at a time; what comes meanwhile is read again at the next start
        listed = partial(_documents, bases)
        bounds = Bounds()
        self._as_saved = self._saved is not None and self._saved.in_force(now.date().isoformat())
        if self._saved and self._as_saved:
            self._watch = Watch(bases, listed, self._earlier, self._saved.signature, now=now, day=self._saved.day)
            self.passages, self.problems = self._saved.passages(), self._saved.problems
        else:
            earlier = {one.source: one for one in self._earlier()}
            listing = listed(stop)
            read = read_again(listing.documents, earlier, now=now, bounds=bounds, progress=progress, stop=stop)
            day = max((one.day for one in read), default="")
            signature = signature_of(bases, listing.folders, read)
            self._watch = Watch(bases, listed, read, signature, now=now, day=day, unlisted=listing.problems)
            self._join()
        self._keeps = bounds.in_time

    def due(self, every: float) -> bool:
        """Tell whether there should be another look: `every` seconds after the last, sooner where it costs little."""
        return time.monotonic() - self._looked >= min(every, self._look_took * _LOOKS_TAKE)

    def changes(self, now: datetime) -> Changes | None:
        """Read what changed since the last look; None when nothing did."""
        began = time.thread_time()  # of the processor: what others do on it does not make a look dear
        changes = self._watch.look(now)
        self._look_took = time.thread_time() - began
        self._looked = time.monotonic()
        if changes:
            self._as_saved = False
            self._join()
        return changes

    def index(self, words: Words, stop: Stop | None = None) -> Index:
        """Return the index of the passages, kept for the next start if it is large; raise `LoadingStopped`."""
        if self._saved and self._as_saved:
            return self._saved.index(words)
        if len(self.passages) <= LARGE:
            return Index.build(self.passages, words, stop)
        if self._saved and self._saved.whole():
            index = self._saved.index(words).updated(self.passages)
        else:
            index = Index.build(self.passages, words, stop)
        self._keep(self._state(index))
        return index

    def keep(self, index: Index) -> None:
        """Keep the index of what the files say now for the next start, on a thread, if the base is large."""
        if len(self.passages) > LARGE:
            DaemonThreads().submit(self._keep, self._state(index))

    def _state(self, index: Index) -> _State:
        return index, tuple(self._watch.read.values()), self._watch.signature, self.problems

    def _keep(self, state: _State) -> None:
        if self._keeps and self._keeping.acquire(blocking=False):
            try:
                save(self._place, *state)
            finally:
                self._keeping.release()

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


def _documents(bases: Sequence[Path], stop: Stop | None = None) -> Listing:
    """List the documents of all bases; where two have the same path in theirs, the base's name goes before it."""
    listings = [documents_of(base, stop=stop) for base in bases]
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
    return Listing(
        named,
        [folder for listing in listings for folder in listing.folders],
        [problem for listing in listings for problem in listing.problems],
        {path: why for listing in listings for path, why in listing.closed.items()},
    )


def _folder(base: Path) -> Path:
    return base if base.is_dir() else base.parent
