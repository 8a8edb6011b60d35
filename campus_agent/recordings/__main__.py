"""Records the workshop anew: `python -m campus_agent.recordings`."""

from __future__ import annotations

import asyncio
from datetime import datetime

from campus_agent.agent.events import Acting, Event, Observed
from campus_agent.assemble import assemble
from campus_agent.recordings import workshop
from campus_agent.settings import Settings
from campus_agent.transcript import as_json_lines

_DAY = datetime.fromisoformat("2026-06-13T10:00:00-07:00")


async def record() -> list[list[Event]]:
    """Return the events of each question of the workshop, asked of the offline model about the bundled base."""
    assistant = assemble(Settings.model_validate({"provider": "offline", "now": _DAY}), environ={})
    runs = []
    for number, question in enumerate(assistant.about.questions, 1):
        assistant.agent.reset()  # as in a workshop, where each is explained by itself
        calls: dict[str, str] = {}
        runs.append([_named(event, f"workshop-{number}", calls) async for event in assistant.agent.run(question)])
    return runs


def _named(event: Event, run: str, calls: dict[str, str]) -> Event:
    """Return an event with names in the place of those that are made up anew each time."""
    named = {"run_id": run}
    if isinstance(event, Acting | Observed):
        named["call_id"] = calls.setdefault(event.call_id, f"call-{len(calls) + 1}")
    return event.model_copy(update=named)


def main() -> None:
    """Write the recording in its place."""
    workshop().write_text(as_json_lines(asyncio.run(record())), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
