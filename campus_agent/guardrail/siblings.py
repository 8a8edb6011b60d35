"""Finds what a draft says of one row of a table, or of one day, and the table only of others.

Each row has cells of its own. The cells that a sentence says whole tell which rows it speaks of: these have to be of
the day that it speaks of, in the cell's own clause or all of it, in the heading above or, last, in the question.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage, squeezed
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.tables import Row, Tables
from campus_agent.guardrail.words import Word, stems, words

# How many words of a sentence, cells found in it, and facts of a text are looked at.
_WORDS, _FOUND, _FACTS = 120, 20, 40
# How many characters a list may be below its heading.
_NEAR = 400


@dataclass(frozen=True)
class Siblings:
    """Compares what is said of a row with the other rows of its table. `question` may name a day or a row."""

    question: Said
    ground: Ground

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.ground)

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each stretch of a sentence of `said` that gives a row the cell of another, or turns a yes round."""
        compares = self.ground.lexicon.words("comparatives") | self.ground.lexicon.words("superlatives")
        plain = not sentence.denies and not compares & {word for one in sentence.clauses for word, _ in one.plain}
        for table in () if sentence.asks else self._tables:
            for rows, start, end in self._stretches(said, sentence, places[0], table):
                inside = [one for one in sentence.clauses if start <= one.plain[0][1] < end]
                if (plain and all(self._is_anothers(said.text[start:end], row, table) for row in rows)) or any(
                    self._is_turned_round(said.text[one.start : one.end + 1], one, rows) for one in inside
                ):
                    text = said.text[start:end].strip(" |,;.\n*-")
                    yield Finding(claim(text, start), places[sentence.clause_at(start)], None)
            if plain:
                yield from self._of_other_days(said, sentence, places[0], table)
                yield from self._of_a_day_without(said, sentence, places[0], table)

    def _is_turned_round(self, text: str, clause: Clause, rows: Sequence[Row]) -> bool:
        """Whether a clause says that rows have what their table says no to, or lack what it says yes to."""
        words, told = self.ground.lexicon, frozenset(clause.subjects)
        if text.endswith(":") or words.pattern("qualified").search(text):
            return False
        denies = sum(1 for _ in words.pattern("denied").finditer(text)) % 2 == 1
        turned = words.pattern("yes" if denies else "no")
        named = (
            {column for column, cell in row.cells if turned.fullmatch(cell.strip()) and self._names(column, told)}
            for row in rows
        )
        return all(named)

    def _names(self, column: str, told: frozenset[str]) -> bool:
        """Whether the stems of what is said have all those of a column."""
        of = stems(column, self.ground.language)
        return bool(of) and of <= told

    # ---- the rows of other days ------------------------------------------------------------------------------------

    def is_of_others(self, fact: Fact, said: Said, sentence: Sentence, passage: Passage) -> bool:
        """Whether a row holds the day of `fact`, and a cell is said of it that is of other days."""
        days = _days(said.inside(sentence))
        if not passage.label or fact not in days or sentence.denies:
            return False
        return any(True for _ in self._of_others(said, sentence, self._tables.of(passage), days, fact))

    def _of_other_days(self, said: Said, sentence: Sentence, place: Place, table: Sequence[Row]) -> Iterator[Finding]:
        """Yield each cell in a sentence without a day that is of other days than the heading or the question names.

        For those of the question, the column has to be spoken of, and to have other cells on these days.
        """
        if _days(said.inside(sentence)):
            return
        above = _above(said, sentence)
        days = above or ([] if _days(said.facts) else _days(self.question.facts))
        for column, cell in self._of_others(said, sentence, table, days) if days else ():
            own = any(other == column for row in table if row.days and row.is_on(days) for other, _ in row.cells)
            told = self.question.words | stems(said.text[sentence.start : sentence.end], said.language)
            if above or (own and stems(column, said.language) & told):
                yield Finding(claim(cell.strip(), sentence.start), place, None)

    def _of_a_day_without(
        self, said: Said, sentence: Sentence, place: Place, table: Sequence[Row]
    ) -> Iterator[Finding]:
        """Yield a sentence that has something on a day of which a row says that there is none: "Topic: no class"."""
        days = _days(said.inside(sentence)) or _days(self.question.facts)
        text = said.text[sentence.start : sentence.end]
        told, no = stems(text, said.language), self.ground.lexicon.words("no_cells")
        says_no = self.ground.lexicon.pattern("denied").search(text)
        for row in table if days and not says_no else ():
            cells = [cell.split()[:2] for _, cell in row.cells] if row.days and row.is_on(days) else []
            if any(len(cell) > 1 and cell[0] in no and stems(cell[1], said.language) & told for cell in cells):
                yield Finding(claim(text.strip(" ,;.\n"), sentence.start), place, None)
                return

    def _of_others(
        self, said: Said, sentence: Sentence, table: Sequence[Row], days: Sequence[Fact], fact: Fact | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield the cells in a sentence, with their columns, that no row of the `days` has.

        Of `fact`, one of these days, only those that are said of it.
        """
        whole = squeezed(said.text[sentence.start : sentence.end])
        cells = (cell for row in table for cell in row.cells if cell[1] in whole and _tells(cell[1]))
        found = dict.fromkeys(islice(cells, _FOUND))
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

    # ---- the rows that are named -----------------------------------------------------------------------------------

    def _stretches(
        self, said: Said, sentence: Sentence, place: Place, table: Sequence[Row]
    ) -> Iterator[tuple[Sequence[Row], int, int]]:
        """Yield stretches of a sentence with the rows that they are of: from where one is named to the next.

        What stands before a name in its clause is of it too. A sentence that names none is of the one that the heading
        names, or else the question.
        """
        run = list(words(said.text[sentence.start : sentence.end], said.language))[:_WORDS]
        named = [(at, row) for at in range(len(run)) for row in table if _is_named(row, run, at)]
        if not named:
            heading = frozenset(stem for clause in place.heading[:1] for stem in clause.subjects)
            for told in (heading, self.question.words):
                rows = [row for row in table if row.names & told]
                if len({row.name for row in rows}) == 1:
                    yield rows, sentence.start, sentence.end
                    return
            return
        starts = [at for at, (position, row) in enumerate(named) if not at or row.name != named[at - 1][1].name]
        groups = [[row for _, row in named[one:other]] for one, other in pairwise([*starts, len(named)])]
        at = [_begins(sentence, run, named[start][0], named[start - 1][0] if start else -1) for start in starts]
        waiting: list[Row] = []
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

    def _is_anothers(self, text: str, row: Row, table: Sequence[Row]) -> bool:
        """Whether a stretch has the whole cell of another row, which this row has not."""
        whole = squeezed(text)
        said = (cell for other in table if other.name != row.name for _, cell in other.cells if cell in whole)
        return any(cell not in row.plain and _tells(cell) for cell in said)


def _begins(sentence: Sentence, run: Sequence[Word], at: int, before: int) -> int:
    """Return where what is said of a row begins that is named `at` a position: with the clause, or the name itself.

    With the name it begins where the one `before` it stands in the same clause.
    """
    clause = sentence.clauses[sentence.clause_at(sentence.start + run[at].start)].start - sentence.start
    first = next(index for index, word in enumerate(run) if word.start >= clause)
    return first if before < first else at


def _is_named(row: Row, run: Sequence[Word], at: int) -> bool:
    """Whether a row is named at a position of a run of words: by a word that no other has, or by its whole name."""
    whole = tuple(one.folded for one in run[at : at + len(row.name)])
    if len(whole) == 1 and whole[0].isdigit() and not row.heading.intersection(one.stem for one in run[:at][-1:]):
        return False  # lab 3 is not week 3
    return run[at].stem in row.names or (bool(whole) and whole == row.name)


def _tells(cell: str) -> bool:
    """Whether a cell holds words that can be found again: neither a number alone nor a yes."""
    return len(cell) > 5 and any(part.isalpha() and len(part) > 2 for part in cell.split())


def _above(said: Said, sentence: Sentence) -> list[Fact]:
    """Return the days of the line right above a list that a sentence is of: "On Tuesday:"."""
    at = said.text.rfind(":\n", max(0, sentence.start - _NEAR), sentence.start)
    index = bisect_right(said.sentences, at, key=lambda one: one.start) - 1
    return _days(said.inside(said.sentences[index])) if at >= 0 and index >= 0 else []


def _days(found: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in islice(found, _FACTS) if fact.kind in ("weekday", "date")]
