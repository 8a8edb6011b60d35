"""Reads the tables of the passages: their rows, each with its cells and the days that it is of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage, squeezed

# How many rows of a table, and cells of a row, are looked at.
_ROWS, _CELLS = 60, 40


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        names: the stems that name it alone; `name` the words of its first cell, `heading` the stems of its column.
        plain: all its words alone.
        cells: the words of its other cells, and of the parts of a list in one, with those of the heading of its column.
        days: the atoms that it gives, if a day is among them.
    """

    names: frozenset[str]
    name: tuple[str, ...]
    plain: str
    cells: tuple[tuple[str, str], ...]
    days: frozenset[str]
    heading: frozenset[str]

    def is_on(self, days: Sequence[Fact]) -> bool:
        """Whether it is of one of these days, or of none that is told."""
        return not self.days or any(not group.isdisjoint(self.days) for day in days for group in day.needs)


@dataclass(frozen=True)
class Tables:
    """The tables among the passages: rows of one title or, where each has its own, of one document; read once."""

    ground: Ground
    _read: dict[frozenset[str] | str, Sequence[Row]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Sequence[Row]]:
        """Yield every table."""
        firsts = {_table(one): one for one in self.ground.passages if one.label}
        return (self.of(one) for one in firsts.values())

    def of(self, passage: Passage) -> Sequence[Row]:
        """Return the rows of the table that a passage is a row of."""
        table = _table(passage)
        if table not in self._read:
            rows = [one for one in self.ground.passages if one.label and _table(one) == table][:_ROWS]
            self._read[table] = [self._row(one, rows) for one in rows]
        return self._read[table]

    def _row(self, passage: Passage, rows: Sequence[Passage]) -> Row:
        others = frozenset[str]().union(*(one.label for one in rows if one.label != passage.label))
        names = frozenset(name for name in passage.label - others - passage.heading if not name.isdigit())
        cell = self.ground.lexicon.pattern("cell")
        found = [(one["name"], one["value"]) for one in cell.finditer(passage.text, len(passage.source.title))][1:]
        cells = [(name, item) for name, value in found for item in dict.fromkeys((value, *value.split(",")))]
        days = passage.gives if passage.kinds & {"weekday", "date"} else frozenset[str]()
        return Row(
            names,
            tuple(passage.name.split()),
            passage.plain,
            tuple((squeezed(a), squeezed(b)) for a, b in cells[:_CELLS]),
            days,
            passage.heading,
        )


def _table(passage: Passage) -> frozenset[str] | str:
    return passage.source.source if passage.title == passage.label else passage.title
