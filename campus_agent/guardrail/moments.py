"""Weekdays, dates and times of day, however written."""

from __future__ import annotations

import re
from datetime import date
from re import Match

from campus_agent.guardrail.fact import Fact, Rule, fact
from campus_agent.guardrail.tables import (
    MONTH_ABBREVIATIONS,
    MONTHS,
    WEEKDAY_ABBREVIATIONS,
    WEEKDAY_CODES,
    WEEKDAYS,
)

_TO = r"[ \t]{0,2}(?:-|–|—|\bto\b|\bthrough\b|\bthru\b|\buntil\b|\btill\b)[ \t]{0,2}"

# ---- weekdays ------------------------------------------------------------------------------------------------------

_DAY_NAMES = "|".join(f"(?i:{name})" for name in WEEKDAYS)
_ABBREVIATED = sorted(WEEKDAY_ABBREVIATIONS, key=len, reverse=True)
_DAY_SHORT = "|".join([*_ABBREVIATED, *(short.upper() for short in _ABBREVIATED if short != "Sat")])  # SAT is a test
_DAY = rf"(?:(?:{_DAY_NAMES})(?:['’]?s)?|(?:{_DAY_SHORT})\.?)(?!\w)"
_DAY_RANGE = re.compile(rf"(?<![\w-])({_DAY}){_TO}({_DAY}|SAT(?!\w))")
_DAYS_BETWEEN = re.compile(rf"(?<=[Bb]etween )({_DAY}) and ({_DAY})")
_ONE_DAY = re.compile(rf"(?<![\w-])({_DAY})")
_DAY_CODE = re.compile(rf"(?<!\w)({'|'.join(WEEKDAY_CODES)})(?!\w)")
_WEEKDAYS = re.compile(r"(?<![\w-])(?<!which )(?<!what )(?i:(weekday|weekend|week-end)s?)(?!\w)")
_DAILY = re.compile(r"\b(?i:daily|every day|each day|(?:seven|7) days a week)\b")


def _weekday_index(text: str) -> int:
    name = text.rstrip(".").capitalize()
    short = WEEKDAY_ABBREVIATIONS.get(name)
    return short if short is not None else next(i for i, day in enumerate(WEEKDAYS) if name.startswith(day))


def _days(match: Match[str], indexes: list[int], normal: str) -> Fact:
    names = [WEEKDAYS[index] for index in indexes]
    return fact(match, "weekday", normal, needs=[[name] for name in names], gives=names)


def _day_range(match: Match[str]) -> Fact:
    first, last = _weekday_index(match[1]), _weekday_index(match[2])
    indexes = [(first + step) % 7 for step in range((last - first) % 7 + 1)]
    return _days(match, indexes, f"{WEEKDAYS[first]}-{WEEKDAYS[last]}")


def _one_day(match: Match[str]) -> Fact:
    index = _weekday_index(match[1])
    return _days(match, [index], WEEKDAYS[index])


def _day_code(match: Match[str]) -> Fact:
    return _days(match, list(WEEKDAY_CODES[match[1]]), match[1])


def _weekdays(match: Match[str]) -> Fact:
    if match[1].lower() == "weekday":
        return _days(match, [0, 1, 2, 3, 4], "Monday-Friday")
    return _days(match, [5, 6], "Saturday-Sunday")


def _daily(match: Match[str]) -> Fact:
    return _days(match, list(range(7)), "daily")


# ---- dates ---------------------------------------------------------------------------------------------------------

_MONTH_SHORT = "|".join(sorted(MONTH_ABBREVIATIONS, key=len, reverse=True))
_MONTH_NAME = rf"(?:(?i:{'|'.join(name for name in MONTHS if name != 'May')})|May|MAY|(?:{_MONTH_SHORT})\b\.?)"
_MONTH = rf"(?<![\w-])({_MONTH_NAME})"
_NUMBERED = r"(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\w%])(?!:\d)(?!\.\d)"
_YEAR = r"(?:,?[ \t]{1,2}((?:19|20)\d\d)(?![\w:]))?"
_MONTH_DAY = re.compile(
    rf"{_MONTH}[ \t]{{1,2}}(?:the )?{_NUMBERED}(?:(?:{_TO}| and ){_NUMBERED}(?! ?[ap]\.?m))?{_YEAR}"
)
_DAY_MONTH = re.compile(
    rf"(?<![\w.:-]){_NUMBERED}(?:{_TO}{_NUMBERED})?[ \t]{{1,2}}(?:of )?({_MONTH_NAME})(?!\w){_YEAR}"
)
_ISO = re.compile(r"(?<![\w-])((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)(?:T(?=\d))?")
_SLASHED = re.compile(r"(?<![\w/.])(\d{1,2})([/.])(\d{1,2})\2((?:19|20)\d\d)(?!\w)")
_MONTH_YEAR = re.compile(rf"{_MONTH},?[ \t]{{1,2}}((?:19|20)\d\d)(?!\w)")
_MONTH_ALONE = re.compile(
    r"(?<=\b(?i:in|of|by) )("
    + "|".join(MONTHS)
    + r")(?!\w)|(?<=\b(?i:until|since|early) )("
    + "|".join(MONTHS)
    + r")(?!\w)"
)
_DAY_ALONE = re.compile(r"(?<=\b(?:on|by) the )(\d{1,2})(?:st|nd|rd|th)(?=[.,;:!?)]|\s*$)", re.MULTILINE)


