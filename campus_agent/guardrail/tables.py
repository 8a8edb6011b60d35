"""Reads the tables of the passages: their rows, each with its cells and the days that it is of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage, squeezed

# How many rows of a table, and cells of a row, are looked at.
_ROWS, _CELLS = 60, 40
_DAYS = frozenset(("weekday", "date"))


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        names: the stems that name it alone; `name` the words of its first cell.
        plain: all its words alone.
        cells: the words of its other cells, each with those of the heading of its column.
        days: the atoms that it gives, if a day is among them.
    """

    names: frozenset[str]
    name: tuple[str, ...]
    plain: str
    cells: tuple[tuple[str, str], ...]
    days: frozenset[str]

    def is_on(self, days: Sequence[Fact]) -> bool:
        """Whether it is of one of these days, or of none that is told."""
        return not self.days or any(not group.isdisjoint(self.days) for day in days for group in day.needs)


@dataclass(frozen=True)
class Tables:
    """The tables among the passages, by their titles; each is read once."""

    ground: Ground
    _read: dict[frozenset[str], Sequence[Row]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Sequence[Row]]:
        """Yield every table of more than one row."""
        for title in {one.title for one in self.ground.passages if one.label}:
            if len(table := self.of(title)) > 1:
                yield table

    def of(self, title: frozenset[str]) -> Sequence[Row]:
        """Return the rows of the table whose title has these stems."""
        if title not in self._read:
            rows = [one for one in self.ground.passages if one.label and one.title == title][:_ROWS]
            self._read[title] = [self._row(one, rows) for one in rows]
        return self._read[title]

    def _row(self, passage: Passage, rows: Sequence[Passage]) -> Row:
        others = frozenset[str]().union(*(one.label for one in rows if one.label != passage.label))
        names = frozenset(name for name in passage.label - others - passage.heading if not name.isdigit())
        cell = self.ground.lexicon.pattern("cell")
        cells = [
            (squeezed(match["name"]), squeezed(match["value"]))
            for match in cell.finditer(passage.text, len(passage.source.title))
        ]
        days = passage.gives if passage.kinds & _DAYS else frozenset[str]()
        return Row(names, tuple(passage.name.split()), passage.plain, tuple(cells[1:_CELLS]), days)


def tells(cell: str) -> bool:
    """Whether a cell holds words that can be found again: neither a number alone nor a yes."""
    return len(cell) > 5 and any(part.isalpha() and len(part) > 2 for part in cell.split())
