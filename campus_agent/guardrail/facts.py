"""Reads the facts out of a text: weekdays, dates, times, numbers, rooms, names, and ways to reach somebody."""

from __future__ import annotations

from campus_agent.guardrail.fact import Fact, blank, read
from campus_agent.guardrail.moments import MOMENTS
from campus_agent.guardrail.names import names
from campus_agent.guardrail.places import places
from campus_agent.guardrail.relative import HOW_OFTEN, RELATIVE_DAYS
from campus_agent.guardrail.values import AMOUNTS, CONTACTS, without_counters


def facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of `text` in the order written; they do not overlap.

    List numbers, step counts, footnotes and file names are none. Takes time in proportion to the text.
    """
    values, rest = read(without_counters(text), (*CONTACTS, *HOW_OFTEN, *MOMENTS, *RELATIVE_DAYS, *AMOUNTS))
    named = list(names(rest))
    placed = places(blank(rest, ((name.start, name.end) for name in named)))
    return tuple(sorted([*values, *named, *placed], key=lambda found: found.start))


def equal(one: Fact, other: Fact) -> bool:
    """Whether two facts are the same value, however each is written: `5 PM` and `17:00`, `five days` and `5 day(s)`."""
    return one.kind == other.kind and one.supported_by(other.gives) and other.supported_by(one.gives)
