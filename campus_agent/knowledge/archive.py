"""A ZIP archive in a base: its documents, without ever writing one to the disk."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.passage import Problem
from campus_agent.text import one_line

_MOST_MEMBERS = 2_000
_MOST_MEGABYTES = 20  # of one document in it
_MOST_MEGABYTES_IN_ALL = 100
_SMALL, _MOST_RATIO = 1_000_000, 200  # bytes from which on, and how many times, a document may not have been squeezed
_ENCRYPTED = 0x1


def members(data: bytes, source: str) -> Iterator[tuple[str, bytes] | Problem]:
    """Yield name and bytes of each document of an archive in the order of their names, and a problem for each other.

    Nothing is unpacked that says of itself that it is too large, and never more than it says. Archives within the
    archive stay closed, and hidden files are left out as they are in a folder.

    Raises:
        Unreadable: it is no archive, or has far too many files.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError):
        raise Unreadable("the archive is broken or cut off; pack it again") from None
    with archive:
        files = [entry for entry in archive.infolist() if not entry.is_dir() and not _hidden(_path(entry))]
        if len(files) > _MOST_MEMBERS:
            raise Unreadable(f"there are over {_MOST_MEMBERS:,} files in it; unpack it into a folder")
        total = 0
        for entry in sorted(files, key=lambda entry: entry.filename):
            name = f"{source}/{one_line(entry.filename)}"
            total += entry.file_size
            reason = _reason(entry, total)
            if reason:
                yield Problem(name, None, reason)
            else:
                yield _unpacked(archive, entry, name)


def _path(entry: zipfile.ZipInfo) -> PurePosixPath:
    return PurePosixPath(entry.filename.replace("\\", "/"))


def _hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") and part != ".." for part in path.parts) or "__MACOSX" in path.parts


def _reason(entry: zipfile.ZipInfo, total: int) -> str:
    """Return why a file of an archive is left out, or nothing."""
    path = _path(entry)
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        return "its path leads out of the archive; pack it again"
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        return "it is not an ordinary file"
    if entry.flag_bits & _ENCRYPTED:
        return "it is protected by a password; pack it again without one"
    if path.suffix.lower() == ".zip":
        return "it is an archive within an archive; unpack it"
    if entry.file_size > _MOST_MEGABYTES * 1024 * 1024:
        return f"it is over {_MOST_MEGABYTES} MB; cut it into smaller files"
    if total > _MOST_MEGABYTES_IN_ALL * 1024 * 1024:
        return f"with it the archive is over {_MOST_MEGABYTES_IN_ALL} MB; unpack it into a folder"
    if entry.file_size > max(_SMALL, entry.compress_size * _MOST_RATIO):
        return "it was squeezed as no document can be, and may be a trap; unpack it into the folder if you trust it"
    return ""


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> tuple[str, bytes] | Problem:
    try:
        with archive.open(entry) as file:
            return name, file.read(entry.file_size)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError):
        return Problem(name, None, "it is damaged in the archive; pack it again")
    except RuntimeError:  # it is encrypted, or squeezed in a way that is not known here
        return Problem(name, None, "it is packed in a way that cannot be read; pack it again as an ordinary ZIP file")
