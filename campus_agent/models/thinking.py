"""Thoughts that a model writes into its answer, between `<think>` and `</think>`, told apart as they stream."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_PART_OF_TAG = re.compile(r"</?[a-zA-Z]{0,9}$")


class ThoughtSplitter:
    """Splits a streamed text into thoughts and the rest, wherever the stream cuts the tags.

    Attributes:
        inside: whether a thought has begun and not ended; what it holds then never was an answer.
        opened_before: whether a thought ended that had never begun: the chat template had opened it, so that all text
            before it was a thought too. The reader of that text must take it back, and set this to False again.
    """

    def __init__(self) -> None:
        self.inside = False
        self.opened_before = False
        self._pending = ""
        self._seen = False

    def feed(self, text: str) -> list[tuple[bool, str]]:
        """Take some text; return the parts that are certain, as (is it a thought?, text) in order."""
        text = self._pending + text
        parts: list[tuple[bool, str]] = []
        start = 0
        for tag in _TAG.finditer(text):
            parts.append((self.inside, text[start : tag.start()]))
            start = tag.end()
            if tag[1] and not self.inside and not self._seen:
                self.opened_before = True
                parts = [(True, part) for _, part in parts]
            self.inside = not tag[1]
            self._seen = True
        unsure = _PART_OF_TAG.search(text, start)
        end = unsure.start() if unsure else len(text)
        self._pending = text[end:]
        parts.append((self.inside, text[start:end]))
        return [(thought, part) for thought, part in parts if part]

    def close(self) -> list[tuple[bool, str]]:
        """Say that the text is over; return what was held back."""
        rest, self._pending = self._pending, ""
        return [(self.inside, rest)] if rest else []
