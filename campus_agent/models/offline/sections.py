"""The parts of a text that speak of what was asked, and not of its neighbours."""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import pairwise

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.dates import blank_dates, mark_dates
from campus_agent.models.offline.hours import DAY, read_schedule
from campus_agent.models.offline.vocabulary import CONTINUING_WORDS, EVENT_VERBS, FUNCTION_WORDS
from campus_agent.models.offline.words import stem_set, stems, words

_SENTENCE_END = re.compile(
    rf"(?<![ap]\.m\.)(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]\.)(?<!\bProf\.)(?<!\bMrs\.)(?<=[.!?])\s+(?!{DAY})"
)
_EXCEPTS = re.compile(r"(?:except|excluding|not|closed|shut|but)\b", re.IGNORECASE)
_PART_END = re.compile(r"\s*;\s*|(?:,?\s+\b(?:and|but|while|whereas)\b\s+|,\s+)(?!\d|noon|midnight)")
_ENDS_WITH_DAY = re.compile(rf"{DAY}\s*$")
_FOR = re.compile(r"\b(?:for|with|by|if|when)\b", re.IGNORECASE)
_TIMES = re.compile(
    rf"x{{4,}}|{DAY}|\d+(?:\s?[ap]\.?m\b\.?)?|\b(?:noon|midnight|weekdays?|weekends?|daily)\b", re.IGNORECASE
)


def sentences(text: str) -> list[str]:
    """Cut a text into its sentences."""
    return _SENTENCE_END.split(text)


def sections(text: str) -> list[str]:
    """Cut a text into sections: a sentence with the ones after it that go on about the same thing."""
    found: list[str] = []
    for sentence in sentences(text):
        if found and _goes_on(sentence):
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return found


def about(text: str, wanted: Set[str]) -> str:
    """Return the sections of a text that say most of the `wanted` stems, in order; all when none stands out."""
    parts = sections(text)
    shared = [len(wanted & stem_set(part)) for part in parts]
    return " ".join(part for part, count in zip(parts, shared, strict=True) if count == max(shared))


def narrow(text: str, wanted: Set[str], title: Set[str]) -> str:
    """Return what a text says of the `wanted` stems, down to the part of a sentence that has days of its own.

    A part is chosen when it alone says what was asked: a verb ("closes"), else a word that is not in the `title`,
    whose stems hold for every part, else any word.
    """
    text = about(text, wanted)
    parts = _timed_parts(text)
    said = [stem_set(part) for part in parts]
    telling = wanted - frozenset.intersection(*said)
    for some in (telling & stems(EVENT_VERBS), telling - title, telling):
        chosen = [part for part, has in zip(parts, said, strict=True) if some & has]
        if len(chosen) == 1:
            return chosen[0]
    return text


def _goes_on(sentence: str) -> bool:
    first = words(sentence)[:1]
    return re.match(rf"{DAY}|\d", sentence) is not None or any(fold(word) in CONTINUING_WORDS for word in first)


def _timed_parts(text: str) -> list[str]:
    """Cut a text into parts that each name what they are about and say a day or a time of their own."""
    parts: list[str] = []
    start = before = end = 0
    for found in [*_PART_END.finditer(mark_dates(text)), None]:
        part = text[end : found.start() if found else len(text)]
        if end and not _leans_on(text[start:before], part) and _is_timed(text[start:before]):
            parts.append(text[start:before])
            start = end
        before = end + len(part)
        end = found.end() if found else before
    return [*parts, text[start:]]


def _leans_on(before: str, part: str) -> bool:
    """Say whether a part only goes on with the one before it: "Tuesdays" and "Thursdays at 5 PM in the chapel".

    What it is about stands before its days and times; what comes after them, or in the next sentence, tells more.
    """
    lists_days = _ENDS_WITH_DAY.search(before) is not None and re.match(DAY, part) is not None
    said, _ = _around_times(part)
    return lists_days or not _is_timed(sentences(part)[0]) or not _names_something(said) or bool(_EXCEPTS.match(part))


def tells_apart(text: str) -> bool:
    """Say whether one of several times is of somebody or something named after it: "2-4 PM for Dr. Lee"."""
    ends = [found.end() for found in _PART_END.finditer(mark_dates(text))]
    parts = [text[start:end] for start, end in pairwise([0, *ends, len(text)])]
    timed = [part for part in parts if _is_timed(sentences(part)[0])]
    tails = [_around_times(part) for part in timed]
    return any(not _names_something(before) and _FOR.search(after) for before, after in tails[1:])


def _around_times(part: str) -> tuple[str, str]:
    """Return what the first sentence of a part says before its days and times, and after them."""
    first = sentences(part)[0]
    found = list(_TIMES.finditer(mark_dates(first)))
    return (first[: found[0].start()], first[found[-1].end() :]) if found else (first, "")


def _is_timed(text: str) -> bool:
    without = blank_dates(text)
    return without != text or bool(read_schedule(without).rules)


def _names_something(text: str) -> bool:
    rest = _TIMES.sub(" ", blank_dates(text))
    return any(
        fold(word) not in FUNCTION_WORDS and fold(word) not in ("closed", "open", "room") for word in words(rest)
    )
