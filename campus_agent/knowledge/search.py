"""A search: which passages a query finds, how sure that is, and which of its words nobody wrote."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from campus_agent.knowledge.best_first import best_first
from campus_agent.knowledge.dates import Span, asked_span, mentions, words_of
from campus_agent.knowledge.detours import DETOUR, Detours, alike
from campus_agent.knowledge.index import Index, pieces
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.query import AskedWord, Query, QueryReader
from campus_agent.knowledge.raising import Raised, raised
from campus_agent.knowledge.synonyms import Synonyms
from campus_agent.knowledge.words import is_run_part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from campus_agent.knowledge.semantic.meaning import Meaning, Nearness

Confidence = Literal["none", "low", "high"]
Origin = Literal["title", "text", "synonym", "correction", "letters", "meaning", "whole title", "time"]

# Read off 627 questions with an answer and 600 without one, on ten question sets of five colleges.
_FOUND, _SURE = 0.33, 0.60
_JUDGED = 3  # the best passages, of which the one that matches most decides

_NOTHING = 1e-9  # of a score: what is left of it by rounding
_OF_A_TIME = 300  # the passages that are looked at where nothing but a time is asked for


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage and its score for a query; scores of different queries cannot be compared."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    Attributes:
        query: as it was asked.
        found: whether the passages are likely to be about the query; without it there are none.
        confidence: "high" from a share of 0.60, "low" from 0.33 or for a passage that is near in meaning, else "none".
        share: how much of the query one of the best three passages has, 0 to 1, each term weighed by its idf, and
            less where the passage has only a word that means the same or is nearly the same.
        corrected: words of the query that were read as others: a misspelt word -> the word that was meant, and words
            that the best passage has not -> those of its own that mean the same.
        unmatched_terms: words of the query that no passage has, also not by a word that means the same, as written.
        passages: best first.
        notes: what a person should know of how it was searched.
    """

    query: str
    found: bool
    confidence: Confidence
    share: float
    corrected: dict[str, str]
    unmatched_terms: tuple[str, ...]
    passages: tuple[ScoredPassage, ...]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the result as `kb search --json` prints it."""
        shown = ("title", "text", "source", "line")
        passages = [
            {name: getattr(scored.passage, name) for name in shown} | {"score": scored.score}
            for scored in self.passages
        ]
        values = {item.name: getattr(self, item.name) for item in dataclasses.fields(self) if item.name != "notes"}
        return values | {"unmatched_terms": list(self.unmatched_terms), "passages": passages}


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a word of a query adds to the score of a passage.

    Attributes:
        word: as it stands in the query; empty for what the whole query adds: its meaning, a title, its time.
        term: what it was looked for by.
        weight: how much the term says, its idf; the rarer, the more; 0 for what has none, such as letters.
        score: what it adds.
        origin: where it was found, or by what detour.
    """

    word: str
    term: str
    weight: float
    score: float
    origin: Origin


