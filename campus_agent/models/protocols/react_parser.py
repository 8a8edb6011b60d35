"""Reads Thought / Action / Action Input / Final Answer out of text, as it streams, in whatever way a model writes it.

What a reply comes to when it says several things:

- An action wins over an answer that follows it, or that a thought merely mentions: what is said beside a request to
  look something up rests on nothing. An answer on a line of its own, before any action, stands: what follows it was
  written by a model that does not know where to stop.
- An observation that the model writes after an action is its own invention: it and all behind it are dropped.
- Without any marker the text is a direct answer. With markers, but neither action nor answer, it is a call
  without a name, for the loop to count as unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from campus_agent.models.chat_model import AnswerPiece, ModelPiece, Reply, RequestedCall, ThoughtPiece, ToolSchema
from campus_agent.models.protocols.react_action import object_end, read_action
from campus_agent.models.text_calls import read_calls

# A marker begins a line, in any case, perhaps bold, numbered or in a list; or stands inside one, with a capital.
_MARKER = re.compile(
    r"(?:^[ \t>#-]*|(?<=[ \t]))(?P<bold>[*_`]{1,3})?"
    r"(?P<word>thought|action(?:[ \t]{0,3}\d{1,3})?[ \t_]{0,3}input|action|input|observation|final[ \t]{1,3}answer"
    r"|question)(?:[ \t]{0,3}\d{1,3})?[ \t]{0,3}[*_`]{0,3}[ \t]{0,3}:(?(bold)[*_`]{0,3})",
    re.IGNORECASE | re.MULTILINE,
)
# The white space at the end of a text, and what may be the beginning of a marker there.
_BEGUN = r"[*_`]{0,3}(?:(?:tho|act|obs|fin|que)[\w \t*`]{0,40}|th?|ac?|ob?|fi?|qu?)?"
_UNSURE = re.compile(rf"\s*(?:(?:^[ \t>#-]*|(?<=[ \t])){_BEGUN})?\Z", re.IGNORECASE | re.MULTILINE)
_UNSURE_IN_ANSWER = re.compile(rf"\s*(?:^[ \t>#-]*{_BEGUN})?\Z", re.IGNORECASE | re.MULTILINE)
# At the end of an input, where the model stopped inside the word behind which it had to stop.
_BEGUN_OBSERVATION = re.compile(
    r"\n[ \t>#*-]{0,9}obs(?:e(?:r(?:v(?:a(?:t(?:i(?:on?)?)?)?)?)?)?)?[* \t]{0,9}\Z", re.IGNORECASE
)
_NO_ANSWER = re.compile(r"\W*(?:thought|question:|previous conversation)", re.IGNORECASE)
_THOUGHTS = ("thought", "question", "observation")
_MOST_KEPT = 100  # characters that are kept back at the end of a text


@dataclass
class _Section:
    """A marker and the text behind it; the text before the first marker has the kind ""."""

    kind: str
    inline: bool = False
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts).strip()

    @property
    def answers(self) -> bool:
        """Whether it is an answer, and not a thought that mentions one."""
        return self.kind == "answer" and not self.inline


class _Marker(NamedTuple):
    start: int
    end: int
    kind: str
    inline: bool


class ReactParser:
    """Reads the text of one reply; thoughts and the final answer are shown while they are written.

    Attributes:
        shown: whether a part of the answer was given out.
    """

    def __init__(self, tools: Sequence[ToolSchema]) -> None:
        self.shown = False
        self._tools = {tool.name: tool for tool in tools}
        self._whole: list[str] = []
        self._sections = [_Section("")]
        self._pending = "\n"  # the text that has no section yet, behind the one character before it
        self._acting: list[str] = []  # everything from the first action on, which is read when it is whole
        self._thoughts: list[str] = []

    def feed(self, text: str) -> Iterator[ModelPiece]:
        """Take some text; yield the part of thoughts and answer that is certain."""
        self._whole.append(text)
        if self._acting:
            self._acting.append(text)
        else:
            self._pending += text
            yield from self._sort(over=False)

    def close(self, reply: Reply) -> Iterator[ModelPiece]:
        """Say that the text is over; yield what is left to show, and the `Reply` last."""
        text, cut = "".join(self._whole).strip(), reply.finish == "length"
        if not text:
            yield self._recovered(reply)
            return
        yield from self._sort(over=True)
        calls, answer, thoughts = self._read(cut=cut)
        for thought in thoughts:
            yield self._think(thought, new=True)
        if not calls and answer is None:
            calls, answer = self._unmarked(text, cut=cut)
        yield replace(reply, text=answer or "", calls=tuple(calls), thought="".join(self._thoughts))

    def _sort(self, *, over: bool) -> Iterator[ModelPiece]:
        """Give the pending text to its sections; keep back what may be part of a marker, unless the text is `over`."""
        while not self._acting:
            marker = _next_marker(self._pending, 1, self._sections[-1])
            if marker is None:
                unsure = self._unsure.search(self._pending, max(1, len(self._pending) - _MOST_KEPT))
                yield from self._take(unsure.start() if unsure and not over else len(self._pending))
                return
            yield from self._take(marker.start, strip=True)
            size = marker.end - marker.start
            if size + 1 == len(self._pending) and not over:
                return  # there may be more of it
            yield from self._settle()
            if marker.kind == "action":
                self._acting.append(self._pending)
            else:
                kind = "over" if self._sections[-1].answers else marker.kind
                self._sections.append(_Section(kind, marker.inline))
                self._pending = self._pending[size:]

    @property
    def _unsure(self) -> re.Pattern[str]:
        return _UNSURE_IN_ANSWER if self._sections[-1].answers else _UNSURE

    def _take(self, end: int, *, strip: bool = False) -> Iterator[ModelPiece]:
        """Move the pending text up to `end` into the present section, and show it where that can be shown."""
        section, text = self._sections[-1], self._pending[1:end]
        self._pending = self._pending[end - 1 :]
        text = text.rstrip() if strip else text
        text = text if section.parts else text.lstrip()
        if not text:
            return
        section.parts.append(text)
        if section.kind in _THOUGHTS:
            yield self._think(text, new=len(section.parts) == 1)
        elif section.answers:
            self.shown = True
            yield AnswerPiece(text)

    def _settle(self) -> Iterator[ModelPiece]:
        """Show the present section as a thought if it was kept back because it could have been the answer."""
        section = self._sections[-1]
        if section.text and section.kind == "":
            yield self._think(section.text, new=True)
        elif section.kind == "answer" and section.inline:
            yield self._think(f"Final Answer: {section.text}".rstrip(), new=True)

    def _think(self, text: str, *, new: bool) -> ThoughtPiece:
        text = f"\n{text}" if new and self._thoughts else text
        self._thoughts.append(text)
        return ThoughtPiece(text)

    def _read(self, *, cut: bool) -> tuple[list[RequestedCall], str | None, list[str]]:
        """Return the calls, the answer if there is one, and the thoughts that were not shown yet."""
        shown = len(self._sections)
        self._read_acting()
        calls: list[RequestedCall] = []
        answer: str | None = None
        thoughts: list[str] = []
        for n, (section, following) in enumerate(pairwise([*self._sections, _Section("end")])):
            if section.kind == "observation" and calls:
                break
            if section.kind == "action":
                given = following.text if following.kind == "input" else None
                last = n + 1 + (given is not None) == len(self._sections)
                given = _BEGUN_OBSERVATION.sub("", given) if given and last else given
                call = read_action(section.text, given, self._tools, end=cut and last)
                calls += [call] if call else []
            elif section.kind == "answer" and not calls:
                answer = section.text
                if section.answers:
                    break
            elif section.kind in _THOUGHTS and n >= shown and section.text:
                thoughts.append(section.text)
        return calls, None if calls else answer, thoughts

    def _read_acting(self) -> None:
        """Divide the text from the first action on; no marker counts inside an object that is an action's input."""
        text = "".join(self._acting)
        start = at = 1
        while marker := _next_marker(text, at, self._sections[-1]):
            self._sections[-1].parts.append(text[start : marker.start])
            self._sections.append(_Section(marker.kind, marker.inline))
            start = marker.end
            at = (object_end(text, start) if marker.kind == "input" else None) or start
        self._sections[-1].parts.append(text[start:])

    def _unmarked(self, text: str, *, cut: bool) -> tuple[list[RequestedCall], str]:
        """Make the best of a text with neither action nor answer; return the calls in it, and what else it says."""
        if len(self._sections) > 1 or _NO_ANSWER.match(text):
            return ([], "") if cut else ([RequestedCall("")], text)
        calls, prose = read_calls(text, self._tools.keys())
        return list(calls), prose

    def _recovered(self, reply: Reply) -> Reply:
        """Return what stands in the thought of a reply without text: some models put a whole turn there."""
        inner = ReactParser(tuple(self._tools.values()))
        for _ in (*inner.feed(reply.thought), *inner._sort(over=True)):
            pass
        calls, answer, _ = inner._read(cut=reply.finish == "length")
        thought = "".join(inner._thoughts) if calls else reply.thought
        return replace(reply, text=answer or "", calls=tuple(calls), thought=thought)


def _next_marker(text: str, at: int, section: _Section) -> _Marker | None:
    """Find the next marker that counts inside `section`."""
    for found in _MARKER.finditer(text, at) if section.kind != "over" else ():
        word = " ".join(re.findall("[a-z]+", found["word"].lower()))
        kind = {"action input": "input", "final answer": "answer"}.get(word, word)
        inline = found.start() > 0 and text[found.start() - 1] != "\n"
        if kind == "input":
            counts = section.kind == "action"
        elif inline:
            counts = found["word"][0].isupper() and kind != "question" and not section.answers
        else:
            counts = not section.answers or "-" not in text[found.start() : found.start("word")]  # a list of its own
        if counts:
            return _Marker(found.start(), found.end(), kind, inline)
    return None
