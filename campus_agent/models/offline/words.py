"""Words, and when two of them count as the same: by the rules of the search, so that both agree."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from campus_agent.knowledge.words import Words, fold

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = re.compile("[\u2018\u2019\u02bc`]")


def words(text: str) -> list[str]:
    """Return the words and numbers of `text` as they are written, in order."""
    return _WORD.findall(_APOSTROPHES.sub("'", text))


@lru_cache(maxsize=20_000)  # a stem costs far more than all else that is done with a word
def stem(word: str) -> str:
    """Return what a word shares with its other forms: `meet` of `meets` and `Meeting`."""
    return Words("english").stem(fold(word))


def stems(many: Iterable[str]) -> frozenset[str]:
    """Return the stems of some words."""
    return frozenset(stem(word) for word in many)


def stem_set(text: str) -> frozenset[str]:
    """Return the stems of the words of `text`, and of each two neighbours written as one (`wi-fi` is `wifi`)."""
    single = words(text)
    return stems([*single, *(one + two for one, two in pairwise(single))])
