"""All that the observations hold together, and how much each word tells of which passage a text is about."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from campus_agent.guardrail.lexicon import ENGLISH, Lexicon, lexicon
from campus_agent.guardrail.passages import SEARCH, Passage, listed, passages, told
from campus_agent.guardrail.review import Evidence
from campus_agent.guardrail.words import Kinds, special_stems, stem

_ACRONYM = re.compile(r"\b[A-Z]{2,5}\b")
# How much less a predicate such as "meets" tells of what a text is about than a noun does.
_LIGHT = 0.1
# A stem that stands in nearly all passages weighs less than this.
_COMMON = math.log(1.6)


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
        labels: the stems by which rows of a table are told apart: "Pass: Monthly; Price: $45".
        kinds: what no passage names, with what it is one of, of which some passage denies something: dog and pet.
        language: the language of drafts, questions and passages.
    """

    passages: tuple[Passage, ...]
    weights: Mapping[str, float]
    holders: Mapping[str, Sequence[int]]
    tools: Mapping[str, str]
    tool_words: Mapping[str, str]
    acronyms: frozenset[str]
    today: Mapping[date, str]
    clocks: frozenset[datetime]
    labels: frozenset[str] = frozenset()
    kinds: Kinds = ()
    language: str = ENGLISH

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language."""
        return lexicon(self.language)

    @property
    def light(self) -> frozenset[str]:
        """The stems of predicates that tell little."""
        return special_stems(self.language).light - self.labels

    @property
    def paying(self) -> frozenset[str]:
        """The stems of predicates that do not tell who pays what."""
        return special_stems(self.language).paying

    @property
    def idle(self) -> frozenset[str]:
        """The stems of both."""
        return self.light | self.paying

    @property
    def people(self) -> frozenset[str]:
        """The stems of those among them that name people, between whom a passage tells."""
        return special_stems(self.language).people

    def distinctive(self, stem: str) -> bool:
        """Whether a stem tells some passages from others (or from nothing, where there is only one)."""
        return (stem not in self.light or stem in self.people) and self.weights.get(stem, 0.0) > _COMMON

    def scores(self, bag: Mapping[str, float]) -> dict[int, float]:
        """Return by index how much a passage shares with a bag of stems, without those that share nothing."""
        scores: dict[int, float] = {}
        for word, share in bag.items():
            for index in self.holders.get(word, ()):
                scores[index] = scores.get(index, 0.0) + share * self.weights[word]
        return scores


def ground(evidence: Sequence[Evidence], language: str = ENGLISH) -> Ground:
    """Read the observations.

    What came with sources, and what the campus search returned, supports through its passages only: notes support
    nothing. The text of any other tool supports any sentence.
    """
    read: dict[str, Passage] = {}
    tools: dict[str, str] = {}
    tool_words: dict[str, str] = {}
    today: dict[date, str] = {}
    clocks: set[datetime] = set()
    for observation in evidence:
        sources = observation.sources or tuple(listed(observation))
        for source in sources:
            for one in passages(source, language):
                read.setdefault(one.text, one)
        if not sources and observation.tool != SEARCH:
            returned = told(observation.text, language)
            tools |= dict.fromkeys(returned.atoms, observation.tool)
            tool_words |= dict.fromkeys(returned.words, observation.tool)
            today |= dict.fromkeys(returned.days, observation.tool)
            clocks |= returned.clocks
    found = tuple(read.values())
    no_names = lexicon(language).words("no_building")
    acronyms = frozenset(
        short.lower() for one in found for short in _ACRONYM.findall(one.text) if short not in no_names
    )
    holders: dict[str, list[int]] = {}
    for index, one in enumerate(found):
        for word in one.words:
            holders.setdefault(word, []).append(index)
    labels = frozenset(label for one in found for label in one.label)
    special = special_stems(language)
    light = (special.light | special.paying) - special.people - labels
    weights = {
        word: math.log((len(found) + 1) / len(indexes)) * (_LIGHT if word in light else 1.0)
        for word, indexes in holders.items()
    }
    kinds = tuple(_kinds(found, holders, language))
    times = frozenset(clocks)
    return Ground(found, weights, holders, tools, tool_words, acronyms, today, times, labels, kinds, language)


def _kinds(found: Sequence[Passage], known: Collection[str], language: str) -> Iterator[tuple[str, str]]:
    clauses = ((one.text, clause) for one in found for sentence in one.sentences for clause in sentence.clauses)
    denies = lexicon(language).pattern("denied")
    denied = {word for text, one in clauses if denies.search(text, one.start, one.end) for word in one.subjects}
    for line in lexicon(language).listed("kinds"):
        kind, *members = (stem(word, language) for word in line.split())
        yield from ((one, kind) for one in members if kind in denied and one not in known)
