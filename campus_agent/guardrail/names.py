"""Names of people, places and things: only those that a text capitalises beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import dropwhile
from re import Match, Pattern

from campus_agent.guardrail.fact import BLANK, Fact, blank
from campus_agent.guardrail.lexicon import Lexicon, lexicon
from campus_agent.guardrail.words import SHORT, fold, listed_stems, special_stems, stem

_PART = (
    r"[A-Z][a-zà-öø-ÿ'’]{1,30}(?:-[A-Z]?[a-zà-öø-ÿ]{1,30}){0,3}|[A-ZÀ-Þ][a-zà-öø-ÿ]{1,30}"
    r"|[A-Z]{2,6}(?:/[A-Z]{2,6})?(?:['’]s)?"
)
_WORD = re.compile(r"[^\s&/-]+")
_LABEL = re.compile(r"^[ \t]*(?:#{1,6}[ \t][^\n]*|[*_]{2,3}[^\n*]{1,120}[*_]{2,3}:?[ \t]*|\|?[ \t:|-]+)$", re.MULTILINE)
# What closes a name that is a whole sentence, or all of it but an aside.
_CLOSES = re.compile(r"[\s\"'”’*_]{0,6}(?:[.…,;()\n]|[–—-] |!?[\s\"'”’*_]*\Z)")
_OPENS = re.compile(r"(?:\A|[.!?\n]\s)[\s\"'“‘*_-]*\Z")
_NEXT = re.compile(r"[*_]{0,3} ([^\W\d_]+)")
# What may be written like a name that is all of a sentence, and is none: the patterns and the lists that know it.
_TALK = ("yes", "sure", "no", "agreement", "agrees", "sociable", "courteous", "pleasant", "wishes")
_ORDINARY = [
    "stop_words",
    "light_words",
    "plain_name_words",
    "ordinary_words",
    "feelings",
    "imperatives",
    "orders_alone",
    "finite",
    "denials",
    "likening",
    "aspects",
    "entity_heads",
    "place_heads",
    "plain_modifiers",
    "permitting",
    "people",
    "label_heads",
    "where_labels",
    "calendar_words",
    "numbers",
    "ordinals",
    "weekdays",
    "months",
    "relative_days",
    "units",
]
_SENTENCE_START = re.compile(r"(?:^|[.!?:|>\n•\x00]|[*_]{2})[\s\"'“‘(*_>#•-]*\Z")


@dataclass(frozen=True)
class _Names:
    """The patterns of names in one language, and its words that say nothing in a name."""

    language: str
    words: Lexicon
    patterns: tuple[Pattern[str], ...]

    def candidates(self, text: str) -> Iterator[tuple[Match[str], bool]]:
        """Yield what looks like a name, in order, each with whether it begins a sentence."""
        found = [match for pattern in self.patterns for match in pattern.finditer(text)]
        for match in sorted(found, key=lambda match: (match.start(), -match.end())):
            before = text[max(0, match.start() - 12) : match.start()]
            yield match, bool(_SENTENCE_START.search(before)) or match.start() == 0

    def name(self, match: Match[str], *, begins: bool) -> Fact | None:
        """Read one of them, or find that it says nothing."""
        group = match.lastindex or 0  # the groups hold the names that were introduced
        written, start = match[group], match.start(group)
        capitals = [part for part in _WORD.finditer(written) if part[0][0].isupper()]
        mixed = any(not part[0].isupper() for part in capitals)
        parts = capitals
        if not group:
            parts = list(dropwhile(lambda part: self._is_plain(part[0], common=begins, mixed=mixed), capitals))
            if len(parts) < 2:
                return None
        telling = [part for part in parts if not self._is_plain(part[0], common=True, mixed=mixed)]
        if match.re is self.patterns[-1] and (self._is_talk(match) or self._is_ordinary(written)):
            return None
        if begins and not group and parts[0].start() == 0 and not parts[0][0].isupper():
            telling = self._without_the_first(match, parts, telling)
        if not telling:
            return None
        atoms = [{stem(fold(part[0]), self.language), fold(part[0]).removesuffix("'s")} for part in telling]
        short = [_initials(capitals, capitals.index(part)) for part in telling]
        needs = tuple(frozenset(own | initials) for own, initials in zip(atoms, short, strict=True))
        at, end = start + parts[0].start(), start + len(written)
        if spot := self._spot(match.string, at, end):
            atoms.append({stem(fold(spot), self.language), fold(spot)})
            needs, end = (*needs, frozenset(atoms[-1])), end + 1 + len(spot)
        text = match.string[at:end]
        return Fact("name", text, needs, frozenset().union(*atoms), text, at, end)

    def _spot(self, text: str, start: int, end: int) -> str:
        """Return the noun behind a name with which it is one place: at the Fig House gate."""
        placed = self.words.pattern("placed_before").search(text, max(0, start - 12), start)
        noun = self.words.pattern("spot").match(text, end) if placed else None
        return noun[1] if noun else ""

    def _without_the_first(
        self, match: Match[str], parts: Sequence[Match[str]], telling: list[Match[str]]
    ) -> list[Match[str]]:
        """Leave out a word whose capital may be the sentence's own; of two, that leaves a place or a person."""
        if len(parts) > 2:
            return [part for part in telling if part is not parts[0]]
        last = fold(parts[-1][0])
        if (
            len(telling) == len(parts)
            and self._stands_alone(match)
            and not self._is_talk(match)
            and not self._is_ordinary(parts[0][0])
        ):
            return telling
        before = self.words.pattern("person_before").search(match.string, max(0, match.start() - 40), match.start())
        if before or self.words.pattern("person_after").match(match.string, match.end()):
            return telling
        a_thing = stem(last, self.language) in special_stems(self.language).heads
        return telling if a_thing or last in self.words.words("houses") else []

    def _stands_alone(self, match: Match[str]) -> bool:
        """Whether a sentence is a name, but for an aside, or says what it is: "Ana Ruiz.", "Ana Ruiz is there"."""
        if not _OPENS.search(match.string, max(0, match.start() - 12), match.start()):
            return False
        after = _NEXT.match(match.string, match.end())
        says = after is not None and after[1] in self.words.words("finite")
        return says or _CLOSES.match(match.string, match.end()) is not None

    def _is_talk(self, match: Match[str]) -> bool:
        """Whether what looks like a name is a way to agree, to refuse, to greet or to wish."""
        return any(self.words.pattern(name).match(match.string, match.start()) for name in _TALK)

    def _is_ordinary(self, word: str) -> bool:
        folded = fold(word).removesuffix("'s")
        return any(
            folded in self.words.words(name) or stem(folded, self.language) in listed_stems(name, self.language)
            for name in _ORDINARY
        )

    def _is_plain(self, part: str, *, common: bool, mixed: bool) -> bool:
        """Whether a word says nothing: a stop word (not IT, in `mixed` case) or, if asked, a common noun."""
        folded = fold(part).removesuffix("'s").removesuffix("'")
        if folded in self.words.words("stop_words"):
            return not (mixed and part.isupper() and len(part) > 1)
        return len(folded) < 2 or (common and folded in self.words.words("plain_name_words"))


