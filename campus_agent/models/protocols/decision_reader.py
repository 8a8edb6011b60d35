"""Reads one decision out of a reply; its thought and its answer are shown while they are written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from campus_agent.agent.arguments import Read, read_arguments
from campus_agent.models.chat_model import AnswerPiece, ModelPiece, Reply, RequestedCall, ThoughtPiece, ToolSchema
from campus_agent.models.shapes import arguments_of, has_arguments
from campus_agent.models.text_calls import read_calls
from campus_agent.text import unfenced

_TO_THOUGHT = re.compile(r"""\s*(?:```\w*\s*)?\{\s*"thought"\s*:\s*\"""")
_TO_ANSWER = re.compile(r"""\"\s*,\s*"decision"\s*:\s*\{\s*"answer"\s*:\s*\"""")
_LONGEST_OPENING = 200  # characters
# Whole characters of a JSON string; half of a character that takes two escapes waits for the other half.
_CHARACTERS = re.compile(
    r'(?:[^"\\]++|\\["\\/bfnrt]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}'
    r"|\\u(?![dD][89abAB])[0-9a-fA-F]{4})*+"
)
_END = re.compile(r'"[\s,}`]*')  # of an answer that was said in full
_CALLED = re.compile(r'"(?:tool|name)"\s*:\s*"([^"\\]+)"')
_DECISION = re.compile(r'\{\s*"(?:thought|decision|tool|name|answer)"')
_MOST_TRIED = 20  # places in a text where a decision may begin
_JSON = re.compile(r"\s*(?:```\w*\s*)?[{\[]")
_Shown = type[ThoughtPiece] | type[AnswerPiece]


class DecisionReader:
    """Reads the text of a reply that holds one decision as JSON.

    A server that takes the schema sends nothing else. One that ignores it may put a fence or prose around the object,
    which is read all the same, or answer in plain prose, which is an answer. An object that holds no decision, and
    JSON that cannot be read, is an unreadable call, for the loop to count.

    Attributes:
        shown: whether a part of the answer was given out.
    """

    def __init__(self, tools: Sequence[ToolSchema]) -> None:
        self.shown = False
        self._required = {tool.name: tool.parameters.get("required", ()) for tool in tools}
        self._parts: list[str] = []
        self._answer: list[str] = []
        self._pending = ""
        self._waiting: list[tuple[re.Pattern[str], _Shown]] = [(_TO_THOUGHT, ThoughtPiece), (_TO_ANSWER, AnswerPiece)]
        self._inside: _Shown | None = None  # the string of these that is being written now

    def feed(self, text: str) -> Iterator[ModelPiece]:
        """Take some text; yield the part of the thought and of the answer in it."""
        self._parts.append(text)
        self._pending += text
        while self._inside or self._enter():
            written = _CHARACTERS.match(self._pending)
            end = written.end() if written else 0
            piece = json.loads(f'"{self._pending[:end]}"', strict=False)
            self._pending = self._pending[end:]
            if piece and self._inside is AnswerPiece:
                self.shown = True
                self._answer.append(piece)
            if piece and self._inside:
                yield self._inside(piece)
            if not self._pending.startswith('"'):
                return
            self._inside = None

    def _enter(self) -> bool:
        """Step into the next string to show, if it has begun."""
        opening = self._waiting[0][0].match(self._pending) if self._waiting else None
        if opening:
            self._inside = self._waiting.pop(0)[1]
            self._pending = self._pending[opening.end() :]
        elif len(self._pending) > _LONGEST_OPENING:
            self._waiting.clear()
            self._pending = ""
        return opening is not None

    def close(self, reply: Reply) -> Iterator[ModelPiece]:
        """Read the whole decision; yield the `Reply` that says it."""
        text, finish = "".join(self._parts), reply.finish
        # Some servers take a whole constrained reply for a thought.
        found = _find(text) if text.strip() else _object(reply.thought) or {}
        decision, thought = _decision(found), found.get("thought")
        if decision is None:
            said, calls = self._unread(text.strip(), cut=finish == "length")
        else:
            said, calls = self._read(decision)
            finish = "stop" if finish == "length" else finish  # it was all said
        thought = thought if isinstance(thought, str) else reply.thought
        yield Reply(said, calls, thought, finish, reply.usage)

    def _read(self, decision: dict[str, Any]) -> tuple[str, tuple[RequestedCall, ...]]:
        name = decision.get("tool") or decision.get("name")
        if not isinstance(name, str):
            answer = decision.get("answer", "")
            return (answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)), ()
        arguments = arguments_of(decision)
        if isinstance(arguments, dict):
            # The schema makes a model write every argument; null is how it gives none.
            required = self._required.get(name, ())
            given = {key: value for key, value in arguments.items() if value is not None or key in required}
            arguments = json.dumps(given, ensure_ascii=False)
        return "", (RequestedCall(name, arguments if isinstance(arguments, str | list) else None),)

    def _unread(self, text: str, *, cut: bool) -> tuple[str, tuple[RequestedCall, ...]]:
        """Make the best of a text that holds no decision."""
        if self._inside is AnswerPiece or (self._answer and _END.fullmatch(self._pending)):
            return "".join(self._answer), ()  # an answer without its end, or with a faulty one
        written, prose = read_calls(text, self._required.keys())
        if written:
            return prose, written  # in the markup of its chat template
        called = _CALLED.search(text)
        if not called and not _JSON.match(text):
            return text, ()
        if cut:
            return "", (RequestedCall(called[1], text[called.end() :], cut=True),) if called else ()
        # Where it is an object after all its text would pass for the arguments of an unknown tool.
        return text, (RequestedCall("", None if _object(text) is not None else text),)


def _find(text: str) -> dict[str, Any]:
    """Return the object that holds the decision: the whole text, or the first such object in it; {} for none."""
    whole = _object(text)
    if whole is not None:
        return whole
    for opening in islice(_DECISION.finditer(text), _MOST_TRIED):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        if _decision(value):
            return dict(value)
    return {}


def _decision(value: Any) -> dict[str, Any] | None:  # noqa: ANN401 - any JSON value
    """Return the decision that a JSON value is or holds."""
    match value:
        case {"decision": dict(decision)} | dict(decision):
            named = "tool" in decision or ("name" in decision and has_arguments(decision))
            return dict(decision) if named or "answer" in decision else None
    return None


def _object(text: str) -> dict[str, Any] | None:
    """Read a text that is one JSON object and nothing else, but perhaps a fence around it."""
    read = read_arguments(unfenced(text)) if _JSON.match(text) else None
    return read.arguments if isinstance(read, Read) else None
