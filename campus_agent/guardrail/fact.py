"""A fact: one checkable value of a text, in a form in which equal values look equal."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from re import Match, Pattern

# What a match of a pattern says; None when it looks like a fact and is none (month 13, say).
Reader = Callable[[Match[str]], "Fact | None"]
Rule = tuple[Pattern[str], Reader]

_AMOUNT = re.compile(r"(?P<before>\D{0,3})(?P<figure>\d{1,12}(?:\.\d{1,6})?)(?P<unit>\D{0,20})")

# Put over text that has been read, so that no later pattern reads it again. Neither a word nor a space.
BLANK = "\x00"


@dataclass(frozen=True, slots=True)
class Fact:
    """One checkable value.

    Values are compared by atoms, small strings such as "Thursday", "17:00" or "5 day". What a fact `gives` are the
    atoms that its text vouches for; it `needs` one atom out of each of its groups. So `2-4 PM` needs 14:00 and 16:00,
    and gives both, and `5:00` needs either of 05:00 and 17:00.

    Attributes:
        kind: weekday, date, time, number, room, email, link, phone, money, percent, name, claim or comparison.
        text: the value as written; `start` and `end` are its place, in characters.
        normal: the value in one fixed way of writing it, which reads as the same value.
    """

    kind: str
    normal: str
    needs: tuple[frozenset[str], ...]
    gives: frozenset[str]
    text: str = field(default="", compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def amount(self) -> tuple[str, float] | None:
        """The unit and the size of an amount: ("$", 95), ("day", 14), ("", 24) of a plain number; else None."""
        found = _AMOUNT.fullmatch(self.normal) if self.kind in ("number", "money", "percent") else None
        return (found["before"] + found["unit"].strip(), float(found["figure"])) if found else None

    def supported_by(self, atoms: Collection[str]) -> bool:
        """Whether `atoms` hold everything that this fact needs."""
        return all(any(atom in atoms for atom in group) for group in self.needs)


def fact(
    match: Match[str], kind: str, normal: str, *, needs: Iterable[Iterable[str]] = (), gives: Iterable[str] = ()
) -> Fact:
    """Make the fact that `match` found; without `needs` and `gives` its one atom is its normal form."""
    return Fact(
        kind=kind,
        normal=normal,
        needs=tuple(frozenset(group) for group in needs) or (frozenset((normal,)),),
        gives=frozenset(gives) or frozenset((normal,)),
        text=match[0].strip(),
        start=match.start(),
        end=match.end(),
    )


def read(text: str, rules: Iterable[Rule]) -> tuple[list[Fact], str]:
    """Return the facts that `rules` find, the first rule first, and `text` with what they cover blanked out."""
    found: list[Fact] = []
    for pattern, reader in rules:
        facts = [fact for match in pattern.finditer(text) if (fact := reader(match))]
        if facts:
            text = blank(text, ((fact.start, fact.end) for fact in facts))
            found += facts
    return found, text


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return `text`, as long as before, with `spans` (in order) covered."""
    return "".join(_covered(text, spans))


def _covered(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    at = 0
    for start, end in spans:
        yield text[at:start]
        yield BLANK * (end - start)
        at = end
    yield text[at:]
