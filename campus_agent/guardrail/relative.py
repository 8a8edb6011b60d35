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
from re import Match

from campus_agent.guardrail.fact import BLANK, Fact, Rule, fact
from campus_agent.guardrail.tables import IMPERATIVES, NUMBERS, WEEKDAYS

# ---- today and tomorrow --------------------------------------------------------------------------------------------

OFFSETS = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1,
    "the day after tomorrow": 2, "yesterday": -1,
}  # fmt: skip
_NAMES = "|".join(sorted(OFFSETS, key=len, reverse=True))
_RELATIVE = re.compile(rf"(?<![\w-])((?i:{_NAMES}))(?!\w)")
# "Today is Saturday", "today's date", "as of today", "it is Saturday today": the day is spoken of as such.
_NAMED_AFTER = re.compile(
    rf"(?:['’]s| is| was| will be| being) +(?:(?:also|already|only|not|a) +)?(?:{BLANK}|date|day|time|\d|week)"
)
_NAMED_BEFORE = re.compile(
    rf"\b(?:as of|than|from|since)[ \t]*\Z|\b(?:it|that)(?:['’]s| is)[ \t]+(?:only |already )?{BLANK}[\s{BLANK},]*\Z",
    re.IGNORECASE,
)
_NAMES_THE_DAY = re.compile(
    rf"\b({_NAMES})(?:['’]s| is| was| will be)[ \t*_]{{1,4}}\Z|(?:\A|[.!?,\n][ \t]*)is ({_NAMES}) \Z", re.IGNORECASE
)
_POLITE = re.compile(r"\b(?:help|assist|ask|thank|thanks|welcome|happy|glad|hope|if|unless|whether)\b", re.IGNORECASE)
_LEAD = re.compile(r"\W*(?:(?:so|then|and|or|but|just|please|you (?:can|could|may|should))\b\W*)*(\w+)", re.IGNORECASE)
_BREAK = re.compile(r"[.!?\n;:—–,]")
# How many characters around such a word show what it is used for.
_AROUND = 120


def _relative(match: Match[str]) -> Fact | None:
    """Read `tomorrow`, unless it only names the day, or decorates an offer or a piece of advice."""
    text = match.string
    before, after = text[max(0, match.start() - _AROUND) : match.start()], text[match.end() : match.end() + _AROUND]
    if _NAMED_AFTER.match(after) or _NAMED_BEFORE.search(before):
        return None
    lead, rest = _BREAK.split(before)[-1], _BREAK.split(after, maxsplit=1)[0]
    if lead.strip().lower() == "is" and rest.lstrip().startswith(BLANK):
        return None  # Is tomorrow Sunday?
    first = _LEAD.match(lead)
    if _POLITE.search(f"{lead} {rest}") or (first and first[1].lower() in IMPERATIVES):
        return None
    name = match[1].lower()
    return fact(match, "date", name, needs=[[f"day {OFFSETS[name]:+}"]], gives=[f"day {OFFSETS[name]:+}"])


def is_relative(found: Fact) -> bool:
    """Whether a fact is a day named by its distance from today."""
    return found.kind == "date" and found.normal in OFFSETS


def resolved(found: Fact, today: Iterable[date]) -> Fact:
    """Return the fact; a relative one may also be borne out by what is on the day that it means."""
    if not is_relative(found):
        return found
    days = [day + timedelta(OFFSETS[found.normal]) for day in today]
    meant = {atom for day in days for atom in (f"on {WEEKDAYS[day.weekday()]}", f"on {day:%m-%d}")}
    return replace(found, needs=(found.needs[0] | meant,))


def days_named(text: str, today: Iterable[date]) -> Iterator[tuple[date, date]]:
    """Yield the days that relative words of `text` mean, each with the today that it was counted from."""
    for match in _RELATIVE.finditer(text):
        for day in today:
            yield day + timedelta(OFFSETS[match[1].lower()]), day


def names_the_day(text: str, found: Fact) -> str:
    """Return the relative day that `text` says to be this weekday or date, as in "Tomorrow is Sunday", or ""."""
    if found.kind not in ("weekday", "date"):
        return ""
    match = _NAMES_THE_DAY.search(text, max(0, found.start - 40), found.start)
    return (match[1] or match[2]) if match else ""


