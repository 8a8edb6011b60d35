"""Places that no run of capitals names: `in the engineering building`, `at the library`, `next to Leavey`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from campus_agent.guardrail.fact import BLANK, Fact, blank
from campus_agent.guardrail.lexicon import Lexicon, lexicon
from campus_agent.guardrail.words import fold, stem, words

# What may follow a place: the end of a phrase, a value, or one of the words that go on with another.
_FOLLOWS = re.compile(rf"[*_\"”'’]{{0,3}}[ \t]*(?:[^\w\s'’]|{BLANK}|\n|\Z|(\w+))")
_IN = "in the "  # how the normal form of a place begins, which no name in capitals does
# How many words may lie between the two words of a place for a passage to name it.
_NEAR = 3
# How many characters before a name may say that it is a place.
_LEAD = 32


def _lead(words: Lexicon, *names: str) -> str:
    """Return the pattern of what says that a place comes: a word of those lists, and the places of a list before it."""
    the = rf"(?:(?i:{words.any_of('determiners')})[ \t]+)?[*_\"“]{{0,3}}"
    mark = rf"[*_\"”]{{0,3}}(?:,|,?[ \t](?i:{words.any_of('and', 'alternatives')})\b)[ \t]+"
    first = rf"\b(?i:{words.any_of(*names)})[ \t]+"
    return rf"{first}{the}(?:{BLANK}+{mark}(?!{first}){the}){{0,8}}"


@cache
def _place_in(language: str) -> re.Pattern[str]:
    words = lexicon(language)
    lead = _lead(words, "placing")
    word, head = r"[^\W\d_][\w'’-]{1,30}[ \t]+", words.any_of("place_heads")
    if words.words("place_heads_first"):
        follows = rf"(?:(?:[ \t]+{words.any_of('of', 'determiners')}){{0,2}}[ \t]+[^\W\d_][\w'’-]{{1,30}}){{0,2}}"
        return re.compile(rf"{lead}((?i:{head}){follows})(?![\w-])")
    return re.compile(rf"{lead}((?:{word}){{0,3}}(?i:{head}))(?![\w-])")


@cache
def _named_in(language: str) -> re.Pattern[str]:
    words = lexicon(language)
    lead = _lead(words, "placed", "beside")
    return re.compile(rf"{lead}([A-ZÀ-Þ][a-zà-öø-ÿ]{{2,30}}(?:['’-][A-Z]?[a-zà-öø-ÿ]{{1,30}}){{0,2}})(?![\w'’-])")


def places(text: str, language: str) -> Iterator[Fact]:
    """Yield the places in `text`, from which other facts have been blanked out.

    A place is a noun such as building or library after in, at or inside, with the words before it that tell which. A
    bare "the building" or "the room" tells nothing, and where to go and ask is advice. A place is also one capitalised
    word after in, at, next to and the like, with which the phrase ends.
    """
    while found := sorted((*_nouns(text, language), *_named(text, language)), key=lambda one: one.start):
        yield from found
        text = blank(text, ((one.start, one.end) for one in found))  # so that the next of a list is seen


def _named(text: str, language: str) -> Iterator[Fact]:
    lists = lexicon(language)
    plain = lists.words("plain_name_words") | lists.words("not_places") | lists.words("stop_words")
    for match in _named_in(language).finditer(text):
        folded = fold(match[1]).removesuffix("'s")
        if folded in plain or not _ends_a_phrase(match, text, lists):
            continue
        atoms = frozenset((stem(folded, language), folded))
        yield Fact("name", match[1], (atoms,), atoms, match[1], match.start(1), match.end(1))


def _nouns(text: str, language: str) -> Iterator[Fact]:
    lists = lexicon(language)
    of, advice = lists.words("belonging"), lists.pattern("place_advice")
    for match in _place_in(language).finditer(text):
        if not _ends_a_phrase(match, text, lists):
            continue
        if match[0].split(maxsplit=1)[0].lower() in of and not text[
            max(0, match.start() - 2) : match.start()
        ].startswith(BLANK):
            continue
        if advice.search(text, max(0, match.start() - 80), match.start()):
            continue
        found = _place(match[1], match.start(1), language)
        if found:
            yield found


def _ends_a_phrase(match: re.Match[str], text: str, lists: Lexicon) -> bool:
    """Whether a phrase ends with a place; of a list also before a verb: "in Taper Hall, and the library is open"."""
    verbs = lists.words("finite") if BLANK in match[0] else frozenset[str]()
    after = _FOLLOWS.match(text, match.end())
    return after is not None and (
        not after[1] or fold(after[1]) in lists.words("stop_words") - lists.words("belonging") - verbs
    )


def _place(written: str, start: int, language: str) -> Fact | None:
    lists = lexicon(language)
    run = list(words(written, language))
    if lists.words("place_heads_first"):  # as in "edificio central"
        run = [*(word for word in run[1:] if word.stem), run[0]]
    *modifiers, head = run
    telling = [word for word in modifiers if word.folded not in lists.words("plain_modifiers")]
    vague = head.folded in lists.words("vague_places")
    if vague:
        telling = telling or [word for word in modifiers if word.folded in lists.words("place_modifiers")]
    if any(not word.stem for word in run) or (not telling and vague):
        return None
    atoms = [frozenset((stem(word.folded, language), word.folded)) for word in (*telling, head)]
    gives = frozenset[str]().union(*atoms)
    return Fact("name", f"{_IN}{written.lower()}", tuple(atoms), gives, written, start, start + len(written))


def is_place(found: Fact) -> bool:
    """Whether a fact is a place in lower case, not a name in capitals."""
    return found.kind == "name" and found.normal.startswith(_IN)


def is_placed(found: Fact, text: str, language: str) -> bool:
    """Whether `text` says that something is in, at or next to this fact of it."""
    return is_place(found) or bool(_placed(language).search(text, max(0, found.start - _LEAD), found.start))


@cache
def _placed(language: str) -> re.Pattern[str]:
    placed, determiners = lexicon(language).any_of("placed", "beside"), lexicon(language).any_of("determiners")
    return re.compile(rf"(?i)\b{placed} (?:{determiners} )?[*_\"“]{{0,3}}\Z")


def stands_in(found: Fact, text: str, language: str) -> bool:
    """Whether `text` has the words of a place near each other, in whatever form and order."""
    if len(found.needs) < 2:
        return True
    run = [word.stem for word in words(text, language)]
    first, head = found.needs[-2], found.needs[-1]
    return _near([i for i, word in enumerate(run) if word in first], [i for i, word in enumerate(run) if word in head])


def _near(some: Sequence[int], others: Sequence[int]) -> bool:
    return any(abs(one - other) <= _NEAR for one in some for other in others)
