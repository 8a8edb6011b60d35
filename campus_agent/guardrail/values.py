"""Numbers, counts, money, rooms, passwords, and ways to reach somebody, however written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from re import Match

from campus_agent.guardrail.fact import Fact, Rule, fact
from campus_agent.guardrail.lexicon import Lexicon, any_of, lexicon

_FIGURE = r"(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)|\d{1,40})(?:\.\d{1,20})?(?!\d)"
_SIGNS = {"$": "$", "us$": "$", "usd": "$", "€": "€", "eur": "€", "£": "£", "gbp": "£"}
_NOT_FREE = "not free"
_HUNDRED = 100
# The minutes of a day, and as many digits as no length of time has.
_DAY, _LONG = 1440, 10
_BUILDING_ROOM = re.compile(r"(?<![\w-])([A-Z]{2,4})([ -]?)(\d{2,3}[A-Z]?)(?![\w:%-])(?!\.\d)")
_ROOM_NUMBER = (
    r"[*_ \t]{0,4}#?((?:[A-Z]{1,4}[ -]?)?\d{1,5}[A-Za-z]?(?![\w:%])(?!\.\d)(?![ \t]?[ap]\.?m\b)"
    r"|[A-HJ-Z](?![\w'’-]|\.\w))"
)
_CODE = re.compile(r"(?<![\w./@#-])(?=[A-Za-z]{0,40}\d)(?=\d{0,40}[A-Za-z])([A-Za-z0-9]{4,40})(?![\w@])(?![.-]\w)")
_MEASURE = re.compile(r"\d+(?:st|nd|rd|th|[ap]m|[ap]|min|mins|hrs?|[kmgt]b|km|ft|lbs?|px|[kmgt]?hz|s)", re.IGNORECASE)
_SECRET_VALUE = r"(?:[\"'“‘`*]{1,3}([^\s\"'”’`*\x00]{2,64})[\"'”’`*]|(?<=[:s=] )([A-Za-z]*[A-Z!@#$%][\w!@#$%-]{2,64}))"


@cache
def amounts(language: str) -> tuple[Rule, ...]:
    """Return the rules that read numbers and what is counted, paid or numbered with them."""
    values = _Values(lexicon(language))
    return (*values.money(), *values.rooms(), *values.counts())


class _Values:
    """Reads amounts in the words of one language."""

    def __init__(self, words: Lexicon) -> None:
        self.words = words
        self.numbers, self.units, self.ordinals = map(words.table, ("numbers", "units", "ordinals"))
        tens = any_of(word for word, value in self.numbers.items() if value in range(20, 100, 10))
        ones = any_of(word for word, value in self.numbers.items() if 0 < value < 10)
        single = any_of(word for word, value in self.numbers.items() if value < 100)
        below = rf"(?:{tens}{words.any_of('tens_joint')}{ones}(?!\w)|{single})"
        hundreds, joint = words.any_of("hundreds"), rf"(?: {words.any_of('and')})?"
        above = rf"(?:{single}|an?) {hundreds}(?!\w)(?:{joint} {below}(?!\w))?"
        spelled = rf"{above}|{below}|{words.any_of('numbers')}"
        halved = rf"(?:{single}|\d{{1,2}}) {words.any_of('and_a_half')}"
        self.figure = rf"((?i:{halved})(?!\w)|{_FIGURE}|(?i:{spelled}))"
        coins = {"dollar": ("$", 1), "euro": ("€", 1), "pound": ("£", 1), "cent": ("$", 0.01), "penny": ("£", 0.01)}
        self.coins = {word: coin for name, coin in coins.items() for word in words.listed(name)}
        self.coins |= {
            "¢": ("$", 0.01),
            "€": ("€", 1),
            "£": ("£", 1),
            "usd": ("$", 1),
            "eur": ("€", 1),
            "gbp": ("£", 1),
        }

    # ---- money and shares

    def money(self) -> tuple[Rule, ...]:
        coins = self.words.any_of("dollar", "euro", "pound", "cent", "penny")
        small, share = self.words.any_of("cent", "penny"), self.words.any_of("percent")
        named = rf"(?<![\w.,$€£]){self.figure}[ \t-]?(€|£|¢|(?i:{coins})|USD|EUR|GBP)(?!\w)"
        return (
            (re.compile(self.words.written("secret") + _SECRET_VALUE), _secret),
            (re.compile(rf"(?<!\w)(\$|€|£|US\$|USD|EUR|GBP)[ \t]?({_FIGURE})(?!\w)"), self._signed),
            (re.compile(rf"{named}(?:,? {self.words.any_of('and')})? {self.figure} ((?i:{small}))(?!\w)"), self._coins),
            (re.compile(named), self._named),
            (self.words.pattern("not_free"), _not_free),
            (self.words.pattern("for_free"), _for_free),
            (re.compile(rf"(?<![\w.,]){self.figure}(?:[ \t]?%|[ \t](?i:{share})\b)"), self._percent),
        )

    def _signed(self, match: Match[str]) -> Fact:
        return _money(match, _SIGNS[match[1].lower()] + self._digits(match[2]))

    def _named(self, match: Match[str]) -> Fact:
        sign, size = self.coins[match[2].lower()]
        return _money(match, sign + _scaled(self._digits(match[1]), size))

    def _coins(self, match: Match[str]) -> Fact | None:
        """Read `four dollars and fifty cents` as one amount."""
        sign, size = self.coins[match[2].lower()]
        if size != 1:
            return None
        amount = float(self._digits(match[1])) + float(self._digits(match[3])) / _HUNDRED
        return _money(match, f"{sign}{amount:.2f}".rstrip("0").rstrip("."))

    def _percent(self, match: Match[str]) -> Fact:
        return fact(match, "percent", f"{self._digits(match[1])}%")

    def _digits(self, text: str) -> str:
        """Return a number's digits without separators, needless zeros or words: `1,200` is 1200, `05.50` 5.5."""
        lower = text.lower()
        half = next((end for end in self.words.listed("and_a_half") if lower.endswith(end)), "")
        if half:
            return f"{self._digits(lower.removesuffix(half).rstrip())}.5"
        if lower[0].isalpha():
            total = 0
            for part in [lower] if lower in self.numbers else re.split(r"[\s-]", lower):
                value = self.numbers.get(part, 0)
                total = max(total, 1) * value if value == _HUNDRED else total + value
            return str(total)
        whole, _, decimals = lower.replace(",", "").partition(".")
        decimals = decimals.rstrip("0")
        return (whole.lstrip("0") or "0") + (f".{decimals}" if decimals else "")

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
        if match[1] in self.words.words("no_building"):
            return None
        code = f"room {match[1]}{match[3]}"
        if self.words.pattern("placed_before").search(match.string, max(0, match.start() - 12), match.start()):
            return fact(match, "room", code, gives=(code, f"room {match[3]}"))
        return fact(match, "name", match[0], needs=[[code]], gives=[code, f"room {match[3]}"])  # may be a course

    # ---- numbers

    def counts(self) -> tuple[Rule, ...]:
        units, adjectives = self.words.any_of("units"), self.words.any_of("unit_adjectives")
        counted = rf"(?<![\w,.\x00$]){self.figure}(?:[ \t-](?:{adjectives} )?|)(?i:({units})(?:\(s\)|s)?)(?!\w)"
        number = rf"(?<![\w,.$])(?<!\d[/:]){self.figure}(?![\w%@])(?=[ \t-]([^\W\d_]{{3,30}})|)"
        return (
            (self.words.pattern("an_amount"), self._an_amount),
            (self.words.pattern("turnaround"), _turnaround),
            (re.compile(rf"{counted}[ \t,]{{0,2}}(?:{self.words.any_of('and')} )?{counted}"), self._two_units),
            (re.compile(counted), self._counted),
            (re.compile(rf"(?<![\w,.\x00$]){self.figure} ([a-z]{{3,20}}) (?i:({units})s?)(?!\w)"), self._counted_so),
            (re.compile(rf"\b(?i:({units}))s: {self.figure}(?![\w:%]|[.,]\d)"), self._labelled),
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
        amount = _scaled(self._digits(match[1]), size)
        normal = f"{amount} {unit}"
        needs = [(normal, *_in_days(amount, unit, match[0][len(match[1]) :].strip(" \t-")))]
        if unit == "year" and self.words.pattern("aged").match(match.string, match.end()):
            needs = [(*needs[0], f"bare {amount}")]  # a 10-year-old is 10
        return fact(match, "number", normal, needs=needs, gives=(normal, f"count {amount}"))

    def _counted_so(self, match: Match[str]) -> Fact | None:
        """Read `4 work hours` as four hours too."""
        if match[2] in self.words.words("stop_words") or match[2] in self.numbers:
            return None
        if match[1].lower() in self.words.words("uncounted"):
            return None  # a good day
        figure, (unit, size) = self._digits(match[1]), self.units[match[3].lower()]
        atoms = (f"{_scaled(figure, size)} {unit}", f"number {figure}")
        return fact(match, "number", atoms[0], needs=[atoms], gives=atoms)

    def _labelled(self, match: Match[str]) -> Fact:
        """Read `Units: 4` of a table, which is also the plain number."""
        unit, size = self.units[match[1].lower()]
        figure = self._digits(match[2])
        atom, plain = f"{_scaled(figure, size)} {unit}", f"number {figure}"
        found = fact(match, "number", atom, needs=[[atom]], gives=[atom, plain, f"bare {figure}"])
        return replace(found, text=match[2], start=match.start(2))

    def _two_units(self, match: Match[str]) -> Fact | None:
        """Read `one hour and 15 minutes` as one length of time."""
        (first, one), (second, other) = self.units[match[2].lower()], self.units[match[4].lower()]
        if first != second or one <= other:
            return None
        total = float(_scaled(self._digits(match[1]), one)) + float(_scaled(self._digits(match[3]), other))
        amount = f"{total:.6f}".rstrip("0").rstrip(".")
        return fact(match, "number", f"{amount} {first}", gives=(f"{amount} {first}", f"count {amount}"))

    def _an_amount(self, match: Match[str]) -> Fact | None:
        """Read `a week` and `half an hour` where they say how long, not how often or for how much each."""
        if self.words.pattern("rate").search(match.string, max(0, match.start() - 40), match.start()):
            return None
        unit, size = self.units[(match["unit"] or match["halved"]).lower()]
        amount = _scaled("1", size / 2 if match["halved"] else size)
        return fact(match, "number", f"{amount} {unit}", gives=(f"{amount} {unit}", f"count {amount}"))

    def _number(self, match: Match[str]) -> Fact | None:
        """Read a plain number. Followed by a noun it counts things; alone it may be an hour, a room or a count."""
        if match[1].lower() in self.words.words("uncounted"):
            return None
        figure = self._digits(match[1])
        if match[2] and match[2].islower() and match[2] not in self.words.words("stop_words"):
            needs, gives = {f"number {figure}"}, {f"number {figure}"}
        else:
            needs = {f"{sort} {figure}" for sort in ("number", "bare", "room", "hour", "count", "floor", "sum")}
            gives = {f"number {figure}", f"bare {figure}"}
        return fact(match, "number", figure, needs=[needs], gives=gives)


def _in_days(amount: str, unit: str, written: str) -> Iterator[str]:
    """Yield 48 hours as two days, and two days, but not two business days, as 48 hours."""
    if unit == "day" and " " not in written:
        yield f"{_scaled(amount, _DAY)} minute"
    if unit == "minute" and len(amount) < _LONG and float(amount) % _DAY == 0:
        yield f"{float(amount) / _DAY:g} day"


def _turnaround(match: Match[str]) -> Fact:
    """Read `ready the next day` as how long it takes: one day."""
    return fact(match, "number", f"{0 if match['same'] else 1} day")


def _scaled(figure: str, size: float) -> str:
    if size == 1 or len(figure) > 12:
        return figure
    return f"{float(figure) * size:.6f}".rstrip("0").rstrip(".")


def _money(match: Match[str], amount: str) -> Fact:
    """Make an amount of money; any but nothing also says that something is not for free."""
    return fact(
        match, "money", amount, gives=(amount, f"sum {amount[1:]}") + (() if amount[1:] == "0" else (_NOT_FREE,))
    )


def _not_free(match: Match[str]) -> Fact:
    return fact(match, "money", _NOT_FREE)


def _for_free(match: Match[str]) -> Fact:
    return fact(match, "money", "for free", needs=[("for free", "$0")], gives=("for free", "$0"))


def _room(match: Match[str]) -> Fact:
    """Read `room 204`, `Rm. B-12`; a bare number may be the room that is meant, and "RTH 217" is also room 217."""
    code = re.sub(r"[ -]", "", match[1]).upper()
    digits = code.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    also = {f"room {digits}"} if digits and len(code) - len(digits) > 1 else set()
    return fact(match, "room", f"room {code}", needs=[{f"room {code}", f"bare {code}"}], gives={f"room {code}"} | also)


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
