"""Decides whether a value and its passage are about the same thing.

A value of a draft stands in a clause, and a clause has a subject: "the AI Club meets Tuesday" is about the AI Club. The
subject's words are compared with every passage. A passage that holds the value supports it when no passage without the
value is nearer to the subject. A clause without words of its own borrows them: from the clause before or after it, from
the last sentence that had some, from the heading above, from the question.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage, squeezed
from campus_agent.guardrail.words import listed_stems

# How much the words of the question count beside those of the clause.
_BORROWED = 0.5
# How many clauses before a clause, and after it, may lend it a subject.
_LENDERS = 4
_DAYS = ("weekday", "date")
# How many characters may stand between a room and its building.
_NEXT = 8
# A passage without the value wins when it is this much nearer: to one with another value of the same kind the
# comparison is sharp, to one with none it is blunt.
_SHARP = 0.8
_BLUNT = 0.5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands, and the clauses that may lend its clause a subject.

    Attributes:
        earlier: the clauses of the same sentence that have a subject and stand before, the nearest first.
        later: those that stand after.
        heading: those of the heading above.
        topic: those of the last sentence that had some.
    """

    clause: Clause
    sentence: Sentence
    earlier: tuple[Clause, ...] = ()
    later: tuple[Clause, ...] = ()
    heading: tuple[Clause, ...] = ()
    topic: tuple[Clause, ...] = ()

    @property
    def lenders(self) -> tuple[Clause, ...]:
        """All clauses that may lend a subject, the likeliest first."""
        return (*self.earlier, *self.later, *self.topic, *self.heading)

    @property
    def subject(self) -> Clause:
        """The clause that says what this is about."""
        return self.clause if self.clause.subjects else next(iter(self.lenders), self.clause)


@dataclass
class Places:
    """Walks through a draft's sentences, in order, and says of each who may lend it a subject."""

    ground: Ground
    _topic: tuple[Clause, ...] = ()
    _heading: tuple[Clause, ...] = ()

    def of(self, sentence: Sentence) -> list[Place]:
        """Return a place for every clause of the next sentence."""
        own = [clause for clause in sentence.clauses if has_subject(clause, self.ground)]
        starts = [clause.start for clause in own]
        places = []
        for clause in sentence.clauses:
            at, after = bisect_left(starts, clause.start), bisect_right(starts, clause.start)
            earlier, later = own[max(0, at - _LENDERS) : at][::-1], own[after : after + _LENDERS]
            places.append(Place(clause, sentence, tuple(earlier), tuple(later), self._heading, self._topic))
        if own and sentence.heading:
            self._heading, self._topic = tuple(own[:_LENDERS]), ()
        elif own:
            self._topic = tuple(own[:_LENDERS])
        return places


def without_house(fact: Fact, clause: Clause, inside: Iterable[Fact]) -> Clause:
    """Return a clause without the building of a room in it: that says where, not what, is there."""
    for one in inside:
        if one.kind == "name" and max(one.start - fact.end, fact.start - one.end) <= _NEXT:
            clause = clause.without(one)
    at = fact.start
    for word in reversed([word for word in clause.free if word.capital and word.end < fact.start]):
        if at - word.end > 1:
            break
        at = word.start
    return clause.without(replace(fact, start=at)) if at < fact.start else clause


def without_verb(place: Place, question: Sequence[Clause], ground: Ground) -> Place:
    """Return a place without the verb of a clause that says something of "it", or of "you" where the draft begins.

    Where nobody lends such a clause a subject, its verb is all that it has.
    """
    words, lenders = ground.lexicon, (*place.earlier, *place.topic, *place.heading)
    if not lenders and not any(has_subject(clause, ground) for clause in question):
        return place
    if lenders:
        return replace(place, clause=place.clause.without_verb(words.words("stand_ins"), words))
    stand_ins = words.words("stand_ins") | words.words("addressed")
    return replace(place, clause=place.clause.without_order(words).without_verb(stand_ins, words))


def has_subject(clause: Clause, ground: Ground) -> bool:
    """Whether a clause has a word that tells passages apart."""
    return any(ground.distinctive(stem) for stem in clause.subjects)


