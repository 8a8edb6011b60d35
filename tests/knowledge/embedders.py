"""Embedders for tests: one that knows what some words mean, and what a search is to make of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.semantic.embedder import EmbeddingFailed, Kind, to_length_one

MEANINGS = (
    ("nurse", "ill", "sick"),
    ("bicycle", "cycle", "bike"),
    ("dance", "waltz", "ballroom"),
    ("organ", "pipes"),
)
NURSE = "The nurse of Finch House is in room 12 on weekday mornings."
STANDS = "The bicycle stands of the college are behind the north gate."
DANCE = "The dance course of the union is in the hall on Friday."
PASSAGES = (NURSE, STANDS, DANCE)


class WordsWithMeaning:
    """Has a dimension for each meaning and some for words that have none of these, and remembers what it was asked."""

    batch = 2

    def __init__(self, name: str = "made up") -> None:
        self.name = name
        self.asked: list[tuple[Kind, str]] = []
        self.failure: Exception | None = None

    def warm(self) -> None:
        pass

    def embed(self, texts: Sequence[str], kind: Kind) -> Any:
        if self.failure:
            raise self.failure
        assert len(texts) <= self.batch
        self.asked += [(kind, text) for text in texts]
        return to_length_one(np.array([self._vector(text) for text in texts], np.float32))

    def asked_about(self, kind: Kind) -> list[str]:
        return [text for was, text in self.asked if was == kind]

    def _vector(self, text: str) -> list[float]:
        words = text.lower().replace("?", "").replace(".", "").split()
        known = [float(sum(word in meaning for word in words)) for meaning in MEANINGS]
        others = [0.0] * 60
        for word in words:
            others[crc32(word.encode()) % len(others)] += 0.1
        return [*known, *others]


def base(embedder: Any, *texts: str) -> KnowledgeBase:
    passages = [Passage("", text, "facts.md", n) for n, text in enumerate(texts or PASSAGES, 1)]
    made = KnowledgeBase("test", passages)
    made.understand(embedder)
    return made


def broken() -> EmbeddingFailed:
    return EmbeddingFailed("The server is asleep.", "It is night.", "Wake it up.")
