"""Whether something is on at the day in question, and the sentence that says so."""

from __future__ import annotations

from dataclasses import replace

from campus_agent.models.offline import answers
from campus_agent.models.offline.asked import Asked
from campus_agent.models.offline.dates import same_date
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.schedule import Schedule
from campus_agent.models.offline.times import Span
from campus_agent.models.offline.vocabulary import EVERY_DAY


def happens(schedule: Schedule, asked: Asked) -> bool | None:
    """Say whether something is on at all of the days in question (at none: False); None when that is not certain."""
    if not schedule.certain or asked.moment.vague:
        return None
    days = asked.days or tuple(schedule.days) or tuple(EVERY_DAY)
    found = {_happens_on(schedule, day, asked) for day in days}
    return found.pop() if len(found) == 1 else None


def _happens_on(schedule: Schedule, day: int, asked: Asked) -> bool | None:
    if asked.minutes is not None:
        return schedule.at(day, asked.minutes)
    if asked.moment.window is None:
        return schedule.on(day)
    return _in_window(schedule, day, *asked.moment.window)


def _in_window(schedule: Schedule, day: int, first: int, last: int) -> bool | None:
    """Say whether something is on in a part of a day; None when only for some of it, or when its end is not known."""
    if not schedule.on(day):
        return schedule.on(day)
    found = {_meets(span, first, last) for span in schedule.spans(day)} or {None}
    return True if True in found else None if None in found else False


def _meets(span: Span, first: int, last: int) -> bool | None:
    start = span.start.minutes
    if start >= last:
        return False
    if span.end is None:
        return True if start >= first else None
    if span.ends <= first:
        return False
    return True if first <= start or span.ends >= last else None


def on_date(date: str, schedule: Schedule, asked: Asked) -> str:
    """Say whether something that takes place on one date is on at the day in question; "" when that is not known."""
    if not asked.date or asked.moment.vague:
        return ""
    if not same_date(date, asked.date):
        return f"No, not {'today' if asked.today else asked.when}."
    return of_event(Schedule(schedule.rules), asked)


def of_event(schedule: Schedule, asked: Asked) -> str:
    """Say that something that takes place at a day is on, or whether it has begun or is over; "" when not known."""
    narrowed = asked.moment.minutes is not None or asked.moment.window is not None
    if not asked.today or asked.now is None or narrowed:
        verdict = _of_event_at(schedule, asked)
        if not asked.today or not verdict.startswith("Yes"):
            return verdict
        return of_event(schedule, replace(asked, moment=replace(asked.moment, minutes=None, part="")))
    spans, minutes = schedule.spans(asked.days[0]), asked.now.minutes
    if schedule.open_at(asked.days[0], minutes):
        return "Yes, it is on right now."
    if later := [span for span in spans if span.start.minutes > minutes]:
        start = _clock(later[0].start.text)
        if asked.moment.now:
            return f"Not yet: it begins at {start}." if start else "No, not yet."
        return f"Yes, today at {start}." if start else "Yes, today."
    if not spans:
        return "" if asked.moment.now else "Yes, today."
    last = max(spans, key=lambda span: span.start.minutes)
    if last.end is None:
        start = _clock(last.start.text)
        return f"It began at {start} today; when it ends is not given." if start else ""
    end = _clock(last.end.text)
    return f"It was on today until {end}, and is over." if end else "It was on today, and is over."


def _of_event_at(schedule: Schedule, asked: Asked) -> str:
    day = asked.days[0]
    state = _happens_on(Schedule(schedule.rules), day, asked) if schedule.spans(day) else None
    if asked.minutes is None and asked.moment.window is None:
        state = True
    if state is None:
        return ""
    time = "at that time " if asked.minutes is not None else ""
    return f"Yes, {time}{asked.when}." if state else f"No, not {time}{asked.when}."


def of_place(schedule: Schedule, question: Question, asked: Asked, passage: Passage, *, open_: bool) -> str:
    """Say whether a place is open at the day in question."""
    if asked.moment.minutes is not None and not asked.moment.now:
        said = f"{'open' if open_ else 'closed'} at that time {asked.when}"
    elif asked.today and asked.now and open_ and not asked.moment.now:
        return f"{_open_today(schedule, question, asked, passage, asked.now.minutes)}."
    else:
        said = f"{'open' if open_ else 'closed'} {asked.when}"
    return f"{answers.state(question, passage, said)}."


def until(schedule: Schedule, question: Question, asked: Asked, passage: Passage) -> str:
    """Say until when a place is open that closes within the part of the day in question; "" when not plain."""
    spans = schedule.spans(asked.days[0])
    first, last = asked.moment.window or (0, 0)
    if len(spans) != 1 or not spans[0].end or not spans[0].start.minutes <= first < spans[0].ends < last:
        return ""
    end = _clock(spans[0].end.text)
    when = "today" if asked.today else asked.when
    return f"{answers.state(question, passage, f'open {when} until {end}')}." if end else ""


def _open_today(schedule: Schedule, question: Question, asked: Asked, passage: Passage, minutes: int) -> str:
    """Say that a place is open today, in view of what time it is."""
    spans = schedule.spans(asked.days[0])
    last = max(spans, key=lambda span: span.ends, default=None)
    if schedule.open_at(asked.days[0], minutes) or last is None or last.end is None:
        return answers.state(question, passage, f"open {asked.when}")
    if last.ends <= minutes:
        end = _clock(last.end.text)
        until = f" until {end}" if end else ""
        return answers.state(question, passage, f"open today{until}; now it is closed", past=True)
    return answers.state(question, passage, f"open {asked.when}, but closed right now")


def begins(schedule: Schedule, asked: Asked) -> bool | None:
    """Say whether something of which only the start is told begins at the time in question; None without a time."""
    spans = [span for day in asked.days or tuple(EVERY_DAY) for span in schedule.spans(day)]
    if asked.moment.minutes is None or not schedule.certain or asked.moment.vague or any(span.end for span in spans):
        return None
    return any(span.start.minutes == asked.moment.minutes for span in spans)


def _clock(text: str) -> str:
    """Return a time as the passage writes it; "" for a bare number, which says too little alone."""
    return "" if text.isdigit() else text.rstrip(".")
