"""CSV and TSV: a passage a row, told with the names of the header."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats.records import record_passage
from campus_agent.knowledge.passage import Passage, Problem

_DELIMITERS = ",;\t|"


def read_table(text: str, source: str) -> Iterator[Passage | Problem]:
    """Yield the passages of a table whose first row is its header, and a problem for a row that does not fit it.

    Raises:
        Unreadable: a quoted cell is broken or never closed; the rows before it are still good.
    """
    header: list[str] = []
    for row, line in _rows(text):
        if not header:
            header = [name.strip() or f"Column {position}" for position, name in enumerate(row, start=1)]
        elif len(row) > len(header) and any(cell.strip() for cell in row[len(header) :]):
            yield Problem(
                source, line, f"{len(row)} cells under {len(header)} headings; quote a cell that has the delimiter"
            )
        else:
            passage = record_passage(dict(zip(header, row, strict=False)), source, line)
            if passage is not None:
                yield passage


def _rows(text: str) -> Iterator[tuple[list[str], int]]:
    """Yield the rows that are not blank, each with the line that it begins in."""
    reader = csv.reader(io.StringIO(text), delimiter=_delimiter(text), strict=True, skipinitialspace=True)
    line = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise Unreadable(f"the table is broken from here on ({error})", line) from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield row, line
        line = reader.line_num + 1


def _delimiter(text: str) -> str:
    """Return the character that separates the names of the header."""
    header = next((line for line in text.split("\n") if line.strip()), "")
    return max(_DELIMITERS, key=header.count)
