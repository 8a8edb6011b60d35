"""What turns texts into vectors: the nearer two are, the more alike is what the texts mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from campus_agent.errors import CampusAgentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Kind = Literal["passage", "query"]
"""What a text is: some models read what is searched and what is asked in different ways."""


class EmbeddingFailed(CampusAgentError):
    """Vectors that could not be had; the search goes on by words."""


class Embedder(Protocol):
    """Makes vectors; may be asked from several threads."""

    @property
    def name(self) -> str:
        """What its vectors are kept under: that of another model, or of another version, is another name."""
        ...

    @property
    def batch(self) -> int:
        """How many texts it takes at once."""
        ...

    def warm(self) -> None:
        """Import and load what the first question needs; to be called in a thread. Raises `EmbeddingFailed`."""
        ...

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[Any]:
        """Return a vector of length 1 for each of at most `batch` texts: (texts, dimensions), of 32-bit floats.

        A text without anything in it has a vector of zeros. Raises `EmbeddingFailed`.
        """
        ...


def to_length_one(vectors: NDArray[Any]) -> NDArray[Any]:
    """Return vectors (texts, dimensions) scaled to length 1; one of zeros stays as it is."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[Any] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled
