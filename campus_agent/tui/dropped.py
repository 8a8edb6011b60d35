"""Reads the paths in what a terminal pastes when files or folders are dropped on it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from campus_agent.tui.slash.paths import words

_MOST_CHARACTERS = 8_000
_MOST_PATHS = 50


def dropped_paths(text: str) -> tuple[Path, ...]:
    """Return the paths that `text` consists of, () when any of it is no full path of a folder or a document.

    Terminals write them with quotes, with a backslash before each space, as they are, or as `file://` addresses, and
    several with a space or a new line between them. Looking at them may wait for a disk.
    """
    text = text.strip()
    if not text or len(text) > _MOST_CHARACTERS:
        return ()
    for several in _ways_to_read(text):
        paths = tuple(Path(os.path.expanduser(_without_scheme(word))) for word in several)
        if 0 < len(paths) <= _MOST_PATHS and all(map(_is_of_a_base, paths)):
            return paths
    return ()


def _ways_to_read(text: str) -> Iterator[list[str]]:
    """Yield the words of `text`: each line as it is, then as a shell would read it."""
    yield [line.strip() for line in text.splitlines() if line.strip()]
    try:
        yield list(words(text))
    except ValueError:  # a quotation mark without its other end
        return


def _without_scheme(word: str) -> str:
    if not word.lower().startswith("file:/"):
        return word
    try:
        address = urlsplit(word)
    except ValueError:
        return word
    if address.netloc not in ("", "localhost"):
        return word
    return url2pathname(address.path) if os.name == "nt" else unquote(address.path)


def _is_of_a_base(path: Path) -> bool:
    from campus_agent.knowledge.reading import is_read

    try:
        return path.is_absolute() and (path.is_dir() or (path.is_file() and is_read(path.name)))
    except (OSError, ValueError):  # a name that is too long, or with a null in it
        return False
