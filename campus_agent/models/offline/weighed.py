"""What a question compares by a value: the price, the share or the size of the things that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"(\d+(?:,\d{3})*(?:\.\d+)?)"
_MONEY = rf"[$€£]\s?{_NUMBER}|\b{_NUMBER} (?:euros?|dollars?|pounds?)\b"
_SIZE = rf"\b(?:seats?|places|capacity|size|holds?|fits?|people):? (?:up to )?{_NUMBER}"
_BETWEEN = re.compile(r",|:|\?|\b(?:or|vs|versus|than)\b", re.IGNORECASE)
_ASKING = re.compile(r"^\W*(?:(?:and|so)\b\W*)?(?:what|which|is|are|does|do)\b(?: one)?(?: is| are)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """By what things are compared.

    Attributes:
        words: those that ask for it.
        asking: how it is asked of one thing, before its name.
        value: a value of it; one of its groups is the number.
        said: how an answer says it, with `{be}` for the verb and `{s}` for the ending of one.
        less: whether the lower value is asked for.
    """

    words: str
    asking: str
    value: str
    said: str
    less: bool = False

    @property
    def of_money(self) -> bool:
        """Whether "free" is a value, too."""
        return self.value == _MONEY

    def values_in(self, text: str) -> list[float]:
        """Return the values that a text gives, in order."""
        found = re.finditer(self.value, text, re.IGNORECASE)
        return [float(next(filter(None, one.groups())).replace(",", "")) for one in found]


_MEASURES = (
    Measure(r"cheaper|less expensive|costs? less", "how much is", _MONEY, "{be} cheaper", less=True),
    Measure(r"more expensive|dearer|costs? more", "how much is", _MONEY, "{be} more expensive"),
    Measure(r"(?:counts?|weighs?) more", "what percentage is", rf"{_NUMBER} ?%", "count{s} more"),
    Measure(r"(?:is |are )?worth more", "what percentage is", rf"{_NUMBER} ?%", "{be} worth more"),
    Measure(r"(?:counts?|weighs?) less", "what percentage is", rf"{_NUMBER} ?%", "count{s} less", less=True),
    Measure(r"(?:holds?|fits?|seats?) more(?: people| students)?", "how many people fit in", _SIZE, "hold{s} more"),
)


def measure_of(text: str) -> Measure | None:
    """Return by what a question compares things; None for any other question."""
    fitting = (one for one in _MEASURES if re.search(rf"\b(?:{one.words})\b", text, re.IGNORECASE))
    return next(fitting, None) if _BETWEEN.search(text) else None


def things_in(text: str, measure: Measure) -> list[str]:
    """Return for each thing that a question compares the question after its value."""
    alone = re.sub(rf"^(which|what) \w+ (?=(?:is |are )?(?:{measure.words})\b)", r"\1 ", text, flags=re.IGNORECASE)
    rest = re.sub(rf"\b(?:{measure.words})\b", " ", _ASKING.sub(" ", alone), flags=re.IGNORECASE)
    parts = [_ASKING.sub(" ", part).strip() for part in _BETWEEN.split(rest)]
    return [f"{measure.asking} {part}" for part in parts if re.search(r"\w", part)]
