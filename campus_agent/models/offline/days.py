"""Answers about whether there are classes at a day."""

from __future__ import annotations

import re
from dataclasses import replace

from campus_agent.models.offline import answers
from campus_agent.models.offline.case import Case, Script
from campus_agent.models.offline.finding import search
from campus_agent.models.offline.items import each_item
from campus_agent.models.offline.opening import on
from campus_agent.models.offline.passages import quote, read_found
from campus_agent.models.offline.plans import dates_in_question, is_on, ways_to_write
from campus_agent.models.offline.question import Kind

_OFF = re.compile(
    r"\b(?:closed|no (?:class|classes|school|lectures?)|holidays?|recess|break|cancel\w*)\b", re.IGNORECASE
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
    planned = [one for one in told if _PLAN.search(f"{one.title} {one.text}")]
    if off or planned:
        return answers.joined(quote(one, frozenset()) for one in (off or planned)[:2])
    if not case.question.keys:
        return case.refusal
    return (yield from on(case.asking(replace(case.question, kind=Kind.ON))))
