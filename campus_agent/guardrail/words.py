"""Words as they are compared: folded, and cut down to what `meets`, `meeting` and `Meetings` have in common."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.tables import ENTITY_HEADS, LIGHT_WORDS, PLAIN_MODIFIERS, SAME_THING, STOP_WORDS

_WORD = re.compile(r"[^\W_]{1,64}(?:['’][^\W\d_]{1,4}\b)?")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_SUFFIXES = ("ment", "ing", "ion", "er", "ed", "ly")
_CAPITALISED = re.compile(r"(?:[A-Z][\w’'-]{0,40}(?:[ -](?:of |and |for |the )?(?=[A-Z]))?){2,8}")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: its stem, itself folded, and its place. A stop word has the stem ""."""

    stem: str
    folded: str
    start: int
    end: int
    capital: bool


def fold(text: str) -> str:
    """Return `text` in lower case, without accents, with plain quotes and dashes."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def stem(word: str) -> str:
    """Return the stem of a folded word: `tutoring` and `tutors` are `tutor`, `libraries` and `library` are `librar`.

    Different words for one thing have one stem: `professors` is `facult`.
    """
    cut = _cut(word)
    return _SAME.get(cut, cut)


def _cut(word: str) -> str:
    word = word.removesuffix("'s")
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith(("ies", "ied")):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    ending = next((suffix for suffix in _SUFFIXES if word.endswith(suffix) and len(word) - len(suffix) > 2), "")
    word = word.removesuffix(ending)
    if ending in ("ing", "ed") and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]  # programming, planned
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


_SAME = {_cut(word): _cut(line.split()[0]) for line in SAME_THING for word in line.split()}
LIGHT_STEMS = frozenset(map(stem, LIGHT_WORDS))
HEAD_STEMS = frozenset(map(stem, ENTITY_HEADS))
PLAIN_MODIFIER_STEMS = frozenset(map(stem, PLAIN_MODIFIERS))


def words(text: str) -> Iterator[Word]:
    """Yield the words of `text` in order; a script without spaces gives its pairs of letters."""
    known: dict[str, tuple[str, str]] = {}
    for match in _WORD.finditer(text):
        written = match[0]
        if _UNSPACED.match(written):
            for at in range(max(1, len(written) - 1)):
                pair = written[at : at + 2]
                yield Word(pair, pair, match.start() + at, match.start() + at + 2, False)
            continue
        if written not in known:
            folded = fold(written)
            shouted = written.isupper() and len(written) > 1  # IT is a department
            stop = not shouted and (folded in STOP_WORDS or folded.partition("'")[0] in STOP_WORDS)
            known[written] = ("" if stop else stem(folded), folded)
        yield Word(*known[written], match.start(), match.end(), written[0].isupper())


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of `text` that mean something, and the initials of its capitalised names."""
    return frozenset(word.stem for word in words(text) if word.stem) | frozenset(initials(text))


def initials(text: str) -> Iterator[str]:
    """Yield the initials of every run of capitalised words: `Retrieval Augmented Generation` gives `rag`."""
    for run in _CAPITALISED.finditer(text):
        letters = "".join(part[0] for part in re.split(r"[ -]", run[0]) if part[:1].isupper()).lower()
        if 2 <= len(letters) <= 6:
            yield letters


def spelled_out(acronyms: Collection[str], run: Sequence[Word], text: str) -> dict[int, str]:
    """Return, by position in `run`, the acronym that a word is part of: `artificial intelligence` is `ai`."""
    if not acronyms:
        return {}
    letters = [text[word.start].lower() for word in run]
    found: dict[int, str] = {}
    for length in (4, 3, 2):
        for at in range(len(run) - length + 1):
            short = "".join(letters[at : at + length])
            if short in acronyms and all(word.stem and word.end - word.start > 3 for word in run[at : at + length]):
                found |= dict.fromkeys(range(at, at + length), short)
    return found
