"""Numbers in digits and in words, as a language writes them: `1,200`, `twenty-five`, `2.5 million`, `a dozen`."""

from __future__ import annotations

import re

from campus_agent.guardrail.lexicon import Lexicon, any_of

# A number in digits, by what stands before its decimals.
_DIGITS = {
    ".": r"(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)|\d{1,40})(?:\.\d{1,20})?(?!\d)",
    ",": r"(?:\d{1,3}(?:\.\d{3}){1,6}(?!\d)(?:,\d{1,20})?|\d{1,40}(?:[.,]\d{1,20})?)(?!\d)",
}
_SPACES = re.compile(r"[ \u00a0\u202f]")
_THOUSANDS = re.compile(r"(?<!\b0)[.,](?=\d{3}(?!\d))")
_HUNDRED = 100


class Figures:
    """Finds and reads numbers.

    Attributes:
        digits: a regular expression of a number in digits; `any` of one in digits or words, without groups.
        numbers: what each word for a number stands for.
    """

    def __init__(self, words: Lexicon) -> None:
        self.numbers = words.table("numbers")
        self._halves = words.listed("and_a_half")
        self._decimal = next(iter(words.listed("decimal_mark")), ".")
        self._multiples = [
            (re.compile(rf"(?<![^\W\d]){re.escape(word)}(?!\w)"), size)
            for word, size in words.table("multiples").items()
        ]
        self.digits = _DIGITS[self._decimal]
        tens = any_of(word for word, value in self.numbers.items() if value in range(20, 100, 10))
        ones = any_of(word for word, value in self.numbers.items() if 0 < value < 10)
        single = any_of(word for word, value in self.numbers.items() if value < 100)
        below = rf"(?:{tens}{words.any_of('tens_joint')}{ones}(?!\w)|{single})"
        one, joint = words.any_of("a"), rf"(?: {words.any_of('and')})?"
        whole = any_of(word for word, value in self.numbers.items() if _HUNDRED <= value < 10 * _HUNDRED)
        above = rf"(?:(?:{single}|{one}) {words.any_of('hundreds')}|{whole})(?!\w)(?:{joint} {below}(?!\w))?"
        halved = rf"(?:{single}|\d{{1,2}}) {words.any_of('and_a_half')}"
        spelled = rf"{above}|{below}|{words.any_of('numbers')}"
        multiple, rest = words.any_of("multiples"), rf"{joint} (?:{above}|{below})(?!\w)"
        alone = any_of(words.words("multiples") & self.numbers.keys())
        many = rf"(?:{self.digits}|(?i:{above}|{below}|{one}))[ \t-](?i:{multiple}(?!\w)(?:{rest})?)|(?i:{alone}{rest})"
        first = any_of({word[0] for word in (*self.numbers, *words.listed("a"))})  # not to try all words everywhere
        self.any = rf"(?=\d|(?i:{first}))(?:(?i:{halved})(?!\w)|{many}|{self.digits}|(?i:{spelled}))"

    def read(self, text: str) -> str:
        """Return a number's digits without separators, needless zeros or words: `1,200` is 1200, `05.50` 5.5."""
        lower = text.lower()
        for pattern, size in self._multiples:
            if found := pattern.search(lower):
                before, after = lower[: found.start()].strip(" \t-"), lower[found.end() :].strip()
                total = (float(self.read(before or "0")) or 1) * size + float(self.read(after or "0"))
                return f"{total:.6f}".rstrip("0").rstrip(".")
        half = next((end for end in self._halves if lower.endswith(end)), "")
        if half:
            return f"{self.read(lower.removesuffix(half).rstrip())}.5"
        if lower[0].isalpha():
            return str(self._spelled(lower))
        plain = _SPACES.sub("", lower)
        plain = plain.replace(",", "") if self._decimal == "." else _THOUSANDS.sub("", plain).replace(",", ".")
        whole, _, decimals = plain.partition(".")
        decimals = decimals.rstrip("0")
        return (whole.lstrip("0") or "0") + (f".{decimals}" if decimals else "")

    def _spelled(self, lower: str) -> int:
        total = 0
        for part in [lower] if lower in self.numbers else re.split(r"[\s-]", lower):
            value = self.numbers.get(part, 0)
            total = max(total, 1) * value if value == _HUNDRED else total + value
        return total


def scaled(figure: str, size: float) -> str:
    """Return a number that was read, so many times as large; one with very many digits as it is."""
    if size == 1 or len(figure) > 12:
        return figure
    return f"{float(figure) * size:.6f}".rstrip("0").rstrip(".")
