"""Which documents stand in a base, in an order that is always the same."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from campus_agent.knowledge.passage import Problem
from campus_agent.text import one_line

CAMPUS_FILE = "campus.toml"
_DEEPEST = 100  # folders within each other
_MOST_FILES = 50_000


@dataclass(frozen=True, slots=True)
class Document:
    """A file of a base: where it is, and its POSIX path inside the base."""

    path: Path
    source: str


@dataclass(slots=True)
class Listing:
    """The documents of a base, and what was left out of it on purpose."""

    documents: list[Document] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def documents_of(base: Path) -> Listing:
    """List the documents of a folder, sub-folders included, or the one file that `base` is.

    Hidden files and folders and the base's own settings are left out. A link is followed when it stays inside the base;
    one that leads outside or nowhere is named as a problem, and a loop of links ends by itself.
    """
    if not base.is_dir():
        return Listing([Document(base, one_line(base.name))])
    walk = _Walk(base.resolve())
    walk.enter(walk.root)
    while walk.links:  # after all that stands in the base itself, so that a document goes by its own name
        walk.follow(walk.links.pop(0))
    return Listing(
        sorted(walk.found.values(), key=lambda document: document.source),
        sorted(walk.problems, key=lambda problem: problem.source),
    )


def leads_outside(path: Path, root: Path) -> bool:
    """Tell whether a link, or one above it, leads out of the folder `root`, which is given resolved."""
    return not path.resolve().is_relative_to(root)


class _Walk:
    """The way through a folder and all below it; an entry that cannot be looked at is named, and ends nothing."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.found: dict[Path, Document] = {}
        self.problems: list[Problem] = []
        self.links: list[Path] = []
        self._entered: set[Path] = set()
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
        if leads_outside(link, self.root):
            self._skip(link, "the link leads out of the base")
        elif self._is_folder(link):
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
            self._skip(folder, f"the folder cannot be opened: {error.strerror}")
            return []
        self._entered.add(real)
        shown = [folder / name for name in names if not name.startswith(".") and name != CAMPUS_FILE]
        return [path for path in shown if not self._full and self._is_folder(path, follow=False)]

    def _is_folder(self, path: Path, *, follow: bool = True) -> bool:
        """Tell whether `path` is a folder; what else it is, is taken, put aside as a link, or named."""
        try:
            mode = path.stat(follow_symlinks=follow).st_mode
            if stat.S_ISREG(mode):
                self._take(path)
        except OSError as error:
            self._skip(path, f"it cannot be opened: {error.strerror}")
            return False
        if stat.S_ISLNK(mode):
            self.links.append(path)
        elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe or a device, that may never end
            self._skip(path, "it is not an ordinary file")
        return stat.S_ISDIR(mode)

    def _take(self, path: Path) -> None:
        real = path.resolve()
        if real not in self.found and len(self.found) >= _MOST_FILES:
            self._full = True
            reason = (
                f"there are over {_MOST_FILES:,} files in the base, and the rest is not read; name a smaller folder"
            )
            self._skip(path, reason)
        else:
            self.found.setdefault(real, Document(path, self._source(path)))

    def _skip(self, path: Path, reason: str) -> None:
        self.problems.append(Problem(self._source(path), None, reason))

    def _source(self, path: Path) -> str:
        return one_line(path.relative_to(self.root).as_posix())
