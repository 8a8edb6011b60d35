"""The words of a language, as the guardrail knows them: data out of a file, and the patterns made of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

ENGLISH = "english"
_FOLDER = "languages"
_NOTHING = r"(?!)"  # matches nowhere
_LIST = re.compile(r"%([a-z_]+)%")
# Letters that a pattern takes for others when it ignores case, and that no small letter of a list is.
_LOOKALIKES = str.maketrans("ſıİ\u212a", "siIK")


class Lexicon:
    """The word lists, tables and patterns of one language; what its file leaves out is empty, or matches nothing."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._sets: dict[str, frozenset[str]] = {}
        self._compiled: dict[str, re.Pattern[str]] = {}

    def listed(self, name: str) -> tuple[str, ...]:
        """Return the words and phrases of a list, or the keys of a table, in the order of the file."""
        found: str | Iterable[str] = self._data.get(name, ())
        return tuple(found.split() if isinstance(found, str) else found)

    def words(self, name: str) -> frozenset[str]:
        """Return the words of a list as a set."""
        if name not in self._sets:
            self._sets[name] = frozenset(self.listed(name))
        return self._sets[name]

    def table(self, name: str) -> Mapping[str, Any]:
        """Return a table: what each of its words stands for."""
        found: Mapping[str, Any] = self._data.get(name, {})
        return found

    def number(self, written: str, name: str = "numbers") -> int:
        """Return the whole number that a word of a table or, with or without an ending, its digits stand for."""
        value: int | None = self.table(name).get(written.lower())
        return int(re.sub(r"\D+\Z", "", written)) if value is None else value

    def any_of(self, *names: str) -> str:
        """Return a regular expression for any word of these lists, the longest first."""
        return any_of(word for name in names for word in self.listed(name))

    @cached_property
    def range_mark(self) -> str:
        """The pattern of what stands between the two ends of a range."""
        parts = [rf"\b{part}\b" if part[0].isalpha() else part for part in self.listed("to")]
        return rf"[ \t]{{0,2}}(?i:{'|'.join(parts) or _NOTHING})[ \t]{{0,2}}"

    def after(self, name: str) -> str:
        """Return a pattern that looks back for any word of a list and a space."""
        looks = [rf"(?<=\b(?i:{re.escape(word)}) )" for word in self.listed(name)]
        return f"(?:{'|'.join(looks) or _NOTHING})"

    def pattern(self, name: str) -> re.Pattern[str]:
        """Return a pattern of the file; raises `re.error` for one that is no regular expression."""
        if name not in self._compiled:
            self._compiled[name] = re.compile(self.written(name))
        return self._compiled[name]

    def written(self, name: str) -> str:
        """Return a pattern as written, its %lists% filled in."""
        raw: str = self._data.get("patterns", {}).get(name, _NOTHING)
        return _LIST.sub(lambda match: self.any_of(match[1]), raw)


def any_of(words: Iterable[str]) -> str:
    """Return a regular expression for any of `words`, the longest first; for none, one that matches nowhere."""
    escaped = [re.escape(word).replace(r"\ ", " ") for word in sorted(words, key=len, reverse=True)]
    return f"(?:{'|'.join(escaped)})" if escaped else _NOTHING


def without_lookalikes(text: str) -> str:
    """Return `text`, as long as before, with the letters of the lists for those that patterns cannot tell from them."""
    return text if text.isascii() else text.translate(_LOOKALIKES)


def known(language: str) -> str:
    """Return the language if there is a file for it, else English."""
    return language if language in languages() else ENGLISH


@cache
def languages() -> frozenset[str]:
    """Return the languages that there is a file for."""
    return frozenset(file.name.removesuffix(".toml") for file in files(__package__).joinpath(_FOLDER).iterdir())


@cache
def lexicon(language: str) -> Lexicon:
    """Read the file of a language; raises `FileNotFoundError` for one that is not `known`."""
    file = files(__package__).joinpath(_FOLDER, f"{language}.toml")
    return Lexicon(tomllib.loads(file.read_text("utf-8")))
