"""A scripted model that invents: it shows a class what becomes of facts that no source supports."""

from __future__ import annotations

import json

from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel

NAME = "scripted model that invents"
DRAFTS = (
    "The next meeting is on Monday, in room 118. Ask Dana Whitfield, 213-555-0147.",
    "It is on Monday at noon, in room 118. Call Dana Whitfield at 213-555-0147.",
)
"""What it makes up: a day, a room, a person and a phone number; then again, told that nothing supports them."""


def inventing_model(question: str) -> ScriptedModel:
    """Return a model that searches for `question`, as a good one would, and then writes what it found nowhere."""
    search = [RequestedCall("search_campus_info", json.dumps({"query": question}))]
    return ScriptedModel([search, *DRAFTS], name=NAME)
