"""Names of people, places and things: only those that a text capitalises beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from re import Match

from campus_agent.guardrail.fact import Fact, blank
from campus_agent.guardrail.tables import PERSON_TITLES, PLAIN_NAME_WORDS, STOP_WORDS
from campus_agent.guardrail.words import HEAD_STEMS, fold, stem

_PART = r"[A-Z][a-zà-öø-ÿ'’]{1,30}(?:-[A-Z]?[a-zà-öø-ÿ]{1,30}){0,3}|[A-Z]{2,6}(?:['’]s)?"
_RUN = re.compile(
    rf"(?<![\w@./#-])(?:{_PART})(?:(?: of the | of | for | & | the | |-)(?:{_PART})(?!\w)){{1,5}}(?![\w@])"
)
_TITLED = re.compile(
    rf"\b(?:{PERSON_TITLES})\.?[ \t]((?:[A-Z]\.[ \t])?[A-Z][\w'’-]{{1,30}}(?:[ \t][A-Z][\w'’-]{{1,30}})?)"
)
_INTRODUCED = re.compile(
    r"\b(?:named|called|contact|(?:led|run|taught|advised|coached|hosted) by|(?:president|advisor|instructor) is)"
    rf"[*_ \t]{{1,4}}(?!(?:{PERSON_TITLES})\b)([A-Z][\w'’-]{{1,30}}(?: [A-Z][\w'’-]{{1,30}})?)(?![\w@])"
)
_WORD = re.compile(r"[^\s&-]+")
_LABEL = re.compile(r"^[ \t]*(?:#{1,6}[ \t][^\n]*|[*_]{2,3}[^\n*]{1,120}[*_]{2,3}:?[ \t]*|\|?[ \t:|-]+)$", re.MULTILINE)
_SENTENCE_START = re.compile(r"(?:^|[.!?:|>\n•\x00]|[*_]{2})[\s\"'“‘(*_>#•-]*\Z")


def names(text: str) -> Iterator[Fact]:
    """Yield the names in `text`, from which other facts have been blanked out.

    A name is a run of capitalised words, or one word that is introduced as a person. A name needs those of its words
    that are neither common nouns nor the capital that begins a sentence; a run without such words is no name. Lines
    that are headings are left out: capitals mean nothing there.
    """
    taken = 0
    for match, begins in _candidates(blank(text, (match.span() for match in _LABEL.finditer(text)))):
        if match.start() < taken:
            continue
        found = _name(match, begins=begins)
        if found:
            taken = match.end()
            yield found


def _candidates(text: str) -> Iterator[tuple[Match[str], bool]]:
    found = [*_TITLED.finditer(text), *_INTRODUCED.finditer(text), *_RUN.finditer(text)]
    for match in sorted(found, key=lambda match: (match.start(), -match.end())):
        before = text[max(0, match.start() - 12) : match.start()]
        yield match, bool(_SENTENCE_START.search(before)) or match.start() == 0


def _name(match: Match[str], *, begins: bool) -> Fact | None:
    group = match.lastindex or 0  # the groups hold the names that were introduced
    written, start = match[group], match.start(group)
    capitals = [part for part in _WORD.finditer(written) if part[0][0].isupper()]
    mixed = any(not part[0].isupper() for part in capitals)
    parts = capitals
    if not group:
        parts = list(dropwhile(lambda part: _is_plain(part[0], common=begins, mixed=mixed), capitals))
        if len(parts) < 2:
            return None
    telling = [part for part in parts if not _is_plain(part[0], common=True, mixed=mixed)]
    if begins and not group and parts[0].start() == 0 and not parts[0][0].isupper():
        telling = _without_the_first(parts, telling)
    if not telling:
        return None
    atoms = [{stem(fold(part[0])), fold(part[0]).removesuffix("'s")} for part in telling]
    short = [_initials(capitals, capitals.index(part)) for part in telling]
    needs = tuple(frozenset(own | initials) for own, initials in zip(atoms, short, strict=True))
    text = written[parts[0].start() :]
    return Fact("name", text, needs, frozenset().union(*atoms), text, start + parts[0].start(), start + len(written))


def _without_the_first(parts: Sequence[Match[str]], telling: list[Match[str]]) -> list[Match[str]]:
    """Leave out the word whose capital may be the sentence's own; of two words that leaves no name, but for a place."""
    if len(parts) > 2:
        return [part for part in telling if part is not parts[0]]
    return telling if _names_a_thing(parts[-1][0]) else []


def _initials(parts: Sequence[Match[str]], index: int) -> set[str]:
    """Return the initials of the runs of two to four words around the one at `index`."""
    letters = "".join(part[0][0] for part in parts).lower()
    return {
        letters[first : first + length]
        for length in (2, 3, 4)
        for first in range(max(0, index - length + 1), min(index, len(parts) - length) + 1)
    }


def _is_plain(part: str, *, common: bool, mixed: bool) -> bool:
    """Whether a capitalised word says nothing: a stop word (not IT, in `mixed` case) or, if asked, a common noun."""
    folded = fold(part).removesuffix("'s").removesuffix("'")
    if folded in STOP_WORDS:
        return not (mixed and part.isupper() and len(part) > 1)
    return len(folded) < 2 or (common and folded in PLAIN_NAME_WORDS)


def _names_a_thing(part: str) -> bool:
    return stem(fold(part)) in HEAD_STEMS or fold(part) in ("hall", "building", "tower", "plaza", "field", "house")
