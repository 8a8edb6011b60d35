"""Finds what a draft says of one day, and the table only of others: the dish of Friday as that of tonight.

The cells that a sentence says whole tell which rows it speaks of. These have to be of the day that it speaks of: that of
the cell's own clause or of the sentence, of the heading above or, where a draft names none, of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage, squeezed
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.tables import Row, Tables, tells
from campus_agent.guardrail.words import stems

# How many facts are looked at for a day.
_FACTS = 40


@dataclass(frozen=True)
class DatedRows:
    """Compares the days that are spoken of with those of the rows whose cells are said."""

    question: Said
    ground: Ground

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.ground)

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each cell in a sentence of `said` without a day that is of other days than it speaks of."""
        if sentence.asks or sentence.denies or _days(said.inside(sentence)):
            return
        above = [day for clause in places[0].heading[:1] for day in _days(said.inside(clause))]
        days = above or ([] if _days(said.facts) else _days(self.question.facts))
        for table in self._tables if days else ():
            for column, cell in self._of_others(said, sentence, table, days):
                if above or self._is_asked_for(column, said, sentence, table, days):
                    yield Finding(claim(cell.strip(), sentence.start), places[0], None)

    def is_of_others(self, fact: Fact, said: Said, sentence: Sentence, passage: Passage) -> bool:
        """Whether a row holds the day of `fact`, and a cell is said of it that is of other days."""
        days = _days(said.inside(sentence))
        if not passage.label or fact not in days or sentence.denies:
            return False
        table = self._tables.of(passage.title)
        return any(True for _ in self._of_others(said, sentence, table, days, fact))

    def _is_asked_for(
        self, column: str, said: Said, sentence: Sentence, table: Sequence[Row], days: Sequence[Fact]
    ) -> bool:
        """Whether a column is spoken of in which the days have cells of their own."""
        told = self.question.words | stems(said.text[sentence.start : sentence.end], said.language)
        own = any(column == other for row in table if row.days and row.is_on(days) for other, _ in row.cells)
        return own and bool(stems(column, said.language) & told)

    def _of_others(
        self, said: Said, sentence: Sentence, table: Sequence[Row], days: Sequence[Fact], fact: Fact | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield the cells in a sentence, with their columns, that no row of the `days` has.

        Of `fact`, one of these days, only those that are said of it.
        """
        whole = squeezed(said.text[sentence.start : sentence.end])
        found = {cell for row in table for cell in row.cells if tells(cell[1]) and cell[1] in whole}
        for column, cell in found:
            if any(cell != other and cell in other for _, other in found):
                continue  # Midterm, in the review for the midterm
            near = next((one for one in sentence.clauses if cell in squeezed(said.text[one.start : one.end])), sentence)
            own = _days(said.inside(near)) or days
            holders = [row for row in table if any(cell == other for _, other in row.cells)]
            if (fact is None or fact in own) and not any(row.is_on(own) for row in holders):
                rows = [row for row in table if row.is_on(own)]
                if not any(self._says_so(row, column, cell, whole, said.language) for row in rows):
                    yield column, cell

    def _says_so(self, row: Row, column: str, cell: str, whole: str, language: str) -> bool:
        """Whether a row has what is said in place of a cell, or the cell within a longer one that is said."""
        for other, value in row.cells:
            if other == column and value in whole:
                return True
            more = stems(value, language) - stems(cell, language) if cell in value else None
            if more is not None and (not more or more & stems(whole, language)):
                return True
        return False


def _days(found: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in islice(found, _FACTS) if fact.kind in ("weekday", "date")]
