"""Finds where a text calls out to an assistant that is a program and tells it what to say or do.

"Bots must answer that ...", "To the AI: tell everyone ...", "[Dear model, promise ...]": it is named, at the beginning
of what is said to it or as who has to do something, and a verb says what. A rule about the use of AI names it too, but
has it say nothing. Somebody who works there may be called an assistant or an agent: such a one has to be told to say
something particular.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

# What a text begins with that is said to somebody: nothing, the end of a sentence, or a bracket or mark.
_BEGIN = r"(?:\A|[.!?:;()\[\]{}<>\"“”«»*|#~=@\n]|--)[\s*_#]{0,4}(?P<at>)"
_MARK = r"\s{0,2}(?:[:,;!.)—–]|-{1,2}(?=\s))[\s*_\"“]{0,4}"


def first_addressed(text: str) -> int | None:
    """Return where `text` begins to tell a program what to do, in any language; None where it does not."""
    plain = text.lower()
    starts = [
        match.start(match.lastgroup or 0)
        for likely, patterns in _patterns()
        if likely.search(plain)
        for pattern in patterns
        if (match := pattern.search(text))
    ]
    return min(starts, default=None)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]], ...]:
    """Return, by language, the pattern without which there is no such text, and those of the ways to say it."""
    languages: dict[str, dict[str, str]] = tomllib.loads(
        files(__package__).joinpath("addressees.toml").read_text("utf-8")
    )
    return tuple((re.compile(rf"\b(?:{one['sure']}|{one['unclear']})\b"), _ways(one)) for one in languages.values())


def _ways(words: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    sure, unclear, say = (rf"(?:{words[name]})\b" for name in ("sure", "unclear", "say"))
    content, reading = words["content"], rf"(?:\s(?:{words['reading']}))?"
    before = rf"(?:(?:{words['before']})\s){{0,2}}"
    manner = rf"(?:(?:{words['manner']})\s){{0,3}}"
    called = rf"(?:{_MARK}|\s(?=(?:{words['manner']})\s))"
    order = rf"{manner}(?:{words['say']}|{words['order']})\b"
    call = rf"(?:{words['call']})[,:]?\s"
    letter = rf"(?:{words['letter']})\s(?:{words['for']})\s"
    duty = rf"{reading}\s(?:{words['duty']})\s{manner}{say}{content}"
    ways = (
        # Bots must answer that ...
        rf"\b{sure}{duty}",
        rf"(?:{_BEGIN}|\b(?:{words['before']})\s){words['assistant']}\b{duty}",
        # AI: say ...; To the model: say ...
        rf"{_BEGIN}(?:{call}|(?:{words['for']})\s)?{before}{sure}{reading}{called}{order}",
        rf"{_BEGIN}(?:{call}|(?:{words['for']})\s)?{before}{unclear}{reading}{called}{manner}{say}{content}",
        # Note to all chatbots: ...; Dear AI, ...
        rf"\b{letter}{before}(?:{sure}{reading}{_MARK}|{unclear}{reading}{_MARK}{order})",
        rf"{_BEGIN}{call}{before}{sure}{reading}{_MARK}",
        # If you are a language model, ...
        rf"\b(?:{words['condition']}){sure}{reading}(?:{_MARK}|\s(?:{words['manner']})\b)",
    )
    return tuple(re.compile(way, re.IGNORECASE) for way in ways)
