"""Answers about a day as a whole: which day and time it is, and what is on."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from zoneinfo import available_timezones

from campus_agent.knowledge.words import fold
from campus_agent.models.offline import answers
from campus_agent.models.offline.asked import Asked, day_calls, make_out
from campus_agent.models.offline.case import Calls, Case, Observations, Script, call
from campus_agent.models.offline.choosing import subject_of
from campus_agent.models.offline.counting import read_now, until_weekday
from campus_agent.models.offline.dates import date_parts, read_dates, same_date
from campus_agent.models.offline.finding import Finding, find, search
from campus_agent.models.offline.moment import Moment
from campus_agent.models.offline.passages import read_found
from campus_agent.models.offline.readings import Clock, read_clock, read_count
from campus_agent.models.offline.vocabulary import MONTHS, WEEKDAYS


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
    asked = yield from _asked(moment)
    if asked is None:
        return case.refusal
    date = asked.date or next(iter(moment.dates), "")
    weekdays = [*(["open"] if case.question.opening else []), *(WEEKDAYS[day] for day in asked.days)]
    queries = [query for query in (" ".join(weekdays), *_ways_to_write(date)) if query]
    found = yield tuple(map(search, queries or [case.question.text]))
    passages = dict.fromkeys(passage for text in found for passage in read_found(text).passages)
    finding = Finding(tuple(passages), subject_of(case.question))
    named = _taking_place(finding, moment, asked.now, (date,) if date else (), asked.days)
    return answers.joined([asked.lead, *named] if asked.lead else named, "\n\n") if named else case.refusal


def _asked(moment: Moment) -> Generator[Calls, Observations, Asked | None]:
    """Make out the day in question; a date that cannot be counted to is still looked for as it is."""
    calls = day_calls(moment)
    observed = (yield calls) if calls else ()
    asked = yield from make_out(moment, observed)
    return Asked(moment) if asked is None and moment.dates else asked


def _ways_to_write(date: str) -> list[str]:
    """Return a date as passages may write it: in words, and where its year is known in numbers."""
    parts = date_parts(date) if date else None
    if parts is None:
        return [date]
    year, month, day = parts
    return [f"{MONTHS[month - 1]} {day}", *([f"{year}-{month:02}-{day:02}"] if year else [])]


def listing(case: Case) -> Script:
    """Name the things of a kind, or those of them that are on at the moment that the question names."""
    moment = case.question.moment
    finding = yield from find(case, *([read_now()] if moment.needs_clock else []))
    if not finding.passages:
        return case.refusal
    if not moment:
        return answers.joined(finding.quotes, "\n\n")
    now = read_clock(finding.beside[0]) if moment.needs_clock else None
    dates = read_dates(now.text) if now and not moment.ahead else moment.dates
    named = _taking_place(finding, moment, now, dates, _days(moment, now))
    lead = f"It is {now.text}." if now and not moment.ahead else ""
    if not named:
        return answers.spaced(lead, "Nothing that I found is listed for that time.", *finding.quotes)
    return answers.joined([lead, *named] if lead else named, "\n\n")


def _taking_place(
    finding: Finding, moment: Moment, now: Clock | None, dates: Sequence[str], days: Sequence[int]
) -> list[str]:
    """Quote the passages of which something is on at a moment, or on one of its dates."""
    minutes = now.minutes if now and moment.now else moment.minutes
    named = []
    for place, quoted in enumerate(finding.quotes):
        if of_passage := finding.dates(place):
            happens = any(same_date(one, other) for one in dates for other in of_passage)
        else:
            schedule = finding.schedule(place)
            time = minutes if schedule.timed else None
            on = (schedule.on(day) if time is None else schedule.at(day, time) for day in days)
            happens = bool(schedule.days) and any(on)
        if happens:
            named.append(quoted)
    return named


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
