"""By what else than itself a word of a query is found: other words that mean the same, and its letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from campus_agent.knowledge.index import Index, pieces
from campus_agent.knowledge.query import AskedWord
from campus_agent.knowledge.synonyms import Phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

DETOUR = 0.7  # what a word that means the same, or is nearly spelt the same, counts beside the word itself


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
