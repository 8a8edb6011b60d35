"""The words of all passages, weighed: what a search asks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.words import Words, is_run_part

_TITLE_WEIGHT = 2  # a word of the title counts as often as this many of the text


class Index:
    """BM25 over passages, by rank-bm25, with an idf that is never zero or negative.

    The package's own idf is `ln((N - df + .5) / (df + .5))`, which is zero for a term in half of all passages and
    negative for a commoner one, so that in a small base the passage that fits ranks below one that does not. It is
    replaced by `ln(1 + (N - df + .5) / (df + .5))`, that of Lucene.

    Attributes:
        words: how text is split into terms.
        vocabulary: every folded word of the passages, and how often it stands there.
    """

    def __init__(self, passages: Sequence[Passage], words: Words) -> None:
        self.words = words
        self.vocabulary: Counter[str] = Counter()
        self._size = len(passages)
        documents = [[words.stem(token) for token in self._tokens(passage)] for passage in passages]
        self._bm25 = None
        if any(documents):  # the package divides by the number of words
            from rank_bm25 import BM25Okapi

            self._bm25 = BM25Okapi(documents)
            having = Counter(term for frequencies in self._bm25.doc_freqs for term in frequencies)
            self._bm25.idf = {term: self._idf(count) for term, count in having.items()}

    def __contains__(self, term: str) -> bool:
        return self._bm25 is not None and term in self._bm25.idf

    def weight(self, term: str) -> float:
        """Return how much `term` says of what is asked: its idf, for an unknown term that of one that no passage has.

        A pair of characters that is unknown straddles two words as often as not, and weighs half.
        """
        if self._bm25 is not None and term in self._bm25.idf:
            return float(self._bm25.idf[term])
        return self._idf(0) / (2 if is_run_part(term) else 1)

    def ranked(self, terms: Iterable[str]) -> list[tuple[int, float]]:
        """Return position and score of every passage that has one of `terms`, best first, equal ones in their order."""
        wanted = list(dict.fromkeys(terms))
        if self._bm25 is None or not wanted:
            return []
        scores = self._bm25.get_scores(wanted)
        matching = [i for i in range(self._size) if self.matched(i, wanted)]
        return [(i, float(scores[i])) for i in sorted(matching, key=lambda i: (-scores[i], i))]

    def matched(self, position: int, terms: Iterable[str]) -> list[str]:
        """Return those of `terms` that the passage at `position` has."""
        return [] if self._bm25 is None else [term for term in terms if term in self._bm25.doc_freqs[position]]

    def _tokens(self, passage: Passage) -> list[str]:
        title, text = self.words.tokens(passage.title), self.words.tokens(passage.text)
        phrasings = self.words.tokens(" ".join(passage.phrasings))
        self.vocabulary.update([*title, *text, *phrasings])
        return title * _TITLE_WEIGHT + text + phrasings

    def _idf(self, having: int) -> float:
        return math.log(1 + (self._size - having + 0.5) / (having + 0.5))
