"""Writes the runs of one sitting into the journal, each event before anybody sees it.

Nothing here can hold a run up. Where another process writes at the moment, the event loop is given the time that this
takes, for a bounded while; what could not be kept is said.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic

from campus_agent.agent.events import Event
from campus_agent.journal.damage import doubt, is_corrupt, is_damage
from campus_agent.journal.journal_file import JournalFile
from campus_agent.journal.masking import KeyMasks
from campus_agent.journal.opening import is_busy, reason
from campus_agent.journal.saying import REPLACED, not_kept, not_yet, note
from campus_agent.journal.schema import JournalError, transaction
from campus_agent.journal.writing import Place, write
from campus_agent.text import one_line

_WAIT = 0.5  # seconds that an event may wait for another process
_LAST_WAIT = 1.0  # seconds that the end of a sitting may
_PATIENCE = 5.0  # seconds for which nothing could be written, after which the journal is off
_PAUSE = 0.005  # seconds between two tries
_LOOK_AFTER = 8  # events
_ERRORS = (sqlite3.Error, OSError, JournalError, ValueError, OverflowError)  # the last two: what no file can hold


class Recorder:
    """What is asked in one sitting, on its way into the journal.

    Attributes:
        trouble: what is not kept, and why; "" while all is well, and where nothing was to be kept.
        mishap: what befell the file, and where what was in it is now; "" while all is well.
        private: whether runs that begin now are not to be kept.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        base: str = "",
        model: str = "",
        secrets: Iterable[str] = (),
        patience: float = _PATIENCE,
    ) -> None:
        """Take where the journal is and what its conversations are about; see `sitting.open_recorder`.

        Args:
            path: the journal's file; None keeps nothing.
            base: the knowledge base, as a screen names it.
            model: who answers, as a screen names it.
            secrets: texts, such as keys, that must not enter the journal.
            patience: seconds for which another process may keep the journal locked.
        """
        self.trouble = self.mishap = ""
        self.private = False
        self._file = JournalFile(path, patience=min(_WAIT, patience)) if path is not None else None
        self._place = Place(base, model)
        self._before: int | None = None  # the run before the one that is followed
        self._patience = patience
        self._masks = KeyMasks(secrets)
        self._waiting: list[tuple[Event, str]] = []  # shown, but not yet written
        self._blocked_since: float | None = None
        self._said: list[str] = []  # what a person has to be told
        if self._file is not None:
            self._open(self._file)

    @property
    def off(self) -> bool:
        """Whether nothing was ever to be kept."""
        return self._file is None

    @property
    def _db(self) -> sqlite3.Connection | None:
        return self._file.db if self._file is not None else None

    @property
    def conversation(self) -> str | None:
        """The id of the conversation that goes on, None before its first run or where nothing is kept."""
        return self._id("conversations", self._place.conversation)

    @property
    def run(self) -> str | None:
        """The id of the run that is, or was last, followed; None when nothing of it is kept."""
        return None if self._place.run == self._before else self._id("runs", self._place.run)

    @property
    def origin(self) -> str | None:
        """The id of the conversation that goes on, or that the next run branches from; None for neither."""
        return self._place.branch[0] if self._place.branch else self.conversation

    @property
    def absence(self) -> str:
        """Why nothing of the conversation that goes on is in the journal, where that is so."""
        if self.off:
            return "The journal is off."
        return self.trouble or "Nothing was asked yet, or it is not to be kept."

    def begin(self, conversation: str | None = None) -> None:
        """Let the next run begin a new conversation, or go on with the one of this id.

        Raises `JournalError` when there is no such conversation.
        """
        self._leave()
        if conversation is not None and self._db is not None:
            row = self._db.execute("SELECT key FROM conversations WHERE id = ?", (conversation,)).fetchone()
            if row is None:
                raise JournalError("That conversation is not in the journal any more.")
            self._place = replace(self._place, conversation=row[0])

    def begin_branch(self, conversation: str, *, before: str | None) -> None:
        """Let the next run begin a conversation that shares those of another up to the run `before` (None: all)."""
        self._leave()
        self._place = replace(self._place, branch=(conversation, before))

    def _leave(self) -> None:
        try:
            self._write_waiting()  # to the conversation that they belong to
        except _ERRORS as error:
            self._complain(f"{self._lost()}: {reason(error)}.")
        self._waiting.clear()
        self._place = Place(self._place.base, self._place.model)

    def about(self, *, base: str, model: str) -> None:
        """Say what conversations are about from now on, after a change of the base or the model."""
        self._place = replace(self._place, base=base, model=model, run=None, place=0)

    async def follow(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        """Yield the events of a run, each when it is stored; a note beside them says when nothing is kept any more."""
        kept, self._before = not self.private, self._place.run
        async with aclosing(events):
            async for event in events:
                if kept:
                    await self._keep(event)
                if event.kind == "run_finished":  # which stays the last
                    self._said += [not_yet(self._where)] if self._waiting else []
                    for text in self._news():
                        yield note(event, text)
                yield event
                for text in self._news():
                    yield note(event, text)
                if self._file is not None and not self._place.place % _LOOK_AFTER:
                    self._file.tidy()

    def close(self) -> None:
        """Write what still waits, as far as that is possible in a second, and let go of the file.

        What is not kept is the `trouble` from then on.
        """
        end = monotonic() + min(_LAST_WAIT, self._patience)
        while self._waiting and self._db is not None:
            try:
                self._write_waiting()
            except _ERRORS as error:
                if not is_busy(error) or monotonic() >= end:
                    self._complain(f"{self._lost()}: {reason(error)} ({self._where}).")
                    break
                time.sleep(_PAUSE)
        self._waiting.clear()
        if self._file is not None:
            self._file.close()

    def _id(self, table: str, key: int | None) -> str | None:
        if self._db is None or key is None:
            return None
        with suppress(sqlite3.Error):
            row = self._db.execute(f"SELECT id FROM {table} WHERE key = ?", (key,)).fetchone()
            return str(row[0]) if row else None
        return None

    # ---- writing ---------------------------------------------------------------------------------------------------

    async def _keep(self, event: Event) -> None:
        """Write an event; where another process writes, wait for a while, and then let the run go on."""
        if event.kind == "run_started":
            self._look_whether_it_is_there()
        if self._db is None or not (self._place.run or self._waiting or event.kind == "run_started"):
            return None
        try:
            body = event.model_dump_json()
        except ValueError as error:
            return self._give_up(error)
        event, body = self._masks.event(event, body)
        self._waiting.append((event, body))
        while True:
            if self._written() or not self._may_wait():
                return None
            await asyncio.sleep(_PAUSE)

    def _may_wait(self) -> bool:
        return self._blocked_since is not None and monotonic() - self._blocked_since < min(_WAIT, self._patience)

    def _written(self) -> bool:
        """Try to write what waits, and return whether there is no need to try again."""
        try:
            self._write_waiting()
        except _ERRORS as error:
            now = monotonic()
            self._blocked_since = self._blocked_since or now
            if is_busy(error) and now - self._blocked_since < self._patience:
                return False
            self._recover(error)
        self._blocked_since = None
        return True

    def _write_waiting(self) -> None:
        if self._file is None or self._file.db is None or not self._waiting:
            return
        place, words = self._place, self._file.searchable
        with transaction(self._file.db) as db:
            for event, body in self._waiting:
                place = write(db, place, event, body, stored=event.time.timestamp(), searchable=words)
        self._place = place
        self._waiting.clear()

    def _recover(self, error: Exception) -> None:
        """Go on with a fresh journal in the place of a damaged one; give up after any other fault."""
        if isinstance(error, sqlite3.IntegrityError):  # the run was deleted while it went on, so its rest is not kept
            self._waiting.clear()
            self._place = replace(self._place, run=None)
            return None
        if self._file is None:
            return None
        if is_damage(error):
            doubt(self._file.path)
            if self._goes_on_without_words(self._file):
                return None
        if not is_corrupt(error):
            return self._give_up(error)
        self._place = Place(self._place.base, self._place.model)
        try:
            self._tell(self._file.begin_afresh())
            return self._write_waiting()
        except _ERRORS as again:
            return self._give_up(again)

    def _goes_on_without_words(self, file: JournalFile) -> bool:
        """Return whether only the full-text index was in the way, which the next start then makes anew."""
        if not file.searchable or not self._waiting:
            return False
        file.searchable = False
        with suppress(*_ERRORS):
            self._write_waiting()
        return not self._waiting

    def _give_up(self, error: BaseException) -> None:
        lost = f"{self._lost()}. " if self._waiting else ""
        self._waiting.clear()
        if self._file is not None:
            self._file.close()
        self._complain(f"{lost}From here on nothing is kept in the journal: {reason(error)} ({self._where}).")

    def _complain(self, text: str) -> None:
        self.trouble = text
        self._said.append(text)

    def _tell(self, text: str) -> None:
        self.mishap = text
        self._said.append(text)

    def _lost(self) -> str:
        return not_kept(event for event, _ in self._waiting)

    def _news(self) -> Sequence[str]:
        news, self._said = self._said, []
        return news

    # ---- the file --------------------------------------------------------------------------------------------------

    @property
    def _where(self) -> str:
        return one_line(str(self._file.path)) if self._file is not None else ""

    def _open(self, file: JournalFile) -> None:
        try:
            said = file.open()
        except _ERRORS as error:
            return self._give_up(error)
        if said:
            self._tell(said)
        return None

    def _look_whether_it_is_there(self) -> None:
        """Go on with what is there, when the file was taken away, or something else put in its place."""
        if self._file is not None and self._file.replaced:
            self._file.close()
            self._waiting.clear()
            self._place = Place(self._place.base, self._place.model)
            self._tell(REPLACED)
            self._open(self._file)
