"""Weekly hours, looked for by that word where a search by "open" or "closed" found none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from campus_agent.models.offline.dates import blank_dates, falls_on, read_dates, weekdays_of
from campus_agent.models.offline.finding import Finding, Seeking, judged, search
from campus_agent.models.offline.hours import DAY, read_schedule
from campus_agent.models.offline.passages import Passage, read_found, schedule_of
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.rows import has_columns_of_hours
from campus_agent.models.offline.sections import sentences
from campus_agent.models.offline.vocabulary import WEEKDAYS

_HOURS = re.compile(r"\b(?:open|opens|closed?|closes|shut|hours)\b", re.IGNORECASE)


def with_hours(finding: Finding, question: Question, days: Sequence[int] = (), date: str = "") -> Seeking:
    """Put weekly hours of the thing in question first, and leave out what tells of none but other dates.

    Args:
        finding: what the question's own words found.
        question: what is asked.
        days: the weekdays in question (Monday is 0).
        date: the date in question; "" where it is not known.
    """
    asked = question.keys or tuple(light for light in question.lights if not _HOURS.fullmatch(light))
    known = [one for one in finding.passages if _tells_hours(one, finding.subject.stems)]
    if not asked or any(_tells_of(one, finding.subject.stems, days) for one in known):
        rest = [one for one in finding.passages if not _of_other_dates(one, date, days)]
        return replace(finding, passages=tuple(dict.fromkeys([*sorted(known, key=_has_columns, reverse=True), *rest])))
    named = (*([WEEKDAYS[day]] for day in days[:1]), WEEKDAYS)  # a row of "Monday-Thursday" names no Wednesday
    texts = yield tuple(search(" ".join([*asked, "hours", *some])) for some in named)
    each = [judged(read_found(text), question) for text in texts]
    more = each[0]
    hours = [one for found in each for one in found.passages if _tells_hours(one, found.subject.stems)]
    rest = [one for one in finding.passages if not _of_other_dates(one, date, days)]
    if not hours:
        return replace(finding, passages=tuple(rest))
    return replace(
        finding,
        passages=tuple(dict.fromkeys([*hours, *rest])),
        found=tuple(dict.fromkeys([*(one for found in each for one in found.found), *finding.found])),
        subject=more.subject,
    )


def _tells_hours(passage: Passage, wanted: frozenset[str]) -> bool:
    """Say whether a passage tells from when to when on which weekdays, or that it is closed on them."""
    schedule = schedule_of(passage, wanted)
    told = any(span.end for rule in schedule.rules for span in rule.spans) or bool(schedule.closed_days)
    return bool(schedule.days | schedule.closed_days) and told and not read_dates(passage.text)


def _has_columns(passage: Passage) -> bool:
    return has_columns_of_hours(passage.text)


def _tells_of(passage: Passage, wanted: frozenset[str], days: Sequence[int]) -> bool:
    """Say whether a passage tells of the days in question; one that is no row of a table tells of every day."""
    schedule = schedule_of(passage, wanted)
    return schedule.whole or all(map(schedule.names, days))


def _of_other_dates(passage: Passage, date: str, days: Sequence[int]) -> bool:
    """Say whether all that a passage tells of hours is of dates, none of which can be the one in question."""
    if not (date or days) or re.search(DAY, blank_dates(passage.text)):
        return False
    parts = sentences(passage.text)
    telling = [one for one in parts if read_dates(one) or read_schedule(one).rules or _HOURS.search(one)]
    if not telling or not all(map(read_dates, telling)):
        return False
    return not falls_on(date, passage.text) if date else set(days).isdisjoint(weekdays_of(passage.text))
