"""The day that a question asks about, made out with the clock and the counting tools."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from campus_agent.models.offline.case import Calls, Observations
from campus_agent.models.offline.counting import read_now, until_date, until_weekday
from campus_agent.models.offline.dates import date_parts, read_dates
from campus_agent.models.offline.hours import weekday
from campus_agent.models.offline.moment import Moment
from campus_agent.models.offline.readings import Clock, Count, read_clock, read_count
from campus_agent.models.offline.schedule import SMALL_HOURS
from campus_agent.models.offline.vocabulary import WEEKDAYS, WEEKEND

_AHEAD = {0: "today", 1: "tomorrow", 2: "the day after tomorrow"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of the day in question.

    Attributes:
        moment: as the question says it.
        days: its weekdays (Monday is 0); empty when the question names no day.
        when: how an answer says it, such as "today" or "on Friday, March 13, 2026".
        date: its date, where it is one day of the calendar.
        now: what the clock says, where it was read.
        lead: a sentence that says which day it is; "" when there is nothing to say.
    """

    moment: Moment
    days: tuple[int, ...] = ()
    when: str = ""
    date: str = ""
    now: Clock | None = None
    lead: str = ""

    @property
    def today(self) -> bool:
        """Whether it is about today or this very moment, and the clock was read."""
        return self.now is not None and (self.moment.now or self.moment.ahead == 0)

    @property
    def minutes(self) -> int | None:
        """The time of day in question, in minutes since midnight."""
        return self.now.minutes if self.now and self.moment.now else self.moment.minutes

    @property
    def needed(self) -> tuple[int, ...]:
        """The weekdays whose hours decide: in the small hours the night before counts too."""
        time = self.minutes if self.minutes is not None else self.now.minutes if self.today and self.now else None
        before = [(day - 1) % 7 for day in self.days] if time is not None and time < SMALL_HOURS else []
        return tuple(dict.fromkeys([*self.days, *before]))


def day_calls(moment: Moment) -> Calls:
    """Return the calls that tell which day a moment is: the clock, or a count to each date."""
    return (read_now(),) if moment.needs_clock else tuple(map(until_date, moment.dates))


def make_out(moment: Moment, observed: Observations) -> Generator[Calls, Observations, Asked | None]:
    """Make out the day of a moment from what came back for its `day_calls`; None when that tells no day."""
    if moment.needs_clock:
        now = read_clock(observed[0] if observed else None)
        if now is None:
            return None
        return (yield from _ahead(moment, now))
    if moment.dates:
        counts = [read_count(text) for text in observed]
        count = counts[0] if counts else None
        return _on(moment, count) if count and len(counts) == 1 and _agrees(moment, count) else None
    return Asked(moment, tuple(sorted(moment.days)), f"on {_names(moment.days)}" if moment.days else "")


def _ahead(moment: Moment, now: Clock) -> Generator[Calls, Observations, Asked]:
    ahead = moment.ahead or 0
    day = (now.day + ahead) % 7
    if not ahead:
        when = "right now" if moment.now else "tonight" if moment.part == "tonight" else _AHEAD[0]
        if moment.part and moment.part not in ("tonight", "night"):
            when = f"this {moment.part}"
        return Asked(moment, (day,), when, next(iter(read_dates(now.text)), ""), now, f"It is {now.text}.")
    count = read_count((yield (until_weekday(day),))[0])
    when = _AHEAD[ahead] + (f" {moment.part}" if moment.part else "")
    if count is None:
        return Asked(moment, (day,), when, now=now)
    return Asked(moment, (day,), when, count.date, now, f"{_AHEAD[ahead].capitalize()} is {count.on}.")


def _on(moment: Moment, count: Count) -> Asked:
    when = f"on {count.on}" + (f", in the {moment.part}" if moment.part in ("morning", "afternoon", "evening") else "")
    return Asked(moment, (weekday(count.on),), when, count.date)


def _agrees(moment: Moment, count: Count) -> bool:
    """Say whether the count is to the date that was asked for, and no other weekday was named beside it."""
    named, counted = date_parts(moment.dates[0]), date_parts(count.date)
    return named is not None and counted is not None and named[1:] == counted[1:]


def _names(days: frozenset[int]) -> str:
    return "the weekend" if days == WEEKEND else " and ".join(WEEKDAYS[day] for day in sorted(days))
