"""Reads the records of events out of the pages of a file, one page at a time, where the way to them is lost.

The format is that of https://www.sqlite.org/fileformat2.html: sections 1.6 and 1.7 for pages, 2.1 for records.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

SIZE = 4096  # bytes of a page, as in every journal
_HEADS = {0x02: 12, 0x0A: 8}  # the bytes before the cells, in the two kinds of page that hold events
_MOST = (SIZE - 12) * 64 // 255 - 23  # bytes of a record that stand in the page itself
_LEAST = (SIZE - 12) * 32 // 255 - 23
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}  # bytes, by kind; the last two stand for 0 and 1
_LONGEST = 50_000_000  # bytes of a record
_NO_RECORD = (ValueError, LookupError)  # what reading something else ends with


def events_in(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield what looks like an event of a run: the key of the run, its place in it, and its JSON in bytes."""
    if path.stat().st_size < SIZE:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for start in range(SIZE, len(data) - SIZE + 1, SIZE):
            if (head := _HEADS.get(data[start])) is not None:
                yield from _events_of(data, start, head)


def _events_of(data: mmap.mmap, start: int, head: int) -> Iterator[tuple[int, int, bytes]]:
    page = data[start : start + SIZE]
    for place in range(head, min(head + 2 * _number(page, 3, 2), SIZE - 1), 2):
        try:
            values = _values(_record(data, page, _number(page, place, 2) + (4 if head == 12 else 0)))
        except _NO_RECORD:
            continue
        match values:
            case [int(run), int(number), bytes(), bytes(body)] if body.startswith(b"{"):
                yield run, number, body


def _record(data: mmap.mmap, page: bytes, at: int) -> bytes:
    """Return the record of the cell that begins at `at`, with what of it stands in other pages."""
    length, at = _varint(page, at)
    if not 4 < length < _LONGEST:
        raise ValueError("no record is so long")
    if length <= _MOST:
        return page[at : at + length]
    here = _LEAST + (length - _LEAST) % (SIZE - 4)
    here = here if here <= _MOST else _LEAST
    parts, got, following = [page[at : at + here]], here, _number(page, at + here, 4)
    while got < length:
        start = (following - 1) * SIZE
        if start < SIZE or start + SIZE > len(data):
            raise ValueError("there is no such page")
        part = data[start + 4 : start + min(SIZE, 4 + length - got)]
        parts.append(part)
        got += len(part)
        following = _number(data, start, 4)
    return b"".join(parts)


def _values(record: bytes) -> list[int | bytes]:
    """Return the values of a record; raises `ValueError` for one that holds others than numbers and texts."""
    end, at = _varint(record, 0)
    kinds = []
    while at < end:
        kind, at = _varint(record, at)
        kinds.append(kind)
    values: list[int | bytes] = []
    for kind in kinds:
        text = kind > 12 and kind % 2
        size = (kind - 13) // 2 if text else _INTEGERS[kind]
        part = record[at : at + size]
        at += size
        if len(part) < size:
            raise ValueError("the record is cut off")
        values.append(part if text else kind - 8 if kind in (8, 9) else int.from_bytes(part, signed=True))
    return values


def _number(data: bytes | mmap.mmap, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "big")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9
