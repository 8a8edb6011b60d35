"""Weekdays and dates, however written."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache
from re import Match

from campus_agent.calendar_names import MONTHS, WEEKDAYS
from campus_agent.guardrail.fact import Fact, Rule, fact
from campus_agent.guardrail.lexicon import Lexicon, any_of, lexicon
from campus_agent.guardrail.times import Times

_ISO = re.compile(r"(?<![\w-])((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)(?:T(?=\d))?")
_SLASHED = re.compile(r"(?<![\w/.])(\d{1,2})([/.])(\d{1,2})\2((?:19|20)\d\d)(?!\w)")


@cache
def moments(language: str) -> tuple[Rule, ...]:
    """Return the rules that read weekdays, dates and times in a language."""
    words = lexicon(language)
    return (*_Dates(words).rules(), *Times(words).rules(), *_Days(words).rules())


# ---- weekdays ------------------------------------------------------------------------------------------------------


class _Days:
    """Reads weekdays, alone, in ranges, and as timetables shorten them."""

    def __init__(self, words: Lexicon) -> None:
        self.words = words
        self.names = [name.lower() for name in words.listed("weekdays")]
        self.short = words.table("weekday_abbreviations")
        self.codes = words.table("weekday_codes")

    def rules(self) -> tuple[Rule, ...]:
        words, shouted = self.words, (short.upper() for short in self.short)
        unshouted = {short.upper() for short in words.listed("no_capitals")}
        small = words.listed("small_weekdays")
        short = any_of([*self.short, *(name for name in shouted if name not in unshouted), *small])
        day = rf"(?:(?i:{words.any_of('weekdays')})(?:['’]?s)?|{short}\.?)(?!\w)"
        end = rf"(?:{day}|{any_of(unshouted)}(?!\w))"
        conjunction = words.any_of("and")
        return (
            (words.pattern("daily"), self._daily),
            (words.pattern("nth_weekday"), self._nth),
            (re.compile(rf"(?<![\w-])({day}){words.range_mark}({end})"), self._range),
            (re.compile(rf"{words.after('between')}({day}) {conjunction} ({day})"), self._range),
            (re.compile(rf"(?<![\w-])({day}) (?:{conjunction}|&) ({day})"), self._weekend),
            (re.compile(rf"(?<!\w)({any_of(self.codes)})(?!\w)"), self._code),
            (words.pattern("weekdays_all"), self._weekdays),
            (re.compile(rf"(?<![\w-])({day})"), self._one),
        )

    def _index(self, text: str) -> int:
        name = text.rstrip(".").lower()
        short = self.short.get(name.capitalize())
        return short if short is not None else next(i for i, day in enumerate(self.names) if name.startswith(day))

    def _range(self, match: Match[str]) -> Fact:
        first, last = self._index(match[1]), self._index(match[2])
        indexes = [(first + step) % 7 for step in range((last - first) % 7 + 1)]
        return _days(match, indexes, f"{WEEKDAYS[first]}-{WEEKDAYS[last]}")

    def _weekend(self, match: Match[str]) -> Fact | None:
        """Read `Sat and Sun` as the weekend."""
        both = sorted((self._index(match[1]), self._index(match[2])))
        return _days(match, both, "Saturday-Sunday") if both == [5, 6] else None

    def _one(self, match: Match[str]) -> Fact:
        index = self._index(match[1])
        return _days(match, [index], WEEKDAYS[index])

    def _daily(self, match: Match[str]) -> Fact:
        """Read `every day` and `daily except Mondays`."""
        but = {self._index(day) for day in (match["but"], match["or"]) if day}
        return _days(match, [index for index in range(7) if index not in but], match[0].lower() if but else "daily")

    def _nth(self, match: Match[str]) -> Fact | None:
        """Read `the third Thursday` and `1st and 3rd Fridays`: a weekday, and which ones of a month.

        The fact lies on the weekday alone, so that "second" still counts as a word that passages may share.
        """
        index = self._index(match["day"])
        which = [self._ordinal(match[group]) for group in ("one", "other") if match[group]]
        if not all(which):
            return None  # the ground floor, Monday to Friday
        atoms = [WEEKDAYS[index], *(f"{number} {WEEKDAYS[index]}" for number in which)]
        found = fact(match, "weekday", match[0].lower(), needs=[[atom] for atom in atoms], gives=atoms)
        return replace(found, start=match.start("day"))

    def _ordinal(self, written: str) -> str:
        """Return "1" of `first` or `1st`, "last", or "" of what only counts floors."""
        if written.lower() in self.words.words("last"):
            return "last"
        number = self.words.number(written, "ordinals")
        return str(number) if number > 0 else ""

    def _code(self, match: Match[str]) -> Fact:
        return _days(match, self.codes[match[1]], match[1])

    def _weekdays(self, match: Match[str]) -> Fact:
        if match["week"]:
            return _days(match, [0, 1, 2, 3, 4], "Monday-Friday")
        return _days(match, [5, 6], "Saturday-Sunday")


def _days(match: Match[str], indexes: list[int], normal: str) -> Fact:
    names = [WEEKDAYS[index] for index in indexes]
    return fact(match, "weekday", normal, needs=[[name] for name in names], gives=names)


# ---- dates ---------------------------------------------------------------------------------------------------------


class _Dates:
    """Reads dates, with and without a year, and months."""

    def __init__(self, words: Lexicon) -> None:
        self.words = words
        self.names = [name.lower() for name in words.listed("months")]
        self.short = words.table("month_abbreviations")

    def rules(self) -> tuple[Rule, ...]:
        words = self.words
        capital = words.listed("capital_months")
        plain = any_of(name for name in words.listed("months") if name not in capital)
        month = rf"(?:(?i:{plain})|{any_of([*capital, *map(str.upper, capital)])}|(?i:{any_of(self.short)})\b\.?)"
        number = rf"(0?[1-9]|[12]\d|3[01])(?:{words.any_of('ordinal_endings')})?(?![\w%])(?!:\d)(?!\.\d)"
        of = rf"(?:{words.any_of('of')} )?"
        year = rf"(?:,?[ \t]{{1,2}}{of}((?:19|20)\d\d)(?!\w|:\d))?"
        half = rf"(?! ?{words.any_of('am', 'pm')})"
        later = rf"(?:(?:{words.range_mark}| {words.any_of('and')} ){number}{half})?"
        return (
            (_ISO, _iso),
            (_SLASHED, _slashed),
            (
                re.compile(rf"(?<![\w-])({month})[ \t]{{1,2}}(?:{words.any_of('the')} )?{number}{later}{year}"),
                self._month_day,
            ),
            (
                re.compile(
                    rf"(?<![\w.:-]){number}(?:{words.range_mark}{number})?[ \t]{{1,2}}{of}({month})(?!\w){year}"
                ),
                self._day_month,
            ),
            (re.compile(rf"(?<![\w-])({month}),?[ \t]{{1,2}}{of}((?:19|20)\d\d)(?!\w)"), self._month_year),
            (words.pattern("month_range"), self._months),
            (words.pattern("month_alone"), self._month_alone),
            (words.pattern("day_alone"), _day_alone),
        )

    def _month(self, text: str) -> int:
        name = text.rstrip(".").lower()
        short: int | None = self.short.get(name.capitalize())
        return short or self.names.index(name) + 1

    def _month_day(self, match: Match[str]) -> Fact | None:
        month = self._month(match[1])
        return _date(match, [(month, int(day)) for day in (match[2], match[3]) if day], match[4])

    def _day_month(self, match: Match[str]) -> Fact | None:
        month = self._month(match[3])
        return _date(match, [(month, int(day)) for day in (match[1], match[2]) if day], match[4])

    def _month_year(self, match: Match[str]) -> Fact:
        month = self._month(match[1])
        atoms = [f"{match[2]}-{month:02}", f"month {month:02}", f"number {match[2]}"]
        return fact(match, "date", f"{MONTHS[month - 1]} {match[2]}", needs=[atoms[:1]], gives=atoms)

    def _months(self, match: Match[str]) -> Fact:
        """Read `June to August`, which vouches for July too."""
        first, last = self._month(match[1]), self._month(match[2])
        months = [(first - 1 + step) % 12 + 1 for step in range((last - first) % 12 + 1)]
        atoms = [f"month {month:02}" for month in months]
        normal = f"{MONTHS[first - 1]} to {MONTHS[last - 1]}"
        return fact(match, "date", normal, needs=[atoms[:1], atoms[-1:]], gives=atoms)

    def _month_alone(self, match: Match[str]) -> Fact:
        month = self._month(match[0])
        atoms = [f"month {month:02}"]
        return fact(match, "date", f"in {MONTHS[month - 1]}", needs=[atoms], gives=atoms)


def _date(match: Match[str], months_days: list[tuple[int, int]], year: str | None) -> Fact | None:
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
    month, day = months_days[0]
    spelled = f"{MONTHS[month - 1]} {day}" + "".join(f"-{later}" for _, later in months_days[1:])
    return fact(match, "date", f"{spelled}, {year}" if year else spelled, needs=needs, gives=gives)


def _iso(match: Match[str]) -> Fact | None:
    return _date(match, [(int(match[2]), int(match[3]))], match[1])


def _slashed(match: Match[str]) -> Fact | None:
    """Read 6/18/2026 as the campus writes it, month first, and 18.6.2026 as only a day-first country can."""
    first, second = int(match[1]), int(match[3])
    day_first = first > 12 or match[2] == "."
    return _date(match, [(second, first) if day_first else (first, second)], match[4])


def _day_alone(match: Match[str]) -> Fact:
    day = int(match[1])
    return fact(match, "date", f"on the {match[0]}", needs=[[f"day {day}"]], gives=[f"day {day}"])
