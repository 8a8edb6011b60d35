"""`campus-agent trace diff`: two runs side by side."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import as_json, result
from campus_agent.cli.trace_filter import journal_of, short
from campus_agent.text import one_line, sanitize

if TYPE_CHECKING:
    from campus_agent.journal.comparing import Pair

_NARROWEST = 20  # cells of a column
_WORD = re.compile(r"\s*\S+")
_MARKS = {"same": " ", "differs": "|", "left": "<", "right": ">"}


@click.command(cls=Command)
@click.argument("first")
@click.argument("second")
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def diff(context: click.Context, first: str, second: str, one_object: bool) -> int:
    """Print the traces of the runs FIRST and SECOND side by side, and where they parted.

    Between the columns, | stands where they differ, and < or > where only one has something.
    """
    from campus_agent.journal.comparing import compare

    with journal_of(loaded(context).settings) as journal:
        rows = journal.run(first), journal.run(second)
        pairs = compare(journal.events(rows[0].id), journal.events(rows[1].id))
    parted = next((pair for pair in pairs if pair.mark != "same"), None)
    if one_object:
        ids = {"left": rows[0].id, "right": rows[1].id}
        as_json({**ids, "parted": pairs.index(parted) if parted else None, "pairs": [asdict(pair) for pair in pairs]})
        return 0
    width = max(_NARROWEST, (shutil.get_terminal_size().columns - 3) // 2)
    heads = [f"{short(row.id)} · {one_line(row.model)} · {one_line(row.question)}" for row in rows]
    for line in _beside(heads[0], heads[1], " ", width):
        result(line)
    result("")
    for pair in pairs:
        for line in _beside(pair.left, pair.right, _MARKS[pair.mark], width):
            result(line)
    result("")
    result(f"They part at: {_where(parted)}" if parted else "Both went the same way.")
    return 0


def _where(pair: Pair) -> str:
    """Say what each run did first that the other did not."""
    sides = (one_line(side, 200) or "nothing more" for side in (pair.left, pair.right))
    return "  |  ".join(sides)


def _beside(left: str, right: str, mark: str, width: int) -> Iterator[str]:
    """Yield the lines of two texts beside each other, each in a column of so many cells."""
    from rich.cells import set_cell_size

    for one, other in zip_longest(_wrapped(left, width), _wrapped(right, width), fillvalue=""):
        yield f"{set_cell_size(one, width)} {mark} {other}".rstrip()


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text, none wider than so many cells, broken between words where that is possible."""
    from rich.cells import cell_len, chop_cells

    for line in sanitize(text).expandtabs(4).split("\n"):
        row = ""
        for word in _WORD.findall(line):
            if cell_len(row + word) <= width:
                row += word
                continue
            if row.strip():
                yield row
            *whole, row = chop_cells(word.strip(), width)
            yield from whole
        yield row
