"""What an answer may rest on: the passages that searches returned, and the values that other tools did."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from campus_agent.guardrail.clauses import sentences
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.relative import implied
from campus_agent.guardrail.review import Evidence
from campus_agent.guardrail.today import clock_readings, todays
from campus_agent.guardrail.words import LIGHT_STEMS, fold, stems
from campus_agent.tools.tool import Source

SEARCH = "search_campus_info"
_PASSAGE = re.compile(
    r"^- (?P<title>[^\n]*?): (?P<text>[^\n]*?)(?: \((?P<source>[^()\n]+?)(?:, line (?P<line>\d{1,9}))?\))?[ \t]*$", re.M
)
_ACRONYM = re.compile(r"\b[A-Z]{2,5}\b")
# How a text says, right before a day, that something is not on that day.
_NOT_ON = re.compile(
    r"(?:\bclosed|\bexcept|\bexcluding|(?:n['’]t|\bnot|\bnever) (?:meet|open|run|held|available|happen|take place)\w*) "
    r"(?:on |every |for )?\Z",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\W+")
# How much less a predicate such as "meets" tells of what a text is about than a noun does.
_LIGHT = 0.1


@dataclass(frozen=True, slots=True)
class Part:
    """A clause of a passage, with the atoms and kinds of its facts.

    Attributes:
        words: the stems of its words, and of the clause before it.
        subject: those that stand before its first fact; where none do, those of the clause before it.
    """

    words: frozenset[str]
    subject: frozenset[str]
    gives: frozenset[str]
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage, read.

    Attributes:
        words: the stems of its words; `title` those of its title.
        gives: the atoms of its facts and what they imply, without
        denied: those of weekdays on which it says that something is not.
        kinds: the kinds of its facts.
        times: how many times of day it gives, a range being one.
        spans: its ranges of time of day, each as two atoms.
        parts: its clauses.
        plain: its words alone, for finding quotations.
    """

    source: Source
    words: frozenset[str]
    title: frozenset[str]
    gives: frozenset[str]
    denied: frozenset[str]
    kinds: frozenset[str]
    times: int
    spans: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    plain: str

    def within(self, fact: Fact) -> bool:
        """Whether a time lies in a span of time that the passage gives; a range of time, whether all of it does."""
        return any(
            all(any(start <= time <= end for time in group if ":" in time) for group in fact.needs)
            for start, end in self.spans
        )


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything that the observations hold, ready for looking facts up.

    Attributes:
        passages: the passages of searches, each once.
        weights: how much a stem tells of which passage a text is about; only stems of passages have one.
        holders: the indexes of the passages that hold a stem.
        tools: atom to the name of the tool, not a search, that returned it.
        tool_words: the stems of what such tools returned, each with the name of the tool.
        acronyms: capital letters that stand for a name in some passage, in lower case.
        today: the days that tools took for today, each with the name of the tool; more than one, of several zones.
        clocks: the times that they told.
    """

    passages: tuple[Passage, ...]
    weights: Mapping[str, float]
    holders: Mapping[str, Sequence[int]]
    tools: Mapping[str, str]
    tool_words: Mapping[str, str]
    acronyms: frozenset[str]
    today: Mapping[date, str]
    clocks: frozenset[datetime]

    def distinctive(self, stem: str) -> bool:
        """Whether a stem tells some passages from others (or from nothing, where there is only one)."""
        return stem not in LIGHT_STEMS and self.weights.get(stem, 0.0) > _COMMON

    def scores(self, bag: Mapping[str, float]) -> dict[int, float]:
        """Return by index how much a passage shares with a bag of stems, without those that share nothing."""
        scores: dict[int, float] = {}
        for stem, share in bag.items():
            for index in self.holders.get(stem, ()):
                scores[index] = scores.get(index, 0.0) + share * self.weights[stem]
        return scores


# A stem that stands in nearly all passages weighs less than this.
_COMMON = math.log(1.6)


def ground(evidence: Sequence[Evidence]) -> Ground:
    """Read the observations.

    What came with sources, and what the campus search returned, supports through its passages only: notes support
    nothing. The text of any other tool supports any sentence.
    """
    passages: dict[tuple[str, str], Passage] = {}
    tools: dict[str, str] = {}
    tool_words: dict[str, str] = {}
    acronyms: set[str] = set()
    today: dict[date, str] = {}
    clocks: set[datetime] = set()
    for observation in evidence:
        sources = observation.sources or tuple(_listed(observation))
        for source in sources:
            acronyms.update(short.lower() for short in _ACRONYM.findall(f"{source.title} {source.text}"))
            passages.setdefault((source.title, source.text), _passage(source))
        if not sources and observation.tool != SEARCH:
            for fact in facts(observation.text):
                tools |= dict.fromkeys((*fact.gives, *_counted(fact)), observation.tool)
            tool_words |= dict.fromkeys(stems(observation.text), observation.tool)
            today |= dict.fromkeys(todays(observation.text), observation.tool)
            clocks.update(clock_readings(observation.text))
    found = tuple(passages.values())
    holders: dict[str, list[int]] = {}
    for index, passage in enumerate(found):
        for stem in passage.words:
            holders.setdefault(stem, []).append(index)
    weights = {stem: _weight(stem, len(indexes), len(found)) for stem, indexes in holders.items()}
    return Ground(found, weights, holders, tools, tool_words, frozenset(acronyms), today, frozenset(clocks))


def _counted(fact: Fact) -> Iterator[str]:
    """Yield the relative day that a count of days is, such as "day +1" for `1 day(s)`."""
    count, _, unit = fact.normal.partition(" ")
    if unit == "day" and count.isdigit():
        yield f"day +{count}"


def squeezed(text: str) -> str:
    """Return the words of `text` alone, folded, with one space between them and at both ends."""
    return f" {_SPACES.sub(' ', fold(text)).strip()} "


def says_not_on(text: str, fact: Fact) -> bool:
    """Whether `text` says right before this fact of it, a weekday or tomorrow, that something is not on that day."""
    ahead = fact.normal in ("tomorrow", "the day after tomorrow")
    return (fact.kind == "weekday" or ahead) and bool(_NOT_ON.search(text, max(0, fact.start - 40), fact.start))


def _listed(observation: Evidence) -> Iterator[Source]:
    """Read the passages off the lines `- Title: text (source)` of a search."""
    if observation.tool != SEARCH:
        return
    for match in _PASSAGE.finditer(observation.text):
        line = int(match["line"]) if match["line"] else None
        yield Source(title=match["title"], source=match["source"] or observation.tool, line=line, text=match["text"])


def _passage(source: Source) -> Passage:
    text = f"{source.title}: {source.text}"
    read = facts(text)
    denied = frozenset(atom for fact in read if says_not_on(text, fact) for atom in fact.gives)
    return Passage(
        source=source,
        words=stems(text),
        title=stems(source.title),
        gives=frozenset(atom for fact in (*read, *facts(source.source)) for atom in fact.gives) - denied
        | implied(text, [fact for fact in read if not says_not_on(text, fact)]),
        denied=denied,
        kinds=frozenset(fact.kind for fact in read),
        times=sum(1 for fact in read if fact.kind == "time"),
        spans=tuple(_time_spans(read)),
        parts=tuple(_parts(text, read)),
        plain=squeezed(f"{text} {source.source}"),
    )


def _parts(text: str, read: Sequence[Fact]) -> Iterator[Part]:
    for sentence in sentences(text, read):
        before: frozenset[str] = frozenset()
        for clause in sentence.clauses:
            inside = [fact for fact in read if clause.start <= fact.start < clause.end]
            own = frozenset(clause.subjects)
            gives = frozenset(atom for fact in inside for atom in fact.gives)
            first = inside[0].start if inside else clause.end
            lead = frozenset(word.stem for word in clause.free if word.stem and word.start < first)
            yield Part(own | before, lead or before, gives, frozenset(fact.kind for fact in inside))
            before = own or before


def _time_spans(read: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    for fact in read:
        for atom in fact.gives:
            if atom.startswith("from "):
                _, start, _, end = atom.split(" ")
                yield start, end


def _weight(stem: str, holding: int, passages: int) -> float:
    """Weigh a stem by rarity: the logarithm of all passages to those that hold it. A predicate weighs less."""
    return math.log((passages + 1) / holding) * (_LIGHT if stem in LIGHT_STEMS else 1.0)
