"""By what else than itself a word of a query is found: other words that mean the same, and its letters."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any

from campus_agent.knowledge.index import Index, pieces
from campus_agent.knowledge.query import AskedWord, Query
from campus_agent.knowledge.synonyms import Phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

DETOUR = 0.7  # what a word that means the same, or is nearly spelt the same, counts beside the word itself
_ALIKE = 0.3  # the part of a word's letters that must be there for it to be nearly spelt the same


class Detours:
    """What a word adds to the scores of passages that may not have it as it was asked.

    Where a passage has the word itself, a detour adds only what it is better by. Otherwise a word that the passages
    spell as it was asked would count twice, by its letters too, and one that they call otherwise once.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    def added(self, word: AskedWord, own: NDArray[Any]) -> NDArray[Any]:
        """Return what is added to the score of each passage, where `own` is what the word itself scores."""
        import numpy as np

        others = np.maximum(self._by_synonyms(word), self._by_letters(word))
        added: NDArray[Any] = np.maximum(0, DETOUR * others - own)
        return added

    def phrase(self, word: AskedWord, position: int) -> Phrase:
        """Return the phrase that means the same and adds the most to a passage; empty where its letters do."""
        if self._by_synonyms(word)[position] <= self._by_letters(word)[position]:
            return ()
        return max(word.alternatives, key=lambda phrase: float(self._of_phrase(phrase)[position]))

    def called_otherwise(self, asked: Query, position: int) -> dict[str, str]:
        """Return the words of the query for which a passage has only others, "dorms" -> "residence halls"."""
        passage = self._index.passages[position]
        tokens = self._index.words.tokens(f"{passage.title} {passage.text}")
        stems = {self._index.words.stem(token): token for token in tokens}
        others: dict[str, list[str]] = {}
        for word in asked.words:
            missing = not any(term in stems for term in word.terms)
            phrase = self.phrase(word, position) if missing and word.alternatives else ()
            if phrase and all(term in stems for term in phrase):
                others.setdefault(" ".join(stems[term] for term in phrase), []).append(word.written)
        return {" ".join(written): meant for meant, written in others.items()}

    def _by_synonyms(self, word: AskedWord) -> NDArray[Any]:
        import numpy as np

        scores = [self._of_phrase(phrase) for phrase in word.alternatives]
        best: NDArray[Any] = np.max(scores, axis=0) if scores else np.zeros(len(self._index.passages))
        return best / word.parts

    def _of_phrase(self, phrase: Sequence[str]) -> NDArray[Any]:
        """Return the mean score of the terms of a phrase, zero for a passage that has not all of them."""
        import numpy as np

        scores = [self._index.terms.scores([term]) for term in phrase]
        mean: NDArray[Any] = np.where(np.min(scores, axis=0) > 0, np.mean(scores, axis=0), 0.0)
        return mean

    def _by_letters(self, word: AskedWord) -> NDArray[Any]:
        """Return the mean score of the pieces of a word, so that a long word counts no more than a short one."""
        import numpy as np

        scores = self._index.letter_scores(word.tokens)
        cut = {piece for token in word.tokens for piece in pieces(token)}
        return np.zeros(len(self._index.passages)) if scores is None else scores / max(len(cut), 1)


def alike(wanted: Sequence[str], there: Set[str]) -> float:
    """Return which part of a word's pieces is there, zero when that is too little to be nearly the same."""
    part = sum(piece in there for piece in wanted) / len(wanted)
    return part if part >= _ALIKE else 0.0
