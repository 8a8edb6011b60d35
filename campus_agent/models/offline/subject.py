"""What a question is about, in the words that the search read it in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.ends import day_words, end_asked
from campus_agent.models.offline.passages import Found
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.vocabulary import APPLYING, BREAKS, LIMITS, SHORT_FOR
from campus_agent.models.offline.words import stem, stems, words

_SAME = (APPLYING, BREAKS, LIMITS)  # words that are called by each other
_CLIPPED = 4  # letters, at least
_FEW = 2  # letters
_YEAR = 4  # digits


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked for.

    Attributes:
        keys: the stems that must be there.
        lights: those that help.
        numbered: the stems of a noun, and the number that stands after it: "lab 3" is one name.
        read_as: the stem of a word that was read as others, and theirs, which stand in its place above.
    """

    keys: frozenset[str] = frozenset()
    lights: frozenset[str] = frozenset()
    numbered: frozenset[tuple[frozenset[str], str]] = frozenset()
    read_as: tuple[tuple[str, frozenset[str]], ...] = ()

    @property
    def stems(self) -> frozenset[str]:
        """All of its stems."""
        return self.keys | self.lights

    def held_by(self, has: frozenset[str]) -> frozenset[str]:
        """Return some stems with those that words among them were read as: what is called so, too, is meant."""
        return has.union(*(meant for asked, meant in self.read_as if asked in has))


def subject_of(question: Question, found: Found | None = None) -> Subject:
    """Return what a question is about, misspelt words and words for the same read as the search read them."""
    read_as = {**clipped(found), **dict(found.read_as)} if found else {}

    def read(asked: Iterable[str]) -> frozenset[str]:
        return stems(word for one in asked for word in words(read_as.get(fold(one), one)))

    keys = read(question.keys)
    called = [(other, meant) for same in _SAME for other in same if (meant := keys & stems(same))]
    end = end_asked(question.text)  # "the last day of classes" may be told as "classes end"
    names = [pair for pair in pairwise(words(question.query)) if _is_numbered(*pair)]
    return Subject(
        keys=keys,
        lights=read(question.lights) | (stems([end.value]) if end and day_words(question.text) else frozenset()),
        numbered=frozenset((read([noun]) | {stem(noun)}, number) for noun, number in names),
        read_as=(
            *((stem(asked), stems(words(meant))) for asked, meant in read_as.items()),
            *((stem(other), meant) for other, meant in called),
        ),
    )


def clipped(found: Found) -> dict[str, str]:
    """Return what words that no passage has are short for: the one longer word that begins so, or a known name."""
    said = {fold(word) for passage in found.passages for word in words(f"{passage.title} {passage.text}")}
    longer = {short: [word for word in said if word.startswith(short)] for short in found.unmatched}
    clipped = {
        short: many[0] for short, many in longer.items() if len(short) >= _CLIPPED and many and len(stems(many)) == 1
    }
    known = stems(said)
    named = ((short, full) for short in found.unmatched for full in SHORT_FOR.get(short, ())[::-1])
    return {short: full for short, full in named if stems(words(full)) <= known} | clipped


def called_short(question: Question, found: Found) -> dict[str, str]:
    """Return which words of a question are short for the first word of a name: "bio" of "bio club" for "Biology".

    The short form may be a word of its own elsewhere. It stands before the same word as in the name, and for one name.
    """
    asked = [(short, noun) for short, noun in pairwise(question.query.split()) if short in question.keys]
    said = [pair for one in found.passages for pair in pairwise(words(f"{one.title} . {one.text}"))]
    full = {
        fold(short): {first for first, then in said if _begins_name(short, first) and stem(then) == stem(noun)}
        for short, noun in asked
        if noun in question.keys
        and not any(fold(first) == fold(short) and stem(then) == stem(noun) for first, then in said)
    }
    return {short: names.pop() for short, names in full.items() if len(names) == 1}


def _begins_name(short: str, name: str) -> bool:
    return len(short) > _FEW and name[:1].isupper() and len(name) > len(short) and fold(name).startswith(fold(short))


def _is_numbered(noun: str, number: str) -> bool:
    """Say whether two words are one name, such as "lab 3"; a number of four digits may be a year."""
    return number.isdigit() and len(number) < _YEAR and not noun.isdigit()
