"""Cuts a text into sentences and clauses, the ground on which a value and its subject stand together."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.tables import DENIALS
from campus_agent.guardrail.words import HEAD_STEMS, PLAIN_MODIFIER_STEMS, Word, spelled_out, words

_SENTENCE_END = re.compile(r"\n|(?<![\s.!?])[.!?]{1,10}[\"'”’)*_]{0,4}[ \t]{1,10}(?=[^\sa-z0-9])")
_NO_END = re.compile(
    r"(?:\b(?:dr|prof|mr|mrs|ms|st|rm|no|vs|e\.g|i\.e|approx|bldg|ave|mon|tues?|wed|thurs?|thu|fri|sat|sun)|\b[a-z])\Z",
    re.I,
)
_CLAUSE_END = re.compile(
    r"[;:()|–—]|,(?!\d)|\s-\s|\s->\s"
    r"|\b(?i:and|but|while|whereas|so|because|although|though|since|then|which|where|or|plus|versus|vs|compared|before|after|than)\b"
)
# How many words before a value say how it is meant.
_BEFORE = 4
# The most words of a clause: text without a mark or conjunction for longer is cut, so that none is slow to compare.
_LONGEST = 80
_HEADING = re.compile(r"\s*(?:#{1,6}\s|[*_]{2}[^*\n]+[*_]{2}:?\s*$|.{1,80}:\s*$)")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, with what it is about.

    Attributes:
        free: its words, without those that are part of a value.
        subjects: the stems of those that mean something.
        entities: things that a noun and the word before it name together, as stems: ("chess", "club"), each with
            whether it was capitalised.
        denies: whether it says that something is not so.
        plain: its words in lower case, stop words too, each with its start.
    """

    start: int
    end: int
    free: tuple[Word, ...]
    subjects: tuple[str, ...]
    entities: tuple[tuple[str, str, bool], ...]
    denies: bool
    plain: tuple[tuple[str, int], ...]

    def before(self, position: int) -> tuple[str, ...]:
        """Return the last few words before a position, in lower case."""
        at = bisect_left(self.plain, position, key=lambda word: word[1])
        return tuple(word for word, _ in self.plain[max(0, at - _BEFORE) : at])

    @property
    def tells_the_time(self) -> bool:
        """Whether it begins as in "it's 10:00 AM on Saturday"."""
        first, second, third = (*(word for word, _ in self.plain[:3]), "", "", "")[:3]
        return (first == "it's" and second.isdigit()) or ((first, second) == ("it", "is") and third.isdigit())

    def without(self, fact: Fact) -> Clause:
        """Return the clause without the words of `fact`, a name in it."""
        left = [word for word in self.free if not fact.start <= word.start < fact.end]
        return replace(self, free=tuple(left), subjects=_subjects(left), entities=tuple(_entities(left)))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, a line of a list, a row of a table or a heading; `starts` are those of its clauses."""

    start: int
    end: int
    clauses: tuple[Clause, ...]
    starts: tuple[int, ...]
    heading: bool
    asks: bool
    denies: bool

    def clause_at(self, position: int) -> int:
        """Return the index of the clause that holds the character at `position`."""
        return max(0, bisect_right(self.starts, position) - 1)


def sentences(text: str, facts: Sequence[Fact] = (), *, acronyms: Collection[str] = ()) -> tuple[Sentence, ...]:
    """Return the sentences of `text` that hold any words; `facts` are the facts of the same text."""
    values = [(fact.start, fact.end) for fact in facts if fact.kind != "name"]
    run = list(words(text))
    for index, short in spelled_out(acronyms, run, text).items():
        run[index] = replace(run[index], stem=short)
    result: list[Sentence] = []
    at = 0
    for start, end in _spans(text):
        first = at
        while at < len(run) and run[at].start < end:
            at += 1
        if at > first:
            result.append(_sentence(text, start, end, run[first:at], values))
    return tuple(result)


def _spans(text: str) -> Iterable[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match[0] != "\n" and _NO_END.search(text[max(start, match.start() - 8) : match.start()]):
            continue
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def _sentence(text: str, start: int, end: int, run: list[Word], values: list[tuple[int, int]]) -> Sentence:
    nearby = values[max(0, bisect_right(values, (start, start)) - 1) : bisect_right(values, (end, end))]
    cuts = [start]
    for match in _CLAUSE_END.finditer(text, start, end):
        if not _inside(match.start(), nearby):
            cuts.append(match.start())
    clauses: list[Clause] = []
    at = 0
    for left, right in zip(cuts, [*cuts[1:], end], strict=True):
        first = at
        while at < len(run) and run[at].start < right:
            at += 1
        for piece in range(first, at, _LONGEST):
            begins = left if piece == first else run[piece].start
            clauses.append(_clause(begins, right, run[piece : min(at, piece + _LONGEST)], nearby))
    written = text[start:end].rstrip()
    return Sentence(
        start=start,
        end=end,
        clauses=tuple(clauses),
        starts=tuple(clause.start for clause in clauses),
        heading=bool(_HEADING.match(written)) and not nearby,
        asks=written.rstrip('*_"”)').endswith("?"),
        denies=any(clause.denies for clause in clauses),
    )


def _clause(start: int, end: int, run: list[Word], values: list[tuple[int, int]]) -> Clause:
    free = [word for word in run if not _inside(word.start, values)]
    plain = tuple((word.folded, word.start) for word in run)
    return Clause(
        start=start,
        end=end,
        free=tuple(free),
        subjects=_subjects(free),
        entities=tuple(_entities(free)),
        denies=any(word in DENIALS or word.endswith("n't") for word, _ in plain),
        plain=plain,
    )


def _subjects(run: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.stem for word in run if word.stem and not word.stem.isdigit())


def _entities(run: Sequence[Word]) -> Iterable[tuple[str, str, bool]]:
    for before, head in pairwise(run):
        if (
            head.stem in HEAD_STEMS
            and before.stem
            and before.stem not in PLAIN_MODIFIER_STEMS
            and head.start - before.end <= 2
        ):
            yield before.stem, head.stem, before.capital


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    index = bisect_right(spans, position, key=lambda span: span[0]) - 1
    return index >= 0 and spans[index][0] <= position < spans[index][1]
