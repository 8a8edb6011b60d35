"""The items of a list that became one passage: `Closed on: Labor Day: September 7, 2026; Fall break: October 12, 2026`.

Each item tells of a thing of its own, so that what is said of one holds for no other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from campus_agent.models.offline.dates import read_dates
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.vocabulary import BREAKS
from campus_agent.models.offline.words import stems

_FEWEST = 2
_ITEM = re.compile(r"(?P<name>[^:;]{2,80}): (?P<told>[^;]+)")
_LEAD = re.compile(r"(?P<lead>[^:;]{2,120}): (?=[^:;]{2,80}: )")


def items_of(passage: Passage) -> tuple[Passage, ...]:
    """Return the items of a list in which every item has a name and a date of its own; none of anything else.

    What leads into the list becomes the last part of their title.
    """
    lead = _LEAD.match(passage.text)
    parts = passage.text[lead.end() if lead else 0 :].split("; ")
    items = [_ITEM.fullmatch(part.strip()) for part in parts]
    if len(items) < _FEWEST or not all(item and read_dates(item["told"]) for item in items):
        return ()
    title = f"{passage.title} › {lead['lead']}" if lead else passage.title
    return tuple(Passage(title, item.group(), passage.source) for item in items if item)


def each_item(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return passages with the items of each list in the place of the list."""
    return tuple(one for passage in passages for one in items_of(passage) or (passage,))


def named_items(passages: Sequence[Passage], keys: Sequence[str]) -> tuple[Passage, ...]:
    """Return passages, of each list only the items that hold all words of `keys` that tell its items apart.

    A list is left whole where it has no such item, or where none of the words tells its items apart.
    """
    return tuple(one for passage in passages for one in _named(passage, stems(keys)) or (passage,))


def tells_of_others(passage: Passage, keys: Sequence[str]) -> bool:
    """Say whether a passage is a list whose items some of `keys` tell apart: its dates are of several things."""
    items = items_of(passage)
    common = frozenset.intersection(*(item.stems for item in items)) if items else frozenset[str]()
    return bool(items) and bool((stems(keys) & passage.stems) - common)


def _named(passage: Passage, keys: frozenset[str]) -> tuple[Passage, ...]:
    items = items_of(passage)
    has = [_with_breaks(item.stems) for item in items]
    common = frozenset.intersection(*has) if has else frozenset[str]()
    telling = (keys & _with_breaks(passage.stems)) - common
    return tuple(item for item, held in zip(items, has, strict=True) if telling and telling <= held)


def _with_breaks(has: frozenset[str]) -> frozenset[str]:
    """Return some stems, with every word for a time without classes where there is one among them."""
    breaks = stems(BREAKS)
    return has | breaks if has & breaks else has
