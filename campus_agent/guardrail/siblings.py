"""Finds what a draft says of one row of a table, and the table of another: each row has cells of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import squeezed
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.tables import Row, Tables, tells
from campus_agent.guardrail.words import Word, words

# How many words of a sentence are looked at.
_WORDS = 120


@dataclass(frozen=True)
class Siblings:
    """Compares what is said of a row with the other rows of its table. `question` may hold words of any."""

    question: Said
    ground: Ground

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.ground)

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each stretch of a sentence of `said` that gives a row the cell of another."""
        compares = self.ground.lexicon.words("comparatives") | self.ground.lexicon.words("superlatives")
        if sentence.asks or sentence.denies or compares & {word for one in sentence.clauses for word, _ in one.plain}:
            return
        for table in self._tables:
            for rows, start, end in self._stretches(said, sentence, places[0], table):
                if all(self._is_anothers(said.text[start:end], row, table) for row in rows):
                    text = said.text[start:end].strip(" |,;.\n*-")
                    place = places[sentence.clause_at(start)]
                    yield Finding(claim(text, start), place, None)

    def _stretches(
        self, said: Said, sentence: Sentence, place: Place, table: Sequence[Row]
    ) -> Iterator[tuple[Sequence[Row], int, int]]:
        """Yield stretches of a sentence with the rows that they are of: from where one is named to the next.

        What stands before a name in its clause is of it too. A sentence that names none is of that which the heading
        names.
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
        """Whether a stretch has the whole cell of another row, which neither this row nor the question has."""
        whole, asked = squeezed(text), squeezed(self.question.text)
        cells = {cell for other in table if other.name != row.name for _, cell in other.cells if tells(cell)}
        return any(cell in whole and cell not in row.plain and cell not in asked for cell in cells)


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
    return run[at].stem in row.names or (bool(whole) and whole == row.name)
