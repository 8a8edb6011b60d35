"""Keeps what is typed before the app can take it: between the start of the program and its first frame."""

from __future__ import annotations

from textual import events

from campus_agent.tui.typed_text import TypedText


class EarlyKeys(TypedText):
    """An app that hands on what was typed before its first frame as soon as that stands, in order."""

    _early: list[events.Event] | None = None  # None from the first frame on

    def on_load(self) -> None:
        """Begin to keep what is typed: nothing has the focus yet, so it would go to nobody."""
        self._early = []

    async def on_event(self, event: events.Event) -> None:
        """Keep a key or a paste that comes too early; pass on everything else."""
        if self._early is not None and isinstance(event, events.Key | events.Paste):
            self._early.append(_meant(event))
        else:
            await super().on_event(event)

    async def on_ready(self) -> None:
        """Hand on what was typed too early."""
        early, self._early = self._early or [], None
        for event in early:
            await super().on_event(event)


def _meant(event: events.Event) -> events.Event:
    """Return an early event as the person meant it: a terminal that is not raw yet turns Enter into a line feed."""
    if isinstance(event, events.Key) and event.key == "ctrl+j":
        return events.Key("enter", "\r")
    return event
