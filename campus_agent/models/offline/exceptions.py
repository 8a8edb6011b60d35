"""Times at which what is on every week is not on: "No office hours on December 9", "Closed during finals week"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence, Set
from datetime import date
from enum import Enum, auto

from campus_agent.models.offline.dates import blank_dates, date_parts, mark_dates, read_dates, read_ranges
from campus_agent.models.offline.hours import read_schedule
from campus_agent.models.offline.sections import sentences
from campus_agent.models.offline.times import TIME
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
_OFF_AFTER = re.compile(r"[\s:,–—-]*(?:(?:is|are|was)\s+)?(?:no|not|closed|cancel\w*|off|away)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:ends?|ending)\b|\b(?:until|till|through)\s*$", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:begin\w*|start\w*|from|since|as of|resum\w*|return\w*)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:mov(?:ed|es)|instead|chang\w+|only|online|shorten\w*|extend\w*|early|late)\b", re.IGNORECASE
)
_OPENS = re.compile(r"\b(?:opens?|closes?|hours|ends?|starts?)\b", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:by|due|deadlines?|no later than|register|registration|sign[- ]?up|apply)\b", re.IGNORECASE)
_NEAR = re.compile(r"(?:\S+\s+){0,5}\S*\s*$")  # the words just before a date
_TIME = re.compile(TIME, re.IGNORECASE)
_FROM_THEN = re.compile(r"\b(?:after|from|starting|beginning|since|as of)(?: on)?\s*$", re.IGNORECASE)
_UP_TO_THEN = re.compile(r"\b(?:until|till|through|before)\s*$", re.IGNORECASE)
# A time of the year by its name; one that comes several times a year, such as "holidays", is none.
_PERIOD = re.compile(
    r"\b(?:during|over|in|on|for|throughout)\s+(?:the\s+)?"
    r"(?P<name>(?:[A-Za-z]+\s+){1,2}(?:week|period|break|recess|vacation)|finals|exams)\b",
    re.IGNORECASE,
)
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


def without_others(text: str, days: Sequence[str], past_or_coming: Collection[str] = ()) -> str:
    """Return a text without what it says of other dates than some days.

    Args:
        text: what tells of weekdays, and of exceptions.
        days: the days in question, as the counting tool takes them.
        past_or_coming: names of periods, such as "finals week", in which none of the days lies.
    """
    others = [part for part in exceptions(text) if all(_bearing(part, day) is Bearing.NONE for day in days)]
    return _without(text, [*others, *(part for part, name in periods(text) if name in past_or_coming)])


def periods(text: str) -> list[tuple[str, str]]:
    """Return the parts of a text about a period, each with its name, of a text that tells of weekdays otherwise."""
    named = [(part, found["name"]) for part in _parts(text) if (found := _PERIOD.search(part))]
    told = [(part, name) for part, name in named if not read_dates(part) and not read_schedule(part).days]
    rest = _without(text, [part for part, _ in told])
    return told if told and read_schedule(blank_dates(rest)).days else []


def bearing(text: str, day: str) -> Bearing:
    """Return what the exceptions of a text mean for a date, as the counting tool takes it."""
    found = {_bearing(part, day) for part in exceptions(text)}
    return next((one for one in (Bearing.OFF, Bearing.UNSURE) if one in found), Bearing.NONE)


def exceptions(text: str) -> list[str]:
    """Return the parts of a text about single dates, of a text that tells of weekdays otherwise."""
    noted = [part for part in _parts(text) if _is_exception(part)]
    return noted if noted and read_schedule(blank_dates(_without(text, noted))).days else []


def _parts(text: str) -> list[str]:
    return [part for sentence in sentences(text) for part in _cut(sentence)]


def _cut(sentence: str) -> list[str]:
    ends = [(found.start(), found.end()) for found in _PART_END.finditer(mark_dates(sentence))]
    starts = [0, *(end for _, end in ends)]
    return [sentence[start:end] for start, end in zip(starts, [*(one for one, _ in ends), len(sentence)], strict=True)]


def _is_exception(part: str) -> bool:
    if not read_dates(part) or read_schedule(blank_dates(part)).days:
        return False
    return _is_off(part) or _changes(part) or _tells_bound(part)


def _around(part: str) -> tuple[str, str]:
    """Return the words of a part just before its first date, and all that stands after its last one."""
    marks = list(_DATE_MARK.finditer(mark_dates(part)))
    near = _NEAR.search(_TIME.sub("", part[: marks[0].start()]) if marks else "")
    return (near.group() if near else "", part[marks[-1].end() :] if marks else "")


def _is_off(part: str) -> bool:
    near, rest = _around(part)
    return _OFF.search(near) is not None or _OFF_AFTER.match(rest) is not None


def _changes(part: str) -> bool:
    """Say whether a part tells of a change, or of hours: what else it has no words for is not known."""
    return _CHANGES.search(part) is not None or (_TIME.search(part) is not None and _OPENS.search(part) is not None)


def _tells_bound(part: str) -> bool:
    near, _ = _around(part)
    return any(said.search(near) for said in (_ENDS, _STARTS, _LIMIT, _FROM_THEN))


def _is_asked(part: str, text: str, wanted: Set[str]) -> bool:
    own = stem_set(part) & wanted
    if _LIMIT.search(_around(part)[0]) and not _is_off(part):
        return bool(own - stem_set(text.replace(part, " ")))
    return bool(own & _OF_THE_END)


def _without(text: str, parts: list[str]) -> str:
    for part in parts:
        text = text.replace(part, "", 1)
    return re.sub(r"(?:;\s*)+(?=;|$)|^(?:;\s*)+", "", text).strip()


def _bearing(part: str, day: str) -> Bearing:
    on = _calendar(day, date.min)
    ranges = [(_calendar(first, on), _calendar(last, on)) for first, last in read_ranges(part)] if on else []
    known = [(first, last) for first, last in ranges if first and last]
    if on is None or not known or len(known) < len(ranges):
        return Bearing.UNSURE
    near, _ = _around(part)
    begun, goes_on = any(first <= on for first, _ in known), any(on <= last for _, last in known)
    within = any(first <= on <= last for first, last in known)
    met = begun if _FROM_THEN.search(near) else goes_on if _UP_TO_THEN.search(near) else within
    if _is_off(part) and not _TIME.search(part):
        return Bearing.OFF if met else Bearing.NONE
    if _is_off(part) or _changes(part):
        return Bearing.UNSURE if met else Bearing.NONE
    if _LIMIT.search(near):
        return Bearing.NONE
    if _ENDS.search(near):
        return Bearing.NONE if goes_on else Bearing.OFF
    return Bearing.NONE if begun else Bearing.UNSURE


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
