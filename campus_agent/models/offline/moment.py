"""The moment that a question speaks of: now, today, a weekday, a date, a time of day."""

from __future__ import annotations

import re
from dataclasses import dataclass

from campus_agent.models.offline.dates import blank_dates, read_dates
from campus_agent.models.offline.hours import weekday
from campus_agent.models.offline.times import TIME, read_time
from campus_agent.models.offline.vocabulary import MONTHS, WEEKEND, WORKING_DAYS

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
_PART_NAMES = "morning|afternoon|evening|night"
_TODAY = re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE)
_AFTER_TOMORROW = re.compile(rf"\b(?:the )?day after tomorrow(?: (?:{_PART_NAMES}))?\b", re.IGNORECASE)
_TOMORROW = re.compile(rf"\btomorrow(?: (?:{_PART_NAMES}))?\b", re.IGNORECASE)
_PART = re.compile(rf"\b(?:this|in the|tomorrow|\w+day|at)\s+({_PART_NAMES})s?\b|\b(tonight)\b", re.IGNORECASE)
_IN_PART = re.compile(rf"\bin the (?:{_PART_NAMES})s?\b|\bat night\b", re.IGNORECASE)
_TIME = re.compile(rf"\b(?:(?:at|by|after|before|around|from|until|till|since)\s+)?({TIME})(?!\w)", re.IGNORECASE)
_BARE_TIME = re.compile(r"\bat \d{1,2}\b(?!\s*[:\w])")
# What narrows a moment in ways that are not followed here.
_VAGUE = re.compile(
    r"\bat \d{1,2}\b(?! ?[:ap])|\b\d{1,2} (?:in the|o'clock)\b|\bhalf[ -]past\b|\bquarter (?:past|to)\b"
    rf"|\b(?:by|after|before|around|about|from|until|till|since|between) {TIME}"
    r"|\byesterday\b|\blast (?:mon|tue|wed|thu|fri|sat|sun)"
    r"|\b(?:next|last|this|coming) (?:week|month|term|semester|year)\b"
    r"|\b(?:week|one) after next\b|\bthe \d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}/\d{1,2}\b|\bevery ?day\b|\bweek from\b"
    r"|\ball (?:day|night|week)\b|\bholidays?\b",
    re.IGNORECASE,
)
_WEEK = re.compile(r"\b(this|next) week\b", re.IGNORECASE)
_MONTH = re.compile(rf"\b(?:in|during) ({'|'.join(MONTHS)})\b", re.IGNORECASE)
_FROM_TODAY = re.compile(r"\b(?:today|tonight|tomorrow|(?:this|next) (?:week|weekend|month|year))\b", re.IGNORECASE)
# 10/17: a month and a day, as no month is the seventeenth; 10/7 may be either.
_SLASHED = re.compile(r"(?<![\d/])(1[0-2]|0?[1-9])/(1[3-9]|2\d|3[01])(?![\d/])")
_IDIOMS = re.compile(r"\bwhat day is (?:it )?today\b|\btoday's\b", re.IGNORECASE)
_PARTS = {
    "morning": (0, 12 * 60),
    "afternoon": (12 * 60, 18 * 60),
    "evening": (17 * 60, 24 * 60),
    "night": (18 * 60, 30 * 60),
    "tonight": (18 * 60, 30 * 60),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment of a question.

    Attributes:
        now: it asks about this very moment.
        ahead: 0 for today, 1 for tomorrow, 2 for the day after it, None for none of them.
        days: the weekdays named (Monday is 0).
        dates: the dates named.
        minutes: a time of day, in minutes since midnight.
        part: a part of the day, such as "evening"; "" for none.
        vague: it is narrowed by words that are not followed, so that nothing can be judged.
        week: 0 for this week, 1 for the next one, None for neither.
        month: 1 to 12 for a month that it names as a whole, None for none.
    """

    now: bool = False
    ahead: int | None = None
    days: frozenset[int] = frozenset()
    dates: tuple[str, ...] = ()
    minutes: int | None = None
    part: str = ""
    vague: bool = False
    week: int | None = None
    month: int | None = None

    def __bool__(self) -> bool:
        return self.now or self.ahead is not None or bool(self.days) or bool(self.dates) or self.minutes is not None

    @property
    def spans(self) -> bool:
        """Whether it is a week or a month."""
        return self.week is not None or self.month is not None

    @property
    def names_day(self) -> bool:
        """Whether it is a day, or several, and not only a time or this very moment."""
        return self.ahead is not None or bool(self.days) or bool(self.dates)

    @property
    def needs_clock(self) -> bool:
        """Whether only the clock says which day it is about."""
        return self.now or self.ahead is not None

    @property
    def window(self) -> tuple[int, int] | None:
        """The part of the day, from and to, in minutes since midnight, as wide as anybody takes it."""
        return _PARTS.get(self.part)


def read_moment(text: str) -> tuple[Moment, str]:
    """Return the moment that a question speaks of, and the question without the words that say it."""
    text = _SLASHED.sub(lambda found: f"{MONTHS[int(found[1]) - 1]} {int(found[2])}", text)
    dates = read_dates(text)
    rest = _IDIOMS.sub(" ", blank_dates(text))
    times = [time for found in _TIME.finditer(rest) if (time := read_time(found[1]))]
    days = frozenset(weekday(found[1]) for found in _DAY.finditer(rest))
    days |= WEEKEND if _WEEKEND.search(rest) else frozenset()
    days |= WORKING_DAYS if _WORKING.search(rest) else frozenset()
    part = _PART.search(rest)
    week = _WEEK.search(rest)
    month = _MONTH.search(rest)
    moment = Moment(
        now=_NOW.search(rest) is not None,
        ahead=_ahead(text, rest),
        days=days,
        dates=dates,
        minutes=times[0].minutes if times else None,
        part=(part[1] or part[2]).casefold() if part else "",
        week=({"this": 0, "next": 1}[week[1].casefold()] if week else None),
        month=MONTHS.index(month[1].capitalize()) + 1 if month else None,
        vague=_VAGUE.search(rest) is not None or len(times) > 1,
    )
    for said in (_TIME, _BARE_TIME, _IN_PART, _WEEKEND, _WORKING, _NOW, _TODAY, _AFTER_TOMORROW, _TOMORROW, _DAY):
        rest = said.sub(" ", rest)
    return moment, rest


def from_today(text: str) -> str:
    """Return the words for a time that counts from today, as a search understands them; "" when there are none."""
    found = _FROM_TODAY.search(text)
    return found[0] if found else ""


def _ahead(text: str, rest: str) -> int | None:
    if _AFTER_TOMORROW.search(rest):
        return 2
    return 1 if _TOMORROW.search(rest) else 0 if _TODAY.search(text) else None
