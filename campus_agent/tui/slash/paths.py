"""Completes the path of a file or folder that is being typed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from itertools import islice

_MOST_READ = 5_000  # entries of one folder
_MOST = 100


def matching_paths(word: str, *, endings: Sequence[str] = ()) -> list[str]:
    """Return the paths that `word` can be completed to: folders first, with a slash at the end, then files by name.

    Hidden ones come only when the name that is typed begins with a dot. A space in a path is written with a backslash
    before it, and so is it in `word`.

    Args:
        word: what is typed, "" for the current folder; ~ stands for the person's own.
        endings: of the files to offer, () for any.
    """
    folder, name = os.path.split(word.strip("\"'").replace("\\ ", " "))
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:
            found = [entry for entry in islice(entries, _MOST_READ) if _fits(entry.name, name)]
    except (OSError, ValueError):  # a folder that is not there, a path with a null in it
        return []
    ranked = sorted((not _is_folder(entry), entry.name.lower(), entry.name) for entry in found)
    paths = [
        os.path.join(folder, entry_name) + ("" if is_file else "/")
        for is_file, _, entry_name in ranked
        if not is_file or not endings or entry_name.lower().endswith(tuple(endings))
    ]
    return [path.replace(" ", "\\ ") for path in paths[:_MOST]]


def typed_path(text: str) -> str:
    """Return the path that is meant by what was typed: without quotes and backslashes, and ~ as the person's own."""
    quoted = text.strip()
    plain = quoted.strip("\"'") if os.name == "nt" else quoted.strip("\"'").replace("\\ ", " ")
    return os.path.expanduser(plain)


def quoted(path: str) -> str:
    """Return a path so that it is read as one word, whatever stands in it; `words` is the way back."""
    if os.name != "nt":
        return shlex.quote(path)
    return f'"{path}"' if " " in path else path


def words(text: str) -> tuple[str, ...]:
    """Return the paths in what was typed, each as it was meant; raises `ValueError` for a quote without its end."""
    if os.name != "nt":
        return tuple(shlex.split(text))
    return tuple(word.strip("\"'") for word in shlex.split(text, posix=False))  # a backslash is part of a path there


def _fits(entry: str, name: str) -> bool:
    if not entry.isprintable() or (entry.startswith(".") and not name.startswith(".")):
        return False
    return entry.lower().startswith(name.lower())


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
