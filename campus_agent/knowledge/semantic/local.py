"""Vectors made on this machine, with the small weights that come inside the package wordllama (16 MB, for English).

Only its files are used, by the two libraries that they were written for: importing the package itself would take four
times as long, twice the memory, and turn on the logging of the whole program. A text's vector is the mean of those of
its tokens, as in the package.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from campus_agent.knowledge.semantic.embedder import EmbeddingFailed, Kind, to_length_one

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_PACKAGES = ("wordllama", "tokenizers", "safetensors")
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_LONGEST = 8_000  # characters of a text that are read


class LocalEmbedder:
    """An `Embedder` that needs no network; its weights are read when they are first needed."""

    batch = 256

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, NDArray[Any]] | None = None

    @staticmethod
    def installed() -> bool:
        """Tell whether the extra that it needs is installed, without importing it."""
        return all(find_spec(package) for package in _PACKAGES)

    @cached_property
    def name(self) -> str:
        """The package with its version, and the weights."""
        return f"wordllama {version('wordllama')} {_WEIGHTS.stem}"

    def warm(self) -> None:
        """Read the weights, which takes a tenth of a second; raise `EmbeddingFailed` when they cannot be read."""
        self._load()

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[Any]:
        """Return a vector of length 1 for each text, the same for both kinds; raise `EmbeddingFailed`."""
        import numpy as np

        tokenizer, weights = self._load()
        vectors = np.zeros((len(texts), weights.shape[1]), np.float32)
        for row, text in enumerate(texts):
            # One at a time: many at once would start threads, which warn on the screen when a program is started.
            tokens = tokenizer.encode(text[:_LONGEST], add_special_tokens=False).ids
            if tokens:
                vectors[row] = weights[tokens].astype(np.float32).mean(axis=0)
        return to_length_one(vectors)

    def _load(self) -> tuple[Tokenizer, NDArray[Any]]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _read()
            return self._loaded


def _read() -> tuple[Tokenizer, NDArray[Any]]:
    from safetensors import safe_open
    from tokenizers import Tokenizer

    spec = find_spec("wordllama")
    folder = Path(spec.origin if spec and spec.origin else "").parent
    try:
        with safe_open(folder / _WEIGHTS, framework="np") as file:
            weights: NDArray[Any] = file.get_tensor("embedding.weight")
        return Tokenizer.from_file(str(folder / _TOKENIZER)), weights
    except Exception as error:  # both libraries raise their own, and plain `Exception` for a file that is not there
        raise EmbeddingFailed(
            "The weights for the search by meaning cannot be read.",
            f"The package wordllama is damaged, or of a version with other files ({error}).",
            "Install it again: pip install --force-reinstall 'campus-agent[semantic]'",
        ) from None
