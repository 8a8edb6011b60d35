"""A query as an index understands it: which of its words count, and what each is looked for by."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files

from campus_agent.knowledge.index import Index
from campus_agent.knowledge.language import asked_in
from campus_agent.knowledge.spelling import nearest
from campus_agent.knowledge.stop_words import stop_words
from campus_agent.knowledge.synonyms import Phrase, Synonyms
from campus_agent.knowledge.words import is_run_part

_LONG = 6  # letters from which a word that asks is known when it is misspelt; shorter ones have too many neighbours


@dataclass(slots=True)
class AskedWord:
    """A word of a query.

    Attributes:
        written: as it stands in the query.
        tokens: the same folded, set right if it is misspelt; several for a word of a script without spaces.
        terms: the stems that it is looked for by.
        alternatives: phrases of the base that mean the same.
        parts: how many words of the query the alternatives stand for.
    """

    written: str
    tokens: list[str]
    terms: tuple[str, ...]
    alternatives: tuple[Phrase, ...] = ()
    parts: int = 1


@dataclass(slots=True)
class Query:
    """What is asked.

    Attributes:
        words: those that say what it is about, in the order written.
        corrected: words that were read as others, misspelt word -> word.
        unmatched: words that neither the base has nor another word that means the same.
        names: whether any of the words names a thing, rather than merely asks.
    """

    words: list[AskedWord] = field(default_factory=list)
    corrected: dict[str, str] = field(default_factory=dict)
    unmatched: list[str] = field(default_factory=list)
    names: bool = False

    @property
    def tokens(self) -> list[str]:
        """The folded words, misspelt ones set right."""
        return [token for word in self.words for token in word.tokens]

    @property
    def terms(self) -> list[str]:
        """All terms, each once."""
        return list(dict.fromkeys(term for word in self.words for term in word.terms))


class QueryReader:
    """Reads queries against one index."""

    def __init__(self, index: Index, synonyms: Synonyms) -> None:
        self._index = index
        self._words = index.words
        self._synonyms = synonyms
        everyday = everyday_words() if self._words.language == "english" else frozenset()
        self._never_misspelt = self._words.stop | everyday
        # Without a list of everyday words many a one is near to a short word that asks: "reden" was not meant to be
        # "jeden", nor "casa" to be "cada".
        asking = set() if everyday else {word for word in self._words.asking if len(word) < _LONG}
        self._never_meant = self._words.stop | asking

    def read(self, query: str) -> Query:
        """Return the words of `query` that say what it is about; all of its words, when none does."""
        written = {word: self._words.tokens(word) for word in self._words.split(query)}
        # A base may hold documents of other languages, whose questions are made of their own small words.
        stop = self._words.stop | stop_words(asked_in(query, self._words.language))
        content = {w: t for w, t in written.items() if any(token not in stop for token in t)}
        naming = {w: t for w, t in content.items() if not self._merely_asks(t)}
        chosen = naming or content or written
        asked = Query(names=bool(naming))
        asked.words = [AskedWord(w, tokens, tuple(map(self._words.stem, tokens))) for w, tokens in chosen.items()]
        self._look_for_synonyms(asked.words)
        for word in asked.words:
            self._take_up(word, asked)
        return asked

    def _merely_asks(self, tokens: list[str]) -> bool:
        return all(self._asks(token) and self._words.stem(token) not in self._index for token in tokens)

    def _asks(self, token: str) -> bool:
        """Tell whether a word only asks for a value, also when it is a long one that is misspelt: "tomorow"."""
        if token in self._words.asking or len(token) < _LONG or token in self._never_misspelt:
            return token in self._words.asking
        if token in self._index.vocabulary or self._meant([token]):
            return False
        return nearest(token, {word: 1 for word in self._words.asking if len(word) >= _LONG}) is not None

    def _look_for_synonyms(self, words: list[AskedWord]) -> None:
        """Give each word what else the base may call it; of phrases that overlap the longest counts."""
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + self._synonyms.longest), start, -1):
                known = self._known(tuple(term for word in words[start:end] for term in word.terms))
                if known:
                    for word in words[start:end]:
                        word.alternatives, word.parts = known, end - start
                    start = end - 1
                    break
            start += 1

    def _known(self, phrase: Phrase) -> tuple[Phrase, ...]:
        """Return the phrases that mean the same and that the base has the words of."""
        return tuple(p for p in self._synonyms.of(phrase) if all(term in self._index for term in p))

    def _take_up(self, word: AskedWord, asked: Query) -> None:
        """Note of a word that the base has not what it was meant to be, or that it is missing."""
        if word.alternatives or any(term in self._index for term in word.terms):
            return
        meant = self._meant(word.tokens)
        if meant is not None:
            asked.corrected[word.written] = meant
            word.tokens, word.terms = [meant], (self._words.stem(meant),)
            word.alternatives = () if word.terms[0] in self._index else self._known(word.terms)
        elif all(word.written.casefold() != known.casefold() for known in asked.unmatched):
            asked.unmatched.append(word.written)

    def _meant(self, tokens: list[str]) -> str | None:
        """Return what a misspelt word was meant to be: a word of the base, else one that means the same as one."""
        if len(tokens) != 1 or is_run_part(tokens[0]) or tokens[0] in self._never_misspelt:
            return None
        meant = nearest(tokens[0], self._index.vocabulary, never=self._never_meant)
        if meant is None:
            meant = nearest(tokens[0], self._synonyms.vocabulary, never=self._never_meant)
            term = self._words.stem(meant) if meant else ""
            return meant if meant and (term in self._index or self._known((term,))) else None
        return meant


def everyday_words() -> frozenset[str]:
    """Return common English words: where a base has none of them, they are still not misspelt ones of the base."""
    text = files("campus_agent.knowledge").joinpath("everyday_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())