def _month_number(text: str) -> int:
    name = text.rstrip(".").capitalize()
    return MONTH_ABBREVIATIONS.get(name) or MONTHS.index(name) + 1


def _date(
    match: Match[str], months_days: list[tuple[int, int]], year: str | None, spelled: str | None = None
) -> Fact | None:
    """Make a date of one or more (month, day) pairs; None when the calendar has no such day.

    Atoms: "06-18" for the day, "2026-06-18" with its year, "?-06-18" where the year was left out, "2026-06", "month
    06", "day 18"; a date with a year also gives the name of its weekday.
    """
    needs: list[set[str]] = []
    gives: set[str] = set()
    for month, day in months_days:
        try:
            exact = date(int(year or 2024), month, day)  # 2024 has every day that a calendar can have
        except ValueError:
            return None
        short = f"{month:02}-{day:02}"
        needs.append({f"{year}-{short}", f"?-{short}"} if year else {short})
        gives |= {short, f"month {month:02}", f"day {day}"}
        gives |= (
            {f"{year}-{short}", f"{year}-{month:02}", f"number {year}", WEEKDAYS[exact.weekday()]}
            if year
            else {f"?-{short}"}
        )
    if spelled is None:
        month, day = months_days[0]
        spelled = f"{MONTHS[month - 1]} {day}" + "".join(f"-{later}" for _, later in months_days[1:])
    return fact(match, "date", f"{spelled}, {year}" if year else spelled, needs=needs, gives=gives)


def _month_day(match: Match[str]) -> Fact | None:
    month = _month_number(match[1])
    return _date(match, [(month, int(day)) for day in (match[2], match[3]) if day], match[4])


def _day_month(match: Match[str]) -> Fact | None:
    month = _month_number(match[3])
    return _date(match, [(month, int(day)) for day in (match[1], match[2]) if day], match[4])


def _iso(match: Match[str]) -> Fact | None:
    return _date(match, [(int(match[2]), int(match[3]))], match[1])


def _slashed(match: Match[str]) -> Fact | None:
    """Read 6/18/2026 as the campus writes it, month first, and 18.6.2026 as only a day-first country can."""
    first, second = int(match[1]), int(match[3])
    day_first = first > 12 or match[2] == "."
    return _date(match, [(second, first) if day_first else (first, second)], match[4])


def _month_year(match: Match[str]) -> Fact:
    month = _month_number(match[1])
    atoms = [f"{match[2]}-{month:02}", f"month {month:02}", f"number {match[2]}"]
    return fact(match, "date", f"{MONTHS[month - 1]} {match[2]}", needs=[atoms[:1]], gives=atoms)


def _month_alone(match: Match[str]) -> Fact:
    month = _month_number(match[1] or match[2])
    return fact(match, "date", f"in {MONTHS[month - 1]}", needs=[[f"month {month:02}"]], gives=[f"month {month:02}"])


def _day_alone(match: Match[str]) -> Fact:
    day = int(match[1])
    return fact(match, "date", f"on the {match[0]}", needs=[[f"day {day}"]], gives=[f"day {day}"])


# ---- times ---------------------------------------------------------------------------------------------------------

