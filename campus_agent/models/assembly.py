"""The chunks of one completion, streamed or whole -> pieces to show and, in the end, one reply."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
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
from campus_agent.models.finish import meaning, promises_calls, reason_of
from campus_agent.models.growing import Growing
from campus_agent.models.slots import MOST_CALLS, CallSlots, read_json
from campus_agent.models.spoken import spoken
from campus_agent.models.text_calls import Draft, calls_in_thought
from campus_agent.models.thinking import ThoughtSplitter


class Assembly:
    """One reply in the making: takes chunks as the server sent them, believes nothing of their shape.

    Attributes:
        finish: the last finish reason that the server gave, None for none so far.
        shown: whether answer text was given out that is void if the reply turns out broken.
        answered: whether the server sent at least one choice.

    A reply that was asked for once may still come as several choices. The one that comes first counts; the calls of
    others do where it promises some and has none.
    """

    def __init__(self, tools: Set[str]) -> None:
        self.finish: str | None = None
        self.shown = False
        self.answered = False
        self._tools = tools
        self._choice: int | None = None  # the one that counts
        self._slots = CallSlots(tools)
        self._others: dict[int, CallSlots] = {}
        self._said, self._thoughts = Growing(), Growing()
        self._began = self._in_pieces = False  # whether anything came; and whether in deltas
        self._went_on = False  # after it had said that it was over
        self._splitter = ThoughtSplitter()
        self._draft = Draft(tools)
        self._thought: list[str] = []
        self._details: list[dict[str, Any]] = []
        self._withheld = False  # whether the provider refused in a field of its own
        self._usage: Usage | None = None

    def add(self, chunk: dict[str, Any]) -> Iterator[ModelPiece]:
        """Take a chunk of a stream, or a whole completion; yield what can be shown by now."""
        self._usage = _usage(chunk.get("usage")) or self._usage
        for place, choice in enumerate(_dicts(chunk.get("choices"))):
            self.answered = True
            index = choice["index"] if isinstance(choice.get("index"), int) else place
            self._choice = index if self._choice is None else self._choice
            if index == self._choice:
                yield from self._message(choice.get("delta"), whole=False)
                yield from self._message(choice.get("message"), whole=True)
                self.finish = reason_of(choice) or self.finish
            else:
                self._set_aside(index, choice)

    @property
    def ended(self) -> bool:
        """Whether the server has said that the reply is over; one that then goes on is not believed."""
        return self.finish is not None and not self._went_on

    @property
    def said(self) -> tuple[str, list[tuple[str, object]]]:
        """All that was said so far, to be compared with another try of the same reply: the text, and the calls."""
        return self._said.whole, [(call.name, call.arguments) for call in self._slots.calls()]

    def close(self) -> Iterator[ModelPiece]:
        """Say that the reply is over; yield what was held back, what was repaired, and the `Reply` last."""
        yield from self._sort(self._splitter.close())
        written, text, rest = self._draft.close()
        yield from self._show(rest)
        calls = self._calls(said=bool(text or written))
        if not self.answered:
            yield ModelNote("The server sent a reply with nothing in it.")
        for name in self._slots.doubled():
            yield ModelNote(f"The arguments of {name} came more than once in one call.")
        thought = "".join(self._thought).strip()
        if not calls and not text:
            written = written or calls_in_thought(thought, self._tools)
        if self._slots.full or len(written) > MOST_CALLS:
            yield ModelNote(f"More than {MOST_CALLS} tool calls came in one reply; only the first were read.")
        written = written[:MOST_CALLS]
        for call in () if calls else written:
            yield ModelNote(f"The call of {call.name or 'a tool'} was written as text; it was read as a call.")
        yield Reply(
            text=text,
            calls=self._marked(calls or list(written)),
            thought=thought,
            finish=self._finish_hint() if calls or written else self._finish_hint_without_calls(),
            usage=self._usage,
            details=tuple(self._details),
        )

    def _message(self, message: object, *, whole: bool) -> Iterator[ModelPiece]:
        if not isinstance(message, dict):
            return
        now = spoken(message, whole=whole)
        text, thought, calls, details = now.text, now.thought, now.calls, now.details
        if whole and self._began:  # it may hold what came before, and what did not
            text = self._said.rest_of(text, in_pieces=self._in_pieces)
            thought = self._thoughts.rest_of(thought, in_pieces=self._in_pieces)
            calls, details = calls if self._slots.empty else (), details if not self._details else ()
        self._began, self._in_pieces = True, self._in_pieces or not whole
        self._went_on = self._went_on or (self.finish is not None and bool(text.strip() or thought or calls))
        self._withheld = self._withheld or now.refused
        self._details += details
        yield from self._think(self._thoughts.add(thought))
        yield from self._sort(self._splitter.feed(self._said.add(text)))
        for call, is_whole in calls:
            self._slots.add(call, whole=is_whole)

    def _set_aside(self, index: int, choice: dict[str, Any]) -> None:
        """Keep the calls of a choice that does not count."""
        slots = self._others.setdefault(index, CallSlots(self._tools))
        for key in ("delta", "message"):
            if isinstance(choice.get(key), dict):
                for call, is_whole in spoken(choice[key], whole=key == "message").calls:
                    slots.add(call, whole=is_whole)

    def _calls(self, *, said: bool) -> list[RequestedCall]:
        """Return the calls; a blank one, which some servers send beside every answer, only if nothing was `said`."""
        others = self._others.values() if self._slots.empty and promises_calls(self.finish) else ()
        calls = [call for slots in (self._slots, *others) if not slots.empty for call in slots.calls()]
        return calls[:MOST_CALLS] or ([] if said else self._slots.calls())

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
            replace(call, cut=True)
            if not isinstance(call.arguments, dict | list) and read_json(call.arguments or "") is None
            else call
            for call in calls
        )

    def _finish_hint_without_calls(self) -> Literal["stop", "length", "filter", "calls"]:
        return "calls" if promises_calls(self.finish) and not self._withheld else self._finish_hint()

    def _finish_hint(self) -> Literal["stop", "length", "filter"]:
        return "filter" if self._withheld else meaning(self.finish)


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt, completion = value.get("prompt_tokens"), value.get("completion_tokens")
    if not all(type(count) is int and count >= 0 for count in (prompt, completion)):  # True is no count
        return None
    return Usage(prompt_tokens=int(prompt or 0), completion_tokens=int(completion or 0))
