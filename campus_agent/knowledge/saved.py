"""A large base as it was read, kept in the user's cache folder, so that the next start need not read it again.

A base has a folder in the cache. In it `current.json` names the generation in force, a folder of its own with the
passages, the arrays of the index and what each document gave. A new generation is written beside the old one and then
switched to by replacing `current.json`, so that a start always finds a whole one. What is damaged, of another version
of the program or of its rules for words, or of another state of the files counts as not there.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import mmap
import os
import shutil
import uuid
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.rules import rules_in_force
from campus_agent.knowledge.watching import ReadDocument, Signature, stamp_of

if TYPE_CHECKING:
    from campus_agent.knowledge.index import Index
    from campus_agent.knowledge.words import Words

_FORM = 2  # of what is written; to be raised with every change of it
_CURRENT = "current.json"
_LATER = (
    "documents.jsonl",
    "counts.npy",
)  # needed when something changed; a start does not look whether they are whole


class MappedPassages(Sequence[Passage]):
    """Passages in a file, a line of JSON each, read when they are asked for."""

    def __init__(self, path: Path, starts: Sequence[int]) -> None:
        self._starts = starts
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, position: int) -> Passage: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Passage]: ...
    def __getitem__(self, position: int | slice) -> Passage | Sequence[Passage]:
        if isinstance(position, slice):
            return [self[one] for one in range(*position.indices(len(self)))]
        one = range(len(self))[position]
        return _passage(json.loads(self._bytes[int(self._starts[one]) : int(self._starts[one + 1])]))


@dataclass(frozen=True, slots=True)
class Saved:
    """A generation that is whole.

    Attributes:
        folder: where it is.
        checksums: of its files.
        signature: of the files when they were read.
        day: the day that they were read on, where what they say depends on it, else empty.
        problems: what could not be used.
    """

    folder: Path
    checksums: dict[str, int]
    signature: Signature
    day: str
    problems: tuple[Problem, ...]

    def in_force(self, today: str) -> bool:
        """Tell whether the files are still as they were."""
        same_day = self.day in ("", today)
        return same_day and all(stamp_of(path) == stamp for path, stamp in self.signature.items())

    def whole(self) -> bool:
        """Tell whether the files that a start has no need of are undamaged too."""
        try:
            return all(_checksum(self.folder / name) == self.checksums[name] for name in _LATER)
        except OSError:  # another process has put a newer generation in force
            return False

    def passages(self) -> MappedPassages:
        """Return the passages."""
        import numpy as np

        starts = np.load(self.folder / "starts.npy", mmap_mode="r", allow_pickle=False)
        return MappedPassages(self.folder / "passages.jsonl", starts)

    def index(self, words: Words) -> Index:
        """Return the index of the passages, mapped."""
        from campus_agent.knowledge.index import Index
        from campus_agent.knowledge.inverted import Inverted

        vocabulary = Counter(json.loads((self.folder / "words.json").read_bytes()))
        return Index(self.passages(), words, Inverted.load(self.folder), vocabulary)

    def read(self) -> Iterator[ReadDocument]:
        """Yield what each document gave."""
        with (self.folder / "documents.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                values = json.loads(line)
                values["stamp"] = values["stamp"] and tuple(values["stamp"])
                values["passages"] = tuple(map(_passage, values["passages"]))
                values["problems"] = tuple(Problem(*problem) for problem in values["problems"])
                yield ReadDocument(**values)


def place_of(bases: Iterable[Path], language: str) -> Path:
    """Return the folder in the user's cache for these bases in this language; it need not be there."""
    from platformdirs import user_cache_path

    told = json.dumps([language, [str(base) for base in bases]])
    return user_cache_path("campus-agent") / "bases" / hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


def saved_at(place: Path) -> Saved | None:
    """Return the generation in force at `place`, None when there is none that is whole."""
    try:
        header: dict[str, Any] = json.loads((place / _CURRENT).read_bytes())
        if header["form"] != _form():
            return None
        folder = place / header["generation"]
        checksums: dict[str, int] = header["files"]
        if any(_checksum(folder / name) != checksums[name] for name in checksums if name not in _LATER):
            return None
        return Saved(
            folder,
            checksums,
            {path: stamp and (stamp[0], stamp[1]) for path, stamp in header["signature"].items()},
            header["day"],
            tuple(Problem(*problem) for problem in header["problems"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # no file, no JSON, not what was written
        return None


def save(
    place: Path, index: Index, read: Sequence[ReadDocument], signature: Signature, problems: Sequence[Problem]
) -> None:
    """Write a generation and put it in force; where that cannot be done the next start reads the documents again."""
    name = uuid.uuid4().hex
    folder = place / name
    try:
        folder.mkdir(parents=True)
        _write(folder, index, read)
        header = {
            "form": _form(),
            "generation": name,
            "files": {path.name: _checksum(path) for path in sorted(folder.iterdir())},
            "signature": signature,
            "day": max((one.day for one in read), default=""),
            "problems": [*map(_values, problems)],
        }
        fresh = folder / _CURRENT
        fresh.write_text(json.dumps(header), encoding="utf-8")
        os.replace(fresh, place / _CURRENT)
    except OSError:  # a full disk, a folder that may not be written
        shutil.rmtree(folder, ignore_errors=True)
        return
    for other in place.iterdir():
        if other.name not in (name, _CURRENT):
            with suppress(OSError):
                shutil.rmtree(other)


def _form() -> str:
    """Return what must be the same for what was kept to be used: how it is written, who read it, and by which rules."""
    from campus_agent import __version__

    return f"{_FORM} {__version__} {rules_in_force()}"


def _write(folder: Path, index: Index, read: Sequence[ReadDocument]) -> None:
    import numpy as np

    from campus_agent.knowledge.inverted import Inverted

    if not isinstance(index.terms, Inverted):
        raise TypeError("only the index of a large base is saved")
    index.terms.save(folder)
    (folder / "words.json").write_text(json.dumps(index.vocabulary), encoding="utf-8")
    starts = [0]
    with (folder / "passages.jsonl").open("wb") as file:
        for passage in index.passages:
            starts.append(starts[-1] + file.write(json.dumps(_values(passage)).encode() + b"\n"))
    np.save(folder / "starts.npy", np.array(starts), allow_pickle=False)
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as file:
        for one in read:
            values = {field.name: getattr(one, field.name) for field in dataclasses.fields(one)}
            values["passages"] = [*map(_values, one.passages)]
            values["problems"] = [*map(_values, one.problems)]
            file.write(json.dumps(values) + "\n")


def _values(item: Passage | Problem) -> list[Any]:
    return [getattr(item, name) for name in item.__slots__]  # its fields, in their order


def _passage(values: Iterable[Any]) -> Passage:
    whole: list[Any] = [tuple(value) if isinstance(value, list) else value for value in values]
    return Passage(*whole)


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            checksum = zlib.crc32(part, checksum)
    return checksum
