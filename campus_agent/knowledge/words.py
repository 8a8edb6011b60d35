"""From text to the terms that are searched: split, folded, stemmed, the same for passages and for queries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.stop_words import asking_words, stop_words

NO_LANGUAGE: Final = "none"
AUTO: Final = "auto"
_LONGEST_WORD = 100  # characters; what is longer has no stem, and would take a stemmer minutes

# Scripts that put no space between words: Thai, Lao, Burmese, Khmer, kana, Han, Hangul.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
)
# Accents of Latin, Greek and Cyrillic. The marks of other scripts are vowels, without which words fall together.
_ACCENTS = re.compile("[\u0300-\u036f]")

# Words that Snowball takes for others: a professor would be looked for by lectures, and a dorm by the boat house.
_THEMSELVES = ("lecturer", "housing")
# Plurals of which Snowball takes off too little.
_SINGULAR = {"buses": "bus", "gases": "gas"}


def languages() -> tuple[str, ...]:
    """Return what the setting `language` may be: those that words can be stemmed in, "none", and "auto"."""
    import snowballstemmer

    return (NO_LANGUAGE, AUTO, *snowballstemmer.algorithms())


def fold(text: str) -> str:
    """Return `text` without case, accents and compatibility forms: "Médiathèque", "MEDIATHEQUE" -> "mediatheque"."""
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", bare)


def is_run_part(token: str) -> bool:
    """Tell whether `token` was cut from a script without spaces, and so may straddle two words."""
    return _SPACELESS.match(token) is not None


class Words:
    """How one language is split into words, which of them are dropped, and what their stems are.

    Args:
        language: a Snowball name such as "english", or "none" for no stemming and no stop words; "auto", which only a
            base can tell, is the same as "none".

    Raises:
        KnowledgeError: no such language.
    """

    def __init__(self, language: str = "english") -> None:
        if language not in languages():
            raise KnowledgeError(
                f"There is no language called {language!r} to search in.",
                "The setting `language` takes the English name of a language, in lower case.",
                f"Choose one of: {', '.join(languages())}.",
            )
        self.language = NO_LANGUAGE if language == AUTO else language
        self.stop = stop_words(self.language)
        self.asking = asking_words(self.language)
        self._letters = _Letters()
        self._stems: dict[str, str] = {}

    def split(self, text: str) -> list[str]:
        """Return the words of `text` as they were written: runs of letters, marks and digits."""
        return text.translate(self._letters).split()

    def tokens(self, text: str) -> list[str]:
        """Return the folded words of `text`; a run of a script without spaces becomes its pairs of characters."""
        folded = self.split(fold(text))
        if text.isascii():
            return folded
        return [token for word in folded for token in _pairs(word)]

    def stem(self, token: str) -> str:
        """Return what `token` shares with its other forms: "meets", "meeting" -> "meet"."""
        if self.language == NO_LANGUAGE or len(token) > _LONGEST_WORD:
            return token
        if token not in self._stems:
            import snowballstemmer

            # A stemmer keeps the word in itself while it works, and searches may run side by side: so one for each.
            stem: str = snowballstemmer.stemmer(self.language).stemWord(token) or token
            if self.language == "english":
                stem = _SINGULAR.get(token, stem)
            if self.language == "english" and token.removesuffix("s") in _THEMSELVES:
                stem = token.removesuffix("s")
            if self.language == "english" and len(stem) > 3 and stem.endswith("us"):
                stem = stem[:-1]  # Snowball leaves "us" alone, but it is the plural of "GPU" and "menu"
            self._stems[token] = stem
        return self._stems[token]


class _Letters(dict[int, str]):
    """A table for `str.translate` that turns all but letters, marks and digits into spaces, filled as it is used."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if category[0] in "LMN":
            self[code] = character
        else:  # invisible marks such as a soft hyphen stand inside a word
            self[code] = "" if category == "Cf" and character != "\u200b" else " "
        return self[code]


def _pairs(word: str) -> Iterator[str]:
    end = 0
    for run in _SPACELESS.finditer(word):
        if word[end : run.start()]:
            yield word[end : run.start()]
        characters = run[0]
        yield from (characters[i : i + 2] for i in range(max(1, len(characters) - 1)))
        end = run.end()
    if word[end:]:
        yield word[end:]
