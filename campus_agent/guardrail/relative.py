"""Days named by their distance from today, and how often something is: `tomorrow`, `every other week`.

What a passage says of its days implies more than it says: "every Thursday" is weekly, and on a Wednesday it is
tomorrow. `implied` spells that out in atoms, and `resolved` says which of them a draft's "tomorrow" needs, so that both
are compared like any other fact.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, partial
from itertools import chain, pairwise
from re import Match, Pattern

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.fact import BLANK, Fact, Rule, fact
from campus_agent.guardrail.lexicon import ENGLISH, Lexicon, lexicon

_SHORT = re.compile(r"\d\d-\d\d")
_DAY = "day "  # begins the atom of a relative day: "day +1"

# ---- today and tomorrow --------------------------------------------------------------------------------------------

_BREAK = re.compile(r"[.!?\n;:—–,]")
# How many characters around such a word show what it is used for.
_AROUND = 120


@cache
def relative_days(language: str) -> tuple[Rule, ...]:
    """Return the rule that reads today and tomorrow.

    Weekdays and dates are to be read before it: they show what such a word is used for.
    """
    return ((_relative(language), partial(_read_relative, lexicon(language))),)


@cache
def _relative(language: str) -> Pattern[str]:
    return re.compile(rf"(?<![\w-])((?i:{lexicon(language).any_of('relative_days')}))(?!\w)")


def _read_relative(words: Lexicon, match: Match[str]) -> Fact | None:
    """Read `tomorrow`, unless it only names the day, or decorates an offer or a piece of advice."""
    text = match.string
    before, after = text[max(0, match.start() - _AROUND) : match.start()], text[match.end() : match.end() + _AROUND]
    if words.pattern("named_after").match(after) or words.pattern("named_before").search(before):
        return None
    lead, rest = _BREAK.split(before)[-1], _BREAK.split(after, maxsplit=1)[0]
    if words.pattern("asks_the_day").fullmatch(lead) and rest.lstrip().startswith(BLANK):
        return None  # Is tomorrow Sunday?
    first = words.pattern("advice_lead").match(lead)
    if words.pattern("polite").search(f"{lead} {rest}") or (first and first[1].lower() in words.words("imperatives")):
        return None
    days = words.table("relative_days")[match[1].lower()]
    return fact(match, "date", match[1].lower(), needs=[[f"{_DAY}{days:+}"]], gives=[f"{_DAY}{days:+}"])


def is_relative(found: Fact) -> bool:
    """Whether a fact is a day named by its distance from today."""
    return found.kind == "date" and days_ahead(found) is not None


def days_ahead(found: Fact) -> int | None:
    """Return how many days from today a relative day is, or None for any other fact."""
    counts = [atom.removeprefix(_DAY) for atom in found.gives if atom.startswith((f"{_DAY}+", f"{_DAY}-"))]
    return int(counts[0]) if counts else None


def resolved(found: Fact, today: Iterable[date]) -> Fact:
    """Return a relative day with the weekdays and dates that it is on what may be today; other facts as they are."""
    ahead = days_ahead(found)
    if ahead is None or found.kind != "date":
        return found
    days = [day + timedelta(ahead) for day in today]
    meant = {atom for day in days for atom in (f"on {WEEKDAYS[day.weekday()]}", f"on {day:%m-%d}")}
    return replace(found, needs=(found.needs[0] | meant,))


def days_named(text: str, today: Iterable[date], language: str) -> Iterator[tuple[date, date]]:
    """Yield the days that relative words of `text` mean, each with the today that it was counted from."""
    offsets = lexicon(language).table("relative_days")
    for match in _relative(language).finditer(text):
        for day in today:
            yield day + timedelta(offsets[match[1].lower()]), day


def names_the_day(text: str, found: Fact, language: str) -> str:
    """Return the relative day that `text` says to be this weekday or date, as in "Tomorrow is Sunday", or ""."""
    if found.kind not in ("weekday", "date"):
        return ""
    match = lexicon(language).pattern("names_the_day").search(text, max(0, found.start - 40), found.start)
    return next((group for group in match.groups() if group), "") if match else ""


# ---- how often -----------------------------------------------------------------------------------------------------

EVERY_OTHER_WEEK = "every 2 weeks"
MONTHLY = "1 a month"
LASTING = "lasting "  # begins the atom of the length of a span of days: "lasting 5 day"


@cache
def how_often(language: str) -> tuple[Rule, ...]:
    """Return the rules that read how often something is; they are to be read before numbers."""
    words = lexicon(language)
    return (
        (words.pattern("every_other"), _every_other),
        (words.pattern("times_a"), partial(_times, words)),
        (words.pattern("weekly"), _weekly),
        (words.pattern("monthly"), _monthly),
    )


def _weekly(match: Match[str]) -> Fact:
    return fact(match, "weekday", "weekly", gives=("weekly", "1 a week"))


def _monthly(match: Match[str]) -> Fact:
    return fact(match, "weekday", "monthly", needs=[[MONTHLY]], gives=[MONTHLY])


def _every_other(match: Match[str]) -> Fact:
    atoms = (EVERY_OTHER_WEEK, "2 a month")
    return fact(match, "weekday", "every other week", needs=[[EVERY_OTHER_WEEK]], gives=atoms)


def _times(words: Lexicon, match: Match[str]) -> Fact | None:
    few, many = match["few"], match["many"]
    unit = "week" if match["week"] else "month" if match["month"] else match.groupdict().get("other") or "day"
    number = words.number(few, "times_few") if few else words.number(many)
    if (number, unit) == (7, "week"):
        return None  # that is daily
    atom = f"{number} a {unit}"
    weekly = ["weekly"] if atom == "1 a week" else []
    return fact(match, "weekday", f"{number} times a {unit}", needs=[[atom]], gives=[atom, *weekly])


# ---- what a passage implies ----------------------------------------------------------------------------------------

# How long a range of dates may be, in days, for each day in it to be vouched for.
_LONGEST = 100


def implied(text: str, read: Collection[Fact], language: str = ENGLISH) -> frozenset[str]:
    """Return the atoms that the facts of a passage imply: on which days something is, and how often."""
    days = {day for found in read if found.kind != "date" for day in found.gives if day in WEEKDAYS}
    dates = {day for found in read for day in _dates(found)}
    spans = list(_spanned(text, read, language))
    atoms = {f"on {day}" for day in (*days, *dates, *chain.from_iterable(spans))}
    atoms |= {f"{LASTING}{len(span)} day" for span in spans}
    if not days and not dates and any(found.kind == "time" for found in read):
        atoms |= {f"on {day}" for day in WEEKDAYS}  # no day is given: every day
    if _is_free(text, language):
        atoms.add("$0")
    said = {atom for found in read for atom in found.gives}
    moments = sum(found.kind == "time" for found in read)
    atoms |= {f"{moments} a day"} if moments else set()
    monthly = bool(lexicon(language).pattern("month_word").search(text))
    if monthly:
        atoms.add(MONTHLY)
    if lexicon(language).pattern("a_week").search(text):
        atoms.add("weekly")  # 15 meals a week
    if days and not monthly and EVERY_OTHER_WEEK not in said:
        atoms |= {"weekly", f"{len(days)} a week"}
        atoms |= {f"{len(days.intersection(found.gives))} a week" for found in read if len(found.gives) > 1}
    return frozenset(atoms)


def _is_free(text: str, language: str) -> bool:
    """Whether a text says of something that it is free, and not only that it is not."""
    words = lexicon(language)
    denied = [match.span() for match in words.pattern("not_free").finditer(text)]
    said = (match.start() for match in words.pattern("free_word").finditer(text))
    return any(not any(start <= at < end for start, end in denied) for at in said)


def _dates(found: Fact) -> list[str]:
    """Return the days of a date, as "06-18", in order."""
    return sorted(atom for atom in found.gives if found.kind == "date" and _SHORT.fullmatch(atom))


def _spanned(text: str, read: Collection[Fact], language: str) -> Iterator[list[str]]:
    """Yield the days of each span of dates: from 14 to 18 June, from May 30 to June 2, until June 2."""
    found = [one for one in read if _dates(one)]
    for one, other in pairwise([*found, *found[-1:]]):
        first, *more = _dates(one)
        last = more[-1] if more else _dates(other)[0]
        if more or lexicon(language).pattern("spans").search(text, one.end, other.start):
            yield list(_between(first, last))


def _between(first: str, last: str) -> Iterator[str]:
    start, end = date.fromisoformat(f"2024-{first}"), date.fromisoformat(f"2024-{last}")
    if end < start:
        end = end.replace(year=2025) if last != "02-29" else end
    for step in range(min((end - start).days, _LONGEST) + 1):
        yield f"{start + timedelta(step):%m-%d}"
