"""What a misspelt word of a query was meant to be."""

from __future__ import annotations

from collections.abc import Mapping, Set

_SHORTEST = 4  # shorter words have too many neighbours
_SHORTENED = 5  # characters up to which a word that others begin with is a short form: "grad", no slip for "grade"
_LONG = 8  # characters from which two slips are forgiven instead of one


def nearest(word: str, vocabulary: Mapping[str, int], *, never: Set[str] = frozenset()) -> str | None:
    """Return the word of `vocabulary` that `word` was most likely meant to be, None when there is none near enough.

    A slip is a letter added, left out, changed, or swapped with the next. Of words that are equally near, the
    commonest is meant, then the first of the alphabet. A word with a digit is no misspelling, and neither is a short
    one that a word of the vocabulary begins with, unless only its last letter should be doubled.

    Args:
        word: a folded word that the vocabulary does not have.
        vocabulary: folded words, and how often each occurs.
        never: words that are not to be taken as meant.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) < _SHORTEST or not word.isalpha():
        return None
    if len(word) <= _SHORTENED and any(one.startswith(word) and one != word + word[-1] for one in vocabulary):
        return None
    near = process.extract(word, vocabulary.keys(), scorer=OSA.distance, score_cutoff=_slips(word, word), limit=None)
    candidates = [
        (distance, -vocabulary[meant], meant)
        for meant, distance, _ in near
        if len(meant) >= _SHORTEST and meant.isalpha() and meant not in never and distance <= _slips(word, meant)
    ]
    return min(candidates)[2] if candidates else None


def _slips(word: str, meant: str) -> int:
    """Return how many slips may lie between two words; the shorter one decides, lest "thursday" becomes "tuesday"."""
    return 2 if min(len(word), len(meant)) >= _LONG else 1