@cache
def _names(language: str) -> _Names:
    words = lexicon(language)
    joints, titles, short = map(words.any_of, ("name_joints", "person_titles", "short_titles"))
    person = r"[A-ZÀ-Þ][\w'’-]{1,30}"
    patterns = (
        rf"(?<!\w)((?:[A-Z]\. ?){{1,3}}{person}(?:-[A-Z]\w{{1,30}})?)(?!\w)",
        rf"\b(?i:{titles}|{short}\.)[ \t]((?:[A-Z]\.[ \t])?{person}(?:[ \t]{person})?)",
        rf"(?<![\w-])(?i:{short})\.?[ \t]((?!{words.any_of('stop_words')}\b)[a-z]{{3,30}})(?![\w'’])",
        rf"{words.written('introduced')}[*_ \t]{{1,4}}(?!{titles}\b)({person}(?: {person})?)(?![\w@])",
        rf"(?<![\w@./#-])(?:{_PART})(?:(?: {joints} | & | |-)(?:{_PART})(?!\w)){{1,5}}(?![\w@])",
        r"\A[\s\"'“‘*_]{0,6}([A-ZÀ-Þ][^\W\d_]{2,30})[.!…\s\"'”’*_]{0,6}\Z",
    )
    return _Names(language, words, tuple(map(re.compile, patterns)))


def names(text: str, language: str) -> Iterator[Fact]:
    """Yield the names in `text`, from which other facts have been blanked out.

    A name is a run of capitalised words, or one word that is introduced as a person. A name needs those of its words
    that are neither common nouns nor the capital that begins a sentence; a run without such words is no name. Lines
    that are headings of others are left out: capitals mean nothing there.
    """
    taken, known = 0, _names(language)
    below = blank(text, (match.span() for match in _LABEL.finditer(text)))
    for match, begins in known.candidates(below if below.strip(f"{BLANK} \n") else text):
        if match.start() < taken:
            continue
        found = known.name(match, begins=begins)
        if found:
            taken = match.end()
            yield found


def _initials(parts: Sequence[Match[str]], index: int) -> set[str]:
    """Return the initials of the runs of two to four words around the one at `index`."""
    letters = "".join(part[0][0] for part in parts).lower()
    return {
        SHORT + letters[first : first + length]
        for length in (2, 3, 4)
        for first in range(max(0, index - length + 1), min(index, len(parts) - length) + 1)
    }
