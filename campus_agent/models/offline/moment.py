"""The moment that a question speaks of: now, today, a weekday, a date, a time of day."""

from __future__ import annotations

import re
from dataclasses import dataclass

from campus_agent.models.offline.dates import blank_dates, read_dates
from campus_agent.models.offline.hours import weekday
from campus_agent.models.offline.times import TIME, read_time
from campus_agent.models.offline.vocabulary import WEEKEND, WORKING_DAYS

_DAY = re.compile(
    r"\b(?:(?:on|this|next|coming|every)\s+)*"
    r"(mon|tue|wed|thu|fri|sat|sun)(?:s|sday|rs|rsday|nesday|urday|day)?(?:'?s)?\b\.?"
    r"(?:\s+(?:morning|afternoon|evening|night)s?)?",
    re.IGNORECASE,
)
_WEEKEND = re.compile(r"\b(?:(?:on|at|over|this|the|next)\s+)*weekends?\b", re.IGNORECASE)
_WORKING = re.compile(r"\b(?:(?:on|during|the)\s+)*(?:weekdays?|working days)\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:right|just)?\s*now\b|\bcurrently\b|\bat (?:the|this) moment\b|\bat present\b|\bstill open\b", re.I
)
_TODAY = re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE)
_TOMORROW = re.compile(r"\btomorrow(?: (?:morning|afternoon|evening|night))?\b", re.IGNORECASE)
_TIME = re.compile(rf"\b(?:(?:at|by|after|before|around|from|until|till)\s+)?({TIME})(?!\w)", re.IGNORECASE)
_BARE_TIME = re.compile(r"\bat \d{1,2}\b(?!\s*[:\w])")
_IDIOMS = re.compile(r"\bwhat day is (?:it )?today\b|\btoday's\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment of a question.

    Attributes:
        now: it asks about this very moment.
        ahead: 0 for today, 1 for tomorrow, None for neither.
        days: the weekdays named (Monday is 0).
        dates: the dates named.
        minutes: a time of day, in minutes since midnight.
    """

    now: bool = False
    ahead: int | None = None
    days: frozenset[int] = frozenset()
    dates: tuple[str, ...] = ()
    minutes: int | None = None

    def __bool__(self) -> bool:
        return self.now or self.ahead is not None or bool(self.days) or bool(self.dates) or self.minutes is not None

    @property
    def needs_clock(self) -> bool:
        """Whether only the clock says which day it is about."""
        return self.now or self.ahead is not None


def read_moment(text: str) -> tuple[Moment, str]:
    """Return the moment that a question speaks of, and the question without the words that say it."""
    dates = read_dates(text)
    rest = _IDIOMS.sub(" ", blank_dates(text))
    times = [time for found in _TIME.finditer(rest) if (time := read_time(found[1]))]
    days = frozenset(weekday(found[1]) for found in _DAY.finditer(rest))
    days |= WEEKEND if _WEEKEND.search(rest) else frozenset()
    days |= WORKING_DAYS if _WORKING.search(rest) else frozenset()
    ahead = 1 if _TOMORROW.search(rest) else 0 if _TODAY.search(text) else None
    moment = Moment(
        now=_NOW.search(rest) is not None,
        ahead=ahead,
        days=days,
        dates=dates,
        minutes=times[0].minutes if times else None,
    )
    for said in (_TIME, _BARE_TIME, _WEEKEND, _WORKING, _NOW, _TODAY, _TOMORROW, _DAY):
        rest = said.sub(" ", rest)
    return moment, rest
