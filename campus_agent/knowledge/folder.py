"""Which documents stand in a base, in an order that is always the same."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from campus_agent.knowledge.bounds import Stop, check
from campus_agent.knowledge.passage import Problem
from campus_agent.text import one_line

CAMPUS_FILE = "campus.toml"
_DEEPEST = 100  # folders within each other
_MOST_FILES = 50_000
_MOST_LOOKED_AT = 100_000  # files, folders, links and what else there is


@dataclass(frozen=True, slots=True)
class Document:
    """A file of a base: where it is, and its POSIX path inside the base."""

    path: Path
    source: str


@dataclass(slots=True)
class Listing:
    """What there is in a base.

    Attributes:
        documents: in the order of their paths.
        folders: that they were looked for in.
        problems: what was left out, and why.
        closed: files and folders that are there and cannot be opened, with the reason.
    """

    documents: list[Document] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    closed: dict[Path, str] = field(default_factory=dict)


def documents_of(base: Path, *, stop: Stop | None = None) -> Listing:
    """List the documents of a folder, sub-folders included, or the one file that `base` is.

    Hidden files and folders and the base's own settings are left out. A link is followed when it stays inside the base;
    one that leads outside or nowhere is named as a problem, and a loop of links ends by itself.

    Raises:
        LoadingStopped: `stop` said so.
    """
    if not base.is_dir():
        return Listing([Document(base, one_line(base.name))])
    walk = _Walk(base.resolve(), stop)
    walk.enter(walk.root)
    while walk.links:  # after all that stands in the base itself, so that a document goes by its own name
        walk.follow(walk.links.pop(0))
    return Listing(
        sorted(walk.found.values(), key=lambda document: document.source),
        walk.folders,
        sorted(walk.problems, key=lambda problem: problem.source),
        walk.closed,
    )


def leads_outside(path: Path, root: Path) -> bool:
    """Tell whether a link, or one above it, leads out of the folder `root`, which is given resolved."""
    return not path.resolve().is_relative_to(root)


class _Walk:
    """The way through a folder and all below it; an entry that cannot be looked at is named, and ends nothing."""

    def __init__(self, root: Path, stop: Stop | None) -> None:
        self.root = root
        self.folders: list[Path] = []
        self.found: dict[Path, Document] = {}
        self.problems: list[Problem] = []
        self.closed: dict[Path, str] = {}
        self.links: list[Path] = []
        self._entered: set[Path] = set()
        self._stop = stop
        self._looked_at = 0
        self._full = False  # there are more files than are read

    def enter(self, folder: Path) -> None:
        waiting = [folder]
        while waiting:  # no recursion, which a folder within a folder a thousand times over would bring to an end
            waiting += reversed(self._folders_in(waiting.pop()))

    def follow(self, link: Path) -> None:
        try:
            link.resolve(strict=True)
        except (OSError, RuntimeError):  # RuntimeError: what Python before 3.13 says of a link to itself
            self._skip(link, "the link leads nowhere")
            return
        check(self._stop)
        if self._full:
            return
        if leads_outside(link, self.root):
            self._skip(link, "the link leads out of the base")
        elif self._is_folder(link, link.resolve(), follow=True):
            self.enter(link)

    def _folders_in(self, folder: Path) -> list[Path]:
        """Take the documents and links of a folder, and return the folders in it."""
        if len(folder.relative_to(self.root).parts) > _DEEPEST:
            self._skip(folder, f"it is nested too deeply: there are over {_DEEPEST} folders above it")
            return []
        try:
            real = folder.resolve()
            names = [] if real in self._entered else sorted(os.listdir(folder))
        except OSError as error:
            self._shut(folder, error, "the folder")
            return []
        self._entered.add(real)
        self.folders.append(folder)
        shown = (folder / name for name in names if not name.startswith(".") and name != CAMPUS_FILE)
        return [path for path in shown if self._looks_at(path) and self._is_folder(path, real / path.name)]

    def _looks_at(self, path: Path) -> bool:
        """Count an entry, and tell whether it is still one to look at."""
        check(self._stop)
        self._looked_at += 1
        if self._looked_at > _MOST_LOOKED_AT and not self._full:
            self._end(path, f"there are over {_MOST_LOOKED_AT:,} files, folders and links in the base")
        return not self._full

    def _is_folder(self, path: Path, real: Path, *, follow: bool = False) -> bool:
        """Tell whether `path` is a folder; what else it is, is taken, put aside as a link, or named.

        Looking up where each of many files is, `real`, would take most of the time.
        """
        try:
            mode = path.stat(follow_symlinks=follow).st_mode
            if stat.S_ISREG(mode):
                self._take(path, real)
        except OSError as error:
            self._shut(path, error, "it")
            return False
        if stat.S_ISLNK(mode):
            self.links.append(path)
        elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe or a device, that may never end
            self._skip(path, "it is not an ordinary file")
        return stat.S_ISDIR(mode)

    def _take(self, path: Path, real: Path) -> None:
        if real not in self.found and len(self.found) >= _MOST_FILES:
            self._end(path, f"there are over {_MOST_FILES:,} files in the base")
        else:
            self.found.setdefault(real, Document(path, self._source(path)))

    def _end(self, path: Path, reason: str) -> None:
        self._full = True
        self._skip(path, f"{reason}, and the rest is not read; name a smaller folder")

    def _shut(self, path: Path, error: OSError, what: str) -> None:
        if not isinstance(error, (FileNotFoundError, NotADirectoryError)):  # which was removed just now
            self.closed[path] = error.strerror or type(error).__name__
        self._skip(path, f"{what} cannot be opened: {error.strerror}")

    def _skip(self, path: Path, reason: str) -> None:
        self.problems.append(Problem(self._source(path), None, reason))

    def _source(self, path: Path) -> str:
        return one_line(path.relative_to(self.root).as_posix())
