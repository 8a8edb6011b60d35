"""What a question is about: the words that count, and those that only help."""

from __future__ import annotations

import re

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.ends import day_words
from campus_agent.models.offline.vocabulary import (
    FUNCTION_WORDS,
    HOLIDAYS,
    LIGHT_WORDS,
    NAMES_OF_SMALL_WORDS,
    SOFT_WORDS,
)
from campus_agent.models.offline.words import words


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_MEASURES = _pattern(
    r"\b24/7\b|\b24 hours\b|\bhow many hours\b",
    r"\b(?:what|which|much|more|the) times?\b|\btime is\b|\bhow many weeks\b",
    r"\b(?:this|next|last|a|per|each|every|the) weeks?\b",
    r"\b(?:this|next|last|coming) (?:year|month)\b",
    r"\bwho (?:do|should|can|could|must) (?:i|we) (?:write|go|turn)\b(?: to\b)?",
)
# How much is wanted is no part of what it is called: "a tent for 2 nights", "I am 5 minutes late", "if I am 17".
_SO_MANY = r"(?:\d+|an?|one|two|three|four|five|six|seven)"
_UNITS = r"km/h|kmh|mph|km|kilometers|miles|kg|lbs?|cm|meters|metres|degrees|dollars|bucks|euros|pounds|cents"
_SO_LONG = r"(?:minute|hour|day|night|week|month|year)s?"
_OWN_AMOUNT = _pattern(
    rf"\b(?:for|i am|we are|is|be|work|after) {_SO_MANY} {_SO_LONG}\b(?: old\b)?",
    rf"\b(?:is|are|be|owe|have|about|over|under|above|below) (?:[$€£]\s?)?{_SO_MANY} ?(?:{_UNITS})\b",
    r"(?<=\bi have )\d+(?= [a-z])|(?<=\bowe )[$€£]\s?\d+",
    r"\b(?:i am|he is|she is) \d\d?(?=\W*$)",
)
_NAMED = _pattern(
    r"\bhow many (?P<counted>(?!more|other|different|total|of)\w+ \w+) (?:do|does|can|may|are|is|am|will|should)\b",
    r"\b(?:turn|hand|pay|return|register|enroll|add|sub)(?:mit)?\b.*\b(?P<late>late)\b",
    rf"\b(?P<name>{'|'.join(NAMES_OF_SMALL_WORDS)})\b",
)
# The name of a holiday names it alone: of "Thanksgiving break" a calendar may say "Thanksgiving".
_HOLIDAY = _pattern(rf"\b({'|'.join(HOLIDAYS)}) (?:break|holidays?|recess|vacation|weekend)\b")
_WHICH_DOES = _pattern(r"^(?:(?:and|so) )?which (\w+) (?!(?:is|does|has|was)\b)\w+s\b")


def subject_words(text: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the words that a question is about: those that count, those that help, and both in order."""
    phrases = [found["counted"] or found["late"] or found["name"] for found in _NAMED.finditer(text)]
    text = _HOLIDAY.sub(r"\1", _OWN_AMOUNT.sub(" ", text))
    bound = day_words(text)
    named = {fold(word) for phrase in (*phrases, *bound) for word in words(phrase)}
    kept = [
        word
        for word in words(_MEASURES.sub(" ", text))
        if fold(word) not in FUNCTION_WORDS or (word.isupper() and len(word) > 1) or fold(word) in named
    ]
    telling = [word for word in kept if word not in bound]  # "the last day" tells which day, and not of what
    heavy = [word for word in telling if fold(word) not in LIGHT_WORDS or fold(word) in _beyond(text)]
    keys = tuple([word for word in heavy if fold(word) not in SOFT_WORDS] or heavy)
    lights = (*(word for word in telling if word not in keys), *bound)
    return keys, lights, " ".join(dict.fromkeys(kept))


def _beyond(text: str) -> set[str]:
    """Return the words that make another thing of the one that they stand before: "extra credit" is no credit."""
    found = re.finditer(r"(?<!\ban )\b(extra|additional) ([^\W_]+)", text, re.IGNORECASE)
    return {fold(pair[1]) for pair in found if fold(pair[2]) not in LIGHT_WORDS | FUNCTION_WORDS}


def without_kind(text: str, keys: tuple[str, ...], lights: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Let the kind of "which dorm allows cats?" only help to choose: what answers may be called by its name alone."""
    asked = _WHICH_DOES.match(text)
    rest = tuple(key for key in keys if asked and fold(key) != fold(asked[1]))
    if len(rest) < 2 or len(rest) == len(keys):
        return keys, lights
    return rest, (*(key for key in keys if key not in rest), *lights)
