"""Writes the events of a run, and what lists and searches need of them."""

from __future__ import annotations

import json
import sqlite3
import uuid
from dataclasses import dataclass, replace

from campus_agent.agent.events import Acting, Event, Observed, RunFinished, RunStarted, StepFinished, StepStarted
from campus_agent.journal.possible import is_id
from campus_agent.text import one_line

_LONGEST_TITLE = 80  # characters
_MOST_INDEXED = 50_000  # characters of a run
_MOST_TOKENS = 10**12
_EVERY = 2**62  # a place behind every other
_SPOKEN = ("run_started", "observed", "run_finished")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the journal the next event goes.

    Attributes:
        base: the knowledge base of the conversation, as a screen names it.
        model: who answers in it, as a screen names it.
        conversation: the key of the conversation, None before its first run.
        branch: what a new conversation begins with: the runs of the conversation of this id up to that one (None: all).
        run: the key of the run, None before the first.
        place: the number of events of the run so far.
    """

    base: str = ""
    model: str = ""
    conversation: int | None = None
    branch: tuple[str, str | None] | None = None
    run: int | None = None
    place: int = 0


def new_id() -> str:
    """Return a name for a run or a conversation: twelve hexadecimal digits."""
    return uuid.uuid4().hex[:12]


def write(db: sqlite3.Connection, place: Place, event: Event, body: str, *, stored: float, searchable: bool) -> Place:
    """Write an event and return where the next one goes. Only to be called in a transaction.

    Args:
        db: the journal.
        place: where the event goes; `run_started`, or an event without a run, begins a run.
        event: the event.
        body: the event as JSON.
        stored: the moment that counts for how long a run that begins is kept, in seconds since 1970.
        searchable: whether there is a full-text index to keep.
    """
    if event.kind == "run_started" or place.run is None:
        place = _begin(db, place, event, stored)
    return append(db, place, event, body, searchable=searchable)


def append(db: sqlite3.Connection, place: Place, event: Event, body: str, *, searchable: bool) -> Place:
    """Write an event of a run that is begun, and return where the next one goes; all else is as for `write`."""
    assert place.run is not None
    db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (place.run, place.place, event.kind, body))
    _count(db, place.run, event)
    if event.kind == "run_finished":
        _end(db, place, event, searchable)
    return replace(place, place=place.place + 1)


def begin_conversation(db: sqlite3.Connection, *, title: str, base: str, model: str, time: float) -> int:
    """Add a conversation and return its key."""
    row = (new_id(), title, base, model, time, time)
    made = db.execute("INSERT INTO conversations VALUES (NULL, ?, ?, ?, ?, ?, ?)", row)
    assert made.lastrowid is not None
    return made.lastrowid


def begin_branch(db: sqlite3.Connection, id: str, before: str | None, *, time: float) -> int | None:
    """Add a conversation that shares the runs of another up to, and without, the run `before` (None: all).

    Returns its key; None when there is no such conversation, or nothing before that run. Only to be called in a
    transaction.
    """
    old = db.execute("SELECT key, title, base, model FROM conversations WHERE id = ?", (id,)).fetchone()
    if old is None:
        return None
    key, title, base, model = old
    end = db.execute(
        "SELECT m.place FROM members m JOIN runs r ON r.key = m.run WHERE m.conversation = ? AND r.id = ?",
        (key, before),
    ).fetchone()
    shared = "FROM members WHERE conversation = ? AND place < ?"
    until = (key, end[0] if end else _EVERY)
    if not db.execute(f"SELECT count(*) {shared}", until).fetchone()[0]:
        return None
    new = begin_conversation(db, title=title, base=base, model=model, time=time)
    db.execute(f"INSERT INTO members SELECT ?, place, run {shared}", (new, *until))
    return new


def title_of(question: str) -> str:
    """Return a title for the conversation that begins with this question."""
    return one_line(question, _LONGEST_TITLE) or "(no question)"


def _begin(db: sqlite3.Connection, place: Place, event: Event, stored: float) -> Place:
    time = event.time.timestamp()
    question, model, provider = "", "", ""
    if isinstance(event, RunStarted):
        question, model, provider = event.question, event.model, event.provider
    taken = db.execute("SELECT 1 FROM runs WHERE id = ?", (event.run_id,)).fetchone()
    row = (new_id() if taken or not is_id(event.run_id) else event.run_id, question, model, provider, time, stored)
    run = db.execute("INSERT INTO runs (id, question, model, provider, began, stored) VALUES (?, ?, ?, ?, ?, ?)", row)
    conversation = place.conversation
    if conversation is None and place.branch is not None:
        conversation = begin_branch(db, *place.branch, time=time)
    if conversation is None or not db.execute("SELECT 1 FROM conversations WHERE key = ?", (conversation,)).fetchone():
        title = title_of(question)  # also when it was deleted meanwhile
        conversation = begin_conversation(db, title=title, base=place.base, model=place.model, time=time)
    db.execute(
        "INSERT INTO members SELECT ?1, 1 + coalesce(max(place), 0), ?2 FROM members WHERE conversation = ?1",
        (conversation, run.lastrowid),
    )
    db.execute("UPDATE conversations SET changed = max(changed, ?) WHERE key = ?", (time, conversation))
    return replace(place, conversation=conversation, branch=None, run=run.lastrowid, place=0)


def _count(db: sqlite3.Connection, run: int, event: Event) -> None:
    """Keep what is counted of steps and calls."""
    match event:
        case StepStarted():
            db.execute("INSERT OR IGNORE INTO steps VALUES (?, ?, NULL)", (run, event.step))
        case StepFinished():
            # The calls of a step run side by side, so what the longest of them leaves is the model's.
            db.execute(
                "UPDATE steps SET model_ms = max(0, ?3 - (SELECT coalesce(max(latency_ms), 0) FROM calls"
                " WHERE run = ?1 AND step = ?2)) WHERE run = ?1 AND step = ?2",
                (run, event.step, event.latency_ms),
            )
        case Acting():
            db.execute(  # a call whose arguments a person has edited is announced twice
                "INSERT INTO calls VALUES (?, ?, ?, ?, ?, NULL, NULL)"
                " ON CONFLICT (run, step, call_id) DO UPDATE SET repaired = 1",
                (run, event.step, event.call_id, event.tool, event.repaired is not None),
            )
        case Observed():
            db.execute(
                "UPDATE calls SET status = ?, latency_ms = ? WHERE run = ? AND step = ? AND call_id = ?",
                (event.status, event.latency_ms, run, event.step, event.call_id),
            )
        case _:
            pass


def _end(db: sqlite3.Connection, place: Place, event: RunFinished, searchable: bool) -> None:
    usage = event.usage
    # A server may claim anything, and SQLite holds 64 bits.
    tokens = (
        (min(usage.prompt_tokens, _MOST_TOKENS), min(usage.completion_tokens, _MOST_TOKENS)) if usage else (None, None)
    )
    db.execute(
        "UPDATE runs SET outcome = ?, duration_ms = ?, prompt_tokens = ?, completion_tokens = ?, indexed = ?"
        " WHERE key = ?",
        (event.outcome.value, event.duration_ms, *tokens, searchable, place.run),
    )
    if searchable:
        db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (place.run, spoken(db, place.run)))


def spoken(db: sqlite3.Connection, run: int | None) -> str:
    """Return what a run may be searched for: the question, the answer, then what was observed, as far as it fits."""
    marks = ", ".join("?" * len(_SPOKEN))
    rows = db.execute(f"SELECT body FROM events WHERE run = ? AND kind IN ({marks}) ORDER BY place", (run, *_SPOKEN))
    bodies = [json.loads(body) for (body,) in rows]
    parts = (body.get(name) for name in ("question", "answer", "content") for body in bodies)
    return "\n".join(part for part in parts if part)[:_MOST_INDEXED]
