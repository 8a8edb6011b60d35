"""Words as they are compared: folded, and cut down to what `meets`, `meeting` and `Meetings` have in common."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from campus_agent.guardrail.lexicon import ENGLISH, lexicon

_WORD = re.compile(r"[^\W_]{1,64}(?:['’][^\W\d_]{1,4}\b)?")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_CAPITALISED = re.compile(r"(?:[A-Z][\w’'-]{0,40}(?:[ -](?:of |and |for |the )?(?=[A-Z]))?){2,8}")
_ACRONYM = re.compile(r"(?<![\w])[A-Z]{2,6}(?![\w])")
_LATER = "later"  # what comes after the first of its sort
LABEL = "#"  # begins the stem of a number or letter that tells things apart: "#2" or "#b"
SHORT = "short for "  # begins what a text that writes an acronym gives: "short for ai"
_REMEMBERED = 20_000  # words

Kinds = tuple[tuple[str, str], ...]  # stems, each with that of its kind


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: its stem, itself folded, and its place. A stop word has the stem ""."""

    stem: str
    folded: str
    start: int
    end: int
    capital: bool


@dataclass(frozen=True, slots=True)
class Stems:
    """The stems of words that are treated apart.

    Attributes:
        light: of predicates that tell little; `people` those of them that name people.
        paying: of predicates that do not tell who pays what.
        heads: of nouns that name a thing; `modifiers` of words before them that do not tell one thing from another.
        calendar: of words with which a day itself is spoken of.
    """

    light: frozenset[str]
    people: frozenset[str]
    paying: frozenset[str]
    heads: frozenset[str]
    modifiers: frozenset[str]
    calendar: frozenset[str]


def fold(text: str) -> str:
    """Return `text` in lower case, without accents, with plain quotes and dashes."""
    plain = text.casefold().replace("’", "'")
    if plain.isascii():
        return plain
    return "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))


@lru_cache(_REMEMBERED)
def stem(word: str, language: str = ENGLISH) -> str:
    """Return the stem of a folded word: `tutoring` and `tutors` are `tutor`.

    Different words for one thing have one stem: that of `professors` is that of `faculty`.
    """
    cut = _cut(word, language)
    return _same_thing(language).get(cut, cut)


def _cut(word: str, language: str) -> str:
    word = word.removesuffix("'s")
    if len(word) < 4 or not word.isalpha():
        return word
    import snowballstemmer

    cut: str = snowballstemmer.stemmer(lexicon(language).listed("stemmer")[0]).stemWord(word)
    return cut or word


@cache
def _same_thing(language: str) -> dict[str, str]:
    lines = [line.split() for line in lexicon(language).listed("same_thing")]
    return {_cut(fold(word), language): _cut(fold(line[0]), language) for line in lines for word in line}


@cache
def special_stems(language: str) -> Stems:
    """Return the stems of a language that are treated apart."""
    words = lexicon(language)
    light, people, paying, heads, modifiers, calendar = (
        frozenset(stem(fold(word), language) for word in words.words(name))
        for name in (
            "light_words",
            "people",
            "paying",
            "entity_heads",
            "plain_modifiers",
            "calendar_words",
        )
    )
    return Stems(light, people, paying, heads, modifiers, calendar)


@cache
def listed_stems(name: str, language: str) -> frozenset[str]:
    """Return the stems of the words of a list."""
    return frozenset(stem(fold(word), language) for word in lexicon(language).words(name))


@lru_cache(_REMEMBERED)
def _read(written: str, language: str) -> tuple[str, str]:
    """Return the stem of a word, "" for a stop word, and the word folded."""
    folded = fold(written)
    shouted = written.isupper() and len(written) > 1  # IT is a department
    stops = lexicon(language).words("stop_words")
    stop = not shouted and (folded in stops or folded.partition("'")[0] in stops)
    return "" if stop else stem(folded, language), folded


