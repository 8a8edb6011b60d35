"""What the exceptions in a passage mean for the day in question: that nothing is on, or nothing for that day."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from campus_agent.models.offline import answers
from campus_agent.models.offline.asked import Asked
from campus_agent.models.offline.case import Calls, Observations
from campus_agent.models.offline.counting import until_weekday
from campus_agent.models.offline.dates import date_parts, read_ranges
from campus_agent.models.offline.exceptions import Bearing, bearing, exceptions, periods, without_others
from campus_agent.models.offline.finding import Finding, Seeking, search
from campus_agent.models.offline.passages import Passage, read_found
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.readings import Count, read_count
from campus_agent.models.offline.words import stem_set

_STATE = re.compile(r"\b(?:open|closed|shut)\b", re.IGNORECASE)
_AROUND = timedelta(days=6)  # of a week of exams only the exams may be dated
_COMING = timedelta(days=120)  # in which nothing comes twice that comes every term
_UNTELLING = re.compile(r"\s+(?:week|period)$", re.IGNORECASE)  # at the end of the name of a period


def off_then(finding: Finding, question: Question, asked: Asked, *, plain: bool = False) -> str:
    """Say that the thing in question is not on at its day, where the best passage makes an exception of it; else "".

    With `plain` it is only quoted.
    """
    if not asked.date or bearing(finding.passages[0].text, asked.date) is not Bearing.OFF:
        return ""
    if plain:
        return finding.quotes[0]
    when = f"on {asked.date}" if asked.moment.dates else asked.when  # its weekday stands in the regular hours
    judged = question.polar and not question.negated
    if judged and _STATE.search(question.text):
        denial = f"{answers.state(question, finding.passages[0], f'closed {when}')}."
    else:
        denial = f"No, not {'today' if asked.today else asked.when}." if judged else ""
    return answers.spaced(denial or asked.lead, finding.quotes[0])


def settled(finding: Finding, asked: Asked) -> Seeking:
    """Take from the best passage, for what it says of every week, the exceptions that are about other days.

    So from the rows of its table about the same thing.
    """
    best = finding.passages[0]
    rows = [one for one in finding.found if best.row and (one.title, one.name) == (best.title, best.name)]
    noted = [one for one in (best, *rows) if exceptions(one.text) or periods(one.text)]
    if not noted:
        return finding
    days = [asked.date] if asked.date else [count.date for count in (yield from _counted(asked)) if count]
    names = () if not days else list(dict.fromkeys(name for one in noted for _, name in periods(one.text)))
    found = (yield tuple(search(_UNTELLING.sub("", name)) for name in names)) if names and days else ()
    elsewhere = {name for name, text in zip(names, found, strict=True) if _lies_ahead(name, text, days)}

    def regular(passages: Sequence[Passage]) -> tuple[Passage, ...]:
        return tuple(
            replace(one, regular=without_others(one.text, days, elsewhere)) if one in noted and days else one
            for one in passages
        )

    return replace(finding, passages=regular(finding.passages), found=regular(finding.found))


def _counted(asked: Asked) -> Generator[Calls, Observations, list[Count | None]]:
    observed = (yield tuple(until_weekday(day) for day in asked.days)) if asked.days else ()
    return [read_count(text) for text in observed]


def _lies_ahead(name: str, text: str | None, days: Sequence[str]) -> bool:
    """Say whether all that is told of a period has dates, and the next time of it comes after some days, but soon."""
    wanted = stem_set(_UNTELLING.sub("", name))
    told = [
        one for one in read_found(text).passages if wanted and wanted <= stem_set(one.name) and read_ranges(one.text)
    ]
    ranges = [pair for one in told for pair in read_ranges(one.text)]
    spans = [(_calendar(first), _calendar(last)) for first, last in ranges]
    on = [_calendar(day) for day in days]
    if not spans or None in on or any(None in span for span in spans):
        return False
    return all(_is_before(day, spans) for day in on if day)


def _is_before(day: date, spans: Sequence[tuple[date | None, date | None]]) -> bool:
    ends = [(first - _AROUND, last + _AROUND) for first, last in spans if first and last]
    if any(first <= day <= last for first, last in ends):
        return False
    return any(day < first <= day + _COMING for first, _ in ends)


def _calendar(written: str) -> date | None:
    parts = date_parts(written)
    return date(*parts) if parts and parts[0] else None
