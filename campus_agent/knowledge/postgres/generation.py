"""A generation of a base, as a reader sees it: what it is called, and an index that reads what a query needs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from campus_agent.errors import KnowledgeError, SearchFailed
from campus_agent.knowledge.campus_file import CampusFile, Line
from campus_agent.knowledge.index import Index, pieces
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.postgres.address import Address
from campus_agent.knowledge.postgres.connections import Connection
from campus_agent.knowledge.postgres.tables import VERSION, Kind, passage_from, term_key, unpacked
from campus_agent.knowledge.synonyms import Synonyms
from campus_agent.knowledge.words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = 500  # passages that are read at a time where one after the other is wanted


class Header(BaseModel):
    """What a generation says of itself.

    Attributes:
        letters: whether it has postings of letters too.
        rules: the mark of those by which its text became terms; empty where it was pushed before there was one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    generation: UUID
    name: Line
    language: str
    passages: int = Field(ge=1)
    documents: int = Field(ge=1)
    letters: bool
    rules: str = ""
    campus: CampusFile


class Generation:
    """What a reader keeps of a generation: its words; passages and postings stay where they are.

    Attributes:
        header: what it says of itself.
        vocabulary: its commonest folded words, and how often each stands there.
        synonyms: those of its language and its own.
    """

    def __init__(self, header: Header, vocabulary: Counter[str]) -> None:
        self.header = header
        self.vocabulary = vocabulary
        self._words = Words(header.language)
        self.synonyms = Synonyms(self._words, header.campus.synonyms)

    @classmethod
    def read(cls, connection: Connection, generation: UUID) -> Generation:
        """Read the generation named `generation`."""
        header = read_header(connection, generation)
        statement = "SELECT vocabulary FROM campus_agent.generation WHERE generation = %s"
        row = connection.execute(statement, [generation]).fetchone()
        return cls(header, unpacked(row[0] if row else b""))

    def index(self, connection: Connection, query: str) -> Index:
        """Return an index for one search for `query`; it reads over `connection`, in its transaction."""
        index = _PushedIndex(self.header, self._words, self.vocabulary, connection)
        tokens = [token for token in self._words.tokens(query) if token not in self._words.stop]
        index.expect(self._likely_terms(tokens), tokens)
        return index

    def _likely_terms(self, tokens: Sequence[str]) -> Iterator[str]:
        """Yield the terms that a search for these words is likely to ask for: their own, and those of their meaning."""
        stems = tuple(map(self._words.stem, tokens))
        yield from stems
        for start in range(len(stems)):
            for end in range(start + 1, min(len(stems), start + self.synonyms.longest) + 1):
                for phrase in self.synonyms.of(stems[start:end]):
                    yield from phrase


def generation_in_force(connection: Connection, address: Address) -> UUID:
    """Return the name of the generation that is in force; raise `KnowledgeError` when there is none to be read."""
    row = connection.execute("SELECT version, generation FROM campus_agent.current").fetchone()
    if row and row[0] != VERSION:
        raise KnowledgeError(
            f"The base in {address.database} on {address.where} has version {row[0]}; this program reads {VERSION}.",
            "It was pushed by another version of campus-agent.",
            "Use that version, or push the base again with this one to another database.",
        )
    if row is None or row[1] is None:
        raise KnowledgeError(
            f"There is no knowledge base in {address.database} on {address.where}.",
            "Nothing has been pushed to it yet.",
            "Push one: campus-agent kb push ADDRESS --kb FOLDER",
        )
    generation: UUID = row[1]
    return generation


def read_header(connection: Connection, generation: UUID) -> Header:
    """Return what a generation says of itself."""
    statement = "SELECT header FROM campus_agent.generation WHERE generation = %s"
    row = connection.execute(statement, [generation]).fetchone()
    try:
        values: dict[str, Any] = json.loads(row[0] if row else "")
        return Header.model_validate({**values, "generation": generation})
    except (ValueError, TypeError):  # no JSON, not what was written
        raise KnowledgeError(
            "The base in PostgreSQL cannot be read: what it says of itself is damaged.", next="Push it again."
        ) from None


def read_passages(connection: Connection, generation: UUID, start: int, stop: int) -> list[Passage]:
    """Return the passages from `start` to before `stop`; raise `SearchFailed` when they are not there any more."""
    statement = (
        "SELECT content FROM campus_agent.passage WHERE generation = %s AND position >= %s AND position < %s "
        "ORDER BY position"
    )
    rows = connection.execute(statement, [generation, start, stop]).fetchall()
    if len(rows) != stop - start:
        raise SearchFailed("The base in PostgreSQL was replaced while it was read.", next="Try again.")
    return [passage_from(content) for (content,) in rows]


