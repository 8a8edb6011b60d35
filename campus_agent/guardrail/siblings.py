"""Finds what a draft says of one row of a table, and the table of another: each row has cells of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.passages import Passage, squeezed
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import Word, words

# How many rows of a table, cells of a row, and words of a sentence are looked at.
_ROWS, _CELLS, _WORDS = 60, 40, 120


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table.

    Attributes:
        names: the stems that name it alone; `name` the words of its first cell.
        plain: all its words alone; `cells` those of its other cells.
    """

    names: frozenset[str]
    name: tuple[str, ...]
    plain: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Siblings:
    """Compares what is said of a row with the other rows of its table. `question` may hold words of any."""

    question: Said
    ground: Ground
    _tables: dict[frozenset[str], Sequence[_Row]] = field(default_factory=dict)

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each stretch of a sentence of `said` that gives a row the cell of another."""
        compares = self.ground.lexicon.words("comparatives") | self.ground.lexicon.words("superlatives")
        if sentence.asks or sentence.denies or compares & {word for one in sentence.clauses for word, _ in one.plain}:
            return
        for title in {one.title for one in self.ground.passages if one.label}:
            table = self._table(title)
            for rows, start, end in self._stretches(said, sentence, places[0], table) if len(table) > 1 else ():
                if all(self._is_anothers(said.text[start:end], row, table) for row in rows):
                    text = said.text[start:end].strip(" |,;.\n*-")
                    place = places[sentence.clause_at(start)]
                    yield Finding(claim(text, start), place, None)

    def _table(self, title: frozenset[str]) -> Sequence[_Row]:
        if title not in self._tables:
            rows = [one for one in self.ground.passages if one.label and one.title == title][:_ROWS]
            self._tables[title] = [self._row(one, rows) for one in rows]
        return self._tables[title]

    def _row(self, passage: Passage, rows: Sequence[Passage]) -> _Row:
        others = frozenset[str]().union(*(one.label for one in rows if one.label != passage.label))
        names = frozenset(name for name in passage.label - others - passage.heading if not name.isdigit())
        cells = tuple(_cells(passage, self.ground.lexicon))[1:_CELLS]
        return _Row(names, tuple(passage.name.split()), passage.plain, cells)

    def _stretches(
        self, said: Said, sentence: Sentence, place: Place, table: Sequence[_Row]
    ) -> Iterator[tuple[Sequence[_Row], int, int]]:
        """Yield stretches of a sentence with the rows that they are of: from where one is named to the next.

        A sentence that names none is of that which the heading names.
        """
        run = list(words(said.text[sentence.start : sentence.end], said.language))[:_WORDS]
        named = [(at, row) for at in range(len(run)) for row in table if _is_named(row, run, at)]
        if not named:
            heading = frozenset(stem for clause in place.heading[:1] for stem in clause.subjects)
            rows = [row for row in table if row.names & heading]
            if len({row.name for row in rows}) == 1:
                yield rows, sentence.start, sentence.end
            return
        starts = [at for at, (position, row) in enumerate(named) if not at or row.name != named[at - 1][1].name]
        groups = [[row for _, row in named[one:other]] for one, other in pairwise([*starts, len(named)])]
        at = [named[start][0] for start in starts]
        waiting: list[_Row] = []
        for group, (first, last) in zip(groups, pairwise([*at, len(run)]), strict=True):
            waiting = [*waiting, *group]
            own = {name for row in group for name in (*row.names, *row.name)}
            rest = [one for one in run[first:last] if one.stem and not own & {one.stem, one.folded}]
            if rest or last == len(run):
                begin, end = run[first].start, (run[last].start if last < len(run) else sentence.end - sentence.start)
                for row in waiting:
                    same = [one for one in table if one.name == row.name]
                    yield same, sentence.start + begin, sentence.start + end
                waiting = []

    def _is_anothers(self, text: str, row: _Row, table: Sequence[_Row]) -> bool:
        """Whether a stretch has the whole cell of another row, which neither this row nor the question has."""
        whole, asked = squeezed(text), squeezed(self.question.text)
        cells = {cell for other in table if other.name != row.name for cell in other.cells if _tells(cell)}
        return any(cell in whole and cell not in row.plain and cell not in asked for cell in cells)


def _is_named(row: _Row, run: Sequence[Word], at: int) -> bool:
    """Whether a row is named at a position of a run of words: by a word that no other has, or by its whole name."""
    whole = tuple(one.folded for one in run[at : at + len(row.name)])
    return run[at].stem in row.names or (bool(whole) and whole == row.name)


def _tells(cell: str) -> bool:
    """Whether a cell holds words that can be found again: neither a number alone nor a yes."""
    return len(cell) > 5 and any(part.isalpha() and len(part) > 2 for part in cell.split())


def _cells(passage: Passage, words: Lexicon) -> Iterator[str]:
    """Yield the words of each cell of a row: what stands between a heading and the next."""
    for match in words.pattern("cell").finditer(passage.text, len(passage.source.title)):
        yield squeezed(match["value"])
