"""What the clock and the counting tools returned, read back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from campus_agent.models.offline.hours import weekday
from campus_agent.models.offline.times import read_time

_CLOCK = re.compile(
    r"(?P<day>[A-Z][a-z]+), [A-Z][a-z]+ \d{1,2}, \d{4} at (?P<time>\d{1,2}:\d{2} [AP]M)(?: [A-Z][A-Za-z]*| [+-]\d+)?"
)
_AHEAD = re.compile(
    r"[Tt]he next (?P<day>[A-Z][a-z]+) is in (?P<days>\d+) day\(s\), on (?P<date>[A-Z][a-z]+ \d{1,2}, \d{4})"
)
_TODAY = re.compile(
    r"Today is (?P<day>[A-Z][a-z]+)(?: \(|, )(?P<date>[A-Z][a-z]+ \d{1,2}, \d{4})\)? — that is 0 days away"
)
_DATE = re.compile(
    r"(?P<on>[A-Z][a-z]+, [A-Z][a-z]+ \d{1,2}, \d{4}) (?:is in|was) (?P<days>\d+) day\(s\)(?P<ago> ago)?"
)
_AGAIN = re.compile(r"[Tt]he next one is in (?P<days>\d+) day\(s\), on (?P<on>[A-Z][a-z]+, [A-Z][a-z]+ \d{1,2}, \d{4})")


@dataclass(frozen=True, slots=True)
class Clock:
    """The time now: as the clock says it, the weekday (Monday is 0), and minutes since midnight."""

    text: str
    day: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Count:
    """Days from today to a day (negative: ago), that day in full, and whether today's turn has begun or passed."""

    days: int
    on: str
    passed: bool = False

    @property
    def date(self) -> str:
        """That day without its weekday."""
        return self.on.partition(", ")[2]


def read_clock(observation: str | None) -> Clock | None:
    """Read the observation of the clock; None when it says no time."""
    found = _CLOCK.match(observation or "")
    if found is None:
        return None
    time = read_time(found["time"])
    return Clock(found.group(), weekday(found["day"]), time.minutes) if time else None


def read_count(observation: str | None) -> Count | None:
    """Read the observation of a counting tool; None when it counts nothing."""
    text = observation or ""
    if found := _TODAY.search(text):
        return Count(0, f"{found['day']}, {found['date']}")
    if found := _AHEAD.search(text):
        return Count(int(found["days"]), f"{found['day']}, {found['date']}", passed="begun or passed" in text)
    if found := _AGAIN.search(text) or _DATE.search(text):
        days = int(found["days"])
        return Count(-days if found.groupdict().get("ago") else days, found["on"])
    return None
