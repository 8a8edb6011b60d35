"""What an answer may rest on: the passages that searches returned, and the values that other tools did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from itertools import zip_longest

from campus_agent.guardrail.clauses import Clause, Sentence, sentences
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.hostile import parted, trusted
from campus_agent.guardrail.lexicon import ENGLISH, lexicon
from campus_agent.guardrail.part import Part, parts_of
from campus_agent.guardrail.relative import days_ahead, implied
from campus_agent.guardrail.review import Evidence
from campus_agent.guardrail.rows import first_cell, rows
from campus_agent.guardrail.statements import LASTING, Statement, is_so, statements
from campus_agent.guardrail.timetable import DayTimes, timetable
from campus_agent.guardrail.today import clock_readings, todays
from campus_agent.guardrail.words import LABEL, fold, stems
from campus_agent.tools.tool import Source

SEARCH = "search_campus_info"
_LINE = re.compile(
    r"^- (?P<title>[^\n]*?): (?P<text>[^\n]*?)(?: \((?P<source>[^()\n]+?)(?:, line (?P<line>\d{1,9}))?\))?[ \t]*$", re.M
)
_DAY_OF_YEAR = re.compile(r"(?:\?-|\d{4}-)?\d\d-\d\d")
_SPACES = re.compile(r"\W+")
# How many characters before a day may say that something is not on it.
_NEAR = 70
_MOMENT = re.compile(r"\d\d:\d\d")
_ENDS = re.compile(r"[.!?;\n]+")
_REMEMBERED = 512  # passages and observations, read


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage, read.

    Attributes:
        text: its title and text, as far as it does not speak to the model.
        facts: the facts of that.
        words: the stems of its words; `title` those of its title.
        gives: the atoms of its facts and what they imply, without `denied`.
        denied: those of weekdays on which it says that something is not.
        kinds: the kinds of its facts.
        spans: its ranges of time of day, each as two atoms.
        times_by_day: its weekdays with the times that it gives of them.
        sentences: its sentences; `parts` what is given in each of their clauses.
        statements: what it says to be allowed, needed or the like.
        plain: its words alone, for finding quotations.
        label: of a row of a table, the stems of its first cell, as `name` its words; `heading` those of its heading.
        orders: the stems of each sentence of what in its source speaks to the model, with whether it denies.
    """

    source: Source
    text: str
    facts: tuple[Fact, ...]
    words: frozenset[str]
    title: frozenset[str]
    gives: frozenset[str]
    denied: frozenset[str]
    kinds: frozenset[str]
    spans: tuple[tuple[str, str], ...]
    times_by_day: tuple[DayTimes, ...]
    sentences: tuple[Sentence, ...]
    parts: tuple[Part, ...]
    statements: tuple[Statement, ...]
    plain: str
    label: frozenset[str]
    name: str
    heading: frozenset[str]
    orders: tuple[tuple[frozenset[str], bool], ...]

    def begins_with(self, words: str) -> bool:
        """Whether its title, or its text behind the title, begins with these words, as `squeezed` returns them."""
        title = squeezed(self.source.title)
        return self.plain.startswith(words) or self.plain.startswith(title.rstrip() + words)

    def says(self, words: str) -> bool:
        """Whether a sentence, the last one with its source behind it, has these words, as `squeezed` returns them."""
        if words not in self.plain:
            return False
        starts = [0, *(one.start for one in self.sentences[1:])]
        ends = [*starts[1:], len(self.text)]
        *cut, last = (self.text[start:end] for start, end in zip(starts, ends, strict=True))
        return any(words in squeezed(one) for one in (*cut, f"{last} {self.source.source}"))

    @property
    def clauses(self) -> Iterator[Clause]:
        """The clauses of its sentences."""
        return (clause for sentence in self.sentences for clause in sentence.clauses)

    def within(self, fact: Fact) -> bool:
        """Whether a time or date lies in a span that the passage gives; a range, whether all of it does."""
        if fact.kind == "date":
            days = [atom for group in fact.needs for atom in group if _DAY_OF_YEAR.fullmatch(atom)]
            return bool(days) and all(f"on {day[-5:]}" in self.gives for day in days)
        return any(lies_within(fact, span) for span in self.spans)


@dataclass(frozen=True, slots=True)
class Told:
    """What another tool returned, read: the atoms of its facts, the stems of its words, today, and the time."""

    atoms: frozenset[str]
    words: frozenset[str]
    days: frozenset[date]
    clocks: frozenset[datetime]


def listed(observation: Evidence) -> Iterator[Source]:
    """Read the passages off the lines `- Title: text (source)` of a search."""
    if observation.tool != SEARCH:
        return
    for match in _LINE.finditer(observation.text):
        line = int(match["line"]) if match["line"] else None
        yield Source(title=match["title"], source=match["source"] or observation.tool, line=line, text=match["text"])


