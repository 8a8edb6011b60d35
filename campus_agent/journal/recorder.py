"""Writes the runs of one sitting into the journal, each event before anybody sees it.

Nothing here can hold a run up. A commit is a write into the system's memory: a process that is killed loses nothing of
it, and the disk is waited for elsewhere, by a thread that moves what was written into the file proper. Where another
process writes at the moment, the event loop is given the time that this takes, for a bounded while.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from campus_agent.agent.events import Event, Note, event_from_json
from campus_agent.journal import retention
from campus_agent.journal.opening import connect, is_damage, journal_path, reason, set_aside, settle
from campus_agent.journal.schema import JournalError, searchable, transaction
from campus_agent.journal.writing import Place, write
from campus_agent.text import MASK, one_line
from campus_agent.tools import clock

if TYPE_CHECKING:
    from campus_agent.settings import Settings

_WAIT = 0.5  # seconds that an event may wait for another process
_PATIENCE = 5.0  # seconds for which nothing could be written, after which the journal is off
_PAUSE = 0.005  # seconds between two tries
_LARGEST_LOG = 4_000_000  # bytes that wait to be moved into the file
_LOOK_AFTER = 8  # events
_LEAST_SECRET = 6  # characters; what is shorter would stand in ordinary words
_ERRORS = (sqlite3.Error, OSError, JournalError, ValueError, OverflowError)  # the last two: what no file can hold


class Recorder:
    """What is asked in one sitting, on its way into the journal.

    Attributes:
        trouble: why nothing is kept any more, "" while all is well; also "" where nothing was to be kept.
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
        """Take where the journal is and what its conversations are about; `open_recorder` reads it from settings.

        Args:
            path: the journal's file; None keeps nothing.
            base: the knowledge base, as a screen names it.
            model: who answers, as a screen names it.
            secrets: texts, such as keys, that must not enter the journal.
            patience: seconds for which another process may keep the journal locked.
        """
        self.trouble = ""
        self.private = False
        self._path = path
        self._place = Place(base, model)
        self._before: int | None = None  # the run before the one that is followed
        self._patience = patience
        quoted = (json.dumps(secret, ensure_ascii=False)[1:-1] for secret in secrets if len(secret) >= _LEAST_SECRET)
        self._secrets = tuple(quoted)
        self._db: sqlite3.Connection | None = None
        self._searchable = False
        self._waiting: list[tuple[Event, str]] = []  # shown, but not yet written
        self._blocked_since: float | None = None
        self._settling: Thread | None = None
        self._said: list[str] = []  # what a person has to be told
        if path is not None:
            self._open(path)

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
        with suppress(*_ERRORS):
            self._write_waiting()  # to the conversation that they belong to
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
                    for text in self._news():
                        yield _note(event, text)
                yield event
                for text in self._news():
                    yield _note(event, text)
                self._tidy()

    def close(self) -> None:
        """Write what still waits, as far as that is possible at once, and let go of the file."""
        if self._db is None:
            return
        with suppress(*_ERRORS):
            self._write_waiting()
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA synchronous = NORMAL")  # the last one to close moves everything into the file
        self._db.close()
        self._db = None

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
        if self._db is None or not (self._place.run or self._waiting or event.kind == "run_started"):
            return None
        try:
            body = event.model_dump_json()
        except ValueError as error:
            return self._give_up(error)
        if any(secret in body for secret in self._secrets):
            for secret in self._secrets:
                body = body.replace(secret, MASK)
            event = event_from_json(body)
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
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            self._blocked_since = self._blocked_since or now
            if busy and now - self._blocked_since < self._patience:
                return False
            self._recover(error)
        self._blocked_since = None
        return True

    def _write_waiting(self) -> None:
        if self._db is None or not self._waiting:
            return
        place = self._place
        with transaction(self._db):
            for event, body in self._waiting:
                stored = event.time.timestamp()
                place = write(self._db, place, event, body, stored=stored, searchable=self._searchable)
        self._place = place
        self._waiting.clear()

    def _recover(self, error: Exception) -> None:
        """Go on with a fresh journal in the place of a damaged one; give up after any other fault."""
        waiting, self._waiting = self._waiting, []
        if isinstance(error, sqlite3.IntegrityError):  # the run was deleted while it went on, so its rest is not kept
            self._place = replace(self._place, run=None)
            return None
        if self._db is not None:
            self._db.close()
            self._db = None
        if not is_damage(error) or self._path is None:
            return self._give_up(error)
        self._place = Place(self._place.base, self._place.model)
        self._begin_afresh(self._path)
        self._waiting = waiting if self._db is not None else []
        try:
            return self._write_waiting()
        except _ERRORS as again:
            return self._give_up(again)

    def _give_up(self, error: BaseException) -> None:
        self._waiting.clear()
        if self._db is not None:
            self._db.close()
            self._db = None
        self.trouble = f"From here on nothing is kept in the journal: {reason(error)} ({one_line(str(self._path))})."
        self._said.append(self.trouble)

    def _news(self) -> Sequence[str]:
        news, self._said = self._said, []
        return news

    # ---- the file --------------------------------------------------------------------------------------------------

    def _open(self, path: Path) -> None:
        try:
            self._use(path)
        except _ERRORS as error:
            if is_damage(error):
                self._begin_afresh(path)
            else:
                self._give_up(error)

    def _begin_afresh(self, path: Path) -> None:
        try:
            aside = set_aside(path, clock.real_time())
            self._use(path)
        except _ERRORS as error:
            return self._give_up(error)
        self._said.append(f"The journal was damaged. It is kept as {one_line(str(aside))}, and a new one is begun.")
        return None

    def _use(self, path: Path) -> None:
        db = connect(path, patience=min(_WAIT, self._patience))
        try:
            self._searchable = searchable(db)
            db.execute("SELECT * FROM runs ORDER BY key DESC LIMIT 1").fetchone()  # finds a file that is cut off
            # From here on nothing waits: not for another process, not for the disk. What is committed stands in the
            # log, and only `settle`, which does wait for the disk, moves it on; so no crash can spoil the file.
            db.execute("PRAGMA busy_timeout = 0")
            db.execute("PRAGMA synchronous = OFF")
            db.execute("PRAGMA wal_autocheckpoint = 0")
        except BaseException:
            db.close()
            raise
        self._db = db

    def _tidy(self) -> None:
        """Have the log moved into the file when it has grown long."""
        if self._db is None or self._place.place % _LOOK_AFTER or (self._settling and self._settling.is_alive()):
            return
        with suppress(OSError):
            if os.stat(f"{self._path}-wal").st_size > _LARGEST_LOG:
                self._settling = Thread(target=settle, args=(self._path,), name="campus-agent-journal", daemon=True)
                self._settling.start()


def open_recorder(settings: Settings, *, base: str, model: str, secrets: Iterable[str] = ()) -> Recorder:
    """Return a recorder for a sitting; it keeps nothing where the settings say so, or where nothing can be kept.

    What is older, or more, than the settings want kept is forgotten first, as far as that is quickly done.
    """
    if not settings.journal:
        return Recorder(None)
    path = journal_path(settings.journal_path)
    recorder = Recorder(path, base=base, model=model, secrets=secrets)
    if not recorder.trouble:
        retention.apply(path, days=settings.journal_days, megabytes=settings.journal_megabytes)
    return recorder


def _note(event: Event, text: str) -> Note:
    return Note(run_id=event.run_id, seq=event.seq, time=event.time, step=None, text=text)
