"""What a person is told of what is kept, and of what is not."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from campus_agent.text import one_line, plural

if TYPE_CHECKING:
    from campus_agent.agent.events import Event, Note
    from campus_agent.journal.salvaging import Salvaged

_MOST_NAMED = 3  # questions
REPLACED = (
    "The journal's file was removed or replaced while it was open, so what was asked before is not in it. "
    "From here on it is kept in the file that is there now."
)
OPEN_ALREADY = "This is the conversation that is open."
OFF = "The journal is off: this conversation goes on, and nothing of what you ask from now on is kept."


def damaged(aside: Path, saved: Salvaged | None) -> str:
    """Say that a journal was damaged, where it is now, and what was saved from it; None for what was not tried yet."""
    where, so_far = one_line(str(aside)), f" so far ({saved.stopped})" if saved and saved.stopped else ""
    if saved is None or (so_far and not saved.runs):
        tried = f" Nothing was saved from it{so_far}." if so_far else ""
        said = (
            f"It is kept as {where}, and a new one is begun.{tried} To save what can be read of it: {_command(aside)}"
        )
    elif saved.runs:
        from_it = f"{plural(saved.conversations, 'conversation')} with {plural(saved.runs, 'question')}"
        more = f" To save more: {_command(aside)}" if so_far else ""
        said = f"{from_it} could be saved from it{so_far}; the rest is in {where}.{more}"
    else:
        said = f"Nothing could be saved from it. It is kept as {where}, and a new one is begun."
    return f"The journal was damaged. {said}"


def unfinished(aside: Path) -> str:
    """Say that the program was stopped while it saved what can be read of a damaged journal."""
    return (
        "campus-agent was stopped while it saved what can be read of a damaged journal."
        f" To save the rest: {_command(aside)}"
    )


def _command(aside: Path) -> str:
    return f"campus-agent trace salvage {shlex.quote(one_line(str(aside)))}"


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
