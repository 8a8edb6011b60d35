"""Begins to keep the runs of a sitting, as the settings want it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from campus_agent.journal import retention
from campus_agent.journal.opening import journal_path
from campus_agent.journal.recorder import Recorder

if TYPE_CHECKING:
    from campus_agent.settings import Settings


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
