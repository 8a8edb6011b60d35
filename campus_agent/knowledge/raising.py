"""What raises one of the best passages: words as they are written, a numbered name, a whole title, the asked time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from campus_agent.knowledge.best_first import best_first
from campus_agent.knowledge.dates import Span, mentions
from campus_agent.knowledge.index import Index
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.query import Query
from campus_agent.knowledge.suggestions import subject_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FORM = 0.6  # the part of its own score that a passage loses at most, whose words stand there in other forms only
_NUMBERED = 1.0  # the part of its own score that a passage is raised by that has "Lab 3", as it is asked
_ROW = 0.4  # the same for a row of a table whose first column, which is its name, has all that is asked
_TITLE = 0.2  # the same for one whose title is asked for whole
_NAME = re.compile(r"[^:;.]{1,40}: (?P<name>[^;]+); [^:;.]{1,40}: ")
_LOOKED_AT = 10  # the best passages, whose words and titles are looked at
_TIME = 0.1  # how much of the best score a passage of the asked time is raised by
_TIMED = 30  # the best passages, of which those of the asked time are raised


@dataclass(slots=True)
class Raised:
    """What is added to the score of one passage.

    Attributes:
        terms: for a term; below zero where it stands there in another form than it was asked.
        title: for its title.
        time: for its time.
    """

    terms: dict[str, float] = field(default_factory=dict)
    title: float = 0.0
    time: float = 0.0

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self.terms.values()) + self.title + self.time


def raised(scores: NDArray[Any], asked: Query, span: Span | None, index: Index) -> Mapping[int, Raised]:
    """Return what raises the best passages, by position; `scores`, one for each passage, stay as they are."""
    best = dict(islice(best_first(scores), _LOOKED_AT))
    said = {place: _Said.of(index.passages[place], index) for place in best}
    raises = {place: Raised(terms) for place, terms in _by_words(best, said, asked, index).items()}
    _by_titles({place: score + raises[place].total for place, score in best.items()}, raises, asked, index)
    if span is not None:
        _by_time(scores, raises, span, index)
    return raises


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of a passage.

    Attributes:
        forms: of each stem.
        pairs: of stems that stand side by side.
        name: the stems of the first column, of a row of a table.
    """

    forms: Mapping[str, Sequence[str]]
    pairs: Set[tuple[str, str]]
    name: Set[str]

    @classmethod
    def of(cls, passage: Passage, index: Index) -> _Said:
        parts = [index.words.tokens(passage.title), index.words.tokens(" ".join((passage.text, *passage.phrasings)))]
        forms: dict[str, list[str]] = {}
        for tokens in parts:
            forms |= _by_stem(tokens, index)  # what the text says itself counts, the title where it has not
        pairs = {pair for tokens in parts for pair in pairwise(map(index.words.stem, tokens))}
        row = _NAME.match(passage.text)
        return cls(forms, pairs, set(map(index.words.stem, index.words.tokens(row["name"]))) if row else set())

    def nearness(self, token: str, term: str) -> float:
        """Return how near the forms of a term are to the asked one, 1 for the same, 0 where the term is not there."""
        from rapidfuzz.distance import Prefix

        shared = (Prefix.normalized_similarity(token, form) for form in self.forms.get(term, ()))
        return max(shared, default=0.0) ** 2


def _by_stem(tokens: Sequence[str], index: Index) -> dict[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for token in dict.fromkeys(tokens):
        forms.setdefault(index.words.stem(token), []).append(token)
    return forms


def _by_words(
    best: Mapping[int, float], said: Mapping[int, _Said], asked: Query, index: Index
) -> dict[int, dict[str, float]]:
    """Return what each term adds to each passage.

    "Due" counts less for "dues" where another passage has "dues", and "Lab 3" is more than a lab and a 3.
    """
    weights = {term: index.weight(term) for term in asked.terms}
    parts = {place: score / (sum(weights.values()) or 1.0) for place, score in best.items()}
    added: dict[int, dict[str, float]] = {place: {} for place in best}
    for token, term in (pair for word in asked.words for pair in zip(word.tokens, word.terms, strict=True)):
        nearness = {place: one.nearness(token, term) for place, one in said.items()}
        for place, near in nearness.items():
            if near:
                farther = max(nearness.values()) - near
                named = term in said[place].name
                added[place][term] = parts[place] * weights[term] * (_ROW * named - _FORM * farther)
    for noun, number in _numbered(asked):
        for place, one in said.items():
            if (noun, number) in one.pairs:
                pair = index.weight(noun) + weights[number]
                added[place][number] = added[place].get(number, 0.0) + _NUMBERED * parts[place] * pair
    return added


def _numbered(asked: Query) -> Iterator[tuple[str, str]]:
    """Yield the terms of each noun that a number stands right after in the query, or of a word for the same."""
    for noun, number in pairwise(asked.words):
        if number.tokens[0].isdigit() and not noun.tokens[-1].isdigit():
            for term in (noun.terms[-1], *(phrase[-1] for phrase in noun.alternatives)):
                yield term, number.terms[0]


def _by_titles(scores: Mapping[int, float], raises: Mapping[int, Raised], asked: Query, index: Index) -> None:
    """Raise what has a title that is asked for whole: "AI Club" is the club before its workshop and its room.

    It stays below the best passage that has every word of the query, unless it is that already.
    """
    terms = asked.terms
    whole = {place for place in scores if all(index.terms.has(place, term) for term in terms)}
    ceiling = max((scores[place] for place in whole), default=float("inf"))
    for place, score in scores.items():
        if _is_named(subject_of(index.passages[place]), asked.tokens, index):
            room = max(0.0, ceiling - score) if place not in whole else float("inf")
            raises[place].title = min(_TITLE * score, room * (1 - _TITLE))


def _is_named(title: str, asked: Sequence[str], index: Index) -> bool:
    """Tell whether every word of a title but its stop words is asked for, as it is written there."""
    telling = {token for token in index.words.tokens(title) if token not in index.words.stop}
    return bool(telling) and telling <= set(asked)


def _by_time(scores: NDArray[Any], raises: dict[int, Raised], span: Span, index: Index) -> None:
    so_far = scores.copy()
    for place, one in raises.items():
        so_far[place] += one.total
    best = list(islice(best_first(so_far), _TIMED))
    for place, _ in best:
        passage = index.passages[place]
        if mentions(f"{passage.title} {passage.text}", span):
            raises.setdefault(place, Raised()).time = _TIME * best[0][1]
