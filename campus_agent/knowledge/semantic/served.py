"""Vectors made by the embeddings endpoint of an OpenAI-compatible server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from campus_agent.daemon_threads import DaemonThreads
from campus_agent.knowledge.semantic.embedder import EmbeddingFailed, Kind, to_length_one
from campus_agent.models.failures import ServerFailure, explain
from campus_agent.models.openai_chat import OpenAIChatModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from campus_agent.models.providers import Endpoint

_ONE, _MANY = 5.0, 60.0  # seconds for the vector of a question, which a person waits for, and for those of a batch
_QUOTED = 4_000  # bytes of a reply of no use: more than is shown, or a key could be cut in two before it is masked
_STARTING = 10.0  # seconds beyond, to import what the first request needs
_NAMES_KIND = re.compile("nvidia/|snowflake/arctic-embed", re.IGNORECASE)
"""The models that want to be told whether a text is searched or asked."""


class ServedEmbedder:
    """An `Embedder` on a server.

    Args:
        endpoint: the server, the key for it, and the embeddings model on it.
    """

    batch = 32

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._model = endpoint.model or ""
        self._tells_kind = bool(_NAMES_KIND.match(self._model))
        self._corrected = False

    @property
    def name(self) -> str:
        """The model, and the host that serves it."""
        return f"{self._model} at {urlsplit(self._endpoint.base_url).netloc}"

    def warm(self) -> None:
        """Import what a request needs."""
        OpenAIChatModel(self._endpoint).warm()

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[Any]:
        """Return a vector of length 1 for each text; raise `EmbeddingFailed` when the server gives none in time."""
        # On a thread and a loop of its own: the caller may have a loop, and is not held up by a dead name server.
        seconds = _ONE if len(texts) == 1 else _MANY
        asked = DaemonThreads().submit(asyncio.run, self._asked(list(texts), kind, seconds))
        try:
            return self._read(asked.result(seconds + _STARTING), len(texts))
        except TimeoutError:
            failure = ServerFailure(f"No vectors came within {seconds:g} s.", "silent")
        except ServerFailure as error:
            failure = error
        told = explain(failure, self._endpoint, self._model).explanation
        raise EmbeddingFailed(told.what, told.cause, told.next) from None

    async def _asked(self, texts: list[str], kind: Kind, seconds: float) -> bytes:
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        server = OpenAIChatModel(replace(self._endpoint, model=self._model), first_byte_timeout=seconds)
        try:
            try:
                return await server.embed(self._body(texts, kind))
            except ServerFailure as failure:
                if self._corrected or failure.status not in (400, 422) or "input_type" not in failure.named:
                    raise
                self._corrected, self._tells_kind = True, not self._tells_kind
                return await server.embed(self._body(texts, kind))
        finally:
            await server.aclose()

    def _body(self, texts: list[str], kind: Kind) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "input": texts}
        # Such a model refuses a text that is too long for it, unless it may leave out the end.
        return body | ({"input_type": kind, "truncate": "END"} if self._tells_kind else {})

    def _read(self, data: bytes, count: int) -> NDArray[Any]:
        """Return the vectors of a reply, in the order of the texts; raise `ServerFailure` when they are not there."""
        import numpy as np

        try:
            items = sorted(json.loads(data)["data"], key=lambda item: item.get("index", 0))
            vectors = np.array([item["embedding"] for item in items], np.float32)
            if vectors.ndim == 2 and len(vectors) == count and vectors.shape[1] and np.isfinite(vectors).all():
                return to_length_one(vectors)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            pass
        raise ServerFailure(data[:_QUOTED].decode("utf-8", "replace"), "garbled")
