"""Cuts a text into sentences and clauses, the ground on which a value and its subject stand together."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.lexicon import ENGLISH, Lexicon, lexicon
from campus_agent.guardrail.words import LABEL, Kinds, Stems, Word, special_stems, spelled_out, words

# A reference behind a sentence belongs to it: "(clubs.md, line 5)", "[1]".
_REFERENCE = r"[(\[](?:\d{1,3}|[^()\[\]\n]{0,80}\.\w{2,5}\b[^()\[\]\n]{0,40})[)\]]"
_SENTENCE_END = re.compile(
    rf"\n|(?<![\s.!?])[.!?]{{1,10}}[\"'”’)*_]{{0,4}}[ \t]{{1,10}}(?:{_REFERENCE}[ \t]{{1,10}})?(?=[^\sa-z0-9])"
)
_MARKS = r"[;:()|–—]|,(?!\d)|\s-\s|\s->\s|"
# The marks between a label and what it labels.
_LABELS = ":|–—"
# How many words before a value say how it is meant.
_BEFORE = 4
# The most words of a clause: text without a mark or conjunction for longer is cut, so that none is slow to compare.
_LONGEST = 80
_HEADING = re.compile(r"\s*(?:#{1,6}\s|[*_]{2}[^*\n]+[*_]{2}:?\s*$|.{1,80}:\s*$)")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, with what it is about.

    Attributes:
        free: its words, without those that are part of a value; the letter of lot B is free, as it names the lot.
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

    def without(self, fact: Fact) -> Clause:
        """Return the clause without the words of `fact`, a name in it."""
        return self._with([word for word in self.free if not fact.start <= word.start < fact.end])

    def without_verb(self, stand_ins: Collection[str], words: Lexicon) -> Clause:
        """Return the clause without what it says of "it", or of another of `stand_ins`: that names no thing."""
        run = [word for word, _ in self.plain]
        first = next((at for at, word in enumerate(run) if word not in words.words("joins")), 0)
        at = next((at for at in range(first + 1, len(run)) if run[at] not in words.words("auxiliaries")), len(run))
        said = {self.plain[at][1]} if at < len(run) and run[first] in stand_ins else set[int]()
        said |= {start for (_, start), (after, _) in pairwise(self.plain) if after in words.words("objects")}
        left = [word for word in self.free if word.capital or word.start not in said]
        return self._with(left) if len(left) < len(self.free) else self

    def without_order(self, words: Lexicon) -> Clause:
        """Return the clause without its one word, where that tells what to do: "Ask Ana Ruiz", "Dial 555-0101"."""
        verbs = words.words("auxiliaries") | words.words("finite")
        told = any(word in verbs for word, _ in self.plain[1:])
        first = len(self.subjects) == 1 and self.free[0].start == self.plain[0][1] and bool(self.free[0].stem)
        return self._with(self.free[1:]) if first and not told else self

    def completed(self, before: Clause, words: Lexicon) -> Clause:
        """Return the clause with what it leaves out, said in the one before: "Pens are allowed; phones are not"."""
        ends, finite = words.listed("denial_endings"), words.words("finite")
        verbs = [one for one in (*before.plain, *self.plain) if one[0] in finite or (ends and one[0].endswith(ends))]
        own = [start for _, start in verbs if start >= self.start]
        *_, last = (start for word, start in (*before.plain, *self.plain) if word not in words.words("no_first"))
        left_out = [word for word in before.free if word.stem and word.start > verbs[0][1]] if verbs else []
        return self._with([*self.free, *left_out]) if own == [last] and self.subjects and left_out else self

    def _with(self, left: Sequence[Word]) -> Clause:
        entities = tuple(entity for entity in self.entities if _of_words(entity, left))
        return replace(self, free=tuple(left), subjects=_subjects(left), entities=entities)


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


def sentences(
    text: str, facts: Sequence[Fact] = (), *, acronyms: Collection[str] = (), kinds: Kinds = (), language: str = ENGLISH
) -> tuple[Sentence, ...]:
    """Return the sentences of `text` that hold any words; `facts` are its own, `kinds` of what no passage names."""
    cutter = _cutter(language)
    values = [(fact.start, fact.end) for fact in facts if fact.kind != "name"]
    read_as = dict(kinds)
    run = [replace(word, stem=read_as.get(word.stem, word.stem)) for word in words(text, language)]
    for index, short in spelled_out(acronyms, run, text).items():
        run[index] = replace(run[index], stem=short)
    result: list[Sentence] = []
    at = 0
    for start, end in cutter.spans(text, values):
        first = at
        while at < len(run) and run[at].start < end:
            at += 1
        if at > first:
            result.append(cutter.sentence(text, start, end, run[first:at], values))
    return tuple(result)


@cache
def _cutter(language: str) -> _Cutter:
    words = lexicon(language)
    pairs = [rf"(?<!{first} (?={and_} {last}))" for first, and_, last in map(str.split, words.listed("pairs"))]
    ends = re.compile(f"{_MARKS}{''.join(pairs)}{words.written('conjunction')}")
    return _Cutter(words, words.pattern("no_end"), ends, special_stems(language))


@dataclass(frozen=True)
class _Cutter:
    """Cuts texts of one language."""

    words: Lexicon
    no_end: re.Pattern[str]
    clause_end: re.Pattern[str]
    stems: Stems

    def spans(self, text: str, values: list[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        start = 0
        for match in _SENTENCE_END.finditer(text):
            before = text[max(start, match.start() - 8) : match.start()]
            if match[0] != "\n" and self.no_end.search(before) and not _inside(match.start() - 1, values):
                continue
            yield start, match.end()
            start = match.end()
        yield start, len(text)

    def sentence(self, text: str, start: int, end: int, run: list[Word], values: list[tuple[int, int]]) -> Sentence:
        nearby = values[max(0, bisect_right(values, (start, start)) - 1) : bisect_right(values, (end, end))]
        cuts = [start]
        for match in self.clause_end.finditer(text, start, end):
            if not _inside(match.start(), nearby):
                cuts.append(match.start())
        clauses: list[Clause] = []
        at, carried = 0, None
        for left, right in zip(cuts, [*cuts[1:], end], strict=True):
            first = at
            while at < len(run) and run[at].start < right:
                at += 1
            if right < end and not clauses and carried is None and _is_label(run[first:at], nearby, text[right]):
                at, carried = first, left
                continue
            left, carried = (left if carried is None else carried), None
            for piece in range(first, at, _LONGEST):
                begins = left if piece == first else run[piece].start
                one = self.clause(begins, right, run[piece : min(at, piece + _LONGEST)], nearby)
                clauses.append(one.completed(clauses[-1], self.words) if clauses else one)
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

    def clause(self, start: int, end: int, run: list[Word], values: list[tuple[int, int]]) -> Clause:
        free = [word for word in run if _is_letter(word) or not _inside(word.start, values)]
        plain = tuple((word.folded, word.start) for word in run)
        denials, endings = self.words.words("denials"), self.words.listed("denial_endings")
        return Clause(
            start=start,
            end=end,
            free=tuple(free),
            subjects=_subjects(free),
            entities=tuple(self._entities(free)),
            denies=any(
                denies and sum(1 for _ in side_by_side) % 2  # what is not closed is open
                for denies, side_by_side in groupby(word in denials or word.endswith(endings) for word, _ in plain)
            ),
            plain=plain,
        )

    def _entities(self, run: Sequence[Word]) -> Iterable[tuple[str, str, bool]]:
        for before, head in pairwise(run):
            if (
                head.stem in self.stems.heads
                and before.stem
                and before.stem[0] != LABEL
                and before.stem not in self.stems.modifiers
                and head.start - before.end <= 2
            ):
                yield before.stem, head.stem, before.capital


def _is_label(run: Sequence[Word], values: list[tuple[int, int]], mark: str) -> bool:
    """Whether words before a mark are values alone, of which the text behind it tells: "Tuesday: soup"."""
    return mark in _LABELS and bool(run) and all(_inside(word.start, values) for word in run)


def _is_letter(word: Word) -> bool:
    """Whether a word is the letter that tells a place from others: the B of lot B."""
    return word.stem.startswith(LABEL) and len(word.folded) == 1 and word.folded.isalpha()


def _subjects(run: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.stem for word in run if word.stem and (len(word.stem) > 2 or not word.stem.isdigit()))


def _of_words(entity: tuple[str, str, bool], run: Sequence[Word]) -> bool:
    """Whether two neighbours of a run of words are the two words of an entity."""
    return any((one.stem, other.stem) == entity[:2] for one, other in pairwise(run))


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    index = bisect_right(spans, position, key=lambda span: span[0]) - 1
    return index >= 0 and spans[index][0] <= position < spans[index][1]
