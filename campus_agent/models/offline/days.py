"""Answers about one day: whether there are classes, and what a dated plan says of it."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import replace

from campus_agent.models.offline import answers
from campus_agent.models.offline.agenda import coming, ways_to_write
from campus_agent.models.offline.asked import day_calls, make_out
from campus_agent.models.offline.case import Calls, Case, Observations, Script
from campus_agent.models.offline.choosing import choose, subject_of
from campus_agent.models.offline.dates import read_dates
from campus_agent.models.offline.finding import Finding, search, told_to
from campus_agent.models.offline.items import each_item
from campus_agent.models.offline.opening import on
from campus_agent.models.offline.passages import Passage, dates_of, quote, read_found, takes_place
from campus_agent.models.offline.question import Kind, Question

_OFF = re.compile(
    r"\b(?:closed|no (?:class|classes|school|lectures?)|holidays?|recess|break|cancel\w*)\b", re.IGNORECASE
)
_PLAN = re.compile(r"\b(?:class|classes|lecture|topic|lesson|session)\b", re.IGNORECASE)

Dates = Generator[Calls, Observations, tuple[str, ...]]


def held(case: Case) -> Script:
    """Say what tells of classes at a day: that there are none, else what is planned; a question of hours is another.

    Weekly hours of whatever else is on at that weekday tell nothing of it.
    """
    dates = yield from _dates(case.question)
    ways = [way for one in dates[:1] for way in ways_to_write(one)]
    found = yield tuple(map(search, (*ways, "closed", "no classes", "holidays")))
    passages = each_item(tuple(dict.fromkeys(one for text in found for one in read_found(text).passages)))
    told = [one for one in passages if any(_is_on(one, day) for day in dates)]
    off = [one for one in told if _OFF.search(f"{one.title} {one.text}")]
    planned = [one for one in told if _PLAN.search(f"{one.title} {one.text}")]
    if off or planned:
        return answers.joined(quote(one, frozenset()) for one in (off or planned)[:2])
    if not case.question.keys:
        return case.refusal
    return (yield from on(case.asking(replace(case.question, kind=Kind.ON))))


def planned(question: Question) -> Generator[Calls, Observations, Finding]:
    """Find what a dated plan says of the thing in question at its day; nothing where there is no such plan."""
    dates = yield from _dates(question)
    ways = [way for one in dates for way in ways_to_write(one)]
    found = yield tuple(search(" ".join([*question.keys, way])) for way in ways)
    subject = subject_of(question)
    passages = each_item(tuple(dict.fromkeys(one for text in found for one in read_found(text).passages)))
    on_it = [one for one in told_to(question, passages) if any(_is_on(one, day) for day in dates)]
    return Finding(tuple(choose(on_it, question, subject)), subject)


def of_other_days(passage: Passage) -> bool:
    """Say whether a passage is a row of a plan by dates, which tells of its own date only."""
    return bool(passage.row) and bool(read_dates(passage.row[0][1])) and not read_dates(passage.row[0][0])


def _dates(question: Question) -> Dates:
    """Return the dates of the day in question, as the counting tool takes them."""
    calls = day_calls(question.moment)
    observed = (yield calls) if calls else ()
    asked = yield from make_out(question.moment, observed)
    if asked is None or asked.date or not asked.days:
        return (asked.date,) if asked and asked.date else question.moment.dates
    return (yield from coming(question))


def _is_on(passage: Passage, day: str) -> bool:
    wanted: frozenset[str] = frozenset()
    return bool(dates_of(passage, wanted)) and takes_place(passage, wanted, day) is True
