"""How much of a base is read: a place may have no end, and a person may not want to wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from campus_agent.errors import KnowledgeError

_MOST_MEGABYTES = 2_000  # of all documents
_MOST_PASSAGES = 1_000_000
_LONGEST = 1_800.0  # seconds

Item = TypeVar("Item")
Stop = Callable[[], bool]
"""Asked in between, also from another thread than the one that sets it, such as `is_set` of an event."""


class LoadingStopped(KnowledgeError):
    """A base whose reading was given up because somebody asked for that."""

    def __init__(self) -> None:
        super().__init__("Reading the knowledge base was stopped.", next="Read it again, or name a smaller folder.")


def check(stop: Stop | None) -> None:
    """Raise `LoadingStopped` when `stop` says so."""
    if stop and stop():
        raise LoadingStopped


def unless(stop: Stop | None, items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, and raise `LoadingStopped` before the next one when `stop` says so."""
    for item in items:
        check(stop)
        yield item


class Bounds:
    """What may still be read of a base; made anew each time that its documents are gone through.

    Attributes:
        over: why no further document is opened, "" while one may be.
        in_time: whether it was not the time that ended it, which may suffice on another day.
    """

    def __init__(self) -> None:
        self.over = ""
        self.in_time = True
        self._end = time.monotonic() + _LONGEST
        self._bytes = self._passages = 0

    def allow(self) -> bool:
        """Tell whether another document may be opened; once that is denied, so are all after it."""
        if self._bytes > _MOST_MEGABYTES * 1_000_000:
            self.over = f"the documents before have over {_MOST_MEGABYTES:,} MB"
        elif self._passages > _MOST_PASSAGES:
            self.over = f"the documents before have over {_MOST_PASSAGES:,} passages"
        elif time.monotonic() > self._end:
            self.over, self.in_time = f"reading the documents before took over {_LONGEST / 60:.0f} minutes", False
        return not self.over

    def took(self, size: int, passages: int) -> None:
        """Count the bytes and the passages of a document."""
        self._bytes += size
        self._passages += passages
