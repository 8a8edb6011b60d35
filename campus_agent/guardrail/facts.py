"""Reads the facts out of a text: weekdays, dates, times, numbers, rooms, names, and ways to reach somebody."""

from __future__ import annotations

from functools import cache

from campus_agent.guardrail.contacts import contacts, without_counters
from campus_agent.guardrail.elided import with_units
from campus_agent.guardrail.fact import Fact, Rule, blank, read
from campus_agent.guardrail.lexicon import ENGLISH, without_lookalikes
from campus_agent.guardrail.moments import moments
from campus_agent.guardrail.names import names
from campus_agent.guardrail.places import places
from campus_agent.guardrail.relative import how_often, relative_days
from campus_agent.guardrail.values import amounts


def facts(text: str, language: str = ENGLISH) -> tuple[Fact, ...]:
    """Return the facts of `text` in the order written; they do not overlap.

    List numbers, step counts, footnotes and file names are none. Takes time in proportion to the text. `language` is
    one that the guardrail has the words of.
    """
    text = without_lookalikes(text)
    values, rest = read(without_counters(text, language), _rules(language))
    named = list(names(rest, language))
    placed = places(blank(rest, ((name.start, name.end) for name in named)), language)
    return tuple(with_units(text, sorted([*values, *named, *placed], key=lambda found: found.start), language))


@cache
def _rules(language: str) -> tuple[Rule, ...]:
    """Return every rule in the order in which they read; relative days come after the days that they may only name."""
    return (*contacts(language), *how_often(language), *moments(language), *relative_days(language), *amounts(language))


def equal(one: Fact, other: Fact) -> bool:
    """Whether two facts are the same value, however each is written: `5 PM` and `17:00`, `five days` and `5 day(s)`."""
    return one.kind == other.kind and one.supported_by(other.gives) and other.supported_by(one.gives)
