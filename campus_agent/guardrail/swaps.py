"""Tells whether a draft names another of two things called alike: the guest lunch where a passage prices the dinner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place


def is_swapped(fact: Fact, place: Place, passage: Passage, ground: Ground) -> bool:
    """Whether every clause that gives a value has, after the same word, another noun than the clause of the draft.

    The draft's noun has to stand elsewhere in what was found, so that a mere paraphrase is none.
    """
    if fact.kind == "name":
        return False
    given = [one.start for one in passage.facts if fact.supported_by(one.gives)]
    theirs = [clause for clause in passage.clauses if any(clause.start <= at < clause.end for at in given)]
    own = place.clause if place.clause.subjects else next(iter(place.earlier), place.clause)
    return bool(theirs) and all(_differ(own, clause, passage.title, ground) for clause in theirs)


def _differ(own: Clause, theirs: Clause, title: frozenset[str], ground: Ground) -> bool:
    pairs = list(_pairs(theirs, ground))
    return any(
        one in ground.weights.keys() - title and one not in theirs.subjects and other not in own.subjects
        for said in _pairs(own, ground)
        for told in pairs
        for at in (0, 1)
        if said[at] == told[at]
        for one, other in ((said[1 - at], told[1 - at]),)
        if one != other
    )


def _pairs(clause: Clause, ground: Ground) -> Iterator[tuple[str, str]]:
    """Yield the stems of neighbours that both tell something, none of them a predicate that tells little."""
    for one, other in pairwise(clause.free):
        light = (ground.light - ground.people) | ground.paying
        if one.stem and other.stem and other.start - one.end <= 1 and not {one.stem, other.stem} & light:
            yield one.stem, other.stem
