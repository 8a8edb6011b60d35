"""Judges what a draft says of days by what the tools said: what day it is, and how far away another is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date, timedelta

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.finding import Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relative import EVERY_OTHER_WEEK, MONTHLY, days_named, is_relative

_SHORT = re.compile(r"\d\d-\d\d")
_DAYS = re.compile(r"(\d{1,6}) day")
# How many characters around a weekday or date may hold the "tomorrow" that it is.
_NEAR = 40
_FARTHEST, _WEEK = 4000, 7  # days


def by_named_day(fact: Fact, text: str, ground: Ground) -> Support | None:
    """Accept what day tomorrow is, a tool having said what day today is."""
    if fact.kind not in ("weekday", "date") or is_relative(fact):
        return None
    for day, today in days_named(text[max(0, fact.start - _NEAR) : fact.end + _NEAR], ground.today, ground.language):
        if any(fact.supported_by(written.gives) for written in facts(day.isoformat())):
            return Support(ground.today[today])
    return None


def by_two_counts(fact: Fact, text: str, ground: Ground) -> Support | None:
    """Accept "two days later" when the tools counted to two days that lie so far apart."""
    after = text[fact.end : fact.end + 30].lower().split()[:2]
    days = _DAYS.fullmatch(fact.normal)
    if not days or not ground.lexicon.words("gaps").intersection(word.strip(".,;:!?") for word in after):
        return None
    counts = {int(match[1]): tool for atom, tool in ground.tools.items() if (match := _DAYS.fullmatch(atom))}
    tool = next((tool for count, tool in counts.items() if count + int(days[1]) in counts), None)
    return Support(tool) if tool else None


def states_a_day(fact: Fact, clause: Clause, text: str, words: Lexicon, *, affirms: bool) -> bool:
    """Whether `text` says in a clause that a weekday is when something is, not what day it is now."""
    before = clause.before(fact.start)
    if fact.kind != "weekday" or clause.denies or not before or before[-2:] == ("it", "is"):
        return False
    tells_the_time = words.pattern("tells_the_time").match(text, clause.start)
    if tells_the_time or words.words("present").intersection(word for word, _ in clause.plain):
        return False
    return affirms or before[-1] in words.words("states_a_day")


def too_often(fact: Fact, text: str, passage: Passage, words: Lexicon) -> bool:
    """Whether the text says "every Friday" of what the passage puts on every other Friday, or on one a month."""
    if fact.kind != "weekday" or not words.pattern("every").search(text, max(0, fact.start - 8), fact.start):
        return False
    rarely = (EVERY_OTHER_WEEK, MONTHLY)
    return any(fact.supported_by(part.gives) and not part.gives.isdisjoint(rarely) for part in passage.parts)


def counts_days(fact: Fact) -> bool:
    """Whether a fact is a number of days, such as `5 days` or `two weeks`."""
    return bool(_DAYS.fullmatch(fact.normal))


def is_so_far(fact: Fact, passage: Passage, today: Iterable[date], told: Collection[str]) -> bool:
    """Whether a number of days is the distance to a day that the passage `told` of; true where that is open."""
    if {MONTHLY, EVERY_OTHER_WEEK} & passage.gives:
        return True
    return falls_on(fact, told, today)


def falls_on(fact: Fact, atoms: Collection[str], today: Iterable[date]) -> bool:
    """Whether the day that is so many days from today is a date among the atoms, or the next such weekday or two."""
    count = int(fact.normal.partition(" ")[0])
    days = [day + timedelta(days=count) for day in today] if count <= _FARTHEST else []
    return any(f"{day:%m-%d}" in atoms or (count <= _WEEK and WEEKDAYS[day.weekday()] in atoms) for day in days)


def by_weekday(told: frozenset[str]) -> bool:
    """Whether the atoms of what a passage tells put something on weekdays, and on no date."""
    return not told.isdisjoint(WEEKDAYS) and not any(_SHORT.fullmatch(atom) for atom in told)


def is_on_one_of(fact: Fact, weekdays: Collection[str], today: Iterable[date]) -> bool:
    """Whether a date, the next such day from today on, is one of these weekdays."""
    days = (_next_on(atom, day) for atom in fact.gives if _SHORT.fullmatch(atom) for day in today)
    return any(day is not None and WEEKDAYS[day.weekday()] in weekdays for day in days)


def _next_on(short: str, today: date) -> date | None:
    """Return the first such day, as "06-18", from today on; None for a leap day that neither year has."""
    for year in (today.year, today.year + 1):
        try:
            day = date.fromisoformat(f"{year}-{short}")
        except ValueError:
            continue
        if day >= today:
            return day
    return None
