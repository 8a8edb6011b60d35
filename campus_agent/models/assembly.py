"""The chunks of one completion, streamed or whole -> pieces to show and, in the end, one reply."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any, Literal

from campus_agent.models.chat_model import (
    AnswerPiece,
    AnswerWithdrawn,
    ModelNote,
    ModelPiece,
    Reply,
    RequestedCall,
    ThoughtPiece,
    Usage,
)
from campus_agent.models.slots import CallSlots, read_json
from campus_agent.models.text_calls import Draft
from campus_agent.models.thinking import ThoughtSplitter


class Assembly:
    """One reply in the making: takes chunks as the server sent them, believes nothing of their shape.

    Attributes:
        finish: the last finish reason that the server gave, None for none so far.
        shown: whether answer text was given out that is void if the reply turns out broken.
        answered: whether the server sent at least one choice.
    """

    def __init__(self, tools: Set[str]) -> None:
        self.finish: str | None = None
        self.shown = False
        self.answered = False
        self._tools = tools
        self._slots = CallSlots(tools)
        self._splitter = ThoughtSplitter()
        self._draft = Draft(tools)
        self._thought: list[str] = []
        self._usage: Usage | None = None

    def add(self, chunk: dict[str, Any]) -> Iterator[ModelPiece]:
        """Take a chunk of a stream, or a whole completion; yield what can be shown by now."""
        self._usage = _usage(chunk.get("usage")) or self._usage
        for choice in _dicts(chunk.get("choices"))[:1]:
            self.answered = True
            reason = choice.get("finish_reason")
            self.finish = reason if isinstance(reason, str) and reason else self.finish
            whole = isinstance(choice.get("message"), dict)
            yield from self._message(choice["message"] if whole else choice.get("delta"), whole=whole)

    def close(self) -> Iterator[ModelPiece]:
        """Say that the reply is over; yield what was held back, what was repaired, and the `Reply` last."""
        yield from self._sort(self._splitter.close())
        written, text, rest = self._draft.close()
        yield from self._show(rest)
        calls = self._slots.calls()
        if not self.answered:
            yield ModelNote("The server sent a reply with nothing in it.")
        for name in self._slots.doubled():
            yield ModelNote(f"The arguments of {name} came more than once in one call.")
        for call in () if calls else written:
            yield ModelNote(f"The call of {call.name} was written as text; it was read as a call.")
        yield Reply(
            text=text,
            calls=self._marked(calls or list(written)),
            thought="".join(self._thought).strip(),
            finish=self._finish_hint(),
            usage=self._usage,
        )

    def _message(self, message: object, *, whole: bool) -> Iterator[ModelPiece]:
        if not isinstance(message, dict):
            return
        thought = _text(message.get("reasoning_content") or message.get("reasoning") or message.get("thinking"))
        yield from self._think(thought)
        for is_thought, text in _content(message.get("content") or message.get("refusal")):
            yield from self._think(text) if is_thought else self._sort(self._splitter.feed(text))
        for fragment in _dicts(message.get("tool_calls")):
            self._slots.add(fragment, whole=whole)
        if isinstance(message.get("function_call"), dict):  # the name that the API had for it before 2023-11
            self._slots.add({"index": "function_call", "function": message["function_call"]}, whole=False)

    def _sort(self, parts: list[tuple[bool, str]]) -> Iterator[ModelPiece]:
        if self._splitter.opened_before:
            self._splitter.opened_before = False
            yield from self._take_back()
        for is_thought, text in parts:
            yield from self._think(text) if is_thought else self._show(self._draft.feed(text))

    def _take_back(self) -> Iterator[ModelPiece]:
        """Turn all answer text so far into a thought: only its end was marked."""
        text, self._draft = self._draft.whole, Draft(self._tools)
        if self.shown:
            self.shown = False
            yield AnswerWithdrawn()
        yield from self._think(text)

    def _think(self, text: str) -> Iterator[ModelPiece]:
        if text:
            self._thought.append(text)
            yield ThoughtPiece(text)

    def _show(self, text: str) -> Iterator[ModelPiece]:
        if text:
            self.shown = True
            yield AnswerPiece(text)

    def _marked(self, calls: list[RequestedCall]) -> tuple[RequestedCall, ...]:
        """Mark the calls that the token limit cut off."""
        if self._finish_hint() != "length":
            return tuple(calls)
        return tuple(
            RequestedCall(call.name, call.arguments, call.id, cut=True)
            if not isinstance(call.arguments, dict | list) and read_json(call.arguments or "") is None
            else call
            for call in calls
        )

    def _finish_hint(self) -> Literal["stop", "length", "filter"]:
        match self.finish:
            case "length" | "max_tokens" | "MAX_TOKENS":
                return "length"
            case "content_filter" | "SAFETY" | "safety":
                return "filter"
            case _:
                return "stop"


def _content(content: object) -> Iterator[tuple[bool, str]]:
    """Yield the texts of a message's content, plain or in parts, each with whether it is a thought."""
    if not isinstance(content, list):
        yield False, _text(content)
        return
    for part in content:
        if not isinstance(part, dict):
            yield False, _text(part)
        elif part.get("type") in ("thinking", "reasoning"):
            inner = part.get("thinking") or part.get("reasoning") or part.get("text")
            yield True, "".join(text for _, text in _content(inner))
        else:
            yield False, _text(part.get("text")) or _text(part.get("refusal"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt, completion = value.get("prompt_tokens"), value.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    return Usage(prompt_tokens=prompt, completion_tokens=completion)