# ---- how often -----------------------------------------------------------------------------------------------------

_EACH = r"(?:a|per|each|every)"
_WEEKLY = re.compile(r"(?<![\w-])(?i:weekly|(?:each|every) week)(?!\w)")
_MONTHLY = re.compile(
    rf"(?<![\w-])(?i:monthly|(?:each|every) month|once {_EACH} month|of (?:each|every|the) month)(?!\w)"
)
_EVERY_OTHER = re.compile(
    r"(?<![\w-])(?i:bi-?weekly|fortnightly|every (?:two|2) weeks|every fortnight"
    rf"|(?:every (?:other|second|2nd)|alternat(?:e|ing))(?: weeks?(?!\w)|(?= (?:{'|'.join(WEEKDAYS)}))))"
)
_TIMES = re.compile(
    rf"(?<![\w-])(?i:(once|twice|thrice)|({'|'.join(NUMBERS)}|\d{{1,2}}) (?:times|days))"
    rf" (?i:{_EACH} (week|month))(?!\w)"
)
_MONTH_WORD = re.compile(r"\bmonth", re.IGNORECASE)
EVERY_OTHER_WEEK = "every 2 weeks"
MONTHLY = "1 a month"


def _weekly(match: Match[str]) -> Fact:
    return fact(match, "weekday", "weekly", gives=("weekly", "1 a week"))


def _monthly(match: Match[str]) -> Fact:
    return fact(match, "weekday", "monthly", needs=[[MONTHLY]], gives=[MONTHLY])


def _every_other(match: Match[str]) -> Fact:
    atoms = (EVERY_OTHER_WEEK, "2 a month")
    return fact(match, "weekday", "every other week", needs=[[EVERY_OTHER_WEEK]], gives=atoms)


def _times(match: Match[str]) -> Fact | None:
    written = (match[1] or match[2]).lower()
    number = {"once": 1, "twice": 2, "thrice": 3}.get(written) or NUMBERS.get(written) or int(written)
    if (number, match[3].lower()) == (7, "week"):
        return None  # that is daily
    atom = f"{number} a {match[3].lower()}"
    weekly = ["weekly"] if atom == "1 a week" else []
    return fact(match, "weekday", f"{number} times a {match[3].lower()}", needs=[[atom]], gives=[atom, *weekly])


# Weekdays and dates are to be read before the days, which show what those are used for; how often, before numbers.
RELATIVE_DAYS: tuple[Rule, ...] = ((_RELATIVE, _relative),)
HOW_OFTEN: tuple[Rule, ...] = (
    (_EVERY_OTHER, _every_other),
    (_TIMES, _times),
    (_WEEKLY, _weekly),
    (_MONTHLY, _monthly),
)


# ---- what a passage implies ----------------------------------------------------------------------------------------

# How long a range of dates may be, in days, for each day in it to be vouched for.
_LONGEST = 100


def implied(text: str, read: Collection[Fact]) -> frozenset[str]:
    """Return the atoms that the facts of a passage imply: on which days something is, and how often."""
    days = {day for found in read if found.kind != "date" for day in found.gives if day in WEEKDAYS}
    dates = {atom for found in read if found.kind == "date" for atom in found.gives if re.fullmatch(r"\d\d-\d\d", atom)}
    atoms = {f"on {day}" for day in days} | {f"on {day}" for day in _between(dates)}
    if not days and not dates and any(found.kind == "time" for found in read):
        atoms |= {f"on {day}" for day in WEEKDAYS}  # no day is given: every day
    said = {atom for found in read for atom in found.gives}
    if _MONTH_WORD.search(text):
        atoms.add(MONTHLY)
    elif days and EVERY_OTHER_WEEK not in said:
        atoms |= {"weekly", f"{len(days)} a week"}
        atoms |= {f"{len(days.intersection(found.gives))} a week" for found in read if len(found.gives) > 1}
    return frozenset(atoms)


def _between(dates: Collection[str]) -> Iterator[str]:
    """Yield the dates, and those that lie between the first and the last of them, as "06-18"."""
    yield from dates
    if len(dates) < 2:
        return
    first, last = (date.fromisoformat(f"2024-{day}") for day in (min(dates), max(dates)))
    for step in range(min((last - first).days, _LONGEST)):
        yield f"{first + timedelta(step):%m-%d}"
