"""The tools that the readers of the protocols are told of, and a text read by one of them, cut as a stream cuts it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from campus_agent.models.chat_model import ModelPiece, Reply, ToolSchema
from campus_agent.models.protocols.written import Reader
from tests.models.played import Heard

TEXT = {"type": "string"}


def schema(name: str, required: tuple[str, ...] = (), **properties: object) -> ToolSchema:
    needs = {"required": [*required]} if required else {}
    return ToolSchema(name, f"{name}.", {"type": "object", "properties": properties, **needs})


TOOLS = (
    schema("search_campus_info", ("query",), query=TEXT),
    schema("get_current_time", timezone=TEXT),
    schema("days_until_weekday", ("weekday",), weekday=TEXT, after_time=TEXT),
    schema("book_room", ("room", "day"), room=TEXT, day=TEXT),
)


def read(reader: Reader, text: str, *, cuts: Iterable[int] = (), **reply) -> Heard:
    """Give `reader` a text, cut at the given places, and return what it makes of it."""
    pieces: list[ModelPiece] = []
    for start, end in pairwise([0, *sorted(cuts), len(text)]):
        pieces += reader.feed(text[start:end])
    return Heard([*pieces, *reader.close(Reply(text=text, **reply))])