class PushedPassages(Sequence[Passage]):
    """Passages that are read when they are asked for.

    Args:
        size: how many there are.
        read: returns those from one position to before another.
    """

    def __init__(self, size: int, read: Callable[[int, int], list[Passage]]) -> None:
        self._size = size
        self._read = read
        self._seen: dict[int, Passage] = {}

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, position: int) -> Passage: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Passage]: ...
    def __getitem__(self, position: int | slice) -> Passage | Sequence[Passage]:
        if isinstance(position, slice):
            return [self[one] for one in range(*position.indices(len(self)))]
        one = range(len(self))[position]
        if one not in self._seen:
            (self._seen[one],) = self._read(one, one + 1)
        return self._seen[one]

    def __iter__(self) -> Iterator[Passage]:
        for start in range(0, len(self), _BLOCK):
            yield from self._read(start, min(start + _BLOCK, len(self)))


class _PushedIndex(Index):
    """The index of a generation for one search."""

    def __init__(self, header: Header, words: Words, vocabulary: Counter[str], connection: Connection) -> None:
        def read(start: int, stop: int) -> list[Passage]:
            return read_passages(connection, header.generation, start, stop)

        self._pushed = _PushedTerms(connection, header, "word")
        self._pushed_letters = _PushedTerms(connection, header, "letters") if header.letters else None
        super().__init__(PushedPassages(header.passages, read), words, self._pushed, vocabulary)

    def expect(self, terms: Iterable[str], tokens: Iterable[str]) -> None:
        """Read at once how many passages have each of these terms, and each of the letters of these words."""
        self._pushed.expect(terms)
        if self._pushed_letters is not None:
            self._pushed_letters.expect(piece for token in tokens for piece in pieces(token))

    def letter_scores(self, tokens: Iterable[str]) -> NDArray[Any] | None:
        if self._pushed_letters is None:
            return None
        return self._pushed_letters.scores(dict.fromkeys(piece for token in tokens for piece in pieces(token)))


class _PushedTerms:
    """The postings of a generation, each term read once in a search; says what `Terms` does."""

    def __init__(self, connection: Connection, header: Header, kind: Kind) -> None:
        self._connection = connection
        self._header = header
        self._kind: Kind = kind
        self._having: dict[str, int] = {}
        self._postings: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {}

    def expect(self, terms: Iterable[str]) -> None:
        unknown = {term_key(self._kind, term): term for term in terms if term not in self._having}
        if not unknown:
            return
        statement = (
            "SELECT term, passages FROM campus_agent.posting WHERE generation = %s AND term = ANY(%s) AND part = 0"
        )
        rows: dict[bytes, int] = dict(
            self._connection.execute(statement, [self._header.generation, list(unknown)]).fetchall()
        )
        self._having.update({term: rows.get(key, 0) for key, term in unknown.items()})

    def having(self, term: str) -> int:
        self.expect([term])
        return self._having[term]

    def has(self, position: int, term: str) -> bool:
        import numpy as np

        self._read([term])
        documents, _ = self._postings[term]
        place = int(np.searchsorted(documents, position))
        return place < len(documents) and int(documents[place]) == position

    def scores(self, terms: Iterable[str]) -> NDArray[Any]:
        import numpy as np

        asked = list(terms)
        # What was expected and is there will be asked for too: one question to the server instead of several.
        self._read([*asked, *(term for term, having in self._having.items() if having)])
        scores = np.zeros(self._header.passages)
        for term in asked:
            documents, weights = self._postings[term]
            scores[documents] += weights
        return scores

    def _read(self, terms: Sequence[str]) -> None:
        import numpy as np

        wanted = {term_key(self._kind, term): term for term in terms if term not in self._postings}
        if not wanted:
            return
        statement = (
            "SELECT term, documents, weights FROM campus_agent.posting WHERE generation = %s AND term = ANY(%s) "
            "ORDER BY term, part"
        )
        parts: dict[str, tuple[list[bytes], list[bytes]]] = {term: ([], []) for term in wanted.values()}
        cursor = self._connection.execute(statement, [self._header.generation, list(wanted)], binary=True)
        for key, documents, weights in cursor:
            parts[wanted[key]][0].append(documents)
            parts[wanted[key]][1].append(weights)
        for term, (documents, weights) in parts.items():
            self._postings[term] = (
                np.frombuffer(b"".join(documents), dtype="<i4"),
                np.frombuffer(b"".join(weights), dtype="<f8"),
            )
