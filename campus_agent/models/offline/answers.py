"""The sentences of an answer: quoted passages, and around them only values that an observation holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.readings import Count
from campus_agent.models.offline.vocabulary import EVENT_VERBS, EVENT_WORDS, FUNCTION_WORDS
from campus_agent.models.offline.words import stem, words

_WORD = re.compile(r"[^\W_]+(?:['’/&-][^\W_]+)*")
_TAILS = ("time", "times", "week", "weeks", "day", "room", "class", "classes", "program", "desk")
_BEFORE_NAMES = re.compile(r"until|till|to|for|before|is|are|does|do|will|of|in|at|on|or|and", re.IGNORECASE)
# Not the first word of a sentence: its capital says nothing.
_INSIDE = re.compile(r"(?<![.!?›:] )(?<!^)\b[^\W_]+|\b[^\W_a-z]{2,}\b")
_LEADS = ("the", "next", "our", "a", "an", "upcoming", "this")


def thing(question: Question, passage: Passage, *, verbs: bool = False) -> str:
    """Return the asked-about thing in the question's words, such as `the next chess club meeting`.

    Each word must stand in the passage, whose capitals it takes; else "" is returned. With `verbs` a verb that follows
    belongs to it: `the library opens`.
    """
    said = list(_WORD.finditer(question.text))
    places = [place for place, found in enumerate(said) if set(words(found.group())) & set(question.keys)]
    if not places:
        return ""
    first, last = places[0], places[-1]
    while last + 1 < len(said) and _may_follow(said[last + 1].group(), passage):
        last += 1
    if verbs and last + 1 < len(said) and fold(said[last + 1].group()) in EVENT_VERBS:
        last += 1
    while first > 0 and _may_lead(said[first - 1].group(), passage):
        first -= 1
    slice_ = question.text[said[first].start() : said[last].end()]
    unknown = [word for word in words(slice_) if not _is_known(word, passage)]
    return "" if unknown else _capitals_of(passage, slice_)


def counted(question: Question, passage: Passage | None, counts: Sequence[Count], quotes: str) -> str:
    """Say how many days it is until the soonest of some days, then quote."""
    ahead = [count for count in counts if count.days >= 0]
    if not ahead:
        count = max(counts, key=lambda one: one.days)
        return f"That was {days(-count.days)} ago, on {count.on}. {quotes}".strip()
    count = min(ahead, key=lambda one: one.days)
    name = thing(question, passage, verbs=True) if passage else ""
    if any(one.passed for one in counts):
        event = name.split()[-1] if name and fold(name.split()[-1]) in EVENT_WORDS else ""
        has = "have" if event and _are(event) == "are" else "has"
        today = " ".join(filter(None, ("Today's", event, has, "begun or passed")))
        return f"{today}; the next is in {days(count.days)}, on {count.on}. {quotes}".strip()
    return f"{_until(name, count)} {quotes}".strip()


def compared(ranked: Sequence[tuple[str, Count, int]], quotes: str, *, later: bool) -> str:
    """Say which of two things, ranked by day and start, comes first (or later), then quote.

    A start is in minutes since midnight, -1 where it is not said.
    """
    (one, first, start), (two, second, next_start) = ranked[:2]
    if first.days == second.days:
        known = start >= 0 and start != next_start
        earlier = f", and {one} {_verb(one, 'start')} earlier" if known else ""
        return f"Both are {_when(first)}{earlier}. {quotes}"
    if later:
        (one, first), (two, second) = (two, second), (one, first)
    verdict = f"{capital(one)} {_verb(one, 'come')} {'later' if later else 'first'}: {_when(first)}."
    return f"{verdict} {capital(two)} {_are(two)} {_when(second)}. {quotes}"


def name_of(passage: Passage, question: Question | None = None) -> str:
    """Name what a passage is about: in the words of a question about it, else by its title."""
    if question is not None and (name := thing(question, passage)):
        return name
    if passage.name.endswith("?"):  # the question of a list of questions and answers
        return thing(read_question(passage.name), passage) or "it"
    return passage.name


def state(question: Question, passage: Passage, said: str) -> str:
    """Say how the asked-about thing is, such as `The GPU lab is open right now`."""
    name = thing(question, passage)
    if not name:
        return f"It is {said}"
    plural = re.search(r"\b(?:are|do)\b", question.text, re.IGNORECASE) and _are(name) == "are"
    return f"{capital(name)} {'are' if plural else 'is'} {said}"


def joined(quotes: Iterable[str], separator: str = " ") -> str:
    """Join quotes, each once."""
    return separator.join(dict.fromkeys(quotes))


def spaced(*parts: str) -> str:
    """Join the sentences that are there with spaces."""
    return " ".join(part for part in parts if part)


def capital(text: str) -> str:
    """Begin a text with a capital letter."""
    return text[:1].upper() + text[1:]


def days(count: int) -> str:
    """Write a number of days."""
    return f"{count} day" if count == 1 else f"{count} days"


def _until(name: str, count: Count) -> str:
    if not name:
        return f"That is {_when(count)}."
    if fold(name.split()[-1]) in EVENT_VERBS:
        return f"{capital(name)} {_when(count)}."
    return f"{capital(name)} {_are(name)} {_when(count)}."


def _when(count: Count) -> str:
    return f"today, {count.on}" if count.days == 0 else f"in {days(count.days)}, on {count.on}"


def _may_follow(word: str, passage: Passage) -> bool:
    return fold(word) in EVENT_WORDS or (fold(word) in _TAILS and _is_in(word, passage))


def _may_lead(word: str, passage: Passage) -> bool:
    return fold(word) in _LEADS or (not _BEFORE_NAMES.fullmatch(word) and _is_in(word, passage))


def _is_in(word: str, passage: Passage) -> bool:
    return stem(word) in passage.stems


def _is_known(word: str, passage: Passage) -> bool:
    return fold(word) in FUNCTION_WORDS | EVENT_WORDS | EVENT_VERBS or _is_in(word, passage)


def _capitals_of(passage: Passage, text: str) -> str:
    forms = [found.group() for found in _INSIDE.finditer(f"{passage.text} › {passage.title}")]

    def form(found: re.Match[str]) -> str:
        word = found.group()
        if word in forms or fold(word) in _LEADS:
            return fold(word) if fold(word) in _LEADS else word
        return next((form for form in forms if fold(form) == fold(word)), word)

    return re.sub(r"[^\W_]+", form, text)


def _are(name: str) -> str:
    last = fold(name.split()[-1]) if name.split() else ""
    return "are" if last.endswith("s") and not last.endswith(("ss", "us", "is")) else "is"


def _verb(name: str, verb: str) -> str:
    return verb if _are(name) == "are" else f"{verb}s"
