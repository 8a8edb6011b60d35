"""Recognises the refusal line, also in nearly the same words."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from campus_agent.guardrail.lexicon import ENGLISH, lexicon
from campus_agent.guardrail.words import fold

_DASHES = re.compile("\\s*[\u2010-\u2015\u2212-]+\\s*")
_MARKS = re.compile(r"[*_`>#\"“”„«»]|(?<!\w)'|'(?!\w)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NEAR = 0.82
# A line with fewer words, apologies and courtesies left out, has to be said whole.
_TELLING = 3
_REMEMBERED = 8  # refusal lines


def is_refusal(text: str, refusal: str, language: str = ENGLISH) -> bool:
    """Whether `text` is the refusal line, or says no more than it: an apology before, courtesies after.

    Quotes, dashes, case, white space and the full stop may differ, and a word or two.
    """
    if len(text) > 4 * len(refusal) + 400 or not _figures(text) <= _figures(refusal):
        return text.strip() == refusal.strip()
    if text.strip() == refusal.strip() or (_plain(text) and _plain(text) == _plain(refusal)):
        return True
    whole, line = _core(text, language), _line(refusal, language)
    if len(line.split()) < _TELLING:
        return False
    return whole in (line, _first_clause(line)) or _nearly(whole, line)


def holds_refusal(text: str, refusal: str) -> bool:
    """Whether `text` says the refusal line among other things; a line of a word or two says nothing by itself."""
    line = _plain(refusal)
    return len(line.split()) >= _TELLING and line in _plain(text)


def without_refusal(text: str, refusal: str) -> str:
    """Return `text` without the refusal line, wherever it stands in it and however it is punctuated."""
    if not holds_refusal(text, refusal):
        return text
    words = r"[^\w\n]{1,9}".join(map(re.escape, re.findall(r"\w+", refusal)))
    return re.sub(rf"\b{words}\b[.!?]?[ \t]?", "", text, flags=re.IGNORECASE)


@lru_cache(_REMEMBERED)  # it is compared with every draft
def _line(refusal: str, language: str) -> str:
    return _core(refusal, language)


def _core(text: str, language: str) -> str:
    """Return the words of `text` without apologies before it and courtesies after."""
    sorry, courtesy = lexicon(language).pattern("sorry"), lexicon(language).pattern("courtesy")
    said = [sorry.sub("", _plain(sentence)) for sentence in _SENTENCE.split(_MARKS.sub("", text).strip())]
    rest = [sentence for sentence in said if sentence and not courtesy.match(sentence)]
    return sorry.sub("", _plain(" ".join(rest)))


def _plain(text: str) -> str:
    lower = _DASHES.sub(" - ", fold(_MARKS.sub("", text.replace("’", "'").replace("‘", "'"))))
    return " ".join(lower.replace("do not", "don't").split()).strip(" .!,;:-")


def _figures(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


def _first_clause(line: str) -> str:
    """Return the part of the plain line before its dash, if it is a sentence of its own."""
    first = line.partition(" - ")[0]
    return first if len(first.split()) >= 4 else line


def _nearly(one: str, other: str) -> bool:
    first, second = re.findall(r"[\w']+", one), re.findall(r"[\w']+", other)
    if abs(len(first) - len(second)) > 3 or re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return False
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= _NEAR
