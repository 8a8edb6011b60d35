"""What a run can have been: the bounds of what may come in from elsewhere, and of what is shown of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campus_agent.agent.events import Event

EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
LATEST = datetime(2100, 1, 1, tzinfo=UTC)
LONGEST_MS = 366 * 86_400_000.0
"""The longest time that a run, a step or a call can have taken, in milliseconds: a year."""

_ID = re.compile(r"(?!last\Z)[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TIMES = ("duration_ms", "latency_ms")


def is_id(text: str) -> bool:
    """Return whether a run can be named so: "last" stands for another, and a person has to be able to type it."""
    return _ID.fullmatch(text) is not None


def impossible(event: Event) -> str:
    """Say what of an event cannot be; "" when all can."""
    if not is_id(event.run_id):
        return "its run_id is none: letters and digits, at most 64, and not the word last"
    if not EARLIEST <= event.time < LATEST:
        return f"its time is not between the years {EARLIEST.year} and {LATEST.year}"
    wrong = next((name for name in _TIMES if not 0 <= getattr(event, name, 0) <= LONGEST_MS), "")
    return f"its {wrong} is not between 0 and a year" if wrong else ""


def near(seconds: float) -> datetime:
    """Return a moment, given in seconds since 1970, moved to the nearest that can be shown in every time zone."""
    inside = min(max(seconds, EARLIEST.timestamp()), LATEST.timestamp())
    return datetime.fromtimestamp(inside, UTC)


def mended(event: Event) -> Event:
    """Return a stored event with its times moved to the nearest that can be."""
    changes: dict[str, object] = {}
    if not EARLIEST <= event.time <= LATEST:
        changes["time"] = EARLIEST if event.time < EARLIEST else LATEST
    for name in _TIMES:
        value = getattr(event, name, 0.0)
        if not 0 <= value <= LONGEST_MS:
            changes[name] = min(max(value, 0.0), LONGEST_MS)
    return event.model_copy(update=changes) if changes else event
