"""The files of a base while the program runs: which of them changed, and what they say now.

Nothing watches by itself: whoever searches asks first, and when nothing changed that costs one look at the date of each
file and folder. What changed is read again, and nothing else.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath

from campus_agent.knowledge.bounds import Bounds, Stop, check
from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.folder import CAMPUS_FILE, Document, Listing
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.reading import Progress, file_bytes, read_alone
from campus_agent.text import plural

_DATED = (".ics", ".ical", ".zip")  # what they say depends on the day that they are read on

Stamp = tuple[int, int]  # nanoseconds since 1970 of the last change, bytes
Signature = dict[str, Stamp | None]  # by path; None for what is not there


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document, what was read of it, and by what to tell that it is still the same.

    Attributes:
        source: its path inside the base.
        path: where it is.
        stamp: its date and size when it was read; None if it could not be looked at.
        digest: of its bytes, in hexadecimal digits; empty if they could not be read.
        day: the day that it was read on, such as "2026-06-13", where what it says depends on it, else empty.
        passages: what it says, to be joined with the other documents.
        problems: what of it cannot be used.
    """

    source: str
    path: str
    stamp: Stamp | None
    digest: str
    day: str
    passages: tuple[Passage, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """What is not as it was before, in words.

    Attributes:
        said: what was read again, such as "clubs.md changed: 3 passages".
        troubles: what cannot be read any more, and until when it could.
    """

    said: tuple[str, ...]
    troubles: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "; ".join((*self.said, *self.troubles))


def read_again(
    documents: Sequence[Document],
    earlier: Mapping[str, ReadDocument],
    *,
    now: datetime,
    bounds: Bounds | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> list[ReadDocument]:
    """Read the documents; one that is the same as in `earlier`, by source, is not opened.

    When a bound is reached no other is opened either, and the first of them says so.

    Args:
        documents: in the order that the result has.
        earlier: what was read before.
        now: the time on campus.
        bounds: how much is read.
        progress: told before each document and once at the end.
        stop: asked before each document.

    Raises:
        LoadingStopped: `stop` said so.
    """
    bounds = bounds or Bounds()
    read = []
    for position, document in enumerate(documents):
        if progress:
            progress(position, len(documents), document.source)
        check(stop)
        read.append(_read(document, earlier.get(document.source), now, bounds))
    if progress:
        progress(len(documents), len(documents), "")
    return read


def _read(document: Document, earlier: ReadDocument | None, now: datetime, bounds: Bounds) -> ReadDocument:
    path, stamp, day = str(document.path), stamp_of(document.path), _day(document.source, now)
    same = earlier if earlier and (earlier.path, earlier.day) == (path, day) else None
    if same and stamp and same.stamp == stamp:
        return same
    ended = bool(bounds.over)
    if not bounds.allow():
        why = f"it and the rest of the base are not read, for {bounds.over}; name a smaller folder"
        problems = () if ended else (Problem(document.source, None, why),)
        return ReadDocument(document.source, path, stamp, "", day, (), problems)
    data = _data(document)
    digest = hashlib.blake2b(data).hexdigest() if data else ""
    if same and digest and same.digest == digest:
        return dataclasses.replace(same, stamp=stamp)
    passages, unread = read_alone(document, now=now)
    bounds.took(len(data), len(passages))
    return ReadDocument(document.source, path, stamp, digest, day, tuple(passages), tuple(unread))


def _day(source: str, now: datetime) -> str:
    return now.date().isoformat() if PurePosixPath(source).suffix.lower() in _DATED else ""


def _data(document: Document) -> bytes:
    try:
        return file_bytes(document)
    except (OSError, Unreadable):  # as will be said when it is read
        return b""


def stamp_of(path: str | Path) -> Stamp | None:
    """Return the date of the last change of a file or folder and its size, None when it cannot be looked at."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def signature_of(bases: Iterable[Path], folders: Iterable[Path], read: Iterable[ReadDocument]) -> Signature:
    """Return the stamps of all that tells whether a base is as it was read: its folders, documents and settings."""
    documents = {one.path: one.stamp for one in read}
    paths = {str(path) for base in bases for path in (base, base / CAMPUS_FILE)} | {*map(str, folders)}
    # Of a document the stamp that it had when it was read: one that was changed since then differs from it.
    return {path: stamp_of(path) for path in sorted(paths)} | documents


class Watch:
    """Tells what changed in the files of a base since it last looked.

    Args:
        bases: the folders and files.
        listed: lists the documents in them, and what it left out.
        read: what was read of them, or what fetches that when it is first needed.
        signature: of the bases when that was read.
        now: the time on campus, at which all of it was there.
        day: the day that it was read on, where what it says depends on it, else empty.
        unlisted: what was left out of the list.

    Attributes:
        signature: of the bases when they were last read.
        unlisted: what was left out of the list.
    """

    def __init__(
        self,
        bases: Sequence[Path],
        listed: Callable[[], Listing],
        read: Iterable[ReadDocument] | Callable[[], Iterable[ReadDocument]],
        signature: Signature,
        *,
        now: datetime,
        day: str = "",
        unlisted: Sequence[Problem] = (),
    ) -> None:
        self.signature = signature
        self.unlisted = unlisted
        self._bases = bases
        self._listed = listed
        self._given = read
        self._day = day
        self._whole = now  # when all could be read for the last time
        self._told: tuple[str, ...] = ()

    @cached_property
    def read(self) -> dict[str, ReadDocument]:
        """What was read of each document, by source."""
        return {one.source: one for one in (self._given() if callable(self._given) else self._given)}

    def look(self, now: datetime) -> Changes | None:
        """Read what changed; None when nothing did.

        What cannot be read any more, or is just being written, stays as it was read before, and that is said once.
        """
        same = self._day in ("", now.date().isoformat())
        if same and all(stamp_of(path) == stamp for path, stamp in self.signature.items()):
            self._told = ()
            return None
        if lost := list(filter(None, map(self._lost, self._bases))):
            return self._tell([], lost)
        listing = self._listed()
        before, signature = self.read, self.signature
        shut = _shut_away(before.values(), listing)
        if not listing.documents and not shut:
            return self._tell([], ["there are no documents any more"])
        read = read_again(listing.documents, before, now=now)
        self.signature = signature_of(self._bases, listing.folders, [*read, *shut])
        after = {one.source: one for one in (*read, *shut)}
        troubles = [f"{path} cannot be opened ({why})" for path, why in listing.closed.items() if _holds(path, shut)]
        for one in read:
            old = before.get(one.source)
            if old and old.passages and (why := _unusable(one)):
                after[one.source] = dataclasses.replace(old, stamp=None)  # so that it is read again when it changes
                troubles.append(f"{one.source} cannot be read now ({why})")
        settings = [str(base / CAMPUS_FILE) for base in self._bases]
        said = [f"{CAMPUS_FILE} changed" for path in settings if signature.get(path) != self.signature[path]]
        said += _differences(before, after)
        self.read, self.unlisted, self._day = after, listing.problems, max((one.day for one in read), default="")
        changes = self._tell(said, troubles)
        self._whole = self._whole if troubles else now
        return changes

    def _lost(self, base: Path) -> str:
        """Say of a base that is not there any more what became of it; empty when it is."""
        try:
            os.stat(base)
        except FileNotFoundError:
            is_file = any(one.path == str(base) for one in self.read.values())
            return f"the {'file' if is_file else 'folder'} {base} is gone"
        except OSError as error:
            return f"{base} cannot be opened ({error.strerror})"
        return ""

    def _tell(self, said: Sequence[str], troubles: Sequence[str]) -> Changes | None:
        fresh = [trouble for trouble in troubles if trouble not in self._told]
        self._told = tuple(troubles)
        until = f"answering from what was read on {self._whole:%B %d at %I:%M %p}"
        return Changes(tuple(said), tuple(f"{one}; {until}" for one in fresh)) if said or fresh else None


def _shut_away(read: Iterable[ReadDocument], listing: Listing) -> list[ReadDocument]:
    """Return what was read of documents that are not listed, because they or a folder above them cannot be opened."""
    listed = {document.source for document in listing.documents}
    return [
        dataclasses.replace(one, stamp=None)  # so that it is read again once it can be
        for one in read
        if one.source not in listed and any(_holds(closed, [one]) for closed in listing.closed)
    ]


def _holds(path: Path, read: Iterable[ReadDocument]) -> bool:
    return any(Path(one.path).is_relative_to(path) for one in read)


def _unusable(read: ReadDocument) -> str:
    """Say why a document that was good before should not be taken as it is now; empty when it should."""
    if not read.passages:
        return read.problems[0].reason if read.problems else "there is nothing in it"
    return "it is just being written" if stamp_of(read.path) != read.stamp else ""


def _differences(before: Mapping[str, ReadDocument], after: Mapping[str, ReadDocument]) -> Iterator[str]:
    for source, one in after.items():
        old = before.get(source)
        if old is None:
            yield f"{source} is new: {plural(len(one.passages), 'passage')}"
        elif (old.passages, old.problems) != (one.passages, one.problems):
            yield f"{source} changed: {plural(len(one.passages), 'passage')}"
    for source, one in before.items():
        if source not in after:
            yield f"{source} is gone: {plural(len(one.passages), 'passage')}"
