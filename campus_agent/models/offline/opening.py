"""Whether something is open, or on, at a moment."""

from __future__ import annotations

import re

from campus_agent.models.offline import answers
from campus_agent.models.offline.case import Case, Script
from campus_agent.models.offline.counting import read_now, until_weekday
from campus_agent.models.offline.finding import Finding, find
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.readings import Clock, read_clock, read_count
from campus_agent.models.offline.schedule import Schedule
from campus_agent.models.offline.vocabulary import EVERY_DAY, WEEKDAYS, WEEKEND

_BEGINS = re.compile(r"\b(?:meet|start|begin)s?\b", re.IGNORECASE)


def on(case: Case) -> Script:
    """Say whether something is open, or on, at the moment that the question names."""
    question, moment = case.question, case.question.moment
    finding = yield from find(case, *([read_now()] if moment.needs_clock else []))
    if not finding.passages:
        return case.refusal
    quoted, schedule = finding.quotes[0], finding.schedule()
    if not schedule.rules or (finding.dates() and not schedule.days):
        return quoted
    if not moment.needs_clock:
        return f"{_on_days(question, schedule)} {quoted}".strip()
    now = read_clock(finding.beside[0])
    if now is None:
        return f"I could not read the clock. {quoted}"
    if moment.ahead == 1:
        day = (now.day + 1) % 7
        tomorrow = read_count((yield (until_weekday(day),))[0])
        named = f"Tomorrow is {tomorrow.on}." if tomorrow else ""
        return answers.spaced(_on_day(finding, question, day, "tomorrow"), named, quoted)
    if moment.now and schedule.timed:
        return answers.spaced(_right_now(finding, question, now), quoted, _opens_next(finding, question, now))
    return answers.spaced(_on_day(finding, question, now.day, "today"), f"It is {now.text}.", quoted)


def takes_place(schedule: Schedule, day: int, minutes: int | None) -> bool:
    """Say whether something is on at a weekday, or at a time of it."""
    if minutes is None:
        return schedule.on(day)
    return schedule.open_at(day, minutes) or any(span.start.minutes == minutes for span in schedule.spans(day))


def _right_now(finding: Finding, question: Question, now: Clock) -> str:
    state = _state(question, happens=finding.schedule().open_at(now.day, now.minutes))
    return f"{answers.state(question, finding.passages[0], f'{state} right now')}: it is {now.text}."


def _on_day(finding: Finding, question: Question, day: int, when: str) -> str:
    """Say whether something is on at a day; where it is and the question is not yes or no, the hours say enough."""
    happens = takes_place(finding.schedule(), day, question.moment.minutes)
    if happens and not question.polar:
        return ""
    if question.opening:
        state = f"{_state(question, happens=happens)} {_then(question, when)}"
        return f"{answers.state(question, finding.passages[0], state)}."
    if not question.polar:
        return f"Nothing is listed for {when}."
    return f"Yes, {when}." if happens else f"No, not {when}."


def _then(question: Question, when: str) -> str:
    return f"at that time {when}" if question.moment.minutes is not None else when


def _state(question: Question, *, happens: bool) -> str:
    if question.opening:
        return "open" if happens else "closed"
    return "on" if happens else "not on"


def _opens_next(finding: Finding, question: Question, now: Clock) -> str:
    """Say when what is closed opens next, where the words for that stand in the passage."""
    schedule = finding.schedule()
    upcoming = schedule.next_start(now.day, now.minutes)
    is_open = schedule.open_at(now.day, now.minutes) or schedule.in_break(now.day, now.minutes)
    if upcoming is None or is_open or not question.opening:
        return ""
    ahead, start = upcoming
    name, time = WEEKDAYS[(now.day + ahead) % 7], start.text.rstrip(".")
    if ahead < 2:
        return f"It opens {'tomorrow' if ahead else 'today'} at {time}."
    return f"It opens next on {name} at {time}." if name in finding.passages[0].text else ""


def _on_days(question: Question, schedule: Schedule) -> str:
    """Say how it is at the weekdays that the question names, or at a time of any day; "" when that is not plain."""
    days, minutes = question.moment.days or schedule.days or EVERY_DAY, question.moment.minutes
    happens = {takes_place(schedule, day, minutes) for day in days}
    if happens == {False} and minutes is None and not days & schedule.closed_days:
        name = "the weekend" if days == WEEKEND else " and ".join(WEEKDAYS[day] for day in sorted(days))
        denial = f"{name} is not among the days given."
        return f"No: {denial}" if question.polar and not question.asks_closed else answers.capital(denial)
    only_start = minutes is not None and not schedule.timed and not _BEGINS.search(question.text)
    if not question.polar or len(happens) > 1 or (only_start and happens == {False}):
        return ""
    return "Yes." if (happens == {True}) != question.asks_closed else "No."