_HALF = r"(?:[ap]\.m\.?|[ap]m)(?!\w)"
_CLOCK = r"\d{1,2}(?::[0-5]\d(?::[0-5]\d)?)?(?!\d)"
_TIME = rf"(?:(?i:12 )?(?i:noon|midday|midnight)(?!\w)|{_CLOCK}(?:[ \t]?(?i:{_HALF}))?)"
_TIME_RANGE = re.compile(rf"(?<![\w:.$€£/,-])({_TIME})(?:{_TO})({_TIME})")
_TIMES_BETWEEN = re.compile(rf"(?<=[Bb]etween )({_TIME}) and ({_TIME})")
_ONE_TIME = re.compile(
    rf"(?<![\w:.$€£/,])(?:({_CLOCK}[ \t]?(?i:{_HALF})|\d{{1,2}}:[0-5]\d(?::[0-5]\d)?(?!\d)"
    r"|(?i:12 )?(?i:noon|midday|midnight)(?!\w))"
    r"|(\d{1,2})[ \t]?o['’]clock)"
)
_ALWAYS = re.compile(r"(?<![\w/])24[ \t]?/[ \t]?7(?!\w)")
_SPLIT = re.compile(r"(\d{1,2})(?::(\d\d))?(?::\d\d)?\s?([ap])?")


def _hours(text: str) -> tuple[list[int], str | None]:
    """Return what a time may mean, in minutes after midnight (two readings when neither half is said), and its half."""
    lower = text.lower().replace(" ", "")
    if "night" in lower:
        return [0], "a"
    if "noon" in lower or "midday" in lower:
        return [720], "p"
    parts = _SPLIT.match(lower)
    if parts is None:
        return [], None
    hour, minute, half = int(parts[1]), int(parts[2] or 0), parts[3]
    if half and 1 <= hour <= 12:
        return [(hour % 12 + (12 if half == "p" else 0)) * 60 + minute], half
    if hour > 23:
        return [], None
    if half or hour > 12 or parts[1][0] == "0":
        return [hour * 60 + minute], None
    return [hour % 12 * 60 + minute, (hour % 12 + 12) * 60 + minute], None


def _written(readings: list[int]) -> str:
    hour, minute = divmod(readings[-1], 60)
    return f"{hour:02}:{minute:02}" if len(readings) == 1 else f"{hour % 12 or 12}:{minute:02}"


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _need(readings: list[int]) -> set[str]:
    whole = {f"bare {reading // 60 % 12 or 12}" for reading in readings if reading % 60 == 0}
    return {_clock(reading) for reading in readings} | whole


def _give(readings: list[int]) -> set[str]:
    whole = {f"hour {reading // 60 % 12 or 12}" for reading in readings if reading % 60 == 0}
    return {_clock(reading) for reading in readings} | whole


def _one_time(match: Match[str]) -> Fact | None:
    readings, _ = _hours(match[1] or match[2])
    if not readings:
        return None
    return fact(match, "time", _written(readings), needs=[_need(readings)], gives=_give(readings))


def _time_range(match: Match[str]) -> Fact | None:
    """Read `2-4 PM`, whose half of the day belongs to both, `10-2 PM`, where it cannot, and `10:00-18:00`."""
    (starts, first_half), (ends, last_half) = _hours(match[1]), _hours(match[2])
    if not starts or not ends or not (last_half or ((first_half or ":" in match[1]) and ":" in match[2])):
        return None
    if len(ends) == 1 and len(starts) == 2:
        both_exact = last_half is None  # 10:00-18:00: the clock of 24 hours
        starts = [starts[0] if both_exact or starts[1] > (ends[0] or 1440) else starts[1]]
        if both_exact and match[1].startswith("12"):
            starts = [720]
    if first_half and len(ends) == 2:
        ends = [end for end in ends if end > starts[0]][:1] or ends
    gives = _give(starts) | _give(ends)
    if len(starts) == len(ends) == 1:
        length = (ends[0] - starts[0]) % 1440
        gives |= {f"from {_clock(starts[0])} to {_clock(ends[0])}", f"{length} minute"}
    normal = f"{_written(starts)}-{_written(ends)}"
    return fact(match, "time", normal, needs=[_need(starts), _need(ends)], gives=gives)


def _always(match: Match[str]) -> Fact:
    return fact(match, "time", "24/7", gives=("24/7", *WEEKDAYS))


MOMENTS: tuple[Rule, ...] = (
    (_ISO, _iso),
    (_SLASHED, _slashed),
    (_MONTH_DAY, _month_day),
    (_DAY_MONTH, _day_month),
    (_MONTH_YEAR, _month_year),
    (_MONTH_ALONE, _month_alone),
    (_DAY_ALONE, _day_alone),
    (_ALWAYS, _always),
    (_TIMES_BETWEEN, _time_range),
    (_TIME_RANGE, _time_range),
    (_ONE_TIME, _one_time),
    (_DAY_RANGE, _day_range),
    (_DAYS_BETWEEN, _day_range),
    (_DAY_CODE, _day_code),
    (_WEEKDAYS, _weekdays),
    (_ONE_DAY, _one_day),
    (_DAILY, _daily),
)
