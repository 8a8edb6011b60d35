"""What every reader gets and gives: the one seam between a base and the formats of its documents."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from campus_agent.knowledge.encoding import Unreadable, decode
from campus_agent.knowledge.passage import Passage, Problem


@dataclass(frozen=True, slots=True)
class Content:
    """A document as a reader sees it, which opens no file of its own.

    Attributes:
        data: all of its bytes.
        source: its POSIX path inside the base.
        now: when the base is read, in the campus time zone: what is past and what is to come depends on it.
    """

    data: bytes
    source: str
    now: datetime


class Reader(Protocol):
    """Tells what a document says: passages in their order, and problems for what of it cannot be read.

    It raises `Unreadable` when the document, or the rest of it, is of no use; what was yielded before is kept.
    """

    def __call__(self, content: Content) -> Iterator[Passage | Problem]:
        """Yield the passages and problems of `content`."""
        ...


def of_text(read: Callable[[str, str], Iterator[Passage | Problem]]) -> Reader:
    """Make a reader of a function that takes the text of a document and its source."""

    def reader(content: Content) -> Iterator[Passage | Problem]:
        return read(decode(content.data), content.source)

    return reader


def need(package: str, *, extra: str) -> None:
    """Raise `Unreadable`, saying what to install, when the package that reads a format is not there."""
    if importlib.util.find_spec(package) is None:
        raise Unreadable(f'it takes a package that is not installed: pip install "campus-agent[{extra}]"')
