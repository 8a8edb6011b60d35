"""Times of day, alone and in ranges, however written."""

from __future__ import annotations

import re
from dataclasses import replace
from re import Match

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.fact import Fact, Rule, fact
from campus_agent.guardrail.lexicon import Lexicon

_CLOCK = r"\d{1,2}(?::[0-5]\d(?::[0-5]\d)?)?(?!\d)"
_SPLIT = re.compile(r"(\d{1,2})(?:[:h.](\d\d))?(?::\d\d)?")
_MARKED = re.compile(r"\d\d ?h\.?", re.IGNORECASE)
_ALWAYS = re.compile(r"(?<![\w/])24[ \t]?/[ \t]?7(?!\w)")


class Times:
    """Reads times of day, alone and in ranges."""

    def __init__(self, words: Lexicon) -> None:
        self.words = words
        self.am, self.pm, self.noon, self.midnight = map(words.words, ("am", "pm", "noon", "midnight"))

    def rules(self) -> tuple[Rule, ...]:
        """Return what is to be read, and in which order."""
        words = self.words
        half = rf"{words.any_of('am', 'pm')}(?!\w)"
        named = rf"(?i:{words.any_of('noon', 'midnight')})(?!\w)"
        mark = words.any_of("hour_mark")
        marked = rf"(?:1[3-9]|2[0-3])(?:h[0-5]\d|(?i:{mark}))(?!\w)"
        time = rf"(?:{named}|{marked}|{_CLOCK}(?:[ \t]?(?i:{half})|(?i:{mark})(?!\w))?)"
        conjunction = words.any_of("and")
        day = rf"(?:(?i:{words.any_of('weekdays')})s?|{words.any_of('weekday_abbreviations')}\.?)"
        hours = rf"(?P<hours>(\d{{1,2}}){words.range_mark}(\d{{1,2}}))(?![\w%]|[:.,]\d|[ \t]?[€£¢])"
        return (
            (_ALWAYS, _always),
            (words.pattern("spoken_time"), self._spoken),
            (re.compile(rf"{words.after('between')}({time}) {conjunction} ({time})"), self._range),
            (re.compile(rf"(?<![\w:.$€£/,-])({time}){words.range_mark}({time})"), self._range),
            (re.compile(rf"(?<!\w){day}:?[ \t]{{1,2}}{hours}"), self._after_a_day),
            (
                re.compile(
                    rf"(?<![\w:.$€£/,])(?:({_CLOCK}[ \t]?(?i:{half})|\d{{1,2}}:[0-5]\d(?::[0-5]\d)?(?!\d)"
                    rf"|{named}|{marked})|{words.written('oclock')})"
                ),
                self._one,
            ),
        )

    def _hours(self, text: str) -> tuple[list[int], str | None]:
        """Return what a time may mean, in minutes after midnight, and its half of the day, "a" or "p".

        Two readings when neither half is said.
        """
        lower = " ".join(text.lower().split())
        if lower in self.midnight:
            return [0], "a"
        if lower in self.noon:
            return [720], "p"
        first, space, after = lower.partition(" ")
        numbers = self.words.table("numbers")
        parts = _SPLIT.match(lower := f"{numbers[first]}{space}{after}" if first in numbers else lower)
        if parts is None:
            return [], None
        hour, minute, rest = int(parts[1]), int(parts[2] or 0), lower[parts.end() :].strip()
        half = "a" if _is_half(rest, self.am) else "p" if _is_half(rest, self.pm) else None
        if half and 1 <= hour <= 12:
            return [(hour % 12 + (12 if half == "p" else 0)) * 60 + minute], half
        if hour == 24 and not minute:
            return [0], None
        if hour > 23:
            return [], None
        if half or hour > 12 or parts[1][0] == "0":
            return [hour * 60 + minute], None
        return [hour % 12 * 60 + minute, (hour % 12 + 12) * 60 + minute], None

    def _spoken(self, match: Match[str]) -> Fact:
        """Read `half past six` and `a quarter to seven`."""
        hour = self.words.number(match["hour"])
        minute = 30 if match["half"] else 15 if match["quarter"] or match["to"] else 0
        at = (hour % 12) * 60 + (-minute if match["to"] else minute)
        readings = [at % 720, at % 720 + 720]
        part = (match["part"] or "").strip().lower()
        readings = readings[:1] if part in self.am else readings[1:] if part in self.pm else readings
        return fact(match, "time", _written(readings), needs=[_need(readings)], gives=_give(readings))

    def _one(self, match: Match[str]) -> Fact | None:
        readings, _ = self._hours(match[1] or match[2])
        if not readings:
            return None
        length = {f"{readings[0]} minute"} if _MARKED.fullmatch(match[0]) else set()  # 15h may be how long
        return fact(match, "time", _written(readings), needs=[_need(readings) | length], gives=_give(readings) | length)

    def _after_a_day(self, match: Match[str]) -> Fact | None:
        """Read `Fri 9-5` and `Sat-Sun 10-18`: right behind a day, two plain numbers are hours."""
        (starts, _), (ends, _) = self._hours(match[2]), self._hours(match[3])
        if not starts or not ends:
            return None
        if len(ends) == 1 and len(starts) == 2:
            starts = starts[:1]
        gives = _give(starts) | _give(ends)
        if len(starts) == len(ends) == 1:
            gives |= {f"from {_clock(starts[0])} to {_clock(ends[0])}"}
        normal = f"{_written(starts)}-{_written(ends)}"
        found = fact(match, "time", normal, needs=[_need(starts), _need(ends)], gives=gives)
        return replace(found, text=match["hours"], start=match.start("hours"))

    def _range(self, match: Match[str]) -> Fact | None:
        """Read `2-4 PM`, whose half of the day belongs to both, `10-2 PM`, where it cannot, and `10:00-18:00`."""
        (starts, first_half), (ends, last_half) = self._hours(match[1]), self._hours(match[2])
        told = last_half or ":" in (match[2] if first_half else match[0])
        if not starts or not ends or not (told or (len(ends) == 1 and "h" in match[2].lower())):
            return None
        if len(ends) == 1 and len(starts) == 2:
            both_exact = last_half is None  # 10:00-18:00: the clock of 24 hours
            starts = [starts[0] if both_exact or starts[1] > (ends[0] or 1440) else starts[1]]
            if both_exact and match[1].startswith("12"):
                starts = [720 + starts[0] % 60]
        if (first_half or match[1].startswith("0")) and len(ends) == 2:
            ends = [end for end in ends if end > starts[0]][:1] or ends
        gives = _give(starts) | _give(ends)
        if len(starts) == len(ends) == 1:
            length = (ends[0] - starts[0]) % 1440
            gives |= {f"from {_clock(starts[0])} to {_clock(ends[0])}", f"{length} minute"}
        normal = f"{_written(starts)}-{_written(ends)}"
        return fact(match, "time", normal, needs=[_need(starts), _need(ends)], gives=gives)


def _is_half(text: str, half: frozenset[str]) -> bool:
    return text in half or text.rstrip(".") in half


def _written(readings: list[int]) -> str:
    hour, minute = divmod(readings[-1], 60)
    return f"{hour:02}:{minute:02}" if len(readings) == 1 else f"{hour % 12 or 12}:{minute:02}"


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _need(readings: list[int]) -> set[str]:
    whole = {reading // 60 for reading in readings if reading % 60 == 0}
    bare = {f"bare {hour}" for one in whole for hour in (one % 12 or 12, one or 24)}  # 2 PM is 14 too
    return {_clock(reading) for reading in readings} | bare


def _give(readings: list[int]) -> set[str]:
    whole = {f"hour {reading // 60 % 12 or 12}" for reading in readings if reading % 60 == 0}
    return {_clock(reading) for reading in readings} | whole


def _always(match: Match[str]) -> Fact:
    return fact(match, "time", "24/7", gives=("24/7", *WEEKDAYS))