def about(place: Place, holders: Sequence[int], kind: str, question: Sequence[Clause], ground: Ground) -> int | None:
    """Return the holder (an index into `ground.passages`) that is about what the place is about, or None.

    Args:
        place: where the value stands in the draft.
        holders: the passages that hold the value.
        kind: the value's kind; a passage with another value of the kind is a rival.
        question: the clauses of the question.
        ground: all passages.
    """
    if not holders:
        return None
    if _compares(place.clause, ground) and not place.earlier:
        return holders[0]
    contexts: list[tuple[Clause, Clause | None]] = [(place.clause, asked) for asked in question or (None,)]
    if not has_subject(place.clause, ground):
        told = (*place.later, *place.topic, *place.heading)
        asked = () if place.heading else (clause for clause in question if has_subject(clause, ground))
        lenders = place.earlier or (*told, *asked)
        contexts = [(place.clause, lender) for lender in lenders]
    named = [
        holder
        for holder in holders
        if not _names_another(place, ground.passages[holder], question, ground)
        and not _names_another_row(place, ground.passages[holder], kind, ground)
    ]
    for clause, lender in contexts:
        best = _nearest(clause, lender, named, kind, ground)
        if best is not None:
            return best
    return None if contexts else _by_common_words(place, named, kind, question, ground)


def _compares(clause: Clause, ground: Ground) -> bool:
    """Whether a clause only says which of two values is the earlier, as in "Tuesday comes before Thursday"."""
    return not has_subject(clause, ground) and _says_when(clause, ground)


def _says_when(clause: Clause, ground: Ground) -> bool:
    words = ground.lexicon.words("gaps") | ground.lexicon.words("comes")
    return any(word in words for word, _ in clause.plain)


def _bag(clause: Clause, lender: Clause | None) -> dict[str, float]:
    bag = dict.fromkeys(lender.subjects, _BORROWED) if lender else {}
    return bag | dict.fromkeys(clause.subjects, 1.0)


def _nearest(clause: Clause, lender: Clause | None, holders: Sequence[int], kind: str, ground: Ground) -> int | None:
    """Return the holder nearest to the words, unless a passage that does not hold the value is nearer."""
    scores = ground.scores(_bag(clause, lender))
    best = max(
        (holder for holder in holders if holder in scores), key=lambda holder: (scores[holder], -holder), default=None
    )
    if best is None or scores[best] <= 0:
        return None
    for index, score in scores.items():
        limit = _SHARP if kind in ground.passages[index].kinds else _BLUNT
        if index not in holders and scores[best] < limit * score:
            return None
    return best


def _by_common_words(
    place: Place, holders: Sequence[int], kind: str, question: Sequence[Clause], ground: Ground
) -> int | None:
    """Judge a place without a word that tells passages apart: by its other words, or by presence when it has none."""
    own = place.clause
    for lender in (*place.lenders, *question, None):
        best = _nearest(own, lender, holders, kind, ground)
        if best is not None and any(stem not in ground.light for stem in _bag(own, lender) if stem in ground.weights):
            return best
    vague = ground.light | listed_stems("comparatives", ground.language)
    asked = {stem for clause in question for stem in clause.subjects if stem not in vague}
    said = {stem for stem in own.subjects if stem not in vague}
    if asked and (not said or said & asked):
        return None  # it is about what was asked, of which no passage speaks
    return holders[0] if holders else None


def _names_another_row(place: Place, passage: Passage, kind: str, ground: Ground) -> bool:
    """Whether the words nearest to the place that name a row of the table name another one than the passage.

    A row that a day names is named by the value itself, if that is a day.
    """
    by_day = any(one.kind in _DAYS and squeezed(one.text) == passage.name for one in passage.facts[:_LENDERS])
    if not passage.label or (by_day and kind in _DAYS):
        return False
    rows = [one for one in ground.passages if one.label and one.title == passage.title]
    at = place.sentence.clause_at(place.clause.start)
    before, after = place.sentence.clauses[max(0, at - _LENDERS) : at], place.sentence.clauses[at : at + _LENDERS]
    for clause in (place.clause, *reversed(before), *after, *place.heading, *place.topic):
        said = f" {' '.join(word for word, _ in clause.plain)} "
        known = frozenset(clause.subjects)
        rows = [one for one in rows if not one.name.strip().isdigit() or one.heading & known]  # lab 3 is not week 3
        named = [one.name for one in rows if one.name in said]  # Arabic 1 is not Arabic 2
        named = named or [one.name for one in rows if not one.label.isdisjoint(known)]
        if named:
            return passage.name not in named
    return False


def _names_another(place: Place, passage: Passage, question: Sequence[Clause], ground: Ground) -> bool:
    """Whether the clause names a thing of the passage's sort that is another: the chess club, not the AI Club."""
    entities = place.clause.entities or place.subject.entities
    if not entities or any(before in passage.words for before, _, _ in entities):
        return False
    asked = {stem for clause in question for stem in clause.subjects}
    return any(capital or before in asked or before in ground.weights for before, _, capital in entities)
