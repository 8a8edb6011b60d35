"""Places in lower case: `in the engineering building`, `at the library`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from campus_agent.guardrail.fact import BLANK, Fact
from campus_agent.guardrail.tables import PLACE_HEADS, PLACE_MODIFIERS, PLAIN_MODIFIERS, STOP_WORDS, VAGUE_PLACES
from campus_agent.guardrail.words import Word, fold, stem, words

_DETERMINERS = r"(?:the|a|an|our|its|their|your|this|that)"
_PLACE = re.compile(
    rf"\b(?i:in|at|inside|within|of)[ \t]+(?:(?i:{_DETERMINERS})[ \t]+)?[*_\"“]{{0,3}}"
    rf"((?:[A-Za-z][\w'’-]{{1,30}}[ \t]+){{0,3}}(?i:{'|'.join(sorted(PLACE_HEADS))}))(?![\w-])"
)
# What may follow a place: the end of a phrase, a value, or one of the words that go on with another.
_FOLLOWS = re.compile(rf"[*_\"”'’]{{0,3}}[ \t]*(?:[^\w\s'’]|{BLANK}|\n|\Z|(\w+))")
_IN = "in the "  # how the normal form of a place begins, which no name in capitals does
_OF = re.compile(r"of\b", re.IGNORECASE)
_ADVICE = re.compile(r"\b(?:ask|asking|check|contact|inquire|enquire|visit|try)\b[^.!?\n]{0,60}\Z", re.IGNORECASE)
# How many words may lie between the two words of a place for a passage to name it.
_NEAR = 3


def places(text: str) -> Iterator[Fact]:
    """Yield the places in `text`, from which other facts have been blanked out.

    A place is a noun such as building or library after in, at or inside, with the words before it that tell which. A
    bare "the building" or "the room" tells nothing, and where to go and ask is advice.
    """
    for match in _PLACE.finditer(text):
        after = _FOLLOWS.match(text, match.end())
        follows = fold(after[1]) if after and after[1] else ""
        if after is None or (follows and follows not in STOP_WORDS) or follows == "of":
            continue
        if _OF.match(match[0]) and not text[max(0, match.start() - 2) : match.start()].startswith(BLANK):
            continue
        if _ADVICE.search(text, max(0, match.start() - 80), match.start()):
            continue
        found = _place(match[1], match.start(1))
        if found:
            yield found


def _place(written: str, start: int) -> Fact | None:
    run = list(words(written))
    *modifiers, head = run
    telling = [word for word in modifiers if word.folded not in PLAIN_MODIFIERS]
    if head.folded in VAGUE_PLACES:
        telling = telling or [word for word in modifiers if word.folded in PLACE_MODIFIERS]
    if any(not word.stem for word in run) or (not telling and head.folded in VAGUE_PLACES):
        return None
    atoms = [_atoms(word) for word in (*telling, head)]
    gives = frozenset[str]().union(*atoms)
    return Fact("name", f"{_IN}{written.lower()}", tuple(atoms), gives, written, start, start + len(written))


def _atoms(word: Word) -> frozenset[str]:
    return frozenset((stem(word.folded), word.folded))


def is_place(found: Fact) -> bool:
    """Whether a fact is a place in lower case, not a name in capitals."""
    return found.kind == "name" and found.normal.startswith(_IN)


def stands_in(found: Fact, text: str) -> bool:
    """Whether `text` has the words of a place near each other, in whatever form and order."""
    if len(found.needs) < 2:
        return True
    run = [word.stem for word in words(text)]
    first, head = found.needs[-2], found.needs[-1]
    return _near([i for i, word in enumerate(run) if word in first], [i for i, word in enumerate(run) if word in head])


def _near(some: Sequence[int], others: Sequence[int]) -> bool:
    return any(abs(one - other) <= _NEAR for one in some for other in others)
