"""What a person is told of what is kept, and of what is not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from campus_agent.text import one_line

if TYPE_CHECKING:
    from campus_agent.agent.events import Event, Note

_MOST_NAMED = 3  # questions
REPLACED = (
    "The journal's file was removed or replaced while it was open, so what was asked before is not in it. "
    "From here on it is kept in the file that is there now."
)
OFF = "The journal is off: this conversation goes on, and nothing of what you ask from now on is kept."


def not_kept(waiting: Iterable[Event]) -> str:
    """Say which questions are not kept, or not wholly, when these events can never be written."""
    events = list(waiting)
    asked = [f"“{one_line(event.question, 60)}”" for event in events if event.kind == "run_started"]
    begun = bool(events) and events[0].kind != "run_started"
    names = ["the rest of the run that went on", *asked] if begun else asked
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Not kept in the journal: {', '.join(names[:_MOST_NAMED])}{more}"


def not_yet(where: str) -> str:
    """Say that a run is over, and not kept so far."""
    return f"This is not kept yet: another program keeps the journal locked ({where}). It is tried again."


def note(event: Event, text: str) -> Note:
    """Return a note that stands beside an event of a run."""
    from campus_agent.agent.events import Note

    return Note(run_id=event.run_id, seq=event.seq, time=event.time, step=None, text=text)
