"""Dates on which what is on every week is not on: "No office hours on December 9", "Away December 1", "Ends May 8"."""

from __future__ import annotations

import re
from collections.abc import Set
from datetime import date
from enum import Enum, auto

from campus_agent.models.offline.dates import blank_dates, date_parts, mark_dates, read_dates, read_ranges
from campus_agent.models.offline.hours import read_schedule
from campus_agent.models.offline.sections import sentences
from campus_agent.models.offline.words import stem_set, stems

_PART_END = re.compile(
    r";\s+|,\s+(?=(?:but\s+)?(?:no|not|except|excluding|closed|away|cancelled)\b)|\s+(?=(?:except|excluding|but not)\b)"
    r"|\s+(?=\()",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"\b(?:no|not|never|away|absent|off|out (?:of|on)|on leave|unavailable|except|excluding|closed|cancel\w*|postponed"
    r"|skip\w*|suspended|without)\b|n['’]t\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:ends?|ending|until|till|through)\b", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:begin\w*|start\w*|from|since|as of|resum\w*|return\w*)\b", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:mov(?:ed|es)|instead|chang\w+|only|online|shorten\w*|extend\w*|early|late)\b", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:by|due|deadlines?|no later than|register|registration|sign[- ]?up|apply)\b", re.IGNORECASE)
_FROM_THEN = re.compile(r"\b(?:after|from|starting|beginning|since|as of)(?: on)?\s*$", re.IGNORECASE)
_UP_TO_THEN = re.compile(r"\b(?:until|till|through|before)\s*$", re.IGNORECASE)
_DATE_MARK = re.compile(r"x{4,}")
_OF_THE_END = stems(("begin", "start", "end", "finish", "close", "resume", "reopen", "cancel", "break", "holiday"))


class Bearing(Enum):
    """What the exceptions of a text mean for a date."""

    NONE = auto()  # they are about other dates
    OFF = auto()  # it is not on
    UNSURE = auto()  # something is different, and it is not known what


def without_exceptions(text: str, wanted: Set[str]) -> str:
    """Return a text that tells of weekdays without what it says of single dates on which something is different.

    What tells of the `wanted` end or limit itself is kept, and so is a text that tells of no weekdays otherwise.
    """
    return _without(text, [part for part in exceptions(text) if not _is_asked(part, text, wanted)])


def without_others(text: str, day: str) -> str:
    """Return a text without what it says of single dates other than a day."""
    return _without(text, [part for part in exceptions(text) if _bearing(part, day) is Bearing.NONE])


def bearing(text: str, day: str) -> Bearing:
    """Return what the exceptions of a text mean for a date, as the counting tool takes it."""
    found = {_bearing(part, day) for part in exceptions(text)}
    return next((one for one in (Bearing.OFF, Bearing.UNSURE) if one in found), Bearing.NONE)


def exceptions(text: str) -> list[str]:
    """Return the parts of a text about single dates, of a text that tells of weekdays otherwise."""
    parts = [part for sentence in sentences(text) for part in _cut(sentence)]
    noted = [part for part in parts if _is_exception(part)]
    return noted if noted and read_schedule(blank_dates(_without(text, noted))).days else []


def _cut(sentence: str) -> list[str]:
    ends = [(found.start(), found.end()) for found in _PART_END.finditer(mark_dates(sentence))]
    starts = [0, *(end for _, end in ends)]
    return [sentence[start:end] for start, end in zip(starts, [*(one for one, _ in ends), len(sentence)], strict=True)]


def _is_exception(part: str) -> bool:
    if not read_dates(part) or read_schedule(blank_dates(part)).days:
        return False
    return any(said.search(part) for said in (_OFF, _ENDS, _STARTS, _CHANGES, _LIMIT))


def _is_asked(part: str, text: str, wanted: Set[str]) -> bool:
    own = stem_set(part) & wanted
    if _LIMIT.search(part) and not _OFF.search(part):
        return bool(own - stem_set(text.replace(part, " ")))
    return bool(own & _OF_THE_END)


def _without(text: str, parts: list[str]) -> str:
    for part in parts:
        text = text.replace(part, "", 1)
    return re.sub(r"(?:;\s*)+(?=;|$)|^(?:;\s*)+", "", text).strip()


def _bearing(part: str, day: str) -> Bearing:
    on = _calendar(day, date.min)
    marked = _DATE_MARK.search(mark_dates(part))
    if on is None or marked is None:
        return Bearing.UNSURE
    ranges = [(_calendar(first, on), _calendar(last, on)) for first, last in read_ranges(part)]
    if any(first is None or last is None for first, last in ranges):
        return Bearing.UNSURE
    before = part[: marked.start()]
    within = any(first <= on <= last for first, last in ranges if first and last)
    after = any(first <= on for first, _ in ranges if first)
    until = any(on <= last for _, last in ranges if last)
    if _OFF.search(part) or _CHANGES.search(part):
        met = after if _FROM_THEN.search(before) else until if _UP_TO_THEN.search(before) else within
        return (Bearing.OFF if _OFF.search(part) else Bearing.UNSURE) if met else Bearing.NONE
    if _LIMIT.search(part):
        return Bearing.NONE
    if _ENDS.search(part):
        return Bearing.NONE if until else Bearing.OFF
    return Bearing.NONE if after else Bearing.UNSURE


def _calendar(written: str, near: date) -> date | None:
    """Return a date of a text, in the year in which it is nearest to another date where it has no year itself."""
    parts = date_parts(written)
    if parts is None or not (parts[0] or near > date.min):
        return None
    year, month, day = parts
    try:
        years = [year] if year else [near.year - 1, near.year, near.year + 1]
        return min((date(one, month, day) for one in years), key=lambda one: abs((one - near).days))
    except ValueError:
        return None
