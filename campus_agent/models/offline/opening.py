"""Whether something is open, or on, at a moment."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from campus_agent.knowledge.words import fold
from campus_agent.models.offline import answers, verdicts
from campus_agent.models.offline.asked import Asked, day_calls, make_out
from campus_agent.models.offline.cancelling import called_off
from campus_agent.models.offline.case import Calls, Case, Observations, Script
from campus_agent.models.offline.cells import without_start
from campus_agent.models.offline.changes import Series, read_coming, read_series
from campus_agent.models.offline.counting import until_limit, until_weekday
from campus_agent.models.offline.dates import read_dates
from campus_agent.models.offline.finding import Finding, Seeking, find, search
from campus_agent.models.offline.hours import DAY, weekday
from campus_agent.models.offline.hours_found import with_hours
from campus_agent.models.offline.items import each_item
from campus_agent.models.offline.passages import (
    Passage,
    dates_of,
    plain_date,
    quote,
    read_found,
    schedule_of,
    takes_place,
)
from campus_agent.models.offline.plans import planned
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.readings import read_count
from campus_agent.models.offline.rows import has_limit
from campus_agent.models.offline.schedule import Schedule
from campus_agent.models.offline.settling import off_then, settled
from campus_agent.models.offline.timetable import Timetable, timetable
from campus_agent.models.offline.vocabulary import SOFT_WORDS, WEEKDAYS
from campus_agent.models.offline.words import stem_set

NOTHING_LISTED = "I found nothing that is listed for that time."
ALL_FOUND = "This is all that I found."
_MOST_QUOTES = 3
_OPEN = re.compile(r"\b(?:open|opens|opened|opening|close[ds]?|closing|closures?|shut|hours)\b", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:is|are) (?:\w+ )?open\b|\bopens\b|\bopening\b|\bopen:", re.IGNORECASE)
_BEGINS = re.compile(r"\b(?:meets?|starts?|begins?)\b", re.IGNORECASE)
_EVENT = re.compile(r"\b(?:meets?|takes? place|held|holds?|begins?|starts?|gathers?|happens?|event:)", re.IGNORECASE)
_CLOSURE = re.compile(
    r"\b(?:closed|closures?|shut|cancel\w*|postponed|suspended|renovat\w*|holidays?)\b", re.IGNORECASE
)


def on(case: Case, *, plain: bool = False) -> Script:
    """Say whether something is open, or on, at the moment that the question names.

    A yes or a no is said only where the passages tell it for certain; else they are quoted, and the reader judges. With
    `plain` they are only quoted.
    """
    question = case.question
    finding = yield from find(case, *day_calls(question.moment))
    by_hours = question.opening or (question.polar and question.moment.now)
    by_rows = yield from _by_rows(finding, question)
    if by_rows or not (finding.passages or by_hours):
        return by_rows or case.refusal
    asked = yield from make_out(question.moment, finding.beside)
    if asked and by_hours:
        finding = yield from with_hours(finding, question, asked.days, asked.date)
    if not finding.passages:
        return case.refusal
    if asked is None:
        failed = "read the clock" if question.moment.needs_clock else "make out that date"
        return answers.spaced(f"I could not {failed}." if any(finding.beside) else "", finding.quotes[0])
    if off := called_off(finding, question) or off_then(finding, question, asked, plain=plain):
        return off
    finding = yield from settled(_of_that_date(finding, asked), asked)
    soft = bool(question.keys) and all(fold(key) in SOFT_WORDS for key in question.keys)
    several = len(finding.passages) > 1 and all(map(finding.dates, range(len(finding.passages))))
    if soft or several:
        telling = yield from _telling_of(finding, asked)
        if several and not soft and question.polar and not question.opening and not telling.passages:
            telling = yield from planned(question)  # by its date, which the search for the thing did not name
            return answers.joined(telling.quotes) or answers.spaced(NOTHING_LISTED, *finding.quotes[:_MOST_QUOTES])
        finding = telling if soft or telling.passages else finding
    if not finding.passages:
        return case.refusal
    table = yield from timetable(finding, asked)
    others = _others(finding, question, asked, table)
    verdict = "" if others or question.negated else _verdict(finding, question, asked, table)
    if verdict and question.opening and asked.date and not asked.moment.now:
        closures = yield from _closures(asked.date)
        verdict = "" if closures else verdict
        others = list(dict.fromkeys([*others, *closures]))
    table = replace(table, telling=tuple(without_start(row, question) for row in table.telling))
    quotes = [*table.quotes, *(quote(other, finding.subject.keys) for other in others)]
    place = question.opening and _is_place(question, table.telling[0])
    then = _opens_next(table, asked) if verdict and place else ""
    told = not question.polar or question.opening or _says_when(table)
    lead = _with_lead(verdict, asked) if told else ALL_FOUND
    return answers.joined(quotes) if plain else answers.spaced(lead, *dict.fromkeys(quotes), then)


def _by_rows(finding: Finding, question: Question) -> Script:
    """Answer from the rows of a table that have no hours: by a deadline, or by a plan of dates; "" where none does."""
    if question.opening:
        limited = question.polar and finding.passages and has_limit(finding.passages[0].row)
        return (yield from until_limit(finding, question)) if limited else ""
    if not question.moment.names_day or any(map(_says_day, finding.passages)):
        return ""
    plan = yield from planned(question)
    return answers.joined(plan.quotes[:_MOST_QUOTES])


def _closures(date: str) -> Generator[Calls, Observations, list[Passage]]:
    """Search for what closes the whole place at a date, such as a holiday, whatever the weekly hours say."""
    (text,) = yield (search(f"closed holidays {date}"),)
    passages = each_item(read_found(text).passages)
    wanted: frozenset[str] = frozenset()
    closing = [one for one in passages if _CLOSURE.search(f"{one.title} {one.text}")]
    return [one for one in closing if takes_place(one, wanted, date) is True]


def _says_when(table: Timetable) -> bool:
    """Say whether the passages speak of any day, time or date at all."""
    return bool(table.schedule.rules) or any(map(_says_day, table.telling))


def _says_day(passage: Passage) -> bool:
    return bool(re.search(DAY, passage.text) or read_dates(passage.text))


def _telling_of(finding: Finding, asked: Asked) -> Seeking:
    """Keep the passages that tell of the day in question, and not only of the same kind of thing."""
    dates = [asked.date] if asked.date else []
    if not dates and asked.days:
        counts = [read_count(text) for text in (yield tuple(until_weekday(day) for day in asked.days))]
        dates = [count.date for count in counts if count]
    telling = []
    for place, passage in enumerate(finding.passages):
        told = [finding.takes_place(place, date) for date in dates]
        schedule = finding.schedule(place)
        named = {weekday(name) for name in re.findall(DAY, passage.text)} | schedule.days
        if any(told) or (None in told and not named.isdisjoint(asked.days)):
            telling.append(passage)
    return replace(finding, passages=tuple(telling))


def _of_that_date(finding: Finding, asked: Asked) -> Finding:
    """Put first what takes place on the very date in question."""
    if not asked.date:
        return finding
    wanted = finding.subject.stems
    on_it = [
        passage
        for passage in finding.passages
        if takes_place(passage, wanted, asked.date) and not _CLOSURE.search(passage.text)
    ]
    return replace(finding, passages=tuple(dict.fromkeys([*on_it, *finding.passages])))


def _with_lead(verdict: str, asked: Asked) -> str:
    if asked.lead and verdict.endswith(" right now.") and not verdict.startswith("Yes"):
        return f"{verdict[:-1]}: {asked.lead[:1].lower()}{asked.lead[1:]}"
    return answers.spaced(verdict, asked.lead)


def _others(finding: Finding, question: Question, asked: Asked, table: Timetable) -> list[Passage]:
    """Return the other passages about the same thing that tell otherwise than the best one."""
    state = verdicts.happens(table.schedule, asked)
    found: list[Passage] = []
    for passage in finding.passages[1:]:
        if passage.row and not finding.subject.keys & stem_set(passage.name):
            continue  # a row of something else, in which the word stands too
        if passage in table.passages or (question.opening and not _OPEN.search(passage.text)):
            continue
        schedule = schedule_of(passage, finding.subject.stems)
        told = bool(schedule.rules) and not dates_of(passage, finding.subject.stems)
        if finding.dates() and not _CLOSURE.search(passage.text):
            continue
        if (told and verdicts.happens(schedule, asked) != state) or _CLOSURE.search(passage.text):
            found.append(passage)
    return found


def _verdict(finding: Finding, question: Question, asked: Asked, table: Timetable) -> str:
    """Say whether it is on, or open; "" where the passages do not tell that for certain."""
    schedule, best = table.schedule, table.telling[0]
    if finding.dates():
        return "" if question.opening or not question.polar else _on_date(finding, schedule, asked)
    if not schedule.rules or not schedule.certain or asked.moment.vague:
        return ""
    if not schedule.whole and not any(schedule.names(day) for day in asked.days):
        return unlisted(asked.days) if asked.days else ""
    if not (asked.now or asked.date):
        return _on_weekdays(question, schedule, asked, best)
    state = verdicts.happens(schedule, asked)
    if _is_place(question, best):
        if state is None and asked.moment.window:
            return verdicts.until(schedule, question, asked, best)
        if state is None or (state and not question.polar):
            return ""
        return verdicts.of_place(schedule, question, asked, best, open_=state)
    return _of_event(question, schedule, asked)


def _is_place(question: Question, passage: Passage) -> bool:
    """Say whether it opens and closes, and does not take place: a club is not closed on the days between."""
    if question.opening:
        return _OPEN.search(passage.text) is not None or _EVENT.search(passage.text) is None
    return _PLACE.search(passage.text) is not None


def _on_date(finding: Finding, schedule: Schedule, asked: Asked) -> str:
    """Say whether an event of one date is on; no only where nothing else was found that could be meant."""
    text = finding.passages[0].text
    if series := read_series(text) or read_coming(text):
        return _of_series(series, schedule, asked)
    date = plain_date(finding.passages[0], finding.subject.stems)
    verdict = verdicts.on_date(date, schedule, asked) if date else ""
    return "" if verdict.startswith("No") and len(finding.passages) > 1 else verdict


def _of_series(series: Series, schedule: Schedule, asked: Asked) -> str:
    """Say whether an event that repeats is on at the day in question; "" for a day beyond those that are told."""
    on = series.on(asked.date) if asked.date and not asked.moment.vague else None
    if on is None:
        return ""
    if not on:
        return f"No, not {'today' if asked.today else asked.when}."
    plain = asked.moment.dates and series.exception  # the weekday stands in the exception too
    return verdicts.of_event(schedule, replace(asked, when=f"on {asked.date}") if plain else asked)


def _of_event(question: Question, schedule: Schedule, asked: Asked) -> str:
    if not schedule.on(asked.days[0]):
        if not question.polar:
            return f"Nothing is listed for {asked.when}."
        return f"No, not {'today' if asked.moment.now else asked.when}."
    return verdicts.of_event(schedule, asked) if question.polar else ""


def unlisted(days: Sequence[int]) -> str:
    """Say that no row tells of the days in question."""
    return f"{' and '.join(WEEKDAYS[day] for day in days)} is not among the days that I found."


def _on_weekdays(question: Question, schedule: Schedule, asked: Asked, best: Passage) -> str:
    """Say how it is at the weekdays that the question names, or at a time of any day; "" when that is not plain."""
    state = verdicts.happens(schedule, asked)
    if state is None and _BEGINS.search(question.text):
        state = verdicts.begins(schedule, asked)
    if state is None:
        return ""
    on_day = asked.minutes is None and asked.moment.window is None
    if not state and on_day and not schedule.closed_days.intersection(asked.days):
        denial = f"{asked.when.removeprefix('on ')} is not among the days given."
        told_to_another = best.name.endswith("?") and not question.opening
        plain = question.polar and not question.asks_closed and not told_to_another
        return f"No: {denial}" if plain else answers.capital(denial)
    if not question.polar:
        return ""
    return "Yes." if state != question.asks_closed else "No."


def _opens_next(table: Timetable, asked: Asked) -> str:
    """Say when what is closed opens next, where the words for that stand in the passages."""
    schedule, now = table.schedule, asked.now
    if now is None or not asked.moment.now:
        return ""
    upcoming = schedule.next_start(now.day, now.minutes)
    if upcoming is None or schedule.open_at(now.day, now.minutes) or schedule.in_break(now.day, now.minutes):
        return ""
    ahead, start = upcoming
    if not schedule.whole and not all(schedule.names((now.day + days) % 7) for days in range(ahead)):
        return ""
    name, time = WEEKDAYS[(now.day + ahead) % 7], start.text.rstrip(".")
    if ahead < 2:
        return f"It opens {'tomorrow' if ahead else 'today'} at {time}."
    return f"It opens next on {name} at {time}." if any(name in passage.text for passage in table.passages) else ""
