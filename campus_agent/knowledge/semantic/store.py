"""Vectors kept in the user's cache folder, so that a text is sent to a server, or read, once only."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from campus_agent.knowledge.semantic.embedder import Kind

_MOST = 150_000  # vectors, some 300 MB of large ones; the oldest make way
_AT_ONCE = 500  # keys in a statement
_PATIENCE = 2.0  # seconds for another process to finish writing
_OFF = 0.01  # how far from 1 the length of a whole vector may be, being rounded


def key_of(embedder: str, kind: Kind, text: str) -> bytes:
    """Return what the vector of a text is kept under: a digest, from which the text cannot be read."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (embedder, kind, text):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


def kept_vectors() -> Path:
    """Return the file in the user's cache folder; it need not be there."""
    from platformdirs import user_cache_path

    return user_cache_path("campus-agent") / "vectors.sqlite3"


class VectorStore:
    """A file of vectors by key. One that is damaged is begun anew; one that cannot be used keeps nothing.

    Args:
        path: of the file, a SQLite database; it need not be there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[Any]]:
        """Return those of the vectors that are there and whole."""
        found: dict[bytes, NDArray[Any]] = {}
        with suppress(OSError, sqlite3.OperationalError):
            try:
                if self._path.exists():
                    self._read(keys, found)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:  # it is no database, or not any more
                self._path.unlink(missing_ok=True)
        return found

    def add(self, vectors: Mapping[bytes, NDArray[Any]]) -> None:
        """Keep vectors of length 1, rounded to 16 bits, where that can be done."""
        import numpy as np

        rows = [(key, vector.astype(np.float16).tobytes()) for key, vector in vectors.items()]
        with suppress(OSError, sqlite3.Error):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as database, database:
                database.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                database.execute("DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?", (_MOST,))

    def _read(self, keys: Sequence[bytes], found: dict[bytes, NDArray[Any]]) -> None:
        import numpy as np

        with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as database:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                marks = ", ".join("?" * len(some))
                rows = database.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some)
                for key, data in rows:
                    if isinstance(data, bytes) and len(data) % 2 == 0:
                        vector = np.frombuffer(data, np.float16).astype(np.float32)
                        length = float(np.linalg.norm(vector))
                        if abs(length - 1) < _OFF or length == 0 < len(vector):
                            found[key] = vector
