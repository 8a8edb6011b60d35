"""Gives a plain number the unit that it leaves out: "at least 5 working days ahead, finals at least 15"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.lexicon import lexicon

_LENGTH = re.compile(r"\d+(?:\.\d+)? [a-z]+")
_ENDS = re.compile(r"[.!?][*_\"”)]{0,3}\s|\n")
_LAST_WORD = re.compile(r"[^\W\d_]+(?=(?:\(s\))?\Z)")


def with_units(text: str, found: Sequence[Fact], language: str) -> Iterator[Fact]:
    """Yield facts, in order; a plain number also means so many of the unit before it in its sentence."""
    unit: tuple[str, float] | None = None
    end = 0
    for one in found:
        if unit and _ENDS.search(text, end, one.start):
            unit = None
        own = _unit(one, language)
        yield _counted(one, *unit) if unit and is_plain(one) else one
        unit, end = own or unit, one.end


def is_plain(one: Fact) -> bool:
    """Whether a fact is a number that no noun follows."""
    return one.kind == "number" and f"bare {one.normal}" in one.gives


def _unit(one: Fact, language: str) -> tuple[str, float] | None:
    """Return the unit that a number is written with, such as ("minute", 60) of 2 hours."""
    if one.kind != "number" or not _LENGTH.fullmatch(one.normal):
        return None
    written = _LAST_WORD.search(one.text.lower().removesuffix("(s)"))
    units = lexicon(language).table("units")
    unit = (units.get(written[0]) or units.get(written[0][:-1])) if written else None
    return (unit[0], unit[1]) if unit else None


def _counted(one: Fact, unit: str, size: float) -> Fact:
    atom = f"{float(one.normal) * size:.6f}".rstrip("0").rstrip(".") + f" {unit}"
    return replace(one, needs=(one.needs[0] | {atom},), gives=one.gives | {atom})
