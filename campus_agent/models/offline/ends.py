"""The first day of something and its last one, as a question asks for them and as a passage tells of them."""

from __future__ import annotations

import re
from enum import Enum

from campus_agent.models.offline.dates import read_dates

_DAY_OF = re.compile(r"\b(first|last|final) (day)(?= (?:of|to|for|that|we|i|you)\b|\W*$)", re.IGNORECASE)
_TELLS_FIRST = re.compile(
    r"\b(?:first|begin(?:s|ning)?|start(?:s|ing)?|open(?:s|ing)?|resumes?|commences?|returns?|back)\b", re.IGNORECASE
)
_TELLS_LAST = re.compile(
    r"\b(?:last|final day|end(?:s|ing)?|over|finish(?:es)?|clos(?:es?|ing)|until|till|through|by|before|due"
    r"|deadlines?)\b",
    re.IGNORECASE,
)
_VERBS_FIRST = re.compile(r"\b(?:begins?|starts?)\b", re.IGNORECASE)
_VERBS_LAST = re.compile(r"\b(?:ends?|finish(?:es)?|over)\b", re.IGNORECASE)


class End(Enum):
    """One end of something that lasts several days; its value is a word that tells of it."""

    FIRST = "begin"
    LAST = "end"


def day_words(text: str) -> tuple[str, ...]:
    """Return the words by which a question asks for the first or the last day of something; none for any other."""
    found = _DAY_OF.search(text)
    return tuple(found.groups()) if found else ()


def end_asked(text: str) -> End | None:
    """Return the end that a question speaks of: "the last day of classes", or "classes end"; None for both or none."""
    if asked := day_words(text):
        return End.FIRST if asked[0].casefold() == "first" else End.LAST
    first, last = _VERBS_FIRST.search(text), _VERBS_LAST.search(text)
    if bool(first) == bool(last):
        return None
    return End.FIRST if first else End.LAST


def tells_only(end: End, text: str) -> bool:
    """Say whether a text with a date tells of this end alone, and neither of the other one nor of a range of dates."""
    own, other = (_TELLS_FIRST, _TELLS_LAST) if end is End.FIRST else (_TELLS_LAST, _TELLS_FIRST)
    ranged = read_dates(text) != read_dates(text, last=True)
    return not ranged and own.search(text) is not None and other.search(text) is None and bool(read_dates(text))


def tells_neither(text: str) -> bool:
    """Say whether a text has dates, but of no first or last day and of no range."""
    ranged = read_dates(text) != read_dates(text, last=True)
    return bool(read_dates(text)) and not (ranged or _TELLS_FIRST.search(text) or _TELLS_LAST.search(text))