@dataclass(frozen=True, slots=True)
class ExplainedPassage:
    """A passage with its score, how much of the query it has (0 to 1), and what the score is the sum of."""

    passage: Passage
    score: float
    share: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A passage by its position, its score, and how far it has each term: 1, less by a detour, 0 not at all."""

    position: int
    score: float
    credits: dict[str, float]


class Searcher:
    """Finds passages; may be asked from several threads.

    Args:
        index: of the passages.
        synonyms: what else a word may be looked for by.
        meaning: of its passages, where what a query means counts beside its words.
    """

    def __init__(self, index: Index, synonyms: Synonyms, meaning: Meaning | None = None) -> None:
        self.index = index
        self.meaning = meaning
        self._reader = QueryReader(index, synonyms)
        self._detours = Detours(index)

    def search(self, query: str, k: int = 3, today: date | None = None) -> SearchResult:
        """Return the best `k` passages for `query`, and how sure it is that they are about it.

        A query that names a time prefers passages of that time; "tomorrow" and the like are known with `today` only.
        """
        asked, span = self._asked(query, today)
        near, note = self._near(query, asked)
        ranked = list(islice(self._ranked(asked, span, near), max(k, _JUDGED)))
        share = max((self._share(one) for one in ranked[:_JUDGED]), default=0.0)
        hit = near is not None and any(near.hit(one.position) for one in ranked[:_JUDGED])
        confidence: Confidence = "high" if share >= _SURE else "low" if share >= _FOUND or hit else "none"
        found = confidence != "none"
        return SearchResult(
            query=query,
            found=found,
            confidence=confidence,
            share=share,
            corrected=asked.corrected | (self._detours.called_otherwise(asked, ranked[0].position) if found else {}),
            unmatched_terms=tuple(asked.unmatched),
            passages=tuple(map(self._scored, ranked[: max(k, 0)])) if found else (),
            notes=(note,) if note else (),
        )

    def ranked(self, query: str, today: date | None = None) -> Iterator[ScoredPassage]:
        """Return every passage that shares something with `query`, best first, whether or not it is about it."""
        asked, span = self._asked(query, today)
        return map(self._scored, self._ranked(asked, span, self._near(query, asked)[0]))

    def explain(self, query: str, k: int = 3, today: date | None = None) -> list[ExplainedPassage]:
        """Return the best `k` passages, found or not, with what each word of `query` adds to their scores."""
        asked, span = self._asked(query, today)
        near, _ = self._near(query, asked)
        scores = self._by_words(asked)
        meant = self._by_meaning(asked, scores, near) if near else scores * 0
        raises = raised(scores + meant, asked, span, self.index)
        explained = []
        for one in islice(self._ranked(asked, span, near), max(k, 0)):
            lifted = raises.get(one.position, Raised())
            parts = [
                *self._contributions(asked, one.position, lifted),
                Contribution("", "", 0.0, float(meant[one.position]), "meaning"),
                Contribution("", "", 0.0, lifted.title, "whole title"),
            ]
            if span:  # where nothing else is asked for, it is all of the score
                parts.append(Contribution("", span.name, 0.0, lifted.time if asked.words else one.score, "time"))
            told = tuple(part for part in parts if part.score > _NOTHING)
            explained.append(ExplainedPassage(self.index.passages[one.position], one.score, self._share(one), told))
        return explained

    def _contributions(self, asked: Query, position: int, lifted: Raised) -> Iterator[Contribution]:
        terms = self.index.terms
        title = {self.index.words.stem(token) for token in self.index.words.tokens(self.index.passages[position].title)}
        told: set[str] = set()
        for word in asked.words:
            for term in word.terms:
                if term not in told:
                    origin: Origin = "title" if term in title else "text"
                    origin = "correction" if word.written in asked.corrected else origin
                    score = float(terms.scores([term])[position]) + lifted.terms.get(term, 0.0)
                    yield Contribution(word.written, term, self.index.weight(term), score, origin)
            told.update(word.terms)
            added = float(self._detours.added(word, terms.scores(word.terms))[position])
            if phrase := self._detours.phrase(word, position):
                weight = sum(map(self.index.weight, phrase)) / len(phrase)
                yield Contribution(word.written, " ".join(phrase), weight, added, "synonym")
            else:
                yield Contribution(word.written, " ".join(word.tokens), 0.0, added, "letters")

    def _asked(self, query: str, today: date | None) -> tuple[Query, Span | None]:
        """Return what is asked and the time that is named; without words where a time is all that is asked for."""
        span = asked_span(query, today)
        if not span or not (span.first or span.month) or span.weekday is not None:
            return self._reader.read(query), span
        asked = self._reader.read(query.replace(span.name, " "))  # "next week" is no passage about weeks
        if not asked.names:
            return Query(), span
        # A month counts beside other words where it is written out: passages may give it as "2026-12-04".
        written = span.month and any(term in self.index for term in map(self.index.words.stem, words_of(span)[:2]))
        return self._reader.read(query) if written else asked, span

    def _near(self, query: str, asked: Query) -> tuple[Nearness | None, str]:
        """Return how near the passages are in meaning to a query with its words set right, and a note for a person."""
        for written, meant in asked.corrected.items():
            query = query.replace(written, meant)
        return self.meaning.near(query) if self.meaning and asked.words else (None, "")

    def _ranked(self, asked: Query, span: Span | None, near: Nearness | None = None) -> Iterator[_Ranked]:
        """Yield what has something of the query, best first, without the passages that only repeat a better one's text.

        The same text under another title stays if the title has a word of the query that the better one has not.
        """
        if span and not asked.words:
            yield from self._of_time(span)
            return
        seen: dict[tuple[str, ...], set[str]] = {}
        for position, score in best_first(self._scores(asked, span, near)):
            passage = self.index.passages[position]
            credits = self._credits(asked, position, passage)
            matched = {term for term, credit in credits.items() if credit}
            text = tuple(self.index.words.tokens(passage.text))
            about_it = matched or (near is not None and near.cosines[position] >= near.least)
            if about_it and (text not in seen or not matched <= seen[text]):
                seen[text] = seen.get(text, set()) | matched
                yield _Ranked(position, score, credits)

    def _of_time(self, span: Span) -> Iterator[_Ranked]:
        """Yield the passages that speak of a time, in their order, which is that of their days in a calendar."""
        named = self.index.terms.scores(map(self.index.words.stem, words_of(span)))
        for position in sorted(position for position, score in islice(best_first(named), _OF_A_TIME) if score > 0):
            passage = self.index.passages[position]
            if mentions(f"{passage.title} {passage.text}", span):
                yield _Ranked(position, 1.0, {span.name: 1.0})

    def _scores(self, asked: Query, span: Span | None, near: Nearness | None) -> NDArray[Any]:
        scores = self._by_words(asked)
        if near is not None:
            scores = scores + self._by_meaning(asked, scores, near)
        for position, one in raised(scores, asked, span, self.index).items():
            scores[position] += one.total
        return scores

    def _by_words(self, asked: Query) -> NDArray[Any]:
        own = {term: self.index.terms.scores([term]) for term in asked.terms}  # one by one: each is asked for twice
        none = self.index.terms.scores([])
        scores = sum(own.values(), none)
        for word in asked.words:
            scores = scores + self._detours.added(word, sum((own[term] for term in word.terms), none))
        return scores

    def _by_meaning(self, asked: Query, by_words: NDArray[Any], near: Nearness) -> NDArray[Any]:
        lead = int(by_words.argmax())
        credits = self._credits(asked, lead, self.index.passages[lead])
        return near.added(by_words, self._share(_Ranked(lead, 0.0, credits)))

    def _share(self, one: _Ranked) -> float:
        """Return how much of what is asked a passage has, 0 to 1."""
        weights = {term: self.index.weight(term) for term in one.credits}
        return sum(weights[t] * credit for t, credit in one.credits.items()) / sum(weights.values()) if weights else 0.0

    def _scored(self, one: _Ranked) -> ScoredPassage:
        return ScoredPassage(self.index.passages[one.position], one.score)

    def _credits(self, asked: Query, position: int, passage: Passage) -> dict[str, float]:
        """Return for each term of the query how far a passage has it."""
        credits: dict[str, float] = {}
        there: set[str] | None = None
        for word in asked.words:
            found = [term for term in word.terms if self.index.terms.has(position, term)]
            detour = 0.0
            if self._has_alternative(word, position):
                detour = DETOUR
            elif not found and len(word.tokens) == 1 and not is_run_part(word.tokens[0]):
                there = self._pieces(passage) if there is None else there
                detour = DETOUR * alike(pieces(word.tokens[0]), there)
            for term in word.terms:
                credits[term] = max(credits.get(term, 0.0), 1.0 if term in found else detour)
        return credits

    def _has_alternative(self, word: AskedWord, position: int) -> bool:
        return any(all(self.index.terms.has(position, term) for term in phrase) for phrase in word.alternatives)

    def _pieces(self, passage: Passage) -> set[str]:
        tokens = set(self.index.words.tokens(f"{passage.title} {passage.text}"))
        return {piece for token in tokens for piece in pieces(token)}
