"""Answers about a day as a whole: which day and time it is, and what is on."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import available_timezones

from campus_agent.knowledge.words import fold
from campus_agent.models.offline import answers
from campus_agent.models.offline.asked import Asked, day_calls, make_out
from campus_agent.models.offline.cancelling import told_off
from campus_agent.models.offline.case import Calls, Case, Observations, Script, call
from campus_agent.models.offline.changes import cancelled, excepts, read_series
from campus_agent.models.offline.counting import read_now, until_weekday
from campus_agent.models.offline.dates import date_parts, read_dates
from campus_agent.models.offline.exceptions import Bearing, bearing
from campus_agent.models.offline.finding import Finding, find, judged, search, told_to
from campus_agent.models.offline.items import each_item
from campus_agent.models.offline.moment import Moment
from campus_agent.models.offline.opening import ALL_FOUND, NOTHING_LISTED, unlisted
from campus_agent.models.offline.passages import quote, read_found
from campus_agent.models.offline.plans import coming, later, ways_to_write
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.readings import Clock, read_clock, read_count
from campus_agent.models.offline.rows import is_of_hours
from campus_agent.models.offline.subject import subject_of
from campus_agent.models.offline.vocabulary import MONTHS, SOFT_WORDS, WEEKDAYS
from campus_agent.models.offline.wants import asks_who_has

_FROM_NOW = ("today", "tonight", "tomorrow", "now")
_NOT_ALL = "There may be others."  # of a table of many people a search shows only a few
_FEW = 3  # passages, of which a search returns no more: where all of them would do, there may be others
_MOST_DAYS = 3  # days of which each is looked up by itself


def clock(case: Case) -> Script:
    """Say what day and time it is, here or in a city that has a time zone of its own."""
    question = case.question
    zone = _zone(question.keys)
    if question.keys and not zone:
        yield from find(case)
        return case.refusal
    (text,) = yield (call("get_current_time", **({"timezone": zone} if zone else {})),)
    now = read_clock(text)
    if now is None:
        return case.refusal
    if not question.moment.ahead:
        return f"It is {now.text}."
    tomorrow = read_count((yield (until_weekday((now.day + 1) % 7),))[0])
    return f"Tomorrow is {tomorrow.on}." if tomorrow else f"Today is {now.text}."


def agenda(case: Case) -> Script:
    """Say what is on at a day."""
    moment = case.question.moment
    if moment.spans and not moment:
        return (yield from _week_or_month(case))
    asked = yield from _asked(moment)
    if asked is None:
        return case.refusal
    on_date = asked.date or next(iter(moment.dates), "")
    weekdays = [*(["open"] if case.question.opening else []), *(WEEKDAYS[day] for day in asked.days)]
    if case.question.keys and all(fold(key) in SOFT_WORDS for key in case.question.keys):
        case = case.asking(replace(case.question, keys=()))  # what is done in class is told of the day alone
    queries = [_of(case.question, query) for query in (" ".join(weekdays), *ways_to_write(on_date)) if query]
    found = yield tuple(map(search, queries or [case.question.text]))
    dates = (on_date,) if on_date else (yield from coming(case.question))
    if dates and not on_date:
        found += yield tuple(search(_of(case.question, way)) for one in dates for way in ways_to_write(one)[:1])
    finding = _holding(case.question, found)
    if not case.question.opening:  # that a place is open is nothing that is on
        finding = replace(finding, passages=tuple(one for one in finding.passages if not is_of_hours(one.row)))
    named = _taking_place(finding, moment, asked.now, dates, asked.days)
    return answers.joined([asked.lead, *named] if asked.lead else named, "\n\n") if named else case.refusal


def _asked(moment: Moment) -> Generator[Calls, Observations, Asked | None]:
    """Make out the day in question; a date that cannot be counted to is still looked for as it is."""
    calls = day_calls(moment)
    observed = (yield calls) if calls else ()
    asked = yield from make_out(moment, observed)
    return Asked(moment) if asked is None and moment.dates else asked


def _week_or_month(case: Case) -> Script:
    """Say what is on at the dates of a week or month that are not over; what is on every week is left out."""
    question = case.question
    (text,) = yield (read_now(),)
    now = read_clock(text)
    parts = date_parts(read_dates(now.text)[0]) if now else None
    if now is None or parts is None:
        return case.refusal
    days = _days_ahead(question.moment, date(*parts))
    written = [f"{MONTHS[day.month - 1]} {day.day}, {day.year}" for day in days]
    queries = [f"{WEEKDAYS[day.weekday()]} {name}" for day, name in zip(days, written, strict=True)]
    if question.moment.month:
        queries = [f"{MONTHS[question.moment.month - 1]} {days[-1].year}"]
    found = yield tuple(search(_of(question, query)) for query in queries)
    finding = _holding(question, found)
    named = _taking_place(finding, question.moment, now, written, ())
    if not named and not question.moment.month:  # days may be written in numbers
        more = yield tuple(search(_of(question, ways_to_write(name)[-1])) for name in written)
        finding = _holding(question, (*found, *more))
        named = _taking_place(finding, question.moment, now, written, ())
    if named:
        return answers.joined(named, "\n\n")
    dated = question.keys and any(map(finding.dates, range(len(finding.passages))))
    return NOTHING_LISTED if dated and question.moment.week is not None else case.refusal


def _days_ahead(moment: Moment, today: date) -> list[date]:
    """Return the days of a week or month from today on; of a month that is over those of next year."""
    if moment.month:
        year = today.year + (moment.month < today.month)
        first = max(today, date(year, moment.month, 1))
        return [day for more in range(31) if (day := first + timedelta(more)).month == moment.month]
    first = today + timedelta(days=7 - today.weekday() if moment.week else 0)
    return [first + timedelta(days=more) for more in range(7 - first.weekday())]


def _of(question: Question, time: str) -> str:
    """Return what to search for to find what is asked about at a time."""
    return " ".join([*question.keys, time])


def _holding(question: Question, found: Observations) -> Finding:
    """Return what was found that holds every key word of a question, which may have none."""
    results = [(one, subject_of(question, one)) for one in map(read_found, found)]
    passages = dict.fromkeys(
        passage
        for one, subject in results
        for passage in one.passages
        if subject.keys <= subject.held_by(passage.stems)
    )
    return Finding(told_to(question, each_item(tuple(passages))), subject_of(question))


def listing(case: Case) -> Script:
    """Name the things of a kind, or those of them that are on at the moment that the question names."""
    moment = case.question.moment
    finding = yield from find(case, *([read_now()] if moment.needs_clock else []))
    if not finding.passages:
        return case.refusal
    if not moment:
        return answers.joined(finding.quotes, "\n\n")
    now = read_clock(finding.beside[0]) if moment.needs_clock else None
    dates = tuple(later(one, days=moment.ahead or 0) for one in read_dates(now.text)) if now else moment.dates
    days = _days(moment, now)
    dates = dates or (yield from coming(case.question))
    lights = " ".join(light for light in case.question.lights if light not in _FROM_NOW)
    named = [WEEKDAYS[day] for day in days[:_MOST_DAYS]]  # by the day alone, too: their kind may be said of few of them
    queries = [f"{words} {day}".strip() for words in (case.question.query, lights) for day in named]
    if who := asks_who_has(case.question.text):  # a row of "Monday to Friday" names no Wednesday
        queries += [_of(case.question, f"hours {day}") for day in WEEKDAYS]
    queries += [_of(case.question, way) for one in dates[:_MOST_DAYS] for way in ways_to_write(one)]
    results = [judged(read_found(text), case.question) for text in (yield tuple(map(search, queries)))]
    found = each_item([passage for one in results for passage in one.passages])
    finding = replace(finding, passages=tuple(dict.fromkeys([*finding.passages, *found])))
    named = _taking_place(finding, moment, now, dates, days)
    lead = f"It is {now.text}." if now and not moment.ahead else ""
    if not named:
        whole = all(len(one.passages) < len(one.found) or len(one.found) < _FEW for one in results)
        none = unlisted(days) if who and days else NOTHING_LISTED if whole else ALL_FOUND
        return answers.spaced(lead, none, *finding.quotes[: 0 if who else _MOST_DAYS])
    return answers.joined([*([lead] if lead else []), *named, *([_NOT_ALL] if who else [])], "\n\n")


def _taking_place(
    finding: Finding, moment: Moment, now: Clock | None, dates: Sequence[str], days: Sequence[int]
) -> list[str]:
    """Quote the passages of which something is on at a moment, or on one of its dates."""
    minutes = now.minutes if now and moment.now else moment.minutes
    named, off = [], []
    for place, passage in enumerate(finding.passages):
        left = [one for one in dates if cancelled(passage.text) or not _is_off(passage.text, one)]
        if dates and not left:
            continue
        told = [finding.takes_place(place, one) for one in left]
        happens = any(told) if None not in (told or [None]) else _each_week(finding, place, minutes, days)
        if happens and cancelled(passage.text):
            off.append(told_off(passage, finding.subject.stems))
        elif happens:
            named.append(quote(passage, finding.subject.keys))
    return [*named, *off]


def _is_off(text: str, day: str) -> bool:
    return excepts(text, day) or bearing(text, day) is Bearing.OFF


def _each_week(finding: Finding, place: int, minutes: int | None, days: Sequence[int]) -> bool:
    """Say whether something is on at one of some weekdays; what is on at dates of its own is not."""
    if finding.dates(place) and not read_series(finding.passages[place].text):
        return False
    schedule = finding.schedule(place)
    time = minutes if schedule.timed else None
    on = (schedule.on(day) if time is None else schedule.at(day, time) for day in days)
    return bool(schedule.days) and any(on)


def _days(moment: Moment, now: Clock | None) -> list[int]:
    """Return the weekdays of a moment: those that it names, else the one that the clock tells."""
    if moment.days or now is None:
        return sorted(moment.days)
    return [(now.day + (moment.ahead or 0)) % 7]


def _zone(keys: tuple[str, ...]) -> str | None:
    """Return the time zone of a city, such as Asia/Tokyo; None for a name that no zone has."""
    name = fold("_".join(keys))
    zones = sorted(available_timezones()) if name else []
    return next((zone for zone in zones if name in (fold(zone), fold(zone.rpartition("/")[2]))), None)
