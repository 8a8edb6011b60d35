"""How a base is kept in tables, and how what is in a row is written and read.

`campus_agent.current` has one row: the schema version and the generation that is in force. A generation is never
changed: it has one row in `generation`, one for each passage and, for each term, rows with the postings as two arrays.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from campus_agent.knowledge.passage import Passage

if TYPE_CHECKING:
    from campus_agent.knowledge.inverted import Inverted

VERSION = 1  # of the tables, of what stands in them, and of how text is split into terms

TABLES = """
CREATE TABLE campus_agent.current (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    version integer NOT NULL,
    generation uuid
);
CREATE TABLE campus_agent.generation (
    generation uuid PRIMARY KEY,
    pushed timestamptz NOT NULL DEFAULT clock_timestamp(),
    header text NOT NULL,
    vocabulary bytea NOT NULL
);
CREATE TABLE campus_agent.passage (
    generation uuid NOT NULL,
    position integer NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (generation, position)
);
CREATE TABLE campus_agent.posting (
    generation uuid NOT NULL,
    term bytea NOT NULL,
    part integer NOT NULL,
    passages integer NOT NULL,
    documents bytea NOT NULL,
    weights bytea NOT NULL,
    PRIMARY KEY (generation, term, part)
);
"""

MOST_WORDS = 250_000  # of the vocabulary: what misspelt words may have been meant to be
_PART = 100_000  # postings in a row at most

Kind = Literal["word", "letters"]
PostingRow = tuple[UUID, bytes, int, int, bytes, bytes]


def term_key(kind: Kind, term: str) -> bytes:
    """Return what a term is found by: of a fixed length, however long it is, and in any encoding of a database."""
    return hashlib.blake2b(f"{kind} {term}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def posting_rows(generation: UUID, kind: Kind, inverted: Inverted) -> Iterator[PostingRow]:
    """Yield the postings of each term."""
    for term, number in inverted.terms.items():
        start, end = int(inverted.offsets[number]), int(inverted.offsets[number + 1])
        key = term_key(kind, term)
        for part, first in enumerate(range(start, end, _PART)):
            chosen = slice(first, min(first + _PART, end))
            documents = inverted.documents[chosen].astype("<i4").tobytes()
            weights = inverted.weights[chosen].astype("<f8").tobytes()
            yield generation, key, part, end - start, documents, weights


def passage_text(passage: Passage) -> str:
    """Write a passage as JSON in ASCII: a null byte or half a character in it is no trouble to any database."""
    return json.dumps(dataclasses.asdict(passage))


def passage_from(text: str) -> Passage:
    """Read what `passage_text` wrote."""
    written: dict[str, Any] = json.loads(text)
    values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in written.items()}
    return Passage(**values)


def packed(vocabulary: Counter[str]) -> bytes:
    """Write the commonest words of a vocabulary, with how often each occurs."""
    commonest = sorted(vocabulary.items(), key=lambda item: (-item[1], item[0]))[:MOST_WORDS]
    return zlib.compress(json.dumps(dict(commonest)).encode())


def unpacked(data: bytes) -> Counter[str]:
    """Read what `packed` wrote."""
    return Counter(json.loads(zlib.decompress(data)))
