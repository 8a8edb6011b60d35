"""What raises one of the best passages a little: a title that is asked for whole, and the time that is asked for."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from campus_agent.knowledge.best_first import best_first
from campus_agent.knowledge.dates import Span, mentions
from campus_agent.knowledge.index import Index
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.query import Query
from campus_agent.knowledge.suggestions import subject_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TITLE = 0.2  # the part of its own score that a passage is raised by whose title is asked for whole
_TITLED = 10  # the best passages, whose titles are looked at
_TIME = 0.1  # how much of the best score a passage of the asked time is raised by
_TIMED = 30  # the best passages, of which those of the asked time are raised


def by_title(score: float, passage: Passage, asked: Query, index: Index) -> float:
    """Return what a passage with this score is raised by: "AI Club" is the club before its workshop and its room."""
    tokens = index.words.tokens(subject_of(passage))
    terms = {index.words.stem(token) for token in tokens if token not in index.words.stop}
    return _TITLE * score * len(terms.intersection(asked.terms)) / max(len(terms), 1)


def raise_best(scores: NDArray[Any], asked: Query, span: Span | None, index: Index) -> None:
    """Raise those of the best passages whose titles are asked for, and those of the time `span`, in `scores`."""
    for position, score in list(islice(best_first(scores), _TITLED)):
        scores[position] += by_title(score, index.passages[position], asked, index)
    if span is None:
        return
    best = list(islice(best_first(scores), _TIMED))
    for position, _ in best:
        passage = index.passages[position]
        if mentions(f"{passage.title} {passage.text}", span):
            scores[position] += _TIME * best[0][1]
