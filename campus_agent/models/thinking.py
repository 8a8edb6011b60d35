"""Thoughts that a model writes into its answer, in the markup of its family, told apart as they stream."""

from __future__ import annotations

import re

_WORDS = "(?:think|thinking|thoughts?|reasoning|reflection)"
_HARMONY = r"(?:<\|start\|>assistant\s*)?<\|channel\|>\s*"
# What opens a thought and what ends it, a family of models a line.
_MARKUPS = (
    (rf"<(?:\w{{1,12}}:)?{_WORDS}(?:\s[^<>]{{0,80}})?>", rf"</(?:\w{{1,12}}:)?{_WORDS}>"),  # DeepSeek, Qwen, Seed ...
    (r"(?-i:\[THINK\])", r"(?-i:\[/THINK\])"),  # Mistral
    ("◁think▷", "◁/think▷"),  # Kimi
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),  # Cohere
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),  # OpenThinker
    # gpt-oss: what it says to itself comes before what it says to the person, each under a name of its own.
    (
        rf"{_HARMONY}(?:analysis|commentary)\s*<\|message\|>",
        rf"<\|end\|>\s*(?=<\|start\|>)|{_HARMONY}final[^<>]{{0,40}}(?:<\|constrain\|>\w{{0,20}})?<\|message\|>",
    ),
)
_MARK = re.compile(
    f"(?P<opens>{'|'.join(opens for opens, _ in _MARKUPS)})|(?:{'|'.join(ends for _, ends in _MARKUPS)})"
    r"|(?P<turn><\|end\|>)",  # ends a thought that is open, else the whole reply, which is for others to read
    re.IGNORECASE,
)
_BEGIN = re.compile(r"[<\[◁]")  # of any mark
# What may be the beginning of one of these at the end of a text.
_TOKEN = r"<\|[\w|]{0,20}|<\|(?:start|channel)\|>(?:(?!<\|message\|>)[^\n]){0,100}"
_PART_OF_MARK = re.compile(
    rf"(?:<(?:/?[\w:]{{0,24}}|(?:\w{{1,12}}:)?{_WORDS}\s[^<>]{{0,80}})|\[/?[A-Z]{{0,5}}|◁/?[a-z]{{0,5}}"
    rf"|<\|end\|>\s{{0,9}}(?:<|{_TOKEN})?|{_TOKEN})\Z",
    re.IGNORECASE,
)


class ThoughtSplitter:
    """Splits a streamed text into thoughts and the rest, wherever the stream cuts the marks.

    Attributes:
        inside: whether a thought has begun and not ended; what it holds then never was an answer.
        opened_before: whether a thought ended that was not open: the chat template had opened it, or a thought stood
            inside it, so that all text before it was a thought too. The reader of that text must take it back, and
            set this to False again.
    """

    def __init__(self) -> None:
        self.inside = False
        self.opened_before = False
        self._pending = ""

    def feed(self, text: str) -> list[tuple[bool, str]]:
        """Take some text; return the parts that are certain, as (is it a thought?, text) in order."""
        text = self._pending + text
        if not _BEGIN.search(text):  # as almost all text, which comes in very many pieces
            return [(self.inside, text)] if text else []
        parts: list[tuple[bool, str]] = []
        start = 0
        for mark in _MARK.finditer(text):
            if mark["turn"] and not self.inside:
                continue
            parts.append((self.inside, text[start : mark.start()]))
            start = mark.end()
            ends = mark["opens"] is None
            if ends and not self.inside:
                self.opened_before = True
                parts = [(True, part) for _, part in parts]
            self.inside = not ends
        unsure = _PART_OF_MARK.search(text, start)
        end = unsure.start() if unsure else len(text)
        self._pending = text[end:]
        parts.append((self.inside, text[start:end]))
        return [(thought, part) for thought, part in parts if part]

    def close(self) -> list[tuple[bool, str]]:
        """Say that the text is over; return what was held back."""
        rest, self._pending = self._pending, ""
        return [(self.inside, rest)] if rest else []
