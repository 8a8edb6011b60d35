"""How near the passages of a base are to a question in what they mean, beside the words that they share."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from campus_agent.daemon_threads import DaemonThreads
from campus_agent.errors import described
from campus_agent.knowledge.language import likely_language
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.semantic.embedder import Embedder, EmbeddingFailed, Kind
from campus_agent.knowledge.semantic.store import VectorStore, key_of
from campus_agent.text import one_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The nearest passage counts this much beside the best one by words; read off five sets of questions with answers.
_WEIGHT = 0.5
_WEIGHT_ELSEWHERE = 0.2  # in a base that is not in English, which most models know best and some alone
_NEAREST = 10  # passages that are looked at although no word of the question is in them
_LEAST_SHARE = 0.1  # the words count by the share of the question that they cover, and never less than this
_BEYOND = 2.5  # standard deviations above the mean of what everyday questions come near to
_PATIENCE = 5.0  # seconds for the passages of a base, which is waited for once
_PAUSE = 60.0  # seconds for which what failed is left alone

_STILL_READING = "The passages are still being read for the search by meaning; until that is done it goes by words."


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near each passage is to a question.

    Attributes:
        cosines: one for each passage, in their order, -1 to 1.
        floor: above which a passage is about what is asked, also when it shares no word with it.
        least: from where on a passage is one of the nearest, and is looked at also without such a word.
        weight: what the nearest counts beside the best by words.
    """

    cosines: NDArray[Any]
    floor: float
    least: float
    weight: float

    def hit(self, position: int) -> bool:
        """Tell whether a passage is about what is asked, by its meaning alone."""
        return bool(self.cosines[position] > self.floor)

    def added(self, by_words: NDArray[Any], share: float) -> NDArray[Any]:
        """Return what is added to the scores by words, so that their sum ranks as `share * words + weight * meaning`.

        Both parts are divided by their greatest value, as bounded scores can be added. `share` is that of the question
        which the best passage by words has: when it has little of it, being the best says little.
        """
        import numpy as np

        candidates = np.where((by_words > 0) | (self.cosines >= self.least), np.maximum(self.cosines, 0.0), 0.0)
        nearest = float(candidates.max(initial=0.0))
        if not nearest:
            return candidates
        best = float(by_words.max()) or 1.0
        added: NDArray[Any] = candidates * (self.weight * best / (nearest * max(share, _LEAST_SHARE)))
        return added


@dataclass
class Outage:
    """What does not work at present is left alone for a while, and that is said once."""

    until: float = 0.0
    told: set[str] = field(default_factory=set)

    @property
    def lasts(self) -> bool:
        """Whether it is too early to try again."""
        return time.monotonic() < self.until

    def begin(self) -> None:
        """Leave it alone from now on, for a while."""
        self.until = time.monotonic() + _PAUSE

    def once(self, note: str) -> str:
        """Return a note for the first time, then nothing until `over`."""
        if note in self.told:
            return ""
        self.told.add(note)
        return note

    def over(self) -> None:
        """It works again."""
        self.until = 0.0
        self.told.clear()


@dataclass(frozen=True, slots=True)
class _Read:
    """The vectors of all passages (passages, dimensions), the same by their keys, and the floor for a question."""

    matrix: NDArray[Any]
    by_key: Mapping[bytes, NDArray[Any]]
    floor: float
    weight: float


