"""Passages that give one thing two days, times or rooms: what a person should look at before students do.

Compared are sentences of different sections that say the same but for such values. That is a guess, so what is found
here is advice. Two lines of one section, such as the opening hours of two days, belong together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from campus_agent.guardrail.fact import Fact, blank
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.lexicon import known
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.suggestions import subject_of
from campus_agent.knowledge.words import Words

_MOST_READ = 500_000  # characters, some two seconds; few bases have as much under titles that come twice
_MOST_ALIKE = 20  # sentences about one thing; a table of a hundred rows says a hundred things
_KINDS = ("weekday", "date", "time", "room")
_SENTENCE = re.compile(r"(?<=[\w)]{3}[.!?])\s+")
# What the columns of a table are called.
_LABELS = frozenset({"day", "days", "date", "dates", "time", "times", "when", "room", "place", "location", "where"})
# What makes another day or time the right one; only known for English, where it is needed to be sure.
_AT_OTHER_TIMES = frozenset(
    {"summer", "winter", "spring", "autumn", "fall", "term", "semest", "holiday", "vacat", "break", "recess", "exam"}
    | {"final", "weekend", "week", "first", "second", "third", "last", "next", "past", "special", "extra"}
)  # stems


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two passages that differ about one thing.

    Attributes:
        subject: what they are about, as the title of the first says.
        first: a passage, and `said` what day, date, time or room it gives.
        second: the passage that gives another, `also_said`.
    """

    subject: str
    first: Passage
    said: str
    second: Passage
    also_said: str


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence of a passage, the stems that say what it is about, and its days, times and rooms."""

    passage: Passage
    about: frozenset[str]
    facts: tuple[Fact, ...]


def contradictions(passages: Iterable[Passage], language: str) -> Iterator[Contradiction]:
    """Yield two passages for each contradiction; `language` is that of the base.

    Of a very large base the passages under the first titles that come twice are compared: half a million characters.
    """
    words = Words(language)
    alike: dict[frozenset[str], list[Passage]] = defaultdict(list)
    for passage in passages:
        alike[_stems(subject_of(passage), words)].append(passage)
    read = 0
    for subject, same in alike.items():
        if subject and 1 < len(same) <= _MOST_ALIKE and len({_section(passage) for passage in same}) > 1:
            read += sum(len(passage.text) for passage in same)
            if read > _MOST_READ:
                return
            yield from _among(same, words)


def _among(passages: Sequence[Passage], words: Words) -> Iterator[Contradiction]:
    read = partial(facts, language=known(words.language))
    statements = [one for passage in passages for one in _statements(passage, words, read)]
    told: set[tuple[str, str]] = set()
    for one, other in combinations(statements[:_MOST_ALIKE], 2):
        places = one.passage.place, other.passage.place
        if _section(one.passage) == _section(other.passage) or places in told or not _same(one, other):
            continue
        for kind in _KINDS:
            said, also_said = _values(one, kind), _values(other, kind)
            if said and also_said and not _agree(said, also_said):
                told.add(places)
                yield Contradiction(
                    subject_of(one.passage), one.passage, _listed(said), other.passage, _listed(also_said)
                )
                break


def _statements(passage: Passage, words: Words, read: partial[tuple[Fact, ...]]) -> Iterator[_Statement]:
    for sentence in _SENTENCE.split(passage.text):
        found = [fact for fact in read(sentence) if fact.kind != "name"]
        given = tuple(fact for fact in found if fact.kind in _KINDS)
        if given:
            rest = blank(sentence, ((fact.start, fact.end) for fact in found))
            yield _Statement(passage, _stems(f"{subject_of(passage)} {rest}", words) - _LABELS, given)


def _same(one: _Statement, other: _Statement) -> bool:
    """Tell whether one sentence says nothing that the other does not, and neither means another time of the year."""
    more = one.about ^ other.about
    return (one.about <= other.about or other.about <= one.about) and not more & _AT_OTHER_TIMES


def _values(statement: _Statement, kind: str) -> list[Fact]:
    return [fact for fact in statement.facts if fact.kind == kind]


def _agree(some: Sequence[Fact], others: Sequence[Fact]) -> bool:
    """Tell whether two lists of one kind have a value in common."""
    given = {atom for fact in others for atom in fact.gives}
    return any(fact.gives & given for fact in some)


def _listed(found: Sequence[Fact]) -> str:
    return ", ".join(dict.fromkeys(fact.text for fact in found))


def _section(passage: Passage) -> tuple[str, str]:
    return passage.document, passage.title


def _stems(text: str, words: Words) -> frozenset[str]:
    return frozenset(words.stem(token) for token in words.tokens(text) if token not in words.stop)
