"""Vectors made on this machine by a sentence encoder of one's own: a folder with a model of the BERT family.

Slower and better than the small weights of `local`: `all-MiniLM-L6-v2`, its multilingual sister and many others are
kept in this form. Six to twelve layers of matrix products need no framework; the layout is that of `BertModel`, from
"BERT: Pre-training of Deep Bidirectional Transformers" (2018), and the pooling that of sentence-transformers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from campus_agent.knowledge.semantic.embedder import EmbeddingFailed, Kind, to_length_one

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Matrix: TypeAlias = NDArray[Any]

CONFIG, WEIGHTS, TOKENIZER, POOLING = "config.json", "model.safetensors", "tokenizer.json", "1_Pooling/config.json"
_LONGEST = 8_000  # characters of a text that are read
_MOST_TOKENS = 256  # of a text; what these encoders were trained with
_EPSILON = 1e-12
_ERROR_FUNCTION = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


class FolderEmbedder:
    """An `Embedder` that needs no network; the model is read when it is first needed."""

    batch = 32

    def __init__(self, folder: Path, label: str = "") -> None:
        """Take the model in `folder`: config.json, model.safetensors, tokenizer.json.

        It is called by `label`, or by the folder's name.
        """
        self._folder = folder
        self._label = label or folder.resolve().name
        self._lock = threading.Lock()
        self._encoder: Encoder | None = None

    @cached_property
    def name(self) -> str:
        """What it is called, and a mark of what its weights are: other weights make other vectors."""
        weights = self._folder / WEIGHTS
        try:
            known = f"{weights.stat().st_size} {(self._folder / CONFIG).read_text(encoding='utf-8', errors='replace')}"
        except OSError:
            known = ""
        return f"{self._label} {blake2b(known.encode(), digest_size=8).hexdigest()}"

    def warm(self) -> None:
        """Read the model, which takes some tenths of a second; raise `EmbeddingFailed` when it cannot be read."""
        self._load()

    def embed(self, texts: Sequence[str], kind: Kind) -> Matrix:
        """Return a vector of length 1 for each text, the same for both kinds; raise `EmbeddingFailed`."""
        import numpy as np

        encoder = self._load()
        vectors = np.zeros((len(texts), encoder.size), np.float32)
        for row, text in enumerate(texts):
            if text.strip():
                vectors[row] = encoder.vector(text[:_LONGEST])
        return to_length_one(vectors)

    def _load(self) -> Encoder:
        with self._lock:
            if self._encoder is None:
                self._encoder = read_encoder(self._folder)
            return self._encoder


@dataclass(frozen=True, slots=True)
class Encoder:
    """A model that was read.

    Attributes:
        weights: its matrices by name, as 32-bit floats.
        tokenizer: what cuts a text.
        layers: how many there are.
        heads: how many attend side by side in each.
        first_only: whether the first token's vector stands for the text; else the mean of all.
    """

    weights: dict[str, Matrix]
    tokenizer: Tokenizer
    layers: int
    heads: int
    first_only: bool

    @property
    def size(self) -> int:
        """The dimensions of a vector."""
        return int(self.weights["embeddings.word_embeddings.weight"].shape[1])

    def vector(self, text: str) -> Matrix:
        """Return the vector of a text: (dimensions,)."""
        tokens = self.tokenizer.encode(text).ids
        of = self.weights
        states = (
            of["embeddings.word_embeddings.weight"][tokens]
            + of["embeddings.position_embeddings.weight"][: len(tokens)]
            + of["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normal(states, "embeddings.LayerNorm")
        for layer in range(self.layers):
            states = self._layer(states, f"encoder.layer.{layer}.")
        pooled: Matrix = states[0] if self.first_only else states.mean(axis=0)
        return pooled

    def _layer(self, states: Matrix, at: str) -> Matrix:
        """Let each token look at all the others, then think for itself: (tokens, dimensions) in and out."""
        seen = self._linear(self._attended(states, f"{at}attention.self."), f"{at}attention.output.dense")
        states = self._normal(states + seen, f"{at}attention.output.LayerNorm")
        thought = self._linear(_gelu(self._linear(states, f"{at}intermediate.dense")), f"{at}output.dense")
        return self._normal(states + thought, f"{at}output.LayerNorm")

    def _attended(self, states: Matrix, at: str) -> Matrix:
        import numpy as np

        count, width = states.shape[0], self.size // self.heads

        def split(name: str) -> Matrix:
            heads: Matrix = self._linear(states, at + name).reshape(count, self.heads, width).transpose(1, 0, 2)
            return heads

        scores = split("query") @ split("key").transpose(0, 2, 1) / np.sqrt(width)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        seen: Matrix = (shares @ split("value")).transpose(1, 0, 2).reshape(count, self.size)
        return seen

    def _linear(self, states: Matrix, name: str) -> Matrix:
        product: Matrix = states @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return product

    def _normal(self, states: Matrix, name: str) -> Matrix:
        import numpy as np

        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
        normal: Matrix = centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return normal


def is_encoder(folder: Path) -> bool:
    """Return whether a folder holds the three files of a model."""
    return all((folder / name).is_file() for name in (CONFIG, WEIGHTS, TOKENIZER))


def read_encoder(folder: Path) -> Encoder:
    """Read the model in a folder; raise `EmbeddingFailed` for one that cannot be read, or is of another family."""
    from tokenizers import Tokenizer

    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
            raise ValueError(f"it is a model of the kind {config.get('model_type')!r}")
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        tokenizer.enable_truncation(min(_MOST_TOKENS, int(config["max_position_embeddings"])))
        tokenizer.no_padding()
        encoder = Encoder(
            _weights(folder / WEIGHTS),
            tokenizer,
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            first_only=_first_only(folder / POOLING),
        )
        encoder.vector("campus")  # so that what is missing is found now
    except Exception as error:  # the libraries raise their own, and plain `Exception` for a file that is not there
        raise EmbeddingFailed(
            f"The model in {folder} cannot be read.",
            f"It should be a sentence encoder of the BERT family, as all-MiniLM-L6-v2 is ({error}).",
            "Name another folder with --semantic FOLDER, or use --semantic local.",
        ) from None
    return encoder


def _weights(path: Path) -> dict[str, Matrix]:
    import numpy as np
    from safetensors.numpy import load_file

    matrices = load_file(path)
    return {
        name.removeprefix("bert."): matrix.astype(np.float32)
        for name, matrix in matrices.items()
        if matrix.dtype.kind == "f"
    }


def _first_only(path: Path) -> bool:
    return path.is_file() and bool(json.loads(path.read_text(encoding="utf-8")).get("pooling_mode_cls_token"))


def _gelu(states: Matrix) -> Matrix:
    """Return x times the share of a normal distribution below x.

    The error function is formula 7.1.26 of Abramowitz and Stegun's handbook: off by 1.5e-7 at most.
    """
    import numpy as np

    far = np.abs(states) / np.sqrt(2)
    part = 1 / (1 + 0.3275911 * far)
    series = np.zeros_like(part)
    for factor in _ERROR_FUNCTION:
        series = (series + factor) * part
    below = 0.5 * (1 + np.sign(states) * (1 - series * np.exp(-(far**2))))
    smooth: Matrix = (states * below).astype(np.float32)
    return smooth
