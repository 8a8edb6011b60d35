"""Passages that give one thing two days, times or rooms: what a person should look at before students do.

Compared are sentences of different sections that say the same but for such values: under one title, or under another
title that speak of the same thing by its whole name. That is a guess, so what is found here is advice. Two lines of one
section, such as the opening hours of two days, belong together, and a passage that names both values is right anyway.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
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
# What may be said more of a thing in one place than in another, and it is still the same that is said; stems.
_SAYS_NO_MORE = frozenset(
    {
        "meet",
        "held",
        "hold",
        "gather",
        "take",
        "place",
        "open",
        "run",
        "start",
        "begin",
        "club",
        "event",
        "name",
        "titl",
    }
    | {"hour", "week", "everi", "day", "schedul", "regular", "usual"}
)
_ROW = re.compile(r"[^:;]{1,40}: ([^:;]{2,60});")


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
    """A sentence of a passage: the stems that say what it is about, `own` without the title, and its values."""

    passage: Passage
    about: frozenset[str]
    facts: tuple[Fact, ...]
    own: frozenset[str]


def contradictions(passages: Iterable[Passage], language: str) -> Iterator[Contradiction]:
    """Yield two passages for each contradiction; `language` is that of the base.

    Of a very large base the passages under the first titles that come twice are compared: half a million characters.
    """
    words = Words(language)
    passages = tuple(passages)
    yield from _under_one_title(passages, words)
    yield from _under_another_title(passages, words)


def _under_one_title(passages: Sequence[Passage], words: Words) -> Iterator[Contradiction]:
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


def _under_another_title(passages: Sequence[Passage], words: Words) -> Iterator[Contradiction]:
    read = partial(facts, language=known(words.language))
    named = _Named(passages, words)
    stated: dict[Passage, tuple[_Statement, ...]] = {}
    told: set[tuple[str, str]] = set()
    left = _MOST_READ
    for passage in passages:
        subjects = named.in_(passage)
        left -= len(passage.text) if subjects else 0
        if left < 0:
            return
        for subject, (name, owners) in subjects.items():
            for owner in owners:
                places = owner.place, passage.place
                if _section(owner) == _section(passage) or {places, places[::-1]} & told:
                    continue
                for one in (owner, passage):
                    if one not in stated:  # reading facts is what takes long
                        stated[one] = tuple(_statements(one, words, read))
                if found := _opposed(stated[owner], stated[passage], subject):
                    told.add(places)
                    yield Contradiction(name, owner, _listed(found[0]), passage, _listed(found[1]))


class _Named:
    """What the passages are about by name: their titles, and what a row of a table begins with."""

    def __init__(self, passages: Sequence[Passage], words: Words) -> None:
        self._words = words
        owners: dict[frozenset[str], tuple[str, list[Passage]]] = {}
        for passage in passages:
            for name in _names(passage):
                subject = _stems(name, words) - _LABELS
                if len(subject) > 1:  # a word alone may stand for anything: "Club", "Hours"
                    owners.setdefault(subject, (name, []))[1].append(passage)
        self._owners = {subject: own for subject, own in owners.items() if len(own[1]) <= _MOST_ALIKE}
        self._by_stem: dict[str, list[frozenset[str]]] = defaultdict(list)
        counted = Counter(stem for subject in self._owners for stem in subject)
        for subject in self._owners:
            self._by_stem[min(subject, key=lambda stem: (counted[stem], stem))].append(subject)

    def in_(self, passage: Passage) -> dict[frozenset[str], tuple[str, list[Passage]]]:
        """Return what a passage speaks of that is another's subject, with the name and the owners of that."""
        stems = _stems(passage.text, self._words)
        subjects = (subject for stem in sorted(stems) for subject in self._by_stem.get(stem, ()) if subject <= stems)
        own = _stems(subject_of(passage), self._words) - _LABELS
        return {subject: self._owners[subject] for subject in subjects if subject != own}


def _names(passage: Passage) -> Iterator[str]:
    yield subject_of(passage)
    if row := _ROW.match(passage.text):
        yield row[1]


def _opposed(
    some: Sequence[_Statement], others: Sequence[_Statement], subject: frozenset[str]
) -> tuple[list[Fact], list[Fact]] | None:
    """Return the values of one kind in which a passage about `subject` and another that names it differ."""
    for one in some:
        for other in others:
            if not subject <= other.own or not _says_no_more(one, other, subject):
                continue
            for kind in _KINDS:
                said, also_said = _values(one, kind), _values(other, kind)
                if not said or not also_said:
                    continue
                all_said = [fact for statement in some for fact in _values(statement, kind)]
                all_others = [fact for statement in others for fact in _values(statement, kind)]
                if not _agree(all_said, also_said) and not _agree(said, all_others):
                    return said, also_said
    return None


def _says_no_more(one: _Statement, other: _Statement, subject: frozenset[str]) -> bool:
    """Tell whether both say the same of the subject, neither at another time of the year, nor each on its own date."""
    if _values(one, "date") and _values(other, "date"):
        return False
    if not (one.own ^ other.own) - subject <= _SAYS_NO_MORE:
        return False
    return not (one.about ^ other.about) & _AT_OTHER_TIMES


def _statements(passage: Passage, words: Words, read: partial[tuple[Fact, ...]]) -> Iterator[_Statement]:
    for sentence in _SENTENCE.split(passage.text):
        found = [fact for fact in read(sentence) if fact.kind != "name"]
        given = tuple(fact for fact in found if fact.kind in _KINDS)
        if given:
            rest = blank(sentence, ((fact.start, fact.end) for fact in found))
            own = _stems(rest, words) - _LABELS
            yield _Statement(passage, own | (_stems(subject_of(passage), words) - _LABELS), given, own)


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
