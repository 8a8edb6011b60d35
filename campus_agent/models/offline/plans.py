"""Plans by dates, such as the schedule of a course: what they say of a day, and how its date may be written."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import replace
from datetime import date, timedelta

from campus_agent.models.offline.asked import day_calls, make_out
from campus_agent.models.offline.case import Calls, Observations
from campus_agent.models.offline.choosing import choose
from campus_agent.models.offline.counting import until_weekday
from campus_agent.models.offline.dates import date_parts, read_dates
from campus_agent.models.offline.finding import Finding, search, told_to
from campus_agent.models.offline.items import each_item
from campus_agent.models.offline.passages import Passage, dates_of, read_found, takes_place
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.readings import read_count
from campus_agent.models.offline.rows import without_limits
from campus_agent.models.offline.subject import subject_of
from campus_agent.models.offline.vocabulary import MONTHS

_NEXT = re.compile(r"\bnext\b", re.IGNORECASE)
_EACH = re.compile(r"\bevery\b|\beach\b|days\b", re.IGNORECASE)
_MOST_DAYS = 3  # days of which each is looked up by itself

Dates = Generator[Calls, Observations, tuple[str, ...]]


def planned(question: Question) -> Generator[Calls, Observations, Finding]:
    """Find what a dated plan says of the thing in question at its day; nothing where there is no such plan."""
    dates = yield from dates_in_question(question)
    ways = [way for one in dates for way in ways_to_write(one)]
    queries = dict.fromkeys([*(" ".join([*question.keys, way]) for way in ways), *ways])
    found = yield tuple(map(search, queries))
    subject = subject_of(question, read_found(found[0]) if found else None)
    passages = each_item(tuple(dict.fromkeys(one for text in found for one in read_found(text).passages)))
    on_it = [one for one in told_to(question, passages) if any(is_on(one, day) for day in dates)]
    return Finding(tuple(choose(on_it, question, subject)), subject)


def of_other_days(passage: Passage) -> bool:
    """Say whether a passage is a row of a plan by dates, which tells of its own dates only.

    They stand in its first column, or beside the number of the week.
    """
    row = passage.row[1:] if passage.row and passage.row[0][1].isdigit() else passage.row
    return bool(row) and bool(read_dates(row[0][1])) and not read_dates(row[0][0])


def dates_in_question(question: Question) -> Dates:
    """Return the dates of the day in question, as the counting tool takes them."""
    calls = day_calls(question.moment)
    observed = (yield calls) if calls else ()
    asked = yield from make_out(question.moment, observed)
    if asked is None or asked.date or not asked.days:
        return (asked.date,) if asked and asked.date else question.moment.dates
    return (yield from coming(question))


def is_on(passage: Passage, day: str) -> bool:
    """Say whether a passage gives dates, and a day is one of them; a deadline in a row is no day of the plan."""
    wanted: frozenset[str] = frozenset()
    told = replace(passage, text=without_limits(passage.text))
    return bool(dates_of(told, wanted)) and takes_place(told, wanted, day) is True


def coming(question: Question) -> Generator[Calls, Observations, tuple[str, ...]]:
    """Count to the weekdays in question, for the dates that they have next; none for "Fridays" or "every Friday"."""
    days = sorted(question.moment.days)
    if not days or len(days) > _MOST_DAYS or _EACH.search(question.text):
        return ()
    counts = [read_count(text) for text in (yield tuple(until_weekday(day) for day in days))]
    if _NEXT.search(question.text):  # "next Wednesday", said on a Wednesday; on another day it may be either of two
        return tuple(later(count.date, days=7) for count in counts if count and count.days == 0)
    return tuple(count.date for count in counts if count)


def later(day: str, *, days: int) -> str:
    """Return the date some days after another, both as the counting tool takes them."""
    parts = date_parts(day)
    after = date(*parts) + timedelta(days=days) if parts else None
    return f"{MONTHS[after.month - 1]} {after.day}, {after.year}" if after else day


def ways_to_write(written: str) -> list[str]:
    """Return a date as passages may write it: in words, and where its year is known in numbers."""
    parts = date_parts(written) if written else None
    if parts is None:
        return [written]
    year, month, day = parts
    return [f"{MONTHS[month - 1]} {day}", *([f"{year}-{month:02}-{day:02}"] if year else [])]
