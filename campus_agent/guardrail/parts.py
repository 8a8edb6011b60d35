"""Decides to which of its own subjects, and on which of its days, a passage gives a value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Part, Passage, lies_within, time_spans
from campus_agent.guardrail.relation import Place

# How many facts of a sentence are looked at.
_MOST = 40


def of_another_part(fact: Fact, place: Place, passage: Passage, ground: Ground) -> bool:
    """Whether the passage gives the value to another of its own subjects: "homework 40%, the midterm 25%".

    It does when a part with another value of the kind shares more words with the draft's subject than any part with
    the value does.
    """
    leading = [word.stem for word in place.clause.free if word.stem and word.start < fact.start]
    if not leading and any(clause.start < place.clause.start for clause in place.sentence.clauses[:1]):
        return False  # one more of several values of one subject
    known = passage.words - passage.title - (ground.light - ground.people) - ground.paying
    people = ground.people.intersection(place.clause.subjects)
    subject = known.intersection(leading) or known.intersection(place.subject.subjects)
    subject |= known & people
    holding = [part for part in passage.parts if fact.supported_by(part.gives)]
    if not subject or not holding:
        return False
    best = max(len(subject & _subject(part, known)) for part in holding)
    rivals = (part for part in passage.parts if part not in holding and fact.kind in part.kinds)
    return any(len(subject & (part.subject | _subject(part, known))) > best for part in rivals)


def told_of(place: Place, passage: Passage) -> frozenset[str]:
    """Return the atoms of the days that a passage gives of what the place is about; of all, where it does not tell."""
    subject = frozenset(place.clause.subjects) or frozenset(place.subject.subjects)
    dated = [part for part in passage.parts if part.kinds & {"weekday", "date"}]
    best = max((len(subject & part.words) for part in dated), default=0)
    nearest = [part for part in dated if len(subject & part.words) == best]
    return frozenset(atom for part in nearest for atom in part.gives) if best else passage.gives


def _subject(part: Part, known: frozenset[str]) -> frozenset[str]:
    """Return what a part is about: its own words, or if those tell nothing, those of the clause before it."""
    return part.own if part.own & known else part.words


@dataclass(frozen=True, slots=True)
class _Hours:
    days: frozenset[str]
    times: tuple[Fact, ...]


def on_another_day(fact: Fact, inside: Sequence[Fact], asked: Sequence[Fact], passage: Passage) -> bool:
    """Whether a passage that gives times by day gives this time to other days than the draft does.

    Args:
        fact: a time of the draft.
        inside: the facts of its sentence; where no day is among them, the day is that of the question.
        asked: the facts of the question.
        passage: the passage that holds the time.
    """
    if fact.kind != "time":
        return False
    said = next((hours.days for hours in _by_day(inside) if fact in hours.times), frozenset())
    days = said or frozenset(day for other in asked[:_MOST] if other.kind == "weekday" for day in other.gives)
    groups = [hours for hours in _by_day(passage.facts) if hours.days >= days]
    if not days or not groups or any(not hours.times for hours in groups):
        return False
    return not any(_gives(hours.times, fact) for hours in groups)


def _gives(times: Iterable[Fact], fact: Fact) -> bool:
    """Whether a time is one of these, or lies in one that is a span."""
    return fact.supported_by(frozenset(atom for time in times for atom in time.gives)) or any(
        lies_within(fact, span) for span in time_spans(times)
    )


def _by_day(found: Collection[Fact]) -> list[_Hours]:
    """Group times with the days that they belong to: those before them, or in "10-2 on Mondays" those after."""
    run = [fact for fact in found if fact.kind in ("weekday", "time")][:_MOST]
    if not run:
        return []
    days_first = run[0].kind == "weekday"
    groups: list[_Hours] = []
    days: set[str] = set()
    times: list[Fact] = []
    last = ""
    for fact in run:
        if fact.kind != last and fact.kind == run[0].kind and last:
            groups.append(_Hours(frozenset(days), tuple(times)))
            days, times = set(), []
        last = fact.kind
        if fact.kind == "weekday":
            days |= fact.gives
        else:
            times.append(fact)
    groups.append(_Hours(frozenset(days), tuple(times)))
    return groups if days_first or all(group.days for group in groups) else []
