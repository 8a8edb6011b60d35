"""Answers about whether there are classes at a day."""

from __future__ import annotations

import re
from dataclasses import replace

from campus_agent.models.offline import answers
from campus_agent.models.offline.case import Case, Script
from campus_agent.models.offline.dates import falls_on, read_dates
from campus_agent.models.offline.finding import search
from campus_agent.models.offline.items import each_item
from campus_agent.models.offline.opening import on
from campus_agent.models.offline.passages import Passage, quote, read_found
from campus_agent.models.offline.plans import dates_in_question, is_on, ways_to_write
from campus_agent.models.offline.question import Kind
from campus_agent.models.offline.sections import sentences

_OFF = re.compile(
    r"\b(?:closed|no (?:class|classes|school|lectures?)|holidays?|recess|break|cancel\w*)\b", re.IGNORECASE
)
_NONE = re.compile(
    r"\b(?:no (?:\w+ )?(?:meetings?|sessions?|seminars?|class|classes|lectures?)|(?:does|do|will) not meet)\b",
    re.IGNORECASE,
)
_PLAN = re.compile(r"\b(?:class|classes|lecture|topic|lesson|session)\b", re.IGNORECASE)


def held(case: Case) -> Script:
    """Say what tells of classes at a day: that there are none, else what is planned; a question of hours is another.

    Weekly hours of whatever else is on at that weekday tell nothing of it.
    """
    dates = yield from dates_in_question(case.question)
    ways = [way for one in dates[:1] for way in ways_to_write(one)]
    found = yield tuple(map(search, (*ways, "closed", "no classes", "holidays")))
    passages = each_item(tuple(dict.fromkeys(one for text in found for one in read_found(text).passages)))
    told = [one for one in passages if any(is_on(one, day) for day in dates)]
    off = [one for one in told if _OFF.search(f"{one.title} {one.text}")]
    off += [one for one in passages if any(_denies(one, day) for day in dates) and one not in off]
    planned = [one for one in told if _PLAN.search(f"{one.title} {one.text}")]
    if off or planned:
        return answers.joined(quote(one, frozenset()) for one in (off or planned)[:2])
    if not case.question.keys:
        return case.refusal
    return (yield from on(case.asking(replace(case.question, kind=Kind.ON))))


def _denies(passage: Passage, day: str) -> bool:
    """Say whether one sentence of a passage tells that there is no meeting at a date."""
    return any(_NONE.search(part) and read_dates(part) and falls_on(day, part) for part in sentences(passage.text))
