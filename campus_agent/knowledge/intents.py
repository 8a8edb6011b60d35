"""Intents of a chatbot whose questions stand in one document and whose answers in another.

A reference such as "/opening_hours" names an intent, as Rasa writes it. An answer carries the references of its intents
among its phrasings. What a reference stands for is told by a passage without a text, titled by the reference, whose
phrasings are questions, or further references.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from campus_agent.knowledge.passage import Passage

_REFERENCE = "/"
_MOST_PHRASINGS = 1_000  # of one answer


def reference(intent: str) -> str:
    """Return how an intent is referred to."""
    return f"{_REFERENCE}{intent}"


def joined(passages: Iterable[Passage]) -> list[Passage]:
    """Put what references stand for in their place, and leave out the passages that only say so."""
    given = list(passages)
    meanings: dict[str, list[str]] = {}
    for passage in given:
        if not passage.text:
            meanings.setdefault(passage.title, []).extend(passage.phrasings)
    return [_resolved(passage, meanings) for passage in given if passage.text]


def _resolved(passage: Passage, meanings: Mapping[str, Sequence[str]]) -> Passage:
    if not any(phrasing.startswith(_REFERENCE) for phrasing in passage.phrasings):
        return passage
    phrasings = islice(_questions(passage.phrasings, meanings), _MOST_PHRASINGS)
    return dataclasses.replace(passage, phrasings=tuple(dict.fromkeys(phrasings)))


def _questions(phrasings: Iterable[str], meanings: Mapping[str, Sequence[str]]) -> Iterator[str]:
    waiting, seen = deque(phrasings), set[str]()
    while waiting:
        phrasing = waiting.popleft()
        if not phrasing.startswith(_REFERENCE):
            yield phrasing
        elif phrasing not in seen:
            seen.add(phrasing)
            waiting.extend(meanings.get(phrasing, ()))
