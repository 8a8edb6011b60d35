"""A search: which passages a query finds, how sure that is, and which of its words nobody wrote."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from campus_agent.knowledge.index import Index
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.spelling import nearest
from campus_agent.knowledge.words import Words, is_run_part

Confidence = Literal["none", "low", "high"]

# Read off 627 questions with an answer and 600 without one, on ten question sets of five colleges.
_FOUND, _SURE = 0.33, 0.60
_JUDGED = 3  # the best passages, of which the one that matches most decides


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage and its BM25 score for a query; scores of different queries cannot be compared."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    Attributes:
        query: as it was asked.
        found: whether the passages are likely to be about the query; without it there are none.
        confidence: "high" from a share of 0.60, "low" from 0.33, else "none".
        share: how much of the query one of the best three passages has, 0 to 1, each term weighed by its idf.
        corrected: words of the query that were read as others, misspelt word -> word.
        unmatched_terms: words of the query that no passage has, as they were written.
        passages: best first.
    """

    query: str
    found: bool
    confidence: Confidence
    share: float
    corrected: dict[str, str]
    unmatched_terms: tuple[str, ...]
    passages: tuple[ScoredPassage, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the result as `kb search --json` prints it."""
        shown = ("title", "text", "source", "line")
        passages = [
            {name: getattr(scored.passage, name) for name in shown} | {"score": scored.score}
            for scored in self.passages
        ]
        values = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        return values | {"unmatched_terms": list(self.unmatched_terms), "passages": passages}


@dataclass(slots=True)
class Query:
    """A query as the index understands it: its terms, each once, in the order written."""

    terms: list[str] = field(default_factory=list)
    corrected: dict[str, str] = field(default_factory=dict)
    unmatched: list[str] = field(default_factory=list)


class Searcher:
    """Finds passages; may be asked from several threads."""

    def __init__(self, passages: Sequence[Passage], words: Words) -> None:
        self._passages = passages
        self._words = words
        self._index = Index(passages, words)

    def search(self, query: str, k: int = 3) -> SearchResult:
        """Return the best `k` passages for `query`, and how sure it is that they are about it."""
        asked = self.understand(query)
        ranked = list(islice(self._distinct(asked.terms), max(k, _JUDGED)))
        share = self._share(asked.terms, [position for position, _ in ranked[:_JUDGED]])
        confidence: Confidence = "none" if share < _FOUND else "low" if share < _SURE else "high"
        found = confidence != "none"
        return SearchResult(
            query=query,
            found=found,
            confidence=confidence,
            share=share,
            corrected=asked.corrected,
            unmatched_terms=tuple(asked.unmatched),
            passages=tuple(ScoredPassage(self._passages[i], score) for i, score in ranked[: max(k, 0)] if found),
        )

    def understand(self, query: str) -> Query:
        """Return the terms of `query` that say what it is about; all of its words, when none does."""
        written = {word: self._words.tokens(word) for word in self._words.split(query)}
        content = {w: t for w, t in written.items() if any(token not in self._words.stop for token in t)}
        naming = {w: t for w, t in content.items() if not self._merely_asks(t)}
        asked = Query()
        for word, tokens in (naming or content or written).items():
            self._take_up(word, tokens, asked)
        asked.terms = list(dict.fromkeys(asked.terms))
        return asked

    def _merely_asks(self, tokens: list[str]) -> bool:
        return all(token in self._words.asking and self._words.stem(token) not in self._index for token in tokens)

    def _take_up(self, word: str, tokens: list[str], asked: Query) -> None:
        """Add a word of the query to what is asked, read as another if it is misspelt."""
        terms = [self._words.stem(token) for token in tokens]
        if not any(term in self._index for term in terms):
            meant = None
            if len(tokens) == 1 and not is_run_part(tokens[0]):
                meant = nearest(tokens[0], self._index.vocabulary, never=self._words.stop)
            if meant is None:
                if all(word.casefold() != known.casefold() for known in asked.unmatched):
                    asked.unmatched.append(word)
            else:
                asked.corrected[word] = meant
                terms = [self._words.stem(meant)]
        asked.terms.extend(terms)

    def _distinct(self, terms: list[str]) -> Iterator[tuple[int, float]]:
        """Yield position and score, best first, without the passages that only repeat a better one's text.

        The same text under another title stays if the title has a word of the query that the better one has not.
        """
        seen: dict[tuple[str, ...], set[str]] = {}
        for position, score in self._index.ranked(terms):
            text = tuple(self._words.tokens(self._passages[position].text))
            matched = set(self._index.matched(position, terms))
            if text not in seen or not matched <= seen[text]:
                seen[text] = seen.get(text, set()) | matched
                yield position, score

    def _share(self, terms: list[str], positions: list[int]) -> float:
        asked = sum(map(self._index.weight, terms))
        best = max((sum(map(self._index.weight, self._index.matched(i, terms))) for i in positions), default=0.0)
        return best / asked if asked else 0.0