@lru_cache(_REMEMBERED)
def passages(source: Source, language: str = ENGLISH) -> tuple[Passage, ...]:
    """Read a passage; of one that holds several rows, each as a passage of its own with the same source."""
    own, orders = parted(source.text)
    return tuple(_passage(source, row, orders, language) for row in rows(own))


def _passage(source: Source, row: str, orders: str, language: str) -> Passage:
    title, text = trusted(source.title), trusted(f"{source.title}: {row}")
    read = facts(text, language)
    denied = frozenset(atom for fact in read if says_not_on(text, fact, language) for atom in fact.gives)
    told = (*read, *facts(source.source, language))
    cut = sentences(text, read, language=language)
    given = [fact for fact in read if not says_not_on(text, fact, language)]
    heading, label = first_cell(text[len(title) :], lexicon(language).pattern("row"))
    name = stems(label, language)
    name |= {f"{LABEL}{one}" for one in name if one.isdigit()}  # Section 3
    return Passage(
        source=source,
        text=text,
        facts=read,
        words=stems(text, language) | name,
        title=stems(title, language),
        gives=frozenset(atom for fact in told for atom in fact.gives) - denied | implied(text, given, language),
        denied=denied,
        kinds=frozenset(fact.kind for fact in read),
        spans=tuple(time_spans(read)),
        times_by_day=tuple(timetable(cut, read)),
        sentences=cut,
        parts=tuple(parts_of(text, cut, read, language, title=len(title) + 2)),
        statements=tuple(_general(text, cut, read, language)),
        plain=squeezed(f"{text} {source.source}"),
        label=name,
        name=squeezed(label),
        heading=stems(heading, language),
        orders=tuple(_orders(orders, language)),
    )


def _orders(text: str, language: str) -> Iterator[tuple[frozenset[str], bool]]:
    denied = lexicon(language).pattern("denied")
    for part in _ENDS.split(text):
        yield stems(part, language), sum(1 for _ in denied.finditer(part)) % 2 == 1


@lru_cache(_REMEMBERED)
def told(text: str, language: str = ENGLISH) -> Told:
    """Read what a tool other than the search returned; the tools of this program speak English."""
    atoms: set[str] = set()
    words: set[str] = set()
    text = "\n".join(trusted(line) for line in text.split("\n"))
    for name in dict.fromkeys((ENGLISH, language)):
        for fact in facts(text, name):
            atoms.update(fact.gives)
        words.update(stems(text, name))
    return Told(frozenset(atoms), frozenset(words), frozenset(todays(text)), frozenset(clock_readings(text)))


def squeezed(text: str) -> str:
    """Return the words of `text` alone, folded, with one space between them and at both ends."""
    return f" {_SPACES.sub(' ', fold(text)).strip()} "


def says_not_on(text: str, fact: Fact, language: str) -> bool:
    """Whether `text` says beside this fact of it, a weekday or tomorrow, that something is not on that day."""
    if fact.kind != "weekday" and (days_ahead(fact) or 0) <= 0:
        return False
    words = lexicon(language)
    before = words.pattern("not_on").search(text, max(0, fact.start - _NEAR), fact.start)
    return bool(before or words.pattern("not_on_after").match(text, fact.end))


def _general(text: str, cut: Sequence[Sentence], read: Sequence[Fact], language: str) -> Iterator[Statement]:
    """Yield the statements that hold on any day; one that begins with "they" is about what the last one is."""
    days = [fact.start for fact in read if fact.kind in ("weekday", "date")]
    limits, goes_on = lexicon(language).words("limits"), lexicon(language).words("goes_on")
    said = frozenset[str]()
    for sentence in cut:
        lent = meant = said if sentence.clauses[0].plain[0][0] in goes_on else frozenset()
        counted = any(sentence.start <= one.start < sentence.end for one in read if one.kind == "number")
        for clause, after in zip_longest(sentence.clauses, sentence.clauses[1:]):
            ends = not limits.isdisjoint(word for word, _ in (after.plain[:1] if after else ()))
            dated = any(clause.start <= day < (after.end if after and ends else clause.end) for day in days)
            so = is_so(text, clause, language)
            for one in () if so is None else statements(clause, language):
                if not (counted and (one.limited or ends)) and (not dated or one.sense == LASTING):
                    about = one.about if one.wide else one.about | meant
                    yield replace(one, about=about, denied=one.denied == so, lent=lent)
            lent = frozenset(clause.subjects) or lent
        said = meant.union(*(clause.subjects for clause in sentence.clauses))


def time_spans(read: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    """Yield the spans of time of day among facts, each as two atoms: "10:00" and "18:00"."""
    for fact in read:
        for atom in fact.gives:
            if atom.startswith("from "):
                _, start, _, end = atom.split(" ")
                yield start, end


def lies_within(fact: Fact, span: tuple[str, str]) -> bool:
    """Whether a time of day lies in a span; a range, whether all of it does."""
    start, end = span
    return fact.kind == "time" and all(
        any(start <= time <= end for time in group if ":" in time) for group in fact.needs
    )
