"""Numbers, counts, lengths of time, rooms, codes and passwords, however written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from re import Match

from campus_agent.guardrail.fact import Fact, Rule, fact
from campus_agent.guardrail.figures import Figures, scaled
from campus_agent.guardrail.lexicon import Lexicon, lexicon
from campus_agent.guardrail.money import Money
from campus_agent.guardrail.words import fold

# The minutes of a day, and as many digits as no length of time has.
_DAY, _LONG = 1440, 10
_BUILDING_ROOM = re.compile(
    r"(?<![\w-])(?:([A-Z]{2,4})([ -]?)(\d{2,3}[A-Z]?)|([A-Z])-?(\d{3,4}[A-Z]?))(?![\w:%-])(?!\.\d)"
)
_ROOM_NUMBER = (
    r"[*_ \t]{0,4}#?(?P<number>(?:[A-Z]{1,4}[ -]?)?\d{1,5}[A-Za-z]?(?![\w:%])(?!\.\d)(?![ \t]?[ap]\.?m\b)"
    r"|[A-HJ-Z](?![\w'’-]|\.\w))"
)
_CODE = re.compile(r"(?<![\w./@#-])(?=[A-Za-z]{0,40}\d)(?=\d{0,40}[A-Za-z])([A-Za-z0-9]{4,40})(?![\w@])(?![.-]\w)")
_MEASURE = re.compile(r"\d+(?:st|nd|rd|th|[ap]m|[ap]|min|mins|hrs?|[kmgt]b|km|ft|lbs?|px|[kmgt]?hz|s)", re.IGNORECASE)
_SECRET_VALUE = r"(?:[\"'“‘`*]{1,3}([^\s\"'”’`*\x00]{2,64})[\"'”’`*]|(?<=[:s=] )([A-Za-z]*[A-Z!@#$%][\w!@#$%-]{2,64}))"


@cache
def amounts(language: str) -> tuple[Rule, ...]:
    """Return the rules that read numbers and what is counted, paid or numbered with them."""
    words = lexicon(language)
    values = _Values(words)
    secret = (re.compile(words.written("secret") + _SECRET_VALUE), _secret)
    return (secret, *Money(words, values.figures).rules(), *values.rooms(), *values.counts())


class _Values:
    """Reads amounts in the words of one language."""

    def __init__(self, words: Lexicon) -> None:
        self.words, self.figures = words, Figures(words)
        self.units, self.ordinals = words.table("units"), words.table("ordinals")

    # ---- rooms

    def rooms(self) -> tuple[Rule, ...]:
        floor, ordinals = self.words.any_of("floor"), self.words.any_of("ordinals")
        endings = self.words.any_of("ordinal_endings")
        floors = rf"\b(?i:({ordinals})|(\d{{1,2}}){endings}) (?i:{floor})\b|\b(?i:{floor}) (\d{{1,2}})(?![\w:])"
        return ((re.compile(floors), self._floor),)

    def _floor(self, match: Match[str]) -> Fact | None:
        if match[0].split()[-1].lower() in self.words.words("levels") and not self._is_inside(match):
            return None  # sailors at the third level
        number = self.ordinals[match[1].lower()] if match[1] else int(match[2] or match[3])
        normal = {0: "ground floor", -1: "top floor"}.get(number, f"floor {number}")
        return fact(match, "room", normal)

    def _is_inside(self, match: Match[str]) -> bool:
        """Whether a level is one of a building: on the first level, the second level of the library."""
        before = self.words.pattern("storey_before").search(match.string, max(0, match.start() - 12), match.start())
        return bool(before) or self.words.pattern("storey_after").match(match.string, match.end()) is not None

    def _building_room(self, match: Match[str]) -> Fact | None:
        """Read `DH-112` and `K204` as rooms; `DH 112` may be a course, where it is not said that something is in it."""
        if match[1] in self.words.words("no_building"):
            return None
        if match[4]:
            code = f"{match[4]}{match[5]}"
            return fact(match, "room", f"room {code}", gives=(f"room {code}", code.lower()))
        code = f"room {match[1]}{match[3]}"
        placed = self.words.pattern("placed_before").search(match.string, max(0, match.start() - 12), match.start())
        if placed or match[2] == "-":
            return fact(match, "room", code, gives=(code, f"room {match[3]}"))
        return fact(match, "name", match[0], needs=[[code]], gives=[code, f"room {match[3]}"])  # may be a course

    # ---- numbers

    def counts(self) -> tuple[Rule, ...]:
        figure, units, adjectives = f"({self.figures.any})", *map(self.words.any_of, ("units", "unit_adjectives"))
        limit = f"(?: {self.words.any_of('behind_a_number')})?"  # 75 or more credits
        counted = rf"(?<![\w,.\x00$]){figure}{limit}(?:[ \t-](?:{adjectives} )?|)(?i:({units})(?:\(s\)|s)?)(?!\w)"
        number = rf"(?<![\w,.$])(?<!\d[/:]){figure}(?![\w%@])(?=[ \t-]([^\W\d_]{{3,30}})|)"
        one, half = map(self.words.any_of, ("a", "and_a_half"))
        halved = rf"(?<![\w,.])(?:(?:{figure}|(?i:{one}))[ \t-])?(?i:({units})s?),? {half}(?!\w)"
        return (
            (re.compile(halved), self._and_a_half),
            (self.words.pattern("an_amount"), self._an_amount),
            (self.words.pattern("half_of"), _half),
            (self.words.pattern("turnaround"), _turnaround),
            (re.compile(rf"{counted}[ \t,]{{0,2}}(?:{self.words.any_of('and')} )?{counted}"), self._two_units),
            (re.compile(counted), self._counted),
            (re.compile(rf"(?<![\w,.\x00$]){figure} ([a-z]{{3,20}}) (?i:({units})s?)(?!\w)"), self._counted_so),
            (re.compile(rf"\b(?i:({units}))s: {figure}(?![\w:%]|[.,]\d)"), self._labelled),
            (re.compile(self.words.written("room") + _ROOM_NUMBER), _room),
            (_BUILDING_ROOM, self._building_room),
            (_CODE, _code),
            (re.compile(number), self._number),
        )

    def _counted(self, match: Match[str]) -> Fact | None:
        """Read a number with its unit: weeks are days and hours are minutes, so that `one week` is `7 days`."""
        if match[1][0].isalpha() and match[0][len(match[1])] not in " \t-":
            return None
        unit, size = self.units[match[2].lower()]
        amount = scaled(self.figures.read(match[1]), size)
        normal = f"{amount} {unit}"
        needs = [(normal, *_in_days(amount, unit, match[0][len(match[1]) :].strip(" \t-")))]
        if unit == "year" and self.words.pattern("aged").match(match.string, match.end()):
            needs = [(*needs[0], f"bare {amount}")]  # a 10-year-old is 10
        return fact(match, "number", normal, needs=needs, gives=(normal, f"count {amount}"))

    def _counted_so(self, match: Match[str]) -> Fact | None:
        """Read `4 work hours` as four hours too."""
        if match[2] in self.words.words("stop_words") or match[2] in self.figures.numbers:
            return None
        if match[1].lower() in self.words.words("uncounted"):
            return None  # a good day
        figure, (unit, size) = self.figures.read(match[1]), self.units[match[3].lower()]
        atoms = (f"{scaled(figure, size)} {unit}", f"number {figure}")
        return fact(match, "number", atoms[0], needs=[atoms], gives=atoms)

    def _labelled(self, match: Match[str]) -> Fact:
        """Read `Units: 4` of a table, which is also the plain number."""
        unit, size = self.units[match[1].lower()]
        figure = self.figures.read(match[2])
        atom, plain = f"{scaled(figure, size)} {unit}", f"number {figure}"
        found = fact(match, "number", atom, needs=[[atom]], gives=[atom, plain, f"bare {figure}"])
        return replace(found, text=match[2], start=match.start(2))

    def _two_units(self, match: Match[str]) -> Fact | None:
        """Read `one hour and 15 minutes` as one length of time."""
        (first, one), (second, other) = self.units[match[2].lower()], self.units[match[4].lower()]
        if first != second or one <= other:
            return None
        total = float(scaled(self.figures.read(match[1]), one)) + float(scaled(self.figures.read(match[3]), other))
        return _length(match, f"{total:.6f}".rstrip("0").rstrip("."), first)

    def _an_amount(self, match: Match[str]) -> Fact | None:
        """Read `a week` and `half an hour` where they say how long, not how often or for how much each."""
        if self.words.pattern("rate").search(match.string, max(0, match.start() - 40), match.start()):
            return None
        unit, size = self.units[(match["unit"] or match["halved"]).lower()]
        return _length(match, scaled("1", size / 2 if match["halved"] else size), unit)

    def _and_a_half(self, match: Match[str]) -> Fact:
        """Read `an hour and a half` and `two weeks and a half`."""
        unit, size = self.units[match[2].lower()]
        return _length(match, scaled("1", size * (float(self.figures.read(match[1] or "1")) + 0.5)), unit)

    def _number(self, match: Match[str]) -> Fact | None:
        """Read a plain number. Followed by a noun it counts things; alone it may be an hour, a room or a count."""
        if match[1].lower() in self.words.words("uncounted"):
            return None
        figure = self.figures.read(match[1])
        if match[2] and match[2].islower() and match[2] not in self.words.words("stop_words"):
            needs, gives = {f"number {figure}"}, {f"number {figure}"}
        else:
            needs = {f"{sort} {figure}" for sort in ("number", "bare", "room", "hour", "count", "floor", "sum")}
            gives = {f"number {figure}", f"bare {figure}"}
        return fact(match, "number", figure, needs=[needs], gives=gives)


def _in_days(amount: str, unit: str, written: str) -> Iterator[str]:
    """Yield 48 hours as two days, and two days, but not two business days, as 48 hours."""
    if unit == "day" and " " not in written:
        yield f"{scaled(amount, _DAY)} minute"
    if unit == "minute" and len(amount) < _LONG and float(amount) % _DAY == 0:
        yield f"{float(amount) / _DAY:g} day"


def _length(match: Match[str], amount: str, unit: str) -> Fact:
    return fact(match, "number", f"{amount} {unit}", gives=(f"{amount} {unit}", f"count {amount}"))


def _half(match: Match[str]) -> Fact:
    return fact(match, "percent", "50%")


def _turnaround(match: Match[str]) -> Fact:
    """Read `ready the next day` as how long it takes: one day."""
    return fact(match, "number", f"{0 if match['same'] else 1} day")


def _room(match: Match[str]) -> Fact:
    """Read `room 204`, `Rm. B-12`; a bare number may be the room that is meant, and "RTH 217" is also room 217."""
    code, house = re.sub(r"[ -]", "", match["number"]).upper(), fold(match["house"] or "").split()
    digits = code.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    also = {f"room {digits}"} if digits and len(code) - len(digits) > 1 else set()
    needs = [{f"room {code}", f"bare {code}"}, *({word} for word in house)]  # Dunn Hall 45 is in Dunn Hall
    return fact(
        match, "room", match[0] if house else f"room {code}", needs=needs, gives={f"room {code}", *also, *house}
    )


def _code(match: Match[str]) -> Fact | None:
    if _MEASURE.fullmatch(match[1]):
        return None
    return fact(match, "name", match[1].lower())


def _secret(match: Match[str]) -> Fact | None:
    """Read what a text gives out as a password, whatever it looks like."""
    which = 1 if match[1] else 2
    value = match[which].rstrip(".,;:!?")
    atom = value.lower()
    start = match.start(which)
    return Fact(
        "name", f'password: "{atom}"', (frozenset((atom,)),), frozenset((atom,)), value, start, start + len(value)
    )
