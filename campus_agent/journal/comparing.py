"""Puts two runs side by side, to see where they parted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from campus_agent.agent.events import Event, RunFinished

_INDENT = re.compile(r"\n +")
Mark = Literal["same", "differs", "left", "right"]


@dataclass(frozen=True, slots=True)
class Pair:
    """What stands at one place of two traces; a side is "" where only the other has something."""

    mark: Mark
    left: str
    right: str


def compare(left: Sequence[Event], right: Sequence[Event]) -> tuple[Pair, ...]:
    """Return the two traces side by side, the same parts facing each other. How long something took counts as same."""
    ours, theirs = list(_lines(left)), list(_lines(right))
    pairs: list[Pair] = []
    for equal, mine, other in _aligned(
        ours, theirs, [line.compared for line in ours], [one.compared for one in theirs]
    ):
        if equal:
            pairs += [Pair("same", one.shown, another.shown) for one, another in zip(mine, other, strict=True)]
        else:
            pairs += _unequal(mine, other)
    return tuple(pairs)


@dataclass(frozen=True, slots=True)
class _Line:
    shown: str
    compared: str  # the same without what may differ
    label: str  # what it is, such as a call or an observation


def _unequal(left: Sequence[_Line], right: Sequence[_Line]) -> Iterator[Pair]:
    """Yield a part in which the runs differ: a call faces a call, an answer an answer, as far as both have one."""
    for equal, mine, other in _aligned(left, right, [line.label for line in left], [line.label for line in right]):
        if equal:
            yield from (Pair("differs", one.shown, another.shown) for one, another in zip(mine, other, strict=True))
        else:
            yield from (Pair("left", line.shown, "") for line in mine)
            yield from (Pair("right", "", line.shown) for line in other)


def _aligned(
    left: Sequence[_Line], right: Sequence[_Line], left_keys: Sequence[str], right_keys: Sequence[str]
) -> Iterator[tuple[bool, Sequence[_Line], Sequence[_Line]]]:
    """Yield the parts of both that face each other, and whether their keys are equal."""
    matcher = SequenceMatcher(None, left_keys, right_keys, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        yield kind == "equal", left[a:b], right[c:d]


def _lines(events: Sequence[Event]) -> Iterator[_Line]:
    from campus_agent.cli.printer import Printer

    printed: list[str] = []
    printer = Printer(
        trace=printed.append, murmur=lambda _: None, answer=printed.append, message=lambda why: printed.append(str(why))
    )
    for event in events:
        printer.read(event)
        for number, text in enumerate(printed, 1):
            # The last line of a trace ends with how long the run took.
            ending = isinstance(event, RunFinished) and number == len(printed)
            line = _INDENT.sub("\n    ", text)  # which is deeper than a narrow column can bear
            label = f"{event.kind} {number if isinstance(event, RunFinished) else getattr(event, 'tool', '')}"
            yield _Line(line, line.rpartition(", ")[0] if ending else line, label)
        printed.clear()
