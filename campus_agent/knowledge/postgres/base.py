"""A base that was pushed to PostgreSQL, searched there."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime
from functools import partial
from typing import TypeVar
from uuid import UUID

import psycopg

from campus_agent.errors import KnowledgeError, SearchFailed
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.bounds import Stop
from campus_agent.knowledge.campus_file import CampusFile
from campus_agent.knowledge.index import Index
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.postgres.address import Address
from campus_agent.knowledge.postgres.connections import (
    Connection,
    Connections,
    connect,
    may_pass,
    reason,
    unusable,
)
from campus_agent.knowledge.postgres.generation import (
    Generation,
    PushedPassages,
    generation_in_force,
    read_header,
    read_passages,
)
from campus_agent.knowledge.rules import rules_in_force
from campus_agent.knowledge.search import ExplainedPassage, Searcher, SearchResult
from campus_agent.knowledge.watching import Changes
from campus_agent.text import plural

_PATIENCE = 10.0  # seconds for a search, within which it is tried again when the connection breaks
_LONGEST_TRY = 5.0  # seconds, after which a server that is silent is given up
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0  # seconds between two tries
_REMEMBERED = 2  # generations: replicas may be some moments behind each other

Found = TypeVar("Found")


class PushedBase(KnowledgeBase):
    """A knowledge base in PostgreSQL; each search is of the generation that is in force when it begins.

    Args:
        address: of one or more servers that have it.

    Raises:
        KnowledgeError: no server answers, or there is no base that can be read.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._connections = Connections(address)
        self._generations: dict[UUID, Generation] = {}
        self._turn = threading.Lock()
        self._looked = time.monotonic()
        try:
            with self._connections.reading(_PATIENCE) as connection:
                generation = self._in_force(connection)
        except psycopg.Error as error:
            raise unusable(address, error) from None
        super().__init__(
            generation.header.name,
            self._passages_of(generation),
            problems=self._problems_of(generation),
            language=generation.header.language,
            synonyms=generation.header.campus.synonyms,
        )
        self._shown = generation

    @property
    def documents(self) -> int:
        """How many documents the passages come from."""
        return self._shown.header.documents

    @property
    def vocabulary(self) -> Counter[str]:
        """The commonest folded words of the passages, and how often each stands there; not to be changed."""
        return self._shown.vocabulary

    @property
    def index(self) -> Index:
        """There is none outside a search."""
        raise KnowledgeError(
            "A base in PostgreSQL cannot be pushed to another place.", next="Push the files that it was made from."
        )

    def prepare(self, *, stop: Stop | None = None) -> None:
        """Do nothing: all that a search needs beforehand was read at the start."""

    def search(self, query: str, k: int = 3, *, today: date | None = None) -> SearchResult:
        """Return the best `k` passages for `query`; raise `SearchFailed` when no server answers in time."""
        return self._ask(query, lambda searcher: searcher.search(query, k, today))

    def explain(self, query: str, k: int = 3, *, today: date | None = None) -> list[ExplainedPassage]:
        """Return the best `k` passages, found or not, and why; raise `SearchFailed` when no server answers in time."""
        return self._ask(query, lambda searcher: searcher.explain(query, k, today))

    def refresh(self, now: datetime | None = None, *, every: float = 0.0) -> Changes | None:
        """Look whether there is a new generation; return what that is, None when there is none.

        Raises:
            SearchFailed: no server answers in time.
        """
        with self._turn:
            if time.monotonic() - self._looked < every:
                return None
            self._looked = time.monotonic()
        generation = self._read(self._in_force)
        if generation is self._shown:
            return None
        self._shown = generation
        self.name, self.language = generation.header.name, generation.header.language
        self.passages, self.problems = self._passages_of(generation), self._problems_of(generation)
        return Changes((f"the base was pushed anew: {plural(generation.header.passages, 'passage')}",))

    def _ask(self, query: str, question: Callable[[Searcher], Found]) -> Found:
        def ask(connection: Connection) -> Found:
            generation = self._in_force(connection)
            return question(Searcher(generation.index(connection, query), generation.synonyms))

        return self._read(ask)

    def _read(self, read: Callable[[Connection], Found]) -> Found:
        """Read over some connection, and again over a fresh one when it breaks, as long as there is patience."""
        end, pause = time.monotonic() + _PATIENCE, _FIRST_PAUSE
        while True:
            try:
                with self._connections.reading(_LONGEST_TRY) as connection:
                    return read(connection)
            except psycopg.Error as error:
                self._connections.forget()
                if not may_pass(error) or time.monotonic() + pause > end:
                    what = f"PostgreSQL on {self._address.where} does not answer: {reason(error)}"
                    raise SearchFailed(what) from None
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _in_force(self, connection: Connection) -> Generation:
        name = generation_in_force(connection, self._address)
        known = self._generations.get(name)
        if known is None:
            known = Generation.read(connection, name)
            with self._turn:
                known = self._generations.setdefault(name, known)
                for oldest in list(self._generations)[:-_REMEMBERED]:
                    del self._generations[oldest]
        return known

    def _problems_of(self, generation: Generation) -> tuple[Problem, ...]:
        if generation.header.rules == rules_in_force():
            return ()
        reason = "another version of campus-agent took its words apart, so that some are not found; push it again"
        return (Problem(self._address.database, None, reason),)

    def _passages_of(self, generation: Generation) -> PushedPassages:
        def read(start: int, stop: int) -> list[Passage]:
            name = generation.header.generation
            return self._read(partial(read_passages, generation=name, start=start, stop=stop))

        return PushedPassages(generation.header.passages, read)


def campus_at(address: Address) -> CampusFile:
    """Return what the base at `address` sets, with its name and language; raise `KnowledgeError` when it has none."""
    try:
        with closing(connect(address)) as connection:
            header = read_header(connection, generation_in_force(connection, address))
    except psycopg.Error as error:
        raise unusable(address, error) from None
    return header.campus.model_copy(update={"name": header.name, "language": header.language})
