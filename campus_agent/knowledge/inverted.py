"""BM25 as arrays: the scores of rank-bm25 to the last bit, from the postings of the asked terms alone.

rank-bm25 looks at every passage for every term of a query. Here each term has a list of the passages that have it, with
what it adds to the score of each, so a search costs what those lists are long. It takes over from 10,000 passages on.
"""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

K1, B = 1.5, 0.75  # the defaults of rank-bm25; Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009

Ints = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.float64]
_ARRAYS = ("offsets", "documents", "counts", "lengths", "weights")


def idf(size: int, having: int) -> float:
    """Return how much a term says that `having` of `size` passages have: Lucene's idf, which is always above zero."""
    return math.log(1 + (size - having + 0.5) / (having + 0.5))


class Inverted:
    """The postings of every term of T over N passages, P in all.

    Attributes:
        terms: each term and its number, 0 to T - 1.
        offsets: T + 1 integers; the postings of term t are those from offsets[t] to offsets[t + 1].
        documents: P integers; the passage of each posting, ascending within a term.
        counts: P integers; how often the term stands in that passage.
        lengths: N integers; how many terms each passage has.
        weights: P floats; what the term adds to the score of that passage.
    """

    def __init__(self, terms: dict[str, int], arrays: dict[str, NDArray[Any]]) -> None:
        self.terms = terms
        self.offsets: Ints = arrays["offsets"]
        self.documents: Ints = arrays["documents"]
        self.counts: Ints = arrays["counts"]
        self.lengths: Ints = arrays["lengths"]
        self.weights: Floats = arrays["weights"]

    @classmethod
    def build(cls, passages: Iterable[Iterable[str]]) -> Inverted:
        """Index passages, each given as its terms in any order, repeated as often as they stand there."""
        counted = _Counted({})
        for position, terms in enumerate(passages):
            counted.add(position, terms)
        return counted.inverted()

    def updated(self, origins: Sequence[int | None], fresh: Iterable[Iterable[str]]) -> Inverted:
        """Return the index of other passages, some of which are of this one, at the cost of those that are not.

        Args:
            origins: for each passage of the new index its position in this one, None for one that is not here.
            fresh: the terms of the passages that are not here, in their order.
        """
        counted = _Counted(dict(self.terms))
        moved = np.full(len(self.lengths), -1, dtype=np.int64)
        for position, origin in enumerate(origins):
            if origin is not None:
                moved[origin] = position
        terms = iter(fresh)
        for position, origin in enumerate(origins):
            if origin is None:
                counted.add(position, next(terms))
            else:
                counted.lengths.append(int(self.lengths[origin]))
        documents = moved[self.documents]
        kept = documents >= 0
        numbers = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        return counted.inverted(numbers[kept], documents[kept], self.counts[kept])

    def __contains__(self, term: str) -> bool:
        return self.having(term) > 0

    @property
    def size(self) -> int:
        """How many passages there are."""
        return len(self.lengths)

    def having(self, term: str) -> int:
        """Return how many passages have `term`."""
        number = self.terms.get(term)
        return 0 if number is None else int(self.offsets[number + 1] - self.offsets[number])

    def has(self, position: int, term: str) -> bool:
        """Tell whether the passage at `position` has `term`."""
        documents = self.documents[self._postings(term)]
        place = int(np.searchsorted(documents, position))
        return place < len(documents) and int(documents[place]) == position

    def scores(self, terms: Iterable[str]) -> Floats:
        """Return the BM25 score of each of the N passages; a term that is given twice counts twice."""
        scores = np.zeros(self.size)
        for term in terms:
            postings = self._postings(term)
            scores[self.documents[postings]] += self.weights[postings]
        return scores

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, which exists; raises `OSError`."""
        (folder / "terms.json").write_text(json.dumps(list(self.terms)), encoding="utf-8")
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> Inverted:
        """Map what `save` wrote; raises `OSError` or `ValueError` when it is not there or does not fit together."""
        terms: list[str] = json.loads((folder / "terms.json").read_bytes())
        arrays = {
            name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)) for name in _ARRAYS
        }
        postings = {len(arrays[name]) for name in ("documents", "counts", "weights")}
        if len(arrays["offsets"]) != len(terms) + 1 or postings != {int(arrays["offsets"][-1])}:
            raise ValueError("the parts of the index do not fit together")
        return cls({term: number for number, term in enumerate(terms)}, arrays)

    def _postings(self, term: str) -> slice:
        number = self.terms.get(term)
        return slice(0, 0) if number is None else slice(int(self.offsets[number]), int(self.offsets[number + 1]))


class _Counted:
    """How often each term stands in each passage, as it is counted; passages are added in their order."""

    def __init__(self, terms: dict[str, int]) -> None:
        self.terms = terms
        self.lengths = array("i")
        self._numbers, self._documents, self._counts = array("i"), array("i"), array("i")

    def add(self, position: int, terms: Iterable[str]) -> None:
        frequencies = Counter(terms)
        self.lengths.append(frequencies.total())
        self._numbers.extend([self.terms.setdefault(term, len(self.terms)) for term in frequencies])
        self._documents.extend([position] * len(frequencies))
        self._counts.extend(frequencies.values())

    def inverted(self, *earlier: Ints) -> Inverted:
        """Sort the postings by term and weigh them; `earlier` are numbers, documents and counts from another index."""
        columns = [np.asarray(column, dtype=np.int32) for column in (self._numbers, self._documents, self._counts)]
        if earlier:
            columns = [np.concatenate([old, new]) for old, new in zip(earlier, columns, strict=True)]
        numbers, documents, counts = columns
        # One key, sorted stably: what is taken over from another index is in order already, which makes it quick.
        order = np.argsort(numbers.astype(np.int64) * len(self.lengths) + documents, kind="stable")
        numbers, documents, counts = numbers[order], documents[order], counts[order]
        having = np.bincount(numbers, minlength=len(self.terms))
        lengths = np.asarray(self.lengths, dtype=np.int32)
        average = int(lengths.sum(dtype=np.int64)) / max(1, len(lengths))
        says = np.array([idf(len(lengths), int(count)) for count in having])
        share = 1 - B + B * lengths[documents] / (average or 1)
        weights = says[numbers] * (counts * (K1 + 1) / (counts + K1 * share))
        offsets = np.concatenate([[0], np.cumsum(having)])
        narrow = {"documents": documents.astype(np.int32), "counts": counts.astype(np.int32)}
        return Inverted(self.terms, {"offsets": offsets, "lengths": lengths, "weights": weights, **narrow})
