"""Cuts a passage that holds several rows of a table, or several entries of one form, into one text for each."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A label that begins a row: "Plan: ".
_LABEL = re.compile(r"(?:\A|(?<=[.;|\n] ))(?P<label>[^\W\d_][^.:;|\n]{0,30}): ")
_TAIL = re.compile(r"(?<=[^.|])\. (?=[^:|]+\Z)")
# How many rows of a passage are told apart.
_MOST = 200


def first_cell(text: str, row: re.Pattern[str], ends: re.Pattern[str] = re.compile("[;|]")) -> tuple[str, str]:
    """Return the heading and the value of the first cell of a row, that says what it is about; of no row, nothing."""
    first = row.search(text)
    heading, _, value = ends.split(first[0].removeprefix(": "))[0].partition(":") if first else ("", "", "")
    return heading, value


def rows(text: str) -> Iterator[str]:
    """Yield the rows of a text in which a label comes again, and what stands before and after them; else the text.

    Each row is about the thing that it begins with: "Plan: Silver | Price: $9. Plan: Gold | Price: $12." is two.
    """
    labels = list(_LABEL.finditer(text))
    first = next((one["label"] for one in labels), "")
    starts = [one.start() for one in labels if one["label"] == first][:_MOST]
    if len(starts) < 2:
        yield text
        return
    *whole, last = (text[at:end].strip() for at, end in zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True))
    yield from whole
    yield from _TAIL.split(last, maxsplit=1)
