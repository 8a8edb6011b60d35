"""Tells for what each a value is given: 200 pages per semester are not 200 a month, and $15 is not $15 a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.words import fold, listed_stems, stem

_KINDS = ("number", "money", "percent")
# How many values of a passage are looked at.
_MOST = 200


def of_another_rate(fact: Fact, text: str, passage: Passage, passages: Sequence[Passage], language: str) -> bool:
    """Whether `text` gives a value for each of something for which the passage that holds the value does not.

    The passage gives it for each of something else or, where it does not say for what, never speaks of the thing, and
    nor does another row of its table among `passages`.
    """
    rate = _rate(text, fact, language) if fact.kind in _KINDS else ""
    holding = [one for one in passage.facts[:_MOST] if one.kind == fact.kind and fact.supported_by(one.gives)]
    if not rate or not holding or rate in listed_stems("people", language) | listed_stems("per_head", language):
        return False
    given = [_rate(passage.text, one, language) for one in holding]
    if rate in given or (given and all(given)):
        return rate not in given
    rows = [one for one in passages if passage.label and one.label and one.source.source == passage.source.source]
    return all(rate not in {_sort(word, language) for word in one.plain.split()} for one in (passage, *rows))


def _rate(text: str, fact: Fact, language: str) -> str:
    """Return for each of what a text gives a value, as one word for all of a sort; "" where it does not say."""
    found = lexicon(language).pattern("for_each").match(text, fact.end)
    return _sort(fold(next(filter(None, found.groups()))), language) if found else ""


def _sort(word: str, language: str) -> str:
    """Return the first of the words that mean the same: of `annual` that is `year`."""
    cut = stem(word, language)
    return _sorts(language).get(cut, cut)


@cache
def _sorts(language: str) -> Mapping[str, str]:
    lines = [line.split() for line in lexicon(language).listed("per")]
    return {stem(fold(word), language): stem(fold(line[0]), language) for line in lines for word in line}
