"""Lets every character be typed: also a space that is not the ordinary one, and one that only joins others."""

from __future__ import annotations

import unicodedata

from textual import events
from textual.app import App

from campus_agent.text import sanitize


class TypedText(App[int]):
    """An app in which no character is lost that Textual does not take for text, because it shows nothing of itself."""

    async def on_event(self, event: events.Event) -> None:
        """Pass on a key that writes such a character as one that is taken; pass on everything else as it is."""
        await super().on_event(_taken(event))


def _taken(event: events.Event) -> events.Event:
    """Return a space of another width as Space, and a joiner, or a sign of private use, as a paste of it."""
    if not isinstance(event, events.Key) or event.is_forwarded or event.character is None or event.is_printable:
        return event
    match unicodedata.category(event.character) if len(event.character) == 1 else "":
        case "Zs":
            return events.Key("space", " ")
        case "Cf" | "Co" if sanitize(event.character) == event.character:
            return events.Paste(event.character)
    return event
