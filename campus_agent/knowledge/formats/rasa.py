"""Rasa, a chatbot that many campuses train: example questions by intent, answers by name, and rules between the two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from campus_agent.knowledge.formats.blocks import file_title
from campus_agent.knowledge.intents import reference
from campus_agent.knowledge.passage import Passage, title_path

_PARTS = ("nlu", "responses", "rules", "stories")
_ANSWER = "utter_"
_ENTITY = re.compile(r"\[([^]]*)](?:\([^)]*\)|\{[^}]*\})")  # [Monday](day), [Monday]{"entity": "day"}
_SLOT = re.compile(r"\{\w+\}")


def is_chatbot(value: object) -> bool:
    """Tell whether a YAML document is one of a Rasa project that has questions, answers or rules in it."""
    return isinstance(value, dict) and any(_shaped(value, part) for part in _PARTS)


def passages(value: object, source: str) -> Iterator[Passage]:
    """Yield the answers, each with references to its intents, and what the references stand for.

    By Rasa's convention `utter_hours` answers the intent `hours`; rules and stories may say more. An answer with a gap
    that is filled while the chatbot runs is left out, for it is no fact.
    """
    if not isinstance(value, dict):
        return
    for intent in _dicts(value.get("nlu")):
        name, examples = intent.get("intent"), _lines(intent.get("examples"))
        if isinstance(name, str) and examples:
            yield Passage(reference(name), "", source, None, tuple(examples))
    for part in ("rules", "stories"):
        for story in _dicts(value.get(part)):
            yield from _links(story, source)
    responses = value.get("responses")
    for name, variants in responses.items() if isinstance(responses, dict) else ():
        yield from _answers(str(name).removeprefix(_ANSWER), variants, source)


def _shaped(value: dict[Any, Any], part: str) -> bool:
    found = value.get(part)
    if part == "responses":
        return isinstance(found, dict) and any(str(name).startswith(_ANSWER) for name in found)
    marks = {"nlu": "intent"}.get(part, "steps")
    return any(marks in item for item in _dicts(found))


def _dicts(value: object) -> list[dict[Any, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _lines(value: object) -> list[str]:
    """Return the examples of an intent, one a line after a dash, without the marks of entities."""
    parts = value if isinstance(value, list) else [value]
    texts = [item.get("text") if isinstance(item, dict) else item for item in parts]
    lines = [
        line.strip().removeprefix("-").strip() for text in texts if isinstance(text, str) for line in text.split("\n")
    ]
    return [_ENTITY.sub(r"\1", line) for line in lines if line]


def _links(story: dict[Any, Any], source: str) -> Iterator[Passage]:
    """Yield which intent each answer of a rule or story follows."""
    intent: object = None
    for step in _dicts(story.get("steps")):
        intent = step.get("intent", intent)
        action = step.get("action")
        if isinstance(action, str) and action.startswith(_ANSWER) and isinstance(intent, str):
            yield Passage(reference(action.removeprefix(_ANSWER)), "", source, None, (reference(intent),))


def _answers(name: str, variants: object, source: str) -> Iterator[Passage]:
    title = title_path(re.sub(r"[_/\s]+", " ", name)) or file_title(source)
    said: set[str] = set()
    for variant in _dicts(variants):
        text = variant.get("text")
        if isinstance(text, str) and text.strip() and not _SLOT.search(text) and text not in said:
            said.add(text)
            yield Passage(title, " ".join(text.split()), source, None, (reference(name),))
