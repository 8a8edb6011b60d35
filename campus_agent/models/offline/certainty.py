"""Whether all that a text says of days and hours was read: only then can a yes or a no be built on it."""

from __future__ import annotations

import re

from campus_agent.models.offline.dates import blank_dates
from campus_agent.models.offline.hours import DAY, blank_hours
from campus_agent.models.offline.vocabulary import MONTHS

_DAYS = rf"(?:on\s+|for\s+)?(?:{DAY}|(?i:weekends?|weekdays?))"
# What changes hours for some dates, some people or some occasions, wherever it stands.
_QUALIFIED = re.compile(
    rf"\b(?:{'|'.join(month for month in MONTHS if month not in ('March', 'May'))}|summer|winter|spring|autumn|fall"
    r"|term(?:time|s)?|semesters?|vacations?|holidays?|recess|breaks?|exams?|season(?:s|al)?|ramadan|christmas|easter"
    r"|unless|during|outside of|only|instead|usually|normally|typically|generally|mostly|sometimes|occasionally"
    r"|approximately|roughly|var(?:y|ies)|may change|subject to|tba|tbc|tbd|to be (?:announced|confirmed)"
    r"|appointments?(?!:\s*[\d(+])"  # what follows may be the number to call for one
    r"|on request|temporar(?:y|ily)|currently|at present|further notice|cancel\w*|postponed|suspended|paused|closures?"
    r"|alternat\w+|(?:odd|even) weeks?|weeks? \d|last (?:entry|admission|orders?)"
    r"|(?:this|next|last|coming) (?:week|month|year))\b",
    re.IGNORECASE,
)
# What does so in the words of the days and hours themselves.
_DOUBTED = re.compile(
    r"\b(?:if|when|often|about|circa|change[sd]?|check|starting|beginning|as of|since|moved|extended|reduced|not|never"
    r"|no|nobody|without)\b|n[’']t\b",
    re.IGNORECASE,
)
_MONTHS_ALONE = re.compile(r"\b(?:March|May|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?(?!\s+\d)")
_READ = re.compile(
    rf"\b(?i:but\s+not|except|excluding)\s+{_DAYS}|\b(?i:closed|shut)\s+(?i:for)\s+(?i:\w+\s+)?(?i:breaks?)\b"
)
_EXCEPTION = re.compile(r"\b(?:except|excluding|but not)\b", re.IGNORECASE)
_EITHER = re.compile(rf"{DAY}\s+or\s+{DAY}")
# Days and times in forms that are not read.
_UNREAD = re.compile(
    r"(?i:\b\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?m\b|\b\d{1,2}:\d{2}|\b\d{3,4}\s?(?:h|hrs?)\b|\b\d{1,2}\s?h\b"
    r"|\bo['’]clock\b|\bhalf[ -](?:past|\w+)\b|\bquarter (?:past|to)\b|\b\d{1,2}\s*(?:-|–|to|until)\s*\d{1,2}\b)"
    r"|\bM\s?[-–/]\s?[FWTS]\w?\b|\bMW?F?\b(?=\s*\d)|\bMWF?\b|\bT(?:u|ue)?[/&]?[TR]h?\b"
    r"|\b(?:mon|tues?|wed|thurs?|thu|fri)\b|\b(?:sat|sun)\b(?=\s*[\d&,:–-])"
)


def is_certain(text: str, read: str | None = None) -> bool:
    """Say whether nothing in a text qualifies its days and hours, and all of them were read.

    Args:
        text: all of what a passage says.
        read: the part, or the form, in which its days and hours were read; by default the text itself.
    """
    read = text if read is None else read
    if blank_dates(text) != text or _DOUBTED.search(_READ.sub(" ", read)):
        return False
    plain = _READ.sub(" ", text)
    if any(pattern.search(plain) for pattern in (_QUALIFIED, _MONTHS_ALONE, _EXCEPTION, _EITHER)):
        return False
    return _UNREAD.search(blank_hours(read)) is None
