"""The conversations of the journal, as the app writes and reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from campus_agent.errors import Explanation
from campus_agent.journal.memory import last_turns
from campus_agent.journal.recorder import Recorder
from campus_agent.journal.records import ConversationRow
from campus_agent.journal.schema import JournalError
from campus_agent.journal.store import Journal, NoSuchRecord
from campus_agent.tui.record import Record

if TYPE_CHECKING:
    from campus_agent.agent.agent import Agent
    from campus_agent.agent.events import Event
    from campus_agent.assemble import About
    from campus_agent.settings import Settings

_MOST_LISTED = 200
_ALL = "/resume lists what there is; in the app ^R, too."


@dataclass(frozen=True, slots=True)
class Earlier:
    """A conversation to resume: what a list says of it, and its runs, oldest first."""

    row: ConversationRow
    records: tuple[Record, ...]


class Conversations:
    """The conversations of the journal: one goes on and is written, the others are listed, read and changed.

    All but `recorder` may wait for the disk, and so belongs in a thread; it raises `JournalError`.

    Attributes:
        recorder: what keeps the runs of the conversation that goes on.
        first: the conversation to begin with, None for a new one.
        problem: why that one could not be read, None when it could.
    """

    def __init__(self, path: Path, recorder: Recorder, *, first: str = "") -> None:
        """Take the journal's file, and the id of a conversation to begin with, "" for none."""
        self._path = path
        self.recorder = recorder
        self.first: Earlier | None = None
        self.problem: Explanation | None = None
        if first:
            try:
                self.first = self.load(first)
            except JournalError as error:
                self.problem = error.explanation

    def load(self, id: str) -> Earlier:
        """Return a conversation by its id, or the beginning of it; of its runs only the questions are read now."""
        with Journal(self._path) as journal:
            try:
                row = journal.named(id)
            except NoSuchRecord as error:
                raise JournalError(error.explanation.what, next=_ALL) from None
            outline = journal.outline(row.id)
        return Earlier(
            row, tuple(Record(question, run=run, read=partial(self._events, run)) for run, question in outline)
        )

    def listed(self, words: str = "") -> list[ConversationRow]:
        """Return the conversations in which all of the words stand, the one that was changed last first."""
        with Journal(self._path) as journal:
            return journal.conversations(words, limit=_MOST_LISTED)

    def rename(self, id: str, title: str) -> None:
        """Give a conversation another title. Raises `ValueError` for a blank one."""
        with Journal(self._path) as journal:
            journal.rename(id, title)

    def leaving(self, id: str) -> list[str]:
        """Return the questions that would go with a conversation: not those that another one shares."""
        with Journal(self._path) as journal:
            return [row.question for row in journal.leaving(id)]

    def delete(self, id: str) -> None:
        """Delete a conversation, with the runs that no other one shares, for good."""
        with Journal(self._path) as journal:
            journal.delete(id)

    def _events(self, run: str) -> Sequence[Event]:
        """Return the events of a run; none when it cannot be read any more."""
        try:
            with Journal(self._path) as journal:
                return journal.events(run)
        except JournalError:
            return ()


def open_conversations(settings: Settings, about: About, *, first: str = "") -> Conversations:
    """Return the conversations of the journal that the settings name; what is kept from now on they also say.

    It reads and may tidy the file, which takes a moment. `first` names a conversation to begin with.
    """
    import os

    from campus_agent.journal.opening import journal_path
    from campus_agent.journal.sitting import open_recorder
    from campus_agent.models.providers import known_keys

    keys = known_keys(settings, os.environ)
    recorder = open_recorder(settings, base=about.base, model=about.model, secrets=keys)
    return Conversations(journal_path(settings.journal_path), recorder, first=first)


def branch_at(records: Sequence[Record], place: int, origin: str | None) -> tuple[str, str | None] | None:
    """Return from which conversation, and before which run, one branches that is left before the run at `place`.

    None when it simply is a new conversation: nothing stands before that run, or nothing of it is kept in `origin`.
    """
    before = next((record.run for record in records[place:] if record.run), None)
    return (origin, before) if place and origin else None


def remember(agent: Agent, records: Sequence[Record], *, most: int) -> None:
    """Let an agent remember the last runs of a conversation instead of what it remembers; at most so many.

    Stored runs are read for it, so it belongs in a thread.
    """
    agent.conversation.remember(last_turns((record.events for record in reversed(records)), agent.tools, most=most))
