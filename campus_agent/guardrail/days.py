"""Judges what a draft says of days by what the tools said: what day it is, and how far away another is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.fact import BLANK, Fact
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
_FARTHEST, _WEEK, _ROUGH = 4000, 7, 3  # days


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


def is_seldom(passage: Passage) -> bool:
    """Whether a passage puts something on a weekday, but not on every one, so that no day can be reckoned."""
    return not passage.gives.isdisjoint((MONTHLY, EVERY_OTHER_WEEK))


def falls_on(fact: Fact, text: str, atoms: Collection[str], ground: Ground, own: Collection[str] = ()) -> bool:
    """Whether the day so many days from today is a date among the atoms, or within a week such a weekday.

    Args:
        fact: a number of days.
        text: the text of the fact; the days are past where it says that they are so long ago.
        atoms: those of the days that are meant.
        ground: tells what day it is.
        own: the atoms of the days that the text names itself; the day has to be one of these too, if there are any.
    """
    count = int(fact.normal.partition(" ")[0])
    if count > _FARTHEST:
        return False
    step = timedelta(-count if ground.lexicon.pattern("ago").search(around(fact, text)) else count)
    return any(
        (f"{day:%m-%d}" in atoms or (count <= _WEEK and WEEKDAYS[day.weekday()] in atoms))
        and (not own or not {f"{day:%m-%d}", WEEKDAYS[day.weekday()]}.isdisjoint(own))
        for day in (today + step for today in ground.today)
    )


def around(fact: Fact, text: str) -> str:
    """Return what stands near a fact in `text`, with a blank for the fact itself."""
    return f"{text[max(0, fact.start - _NEAR) : fact.start]}{BLANK}{text[fact.end : fact.end + _NEAR]}"


def readings(fact: Fact, text: str, words: Lexicon) -> Iterator[Fact]:
    """Yield a fact and, of a number of weeks that is called rough, the numbers of days that it may stand for."""
    yield fact
    if not counts_days(fact) or not words.pattern("roughly").search(text, max(0, fact.start - _NEAR), fact.start):
        return
    count = int(fact.normal.partition(" ")[0])
    if count % _WEEK == 0 and not words.pattern("in_days").search(fact.text):
        for days in (count // _WEEK * 5, *range(max(1, count - _ROUGH), count + _ROUGH + 1)):  # five working days
            yield replace(fact, normal=f"{days} day", needs=(frozenset((f"{days} day",)),))


def by_weekday(told: frozenset[str]) -> bool:
    """Whether the atoms of what a passage tells put something on weekdays, and on no date."""
    return not told.isdisjoint(WEEKDAYS) and not any(_SHORT.fullmatch(atom) for atom in told)


def is_on_one_of(fact: Fact, weekdays: Collection[str], today: Iterable[date]) -> bool:
    """Whether a date, the next such day from today on, is one of these weekdays."""
    days = (_next_on(atom, day) for atom in fact.gives if _SHORT.fullmatch(atom) for day in today)
    return any(day is not None and WEEKDAYS[day.weekday()] in weekdays for day in days)


def is_weekday_of(fact: Fact, atoms: Collection[str], today: Iterable[date]) -> bool:
    """Whether the atoms hold a date, the next such day from today on, that is on the weekday of a fact."""
    days = [day for atom in atoms if _SHORT.fullmatch(atom) for now in today if (day := _next_on(atom, now))]
    return any(fact.supported_by((WEEKDAYS[day.weekday()],)) for day in days)


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