class Meaning:
    """Compares questions with passages; may be asked from several threads.

    Args:
        embedder: makes the vectors.
        passages: what is searched.
        store: where vectors are kept.
        before: of the passages before they changed, whose vectors are used again.
    """

    def __init__(
        self, embedder: Embedder, passages: Sequence[Passage], store: VectorStore, *, before: Meaning | None = None
    ) -> None:
        self._embedder = embedder
        self._passages = passages
        self._store = store
        self._known: Mapping[bytes, NDArray[Any]] = before._vectors if before else {}
        self._outage: Outage = before._outage if before else Outage()
        self._lock = threading.Lock()
        self._reading: Future[_Read] | None = None
        self._waited = False

    def updated(self, passages: Sequence[Passage]) -> Meaning:
        """Return the same for other passages; only what is new is read."""
        return Meaning(self._embedder, passages, self._store, before=self)

    def start(self) -> Future[_Read]:
        """Begin to read the passages, in a thread, if that has not been done."""
        with self._lock:
            if self._reading is None:
                self._reading = DaemonThreads().submit(self._read)
            return self._reading

    def near(self, question: str) -> tuple[Nearness | None, str]:
        """Return how near the passages are to `question`, None while that cannot be said, and a note for a person.

        A note is "" where there is nothing to say, or it was said before.
        """
        if self._outage.lasts or not question.strip() or not self._passages:
            return None, ""
        try:
            read = self.start().result(0.0 if self._waited else _PATIENCE)
            cosines = read.matrix @ self._embed([question], "query")[0]
        except TimeoutError:
            self._waited = True
            return None, self._outage.once(_STILL_READING)
        except Exception as error:  # the border to a library and to what a server sends: the search by words goes on
            return None, self._fail(error)
        self._outage.over()
        return Nearness(cosines, read.floor, _least(cosines), read.weight), ""

    def _fail(self, error: Exception) -> str:
        self._outage.begin()
        with self._lock:
            if self._reading and self._reading.done() and self._reading.exception():
                self._reading = None  # to be tried again
        why = described(error)
        if isinstance(error, EmbeddingFailed):
            why = f"{error.explanation.what.removesuffix('.')}. {error.explanation.next}"
        return self._outage.once(one_line(f"The search by meaning failed, so words alone are searched. {why}", 400))

    @property
    def _vectors(self) -> Mapping[bytes, NDArray[Any]]:
        done = self._reading is not None and self._reading.done() and self._reading.exception() is None
        return self._reading.result().by_key if self._reading and done else self._known

    def _read(self) -> _Read:
        """Read all passages; vectors that are known or kept are used again."""
        self._embedder.warm()
        keys, matrix = self._all([_text(passage) for passage in self._passages], "passage", self._known)
        self._known = {}
        by_key = dict(zip(keys, matrix, strict=True))
        if likely_language(passage.text for passage in self._passages) != "english":
            # Everyday questions in English do not tell how near one in another language comes by chance.
            return _Read(matrix, by_key, math.inf, _WEIGHT_ELSEWHERE)
        _, everyday = self._all(_everyday_questions(), "query", {})
        nearest = (everyday @ matrix.T).max(axis=1, initial=-1.0)
        return _Read(matrix, by_key, float(nearest.mean() + _BEYOND * nearest.std()), _WEIGHT)

    def _all(
        self, texts: Sequence[str], kind: Kind, known: Mapping[bytes, NDArray[Any]]
    ) -> tuple[list[bytes], NDArray[Any]]:
        """Return the key of each text, and their vectors (texts, dimensions); what is new is kept batch by batch."""
        import numpy as np

        embedder = self._embedder.name
        keys = [key_of(embedder, kind, text) for text in texts]
        vectors = {key: known[key] for key in keys if key in known}
        vectors |= self._store.read([key for key in dict.fromkeys(keys) if key not in vectors])
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
        for batch in _batches(list(missing), self._embedder.batch):
            made = self._embed([missing[key] for key in batch], kind)
            fresh = dict(zip(batch, made, strict=True))
            self._store.add(fresh)
            vectors |= fresh
        matrix: NDArray[Any] = np.array([vectors[key] for key in keys], np.float32).reshape(len(keys), -1)
        return keys, matrix

    def _embed(self, texts: Sequence[str], kind: Kind) -> NDArray[Any]:
        """Return vectors as they are when they come from the store, so that a second start ranks as the first."""
        import numpy as np

        vectors: NDArray[Any] = self._embedder.embed(texts, kind).astype(np.float16).astype(np.float32)
        return vectors


def _least(cosines: NDArray[Any]) -> float:
    """Return the cosine of the last of the nearest passages, zero where they are turned away from the question."""
    import numpy as np

    nearest = np.partition(cosines, -_NEAREST)[-_NEAREST:] if len(cosines) > _NEAREST else cosines
    return max(float(nearest.min()), 0.0)


def _text(passage: Passage) -> str:
    return ". ".join(part for part in (passage.title, *passage.phrasings, passage.text) if part)


def _batches(keys: Sequence[bytes], size: int) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


def _everyday_questions() -> list[str]:
    """Return questions that no campus answers: what comes no nearer than they do is not about what is asked."""
    text = files("campus_agent.knowledge.semantic").joinpath("everyday_questions.txt").read_text(encoding="utf-8")
    return text.splitlines()
