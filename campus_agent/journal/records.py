"""What the journal's lists hold, and what they can be narrowed down to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from campus_agent.agent.outcome import Outcome
from campus_agent.journal.possible import LONGEST_MS, near
from campus_agent.models.chat_model import Usage
from campus_agent.text import one_line

CUT: Literal["cut"] = "cut"
"""Stands where an outcome would, for a run without an end: it was cut off, or is still under way."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as a list shows it.

    Attributes:
        id: its name in the journal.
        conversation: the id of the oldest conversation that it belongs to.
        place: its number in the conversation that was asked for, 0 where none was.
        question: what was asked.
        began: when (UTC).
        model: what answered.
        provider: who served it.
        outcome: how it ended, None for one without an end.
        steps: how many steps it took.
        calls: how many tool calls were asked for.
        duration_ms: how long it took, None for one without an end.
        usage: what the server counted, None where it did not say.
        found: for a search, the text around what was found, "" where that is not known.
    """

    id: str
    conversation: str
    place: int
    question: str
    began: datetime
    model: str
    provider: str
    outcome: Outcome | None
    steps: int
    calls: int
    duration_ms: float | None
    usage: Usage | None
    found: str = ""


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A conversation as a list shows it; `began` and `changed` are UTC, `runs` is how many questions were asked."""

    id: str
    title: str
    base: str
    model: str
    began: datetime
    changed: datetime
    runs: int

    def instead(self, *, base: str, model: str) -> str:
        """Say what is not as it was, where it goes on with this base and this model; "" when all is."""
        pairs = (("from", self.base, base), ("by", self.model, model))
        parts = [f"{word} {one_line(now)} instead of {one_line(old)}" for word, old, now in pairs if now != old]
        return f"From here on answers come {' and '.join(parts)}." if parts else ""


@dataclass(frozen=True, slots=True)
class Filter:
    """What a list is narrowed down to; None asks for nothing.

    Attributes:
        tool: a tool that was asked for.
        outcome: how the run ended; `CUT` for one without an end.
        model: a part of the model's name.
        since: the earliest moment of beginning.
        until: the moment before which it began.
        shortest: least duration, in seconds.
        longest: most duration, in seconds.
    """

    tool: str | None = None
    outcome: Outcome | Literal["cut"] | None = None
    model: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    shortest: float | None = None
    longest: float | None = None

    def conditions(self) -> Iterator[tuple[str, object]]:
        """Yield each condition in SQL on a run `r`, with the value of its one parameter."""
        if self.tool is not None:
            yield "EXISTS (SELECT 1 FROM calls WHERE calls.run = r.key AND calls.tool = ?)", self.tool
        if self.outcome == CUT:
            yield "r.outcome IS ?", None
        elif self.outcome is not None:
            yield "r.outcome = ?", str(self.outcome)
        if self.model is not None:
            yield "instr(lower(r.model), ?)", self.model.lower()
        if self.since is not None:
            yield "r.began >= ?", self.since.timestamp()
        if self.until is not None:
            yield "r.began < ?", self.until.timestamp()
        if self.shortest is not None:
            yield "r.duration_ms >= ?", self.shortest * 1000
        if self.longest is not None:
            yield "r.duration_ms <= ?", self.longest * 1000


RUN_COLUMNS = """
    r.id, (SELECT c.id FROM members m JOIN conversations c ON c.key = m.conversation WHERE m.run = r.key LIMIT 1),
    {place}, r.question, r.began, r.model, r.provider, r.outcome,
    (SELECT count(*) FROM steps WHERE run = r.key), (SELECT count(*) FROM calls WHERE run = r.key),
    r.duration_ms, r.prompt_tokens, r.completion_tokens"""
"""What `run_row` wants of a run `r`, in SQL; `place` stands for its number in a conversation."""

CONVERSATIONS = """
    SELECT id, title, base, model, began, changed, (SELECT count(*) FROM members WHERE conversation = key)
    FROM conversations"""
"""What `conversation_row` wants, in SQL."""


def run_row(row: Sequence[Any], found: str = "") -> RunRow:
    """Return a run as a list shows it; what an import of old put into the journal and cannot be is made to fit."""
    id, conversation, place, question, began, model, provider, outcome, steps, calls, duration, read, written = row
    usage = None if read is None else Usage(prompt_tokens=read, completion_tokens=written)
    ending = Outcome(outcome) if outcome in list(Outcome) else None
    took = None if duration is None else min(max(duration, 0.0), LONGEST_MS)
    return RunRow(
        id, conversation, place, question, near(began), model, provider, ending, steps, calls, took, usage, found
    )


def conversation_row(row: Sequence[Any]) -> ConversationRow:
    """Return a conversation as a list shows it."""
    id, title, base, model, began, changed, runs = row
    return ConversationRow(id, title, base, model, near(began), near(changed), runs)
