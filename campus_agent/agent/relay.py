"""Hands the events of a run to whoever reads them, one at a time."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from campus_agent.agent.events import AnswerDelta, Event, ThoughtDelta


class Relay:
    """Between the loop, which emits events, and the reader, who takes them.

    The loop goes on only when the reader has taken an event and come back for more, so nothing runs ahead of what a
    reader has seen.

    Attributes:
        record: every event so far except the single pieces of text, for whoever asks afterwards.
    """

    def __init__(self, run_id: str) -> None:
        self.record: list[Event] = []
        self._run_id = run_id
        self._seq = 0
        self._closed = False
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._taken = asyncio.Event()

    async def emit(self, kind: type[Event], **fields: Any) -> None:  # noqa: ANN401 - the fields of that event
        """Make an event and wait until the reader has taken it."""
        event = kind(run_id=self._run_id, seq=self._seq, time=datetime.now(UTC), **fields)
        self._seq += 1
        if not isinstance(event, (AnswerDelta, ThoughtDelta)):
            self.record.append(event)
        if self._closed:
            return
        self._taken.clear()
        self._queue.put_nowait(event)
        await self._taken.wait()

    async def next(self) -> Event | None:
        """Return the next event, or None after the last; the loop waits until `release`."""
        return await self._queue.get()

    def release(self) -> None:
        """Let the loop go on: the reader is done with the event that it took."""
        self._taken.set()

    def finish(self) -> None:
        """Say that no more events will come."""
        self._queue.put_nowait(None)

    def close(self) -> None:
        """Say that nobody reads any more: events are only recorded from now on."""
        self._closed = True
        self._taken.set()
