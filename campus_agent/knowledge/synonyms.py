"""Words that mean the same on a campus, so that "dorm" finds the residence halls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files

from campus_agent.knowledge.words import Words

Phrase = tuple[str, ...]  # the stems of one or more words


class Synonyms:
    """Which phrases can stand for which; a group of them goes both ways.

    Args:
        words: how text is split into terms.
        own: those of the base, word -> others; beside the general ones, of English, German and Spanish.

    Attributes:
        vocabulary: every folded word in them, and how often it stands there.
        longest: how many stems the longest phrase has.
    """

    def __init__(self, words: Words, own: Mapping[str, Sequence[str]] | None = None) -> None:
        self._words = words
        self._others: dict[Phrase, dict[Phrase, None]] = {}
        self.vocabulary: Counter[str] = Counter()
        for word, others in (own or {}).items():
            self._add([word, *others])
        for group in _general(words.language):
            self._add(group)
        self.longest = max(map(len, self._others), default=0)

    def of(self, phrase: Phrase) -> tuple[Phrase, ...]:
        """Return the phrases that mean the same as `phrase`."""
        return tuple(self._others.get(phrase, ()))

    def _add(self, group: Iterable[str]) -> None:
        phrases = [phrase for phrase in map(self._phrase, group) if phrase]
        for phrase in phrases:
            others = self._others.setdefault(phrase, {})
            others.update(dict.fromkeys(other for other in phrases if other != phrase))

    def _phrase(self, text: str) -> Phrase:
        tokens = [token for token in self._words.tokens(text) if token not in self._words.stop]
        self.vocabulary.update(tokens)
        return tuple(map(self._words.stem, tokens))


def _general(language: str) -> Iterator[list[str]]:
    """Yield the groups of a language, none for one that has no list."""
    listed = files("campus_agent.knowledge").joinpath("same_meaning", f"{language}.txt")
    for line in listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else ():
        if line and not line.startswith("#"):
            yield line.split(",")
