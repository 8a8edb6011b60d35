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

# The same where a server took the tokens out: "analysisThey ask when ...assistantfinalOn Thursday."
_BARE = "analysis"
_BARE_TURN = re.compile(r"assistant(?:(analysis|final)|(commentary)(?=\s{0,3}to=))")
_PART_OF_BARE_TURN = re.compile(r"(?:a(?:s(?:s(?:i(?:s(?:t(?:an?)?)?)?)?)?)?|assistant[a-z]{0,10}\s{0,3}(?:to?)?)\Z")


class _Tokens:
    """Puts the tokens of gpt-oss back into a text that streams, where a server took them out."""

    def __init__(self) -> None:
        self._held = ""
        self._begun = False
        self._idle = False  # nothing was taken out of this text

    def feed(self, text: str, *, over: bool = False) -> str:
        """Take some text; return what is certain, with its tokens; all that is left when it is `over`."""
        if self._idle:
            return text
        text, self._held = self._held + text, ""
        if not self._begun:
            if not over and len(text) <= len(_BARE) and _BARE.startswith(text):
                self._held = text
                return ""
            self._begun = text.startswith(_BARE) and text[len(_BARE) :][:1].isalnum()
            self._idle = not self._begun
            if self._idle:
                return text
            text = f"<|channel|>{_BARE}<|message|>{text[len(_BARE) :]}"
        unsure = None if over else _PART_OF_BARE_TURN.search(text)
        end = unsure.start() if unsure else len(text)
        self._held = text[end:]
        return _BARE_TURN.sub(_with_tokens, text[:end])


def _with_tokens(turn: re.Match[str]) -> str:
    said, call = turn.groups()
    return f"<|end|><|start|>assistant<|channel|>{f'{said}<|message|>' if said else call}"


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
        self._tokens = _Tokens()

    def feed(self, text: str) -> list[tuple[bool, str]]:
        """Take some text; return the parts that are certain, as (is it a thought?, text) in order."""
        return self._split(self._tokens.feed(text))

    def _split(self, text: str) -> list[tuple[bool, str]]:
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
        parts = self._split(self._tokens.feed("", over=True))
        rest, self._pending = self._pending, ""
        return [*parts, (self.inside, rest)] if rest else parts