@cache
def label_pattern(language: str) -> re.Pattern[str]:
    """Return the pattern of what tells things of one sort apart: `Group 2`, `Section B`, `the second essay`."""
    lists = lexicon(language)
    heads, lettered, ordinals = map(lists.any_of, ("label_heads", "lettered_heads", "ordinals"))
    letter = r"[A-Z](?![\w'’-]|\.\w)"
    number = rf"\d{{1,2}}(?![\w%-]|[:.]\d)|{letter}|(?i:{lists.any_of('numbers')})(?!\w)"
    the = lists.any_of("the")
    return re.compile(
        rf"\b(?i:{heads})[ \t](?P<after>{number})|\b(?i:{lettered})[ \t](?P<letter>{letter})"
        rf"|\b(?P<before>(?i:{ordinals}))(?=[ \t][^\W\d_]{{3,}})"
        rf"|(?P<later>{lists.written('later')})"
        rf"|\b(?i:{the}) (?P<alone>(?i:{ordinals}))(?=[ \t]*(?:[.,;:!?(]|\Z))"
        r"|\b[A-Z][^\W\d_]{2,}[ \t](?P<roman>I{1,3}|IV)(?![\w'’.-])"
    )


def _asks(word: str, language: str) -> bool:
    """Whether a word before "I" asks, or joins, as in "Can I" and "When I"; else it names, as in "Latin I"."""
    lists = lexicon(language)
    return word.lower() in lists.words("stop_words") | lists.words("finite") | lists.words("joins")


def _labels(text: str, language: str) -> dict[int, str]:
    """Return, by where it stands, the stem of each number or letter that tells things apart: "#2" or "#b"."""
    found: dict[int, str] = {}
    values = {**lexicon(language).table("numbers"), **lexicon(language).table("ordinals")}
    for match in label_pattern(language).finditer(text):
        name = match.lastgroup or "after"
        if name == "roman" and _asks(match[0].split()[0], language):
            continue
        label = _LATER if name == "later" else values.get(match[name].lower(), match[name].lower())
        found[match.start(name)] = f"{LABEL}{label}"
    return found


def words(text: str, language: str = ENGLISH) -> Iterator[Word]:
    """Yield the words of `text` in order; a script without spaces gives its pairs of letters."""
    labels = _labels(text, language)
    for match in _WORD.finditer(text):
        written, start = match[0], match.start()
        if start in labels:
            yield Word(labels[start], written.lower(), start, match.end(), False)
            continue
        if _UNSPACED.match(written):
            for at in range(max(1, len(written) - 1)):
                pair = written[at : at + 2]
                yield Word(pair, pair, start + at, start + at + 2, False)
            continue
        cut, folded = _read(written, language)
        yield Word(cut, folded, start, match.end(), written[0].isupper())


def stems(text: str, language: str = ENGLISH) -> frozenset[str]:
    """Return the stems of the words of `text` that mean something, and how it shortens names.

    Capitalised names give their initials, as a word; an acronym gives itself as "short for ai".
    """
    found = {word.stem for word in words(text, language) if word.stem}
    found.update(initials(text), (f"{SHORT}{short[0].lower()}" for short in _ACRONYM.finditer(text)))
    return frozenset(found)


def initials(text: str) -> Iterator[str]:
    """Yield the initials of every run of capitalised words: `Retrieval Augmented Generation` gives `rag`."""
    for run in _CAPITALISED.finditer(text):
        letters = "".join(part[0] for part in re.split(r"[ -]", run[0]) if part[:1].isupper()).lower()
        if 2 <= len(letters) <= 6:
            yield letters


def spelled_out(acronyms: Collection[str], run: Sequence[Word], text: str) -> dict[int, str]:
    """Return, by position in `run`, the acronym that a word is part of: `artificial intelligence` is `ai`."""
    if not acronyms:
        return {}
    letters = [text[word.start].lower() for word in run]
    found: dict[int, str] = {}
    for length in (4, 3, 2):
        for at in range(len(run) - length + 1):
            short = "".join(letters[at : at + length])
            if short in acronyms and all(word.stem and word.end - word.start > 3 for word in run[at : at + length]):
                found |= dict.fromkeys(range(at, at + length), short)
    return found
