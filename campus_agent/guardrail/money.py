"""Money and shares, however written: `$1,200`, `1200 dollars`, `$1.2k`, `-$5`, `20 percent`, `for free`."""

from __future__ import annotations

import re
from re import Match

from campus_agent.guardrail.fact import Fact, Rule, fact
from campus_agent.guardrail.figures import Figures, scaled
from campus_agent.guardrail.lexicon import Lexicon, any_of

# A sign of money, with the letters of its country; what each is that has another; those that no passage leaves out.
_SIGN = r"(?:(?<!\w)[A-Z]{1,3})?[$£¤¥\u20a0-\u20cf]|(?<!\w)(?:USD|EUR|GBP|JPY|INR|Rs\.?)"
_SIGNS = {"us$": "$", "usd": "$", "eur": "€", "gbp": "£", "jpy": "¥", "inr": "₹", "rs": "₹", "rs.": "₹"}
_SPELLED = frozenset("$€£¥")
# What, directly behind the digits, multiplies them; and digits in groups with spaces between them.
_SIZES = {"k": 1_000, "m": 1_000_000, "bn": 1_000_000_000}
_SPACED = r"\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,5}(?!\d)"
# Which money each coin is, and how much of it: by the name of a list, or as written behind an amount.
_LISTED = {"dollar": ("$", 1), "euro": ("€", 1), "pound": ("£", 1), "yen": ("¥", 1), "cent": ("$", 0.01)}
_WRITTEN = {"€": ("€", 1), "£": ("£", 1), "¥": ("¥", 1), "¢": ("$", 0.01)}
_CODES = {"USD": ("$", 1), "EUR": ("€", 1), "GBP": ("£", 1), "JPY": ("¥", 1)}
_NOT_FREE = "not free"
_HUNDRED = 100


class Money:
    """Reads money, what is free, and shares of a whole."""

    def __init__(self, words: Lexicon, figures: Figures) -> None:
        self.words, self.figures = words, figures
        self.multiples = words.table("multiples")
        listed = {**_LISTED, "penny": ("£", 0.01)}
        self.coins = {word: coin for name, coin in listed.items() for word in words.listed(name)}
        self.coins |= _WRITTEN | {code.lower(): coin for code, coin in _CODES.items()}

    def rules(self) -> tuple[Rule, ...]:
        """Return what is to be read, and in which order."""
        words, figure = self.words, f"({self.figures.any})"
        coins, small = words.any_of(*_LISTED, "penny"), words.any_of("cent", "penny")
        behind = rf"{any_of(_WRITTEN)}|(?i:{coins})|{any_of(_CODES)}"
        named = rf"(?<![\w.,$€£¥])({_SPACED}|{self.figures.any})[ \t\u00a0\u202f-]?({behind})(?!\w)"
        size = rf"(?:[ \t-]?(?i:({words.any_of('multiples')}))|(?i:({any_of(_SIZES)})))(?!\w)"
        less = r"((?<![^\s(])[-−])?"
        signed = rf"(?<!\w){less}({_SIGN})[ \t]?(-)?({self.figures.digits})(?:{size}|(?!\w|[.,]\d))"
        return (
            (re.compile(signed), self._signed),
            (re.compile(rf"{named}(?:,? {words.any_of('and')})? {figure} ((?i:{small}))(?!\w)"), self._coins),
            (re.compile(named), self._named),
            (words.pattern("not_free"), _not_free),
            (words.pattern("for_free"), _for_free),
            (re.compile(rf"(?<![\w.,]){figure}(?:[ \t]?%|[ \t](?i:{words.any_of('percent')})\b)"), self._percent),
        )

    def _signed(self, match: Match[str]) -> Fact:
        less, sign, below, figure, multiple, letter = match.groups()
        size = self.multiples.get((multiple or "").lower()) or _SIZES.get((letter or "").lower(), 1)
        amount = scaled(self.figures.read(figure), size)
        return _money(match, _SIGNS.get(sign.lower(), sign), amount, owed=bool(less or below))

    def _named(self, match: Match[str]) -> Fact:
        sign, size = self.coins[match[2].lower()]
        return _money(match, sign, scaled(self.figures.read(match[1]), size))

    def _coins(self, match: Match[str]) -> Fact | None:
        """Read `four dollars and fifty cents` as one amount."""
        sign, size = self.coins[match[2].lower()]
        if size != 1:
            return None
        amount = float(self.figures.read(match[1])) + float(self.figures.read(match[3])) / _HUNDRED
        return _money(match, sign, f"{amount:.2f}".rstrip("0").rstrip("."))

    def _percent(self, match: Match[str]) -> Fact:
        return fact(match, "percent", f"{self.figures.read(match[1])}%")


def _money(match: Match[str], sign: str, amount: str, *, owed: bool = False) -> Fact:
    """Make an amount of money, `owed` for one below zero; any but nothing also says that something is not for free."""
    written = f"{sign}{amount}"
    if owed:
        return fact(match, "money", f"-{written}")
    needs = {written} if sign in _SPELLED else {written, f"number {amount}"}
    also = () if amount == "0" else (_NOT_FREE,)
    return fact(match, "money", written, needs=[needs], gives=(written, f"sum {amount}", *also))


def _not_free(match: Match[str]) -> Fact:
    return fact(match, "money", _NOT_FREE)


def _for_free(match: Match[str]) -> Fact:
    return fact(match, "money", "for free", needs=[("for free", "$0")], gives=("for free", "$0"))
