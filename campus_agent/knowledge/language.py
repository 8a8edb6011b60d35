"""Which language a base is written in, told by its script and by its commonest words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from campus_agent.knowledge.stop_words import listed_languages, stop_words
from campus_agent.knowledge.words import NO_LANGUAGE, Words

_LOOKED_AT = 300  # passages
_ENOUGH = 0.1  # of all words; a text in a language that is listed has a third
_BY_SCRIPT = {
    "CYRILLIC": "russian",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "DEVANAGARI": "hindi",
    "TAMIL": "tamil",
}


def likely_language(texts: Iterable[str]) -> str:
    """Return the language of most of the first `texts`, as a Snowball name; "none" when it cannot be told."""
    looked_at = " ".join(islice(texts, _LOOKED_AT))
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in looked_at if letter.isalpha())
    script = scripts.most_common(1)[0][0] if scripts else ""
    if script != "LATIN":
        return _BY_SCRIPT.get(script, NO_LANGUAGE)
    tokens = Counter(Words(NO_LANGUAGE).tokens(looked_at))
    hits = {name: sum(tokens[word] for word in stop_words(name)) for name in listed_languages()}
    best = max(hits, key=lambda name: hits[name])
    return best if hits[best] >= _ENOUGH * tokens.total() else NO_LANGUAGE
