"""The words of all passages, weighed: what a search asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from campus_agent.knowledge.bounds import Stop, unless
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.words import Words, is_run_part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from campus_agent.knowledge.inverted import Inverted

LARGE = 10_000  # passages, up to which rank-bm25 answers in some milliseconds
_TITLE_WEIGHT = 2  # a word of the title counts as often as this many of the text
_LETTERS = 4  # the length of the pieces that words are cut into, a space before and after


class Terms(Protocol):
    """BM25 over passages by their terms, with an idf that is above zero, so that a match always scores."""

    def having(self, term: str) -> int:
        """Return how many passages have `term`."""
        ...

    def has(self, position: int, term: str) -> bool:
        """Tell whether the passage at `position` has `term`."""
        ...

    def scores(self, terms: Iterable[str]) -> NDArray[Any]:
        """Return the score of each passage."""
        ...


class RankBM25:
    """rank-bm25, with another idf.

    The package's own is `ln((N - df + .5) / (df + .5))`, which is zero for a term in half of all passages and negative
    for a commoner one, so that in a small base the passage that fits ranks below one that does not. It is replaced by
    `ln(1 + (N - df + .5) / (df + .5))`, that of Lucene.
    """

    def __init__(self, passages: list[list[str]]) -> None:
        from rank_bm25 import BM25Okapi

        from campus_agent.knowledge.inverted import idf

        # The package divides by the number of words, so a base without any is given one that no query can hold.
        self._size = len(passages)
        self._bm25 = BM25Okapi(passages if any(passages) else [[" "]] * max(1, len(passages)))
        self._having = Counter(term for frequencies in self._bm25.doc_freqs for term in frequencies)
        self._bm25.idf = {term: idf(len(passages), count) for term, count in self._having.items()}

    def having(self, term: str) -> int:
        """Return how many passages have `term`."""
        return self._having[term]

    def has(self, position: int, term: str) -> bool:
        """Tell whether the passage at `position` has `term`."""
        return term in self._bm25.doc_freqs[position]

    def scores(self, terms: Iterable[str]) -> NDArray[Any]:
        """Return the score of each passage."""
        scores: NDArray[Any] = self._bm25.get_scores([term for term in terms if self._having[term]])
        return scores[: self._size]


class Index:
    """BM25 over passages, by their stems, and in a base that is not large by the letters of their words too.

    The letters find what stems keep apart, such as "apply" and "application", and compounds.

    Attributes:
        passages: what is searched.
        words: how text is split into terms.
        vocabulary: every folded word of the passages, and how often it stands there.
    """

    def __init__(self, passages: Sequence[Passage], words: Words, terms: Terms, vocabulary: Counter[str]) -> None:
        self.passages = passages
        self.words = words
        self.terms = terms
        self.vocabulary = vocabulary

    @classmethod
    def build(cls, passages: Sequence[Passage], words: Words, stop: Stop | None = None) -> Index:
        """Take up all passages; raise `LoadingStopped` when `stop` says so."""
        vocabulary: Counter[str] = Counter()
        taken = (_terms(passage, words, vocabulary) for passage in unless(stop, passages))
        if len(passages) <= LARGE:
            return cls(passages, words, RankBM25(list(taken)), vocabulary)

        from campus_agent.knowledge.inverted import Inverted

        return cls(passages, words, Inverted.build(taken), vocabulary)

    def updated(self, passages: Sequence[Passage]) -> Index:
        """Return the index of other passages; of a large one only what is new is taken up."""
        from campus_agent.knowledge.inverted import Inverted

        if not isinstance(self.terms, Inverted) or len(passages) <= LARGE:
            return Index.build(passages, self.words)
        known = {passage: position for position, passage in enumerate(self.passages)}
        origins = [known.pop(passage, None) for passage in passages]
        vocabulary = self.vocabulary.copy()
        for passage in known:  # what is left is not among the others
            for tokens in _tokens(passage, self.words):
                vocabulary.subtract(tokens)
        fresh = (passage for passage, origin in zip(passages, origins, strict=True) if origin is None)
        taken = (_terms(passage, self.words, vocabulary) for passage in fresh)
        return Index(passages, self.words, self.terms.updated(origins, taken), +vocabulary)

    def inverted(self) -> tuple[Inverted, Inverted | None]:
        """Return the postings of all terms, and those of the letters of words: None in a large base."""
        from campus_agent.knowledge.inverted import Inverted

        letters = self._letters if isinstance(self._letters, Inverted) else None
        if isinstance(self.terms, Inverted):
            return self.terms, letters
        unused: Counter[str] = Counter()
        return Inverted.build(_terms(passage, self.words, unused) for passage in self.passages), letters

    def __contains__(self, term: str) -> bool:
        return self.terms.having(term) > 0

    def weight(self, term: str) -> float:
        """Return how much `term` says of what is asked: its idf, for an unknown term that of one that no passage has.

        A pair of characters that is unknown straddles two words as often as not, and weighs half.
        """
        from campus_agent.knowledge.inverted import idf

        having = self.terms.having(term)
        return idf(len(self.passages), having) / (1 if having or not is_run_part(term) else 2)

    def letter_scores(self, tokens: Iterable[str]) -> NDArray[Any] | None:
        """Return for each passage how well it fits `tokens` by their letters, as a BM25 score; None in a large base."""
        if self._letters is None:
            return None
        return self._letters.scores(dict.fromkeys(piece for token in tokens for piece in pieces(token)))

    @cached_property
    def _letters(self) -> Terms | None:
        if len(self.passages) > LARGE:
            return None
        from campus_agent.knowledge.inverted import Inverted

        cut: dict[str, list[str]] = {}

        def letters(passage: Passage) -> Iterator[str]:
            title, rest = _tokens(passage, self.words)
            for token in title * _TITLE_WEIGHT + rest:
                if token not in self.words.stop:
                    yield from cut.get(token) or cut.setdefault(token, pieces(token))

        return Inverted.build(map(letters, self.passages))


def _terms(passage: Passage, words: Words, vocabulary: Counter[str]) -> list[str]:
    """Return the terms of a passage, those of the title as often as they count; its words go into `vocabulary`."""
    title, rest = _tokens(passage, words)
    vocabulary.update(title)
    vocabulary.update(rest)
    return [words.stem(token) for token in title * _TITLE_WEIGHT + rest]


def _tokens(passage: Passage, words: Words) -> tuple[list[str], list[str]]:
    """Return the words of a passage's title, and its others."""
    return words.tokens(passage.title), words.tokens(" ".join((passage.text, *passage.phrasings)))


def pieces(token: str) -> list[str]:
    """Cut a word into overlapping pieces of four characters, a space before and after it being two of them."""
    spaced = f" {token} "
    return [spaced[i : i + _LETTERS] for i in range(max(1, len(spaced) - _LETTERS + 1))]
