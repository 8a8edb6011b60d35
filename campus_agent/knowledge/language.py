"""Which language a base is written in, told by its script and by its commonest words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.stop_words import listed_languages, stop_words
from campus_agent.knowledge.words import NO_LANGUAGE, Words

_LOOKED_AT = 300  # passages
_ENOUGH = 0.1  # of all words; a text in a language that is listed has a third
_SURE = 0.25  # the same for a text that is told apart from others, which may be in a language that is not listed
_FEWEST = 20  # words of such a text
_DOCUMENTS = 500  # whose language is told
_OF_EACH = 20  # passages
_BY_SCRIPT = {
    "CYRILLIC": "russian",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "DEVANAGARI": "hindi",
    "TAMIL": "tamil",
}


def likely_language(texts: Iterable[str], *, enough: float = _ENOUGH) -> str:
    """Return the language of most of the first `texts`, as a Snowball name; "none" when it cannot be told.

    Args:
        texts: of one language, or most of them.
        enough: the part of all words, 0 to 1, that must be common ones of a language.
    """
    looked_at = " ".join(islice(texts, _LOOKED_AT))
    script = _script(looked_at)
    if script != "LATIN":
        return _BY_SCRIPT.get(script, NO_LANGUAGE)
    tokens = Counter(Words(NO_LANGUAGE).tokens(looked_at))
    hits = _hits(tokens)
    best = max(hits, key=lambda name: hits[name])
    return best if hits[best] >= enough * tokens.total() else NO_LANGUAGE


def languages_of(passages: Iterable[Passage]) -> dict[str, str]:
    """Return the language of each of the first 500 documents, as a Snowball name; "none" where it cannot be told."""
    return {document: likely_language(texts) for document, texts in _texts(passages).items()}


def in_others(passages: Iterable[Passage], language: str) -> dict[str, str]:
    """Return those of the first 500 documents that are surely not in `language`, that of the base, with their own.

    A base in a language that cannot be told has none: what is like another there may well be its own.
    """
    if language not in (*listed_languages(), *_BY_SCRIPT.values()):
        return {}
    long = {name: texts for name, texts in _texts(passages).items() if len(" ".join(texts).split()) >= _FEWEST}
    told = {document: likely_language(texts, enough=_SURE) for document, texts in long.items()}
    return {document: other for document, other in told.items() if other not in (language, NO_LANGUAGE)}


def _texts(passages: Iterable[Passage]) -> dict[str, list[str]]:
    """Return some texts of each document."""
    texts: dict[str, list[str]] = {}
    for passage in passages:
        if passage.document in texts or len(texts) < _DOCUMENTS:
            told = texts.setdefault(passage.document, [])
            if len(told) < _OF_EACH:
                told.append(passage.text)
    return texts


def is_foreign(question: str) -> bool:
    """Tell whether a question is surely in another language than English.

    It is when most of its letters are no Latin ones, or at least two of its words are common ones of another language
    and fewer are common ones of English.
    """
    return _script(question) not in ("LATIN", "") or asked_in(question, "english") != "english"


def asked_in(question: str, expected: str) -> str:
    """Return the language of a question, as a Snowball name: the `expected` one unless another is sure.

    Another is when at least two words of the question are common ones of it, and fewer are of the one expected.
    """
    hits = _hits(Counter(Words(NO_LANGUAGE).tokens(question)))
    best = max(hits, key=lambda name: hits[name])
    return best if hits[best] > max(1, hits.get(expected, 0)) else expected


def _script(text: str) -> str:
    """Return the first word of the Unicode name of most letters, "" when there are none."""
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    return scripts.most_common(1)[0][0] if scripts else ""


def _hits(tokens: Counter[str]) -> dict[str, int]:
    """Count the words of a text that are among the commonest of each language."""
    return {name: sum(tokens[word] for word in stop_words(name)) for name in listed_languages()}
