"""Reads the facts out of a text: weekdays, dates, times, numbers, rooms, names, and ways to reach somebody."""

from __future__ import annotations

from campus_agent.guardrail.fact import Fact, read
from campus_agent.guardrail.moments import MOMENTS
from campus_agent.guardrail.names import names
from campus_agent.guardrail.values import AMOUNTS, CONTACTS, without_counters


def facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of `text` in the order written; they do not overlap.

    List numbers, step counts, footnotes and file names are none. Takes time in proportion to the text.
    """
    values, rest = read(without_counters(text), (*CONTACTS, *MOMENTS, *AMOUNTS))
    return tuple(sorted([*values, *names(rest)], key=lambda found: found.start))


def equal(one: Fact, other: Fact) -> bool:
    """Whether two facts are the same value, however each is written: `5 PM` and `17:00`, `five days` and `5 day(s)`."""
    return one.kind == other.kind and one.supported_by(other.gives) and other.supported_by(one.gives)
