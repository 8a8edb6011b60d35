"""Tells which times of day belong to which weekdays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact

# How many days and times of a text are looked at.
_MOST = 40
# Weekdays, and the times that are given of them.
DayTimes = tuple[frozenset[str], tuple[Fact, ...]]


def timetable(cut: Iterable[Sentence], read: Iterable[Fact]) -> Iterator[DayTimes]:
    """Yield days with their times, sentence by sentence; times in a sentence of their own belong to those before."""
    moments = [fact for fact in read if fact.kind in ("weekday", "time")]
    run: list[Fact] = []
    for sentence in cut:
        inside = [fact for fact in moments if sentence.start <= fact.start < sentence.end]
        if any(fact.kind == "weekday" for fact in inside):
            yield from by_day(run)
            run = []
        run += inside
    yield from by_day(run)


def by_day(found: Iterable[Fact]) -> list[tuple[frozenset[str], tuple[Fact, ...]]]:
    """Group times with the days that they belong to: those before them, or in "10-2 on Mondays" those after.

    Returns the weekdays and the times of each group; none where times stand without a day.
    """
    run = [fact for fact in found if fact.kind in ("weekday", "time")][:_MOST]
    if not run:
        return []
    groups: list[tuple[frozenset[str], tuple[Fact, ...]]] = []
    days, times = frozenset[str](), tuple[Fact, ...]()
    last = ""
    for fact in run:
        if fact.kind != last and fact.kind == run[0].kind and last:
            groups.append((days, times))
            days, times = frozenset(), ()
        last = fact.kind
        if fact.kind == "weekday":
            days |= fact.gives
        else:
            times = (*times, fact)
    groups.append((days, times))
    return groups if run[0].kind == "weekday" or all(days for days, _ in groups) else []
