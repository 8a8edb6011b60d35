"""The sentences of an answer: quoted passages, and around them only values that an observation holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.ends import day_words
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.readings import Count
from campus_agent.models.offline.vocabulary import EVENT_VERBS, EVENT_WORDS, FUNCTION_WORDS, NAME_TAILS, SOFT_WORDS
from campus_agent.models.offline.words import stem, stem_set, stems, words

_WORD = re.compile(r"[^\W_]+(?:['’/&-][^\W_]+)*")
_IN_NAMES = (
    "the",
    "a",
    "an",
    "of",
    "for",
    "and",
    "in",
    "at",
    "on",
    "to",
    "next",
    "first",
    "last",
    "our",
    "upcoming",
    "this",
    "used",
)
_BEFORE_NAMES = re.compile(r"until|till|to|for|before|is|are|does|do|will|of|in|at|on|or|and", re.IGNORECASE)
# Not the first word of a sentence: its capital says nothing.
_INSIDE = re.compile(r"(?<![.!?›:] )(?<!^)\b[^\W_]+|\b[^\W_a-z]{2,}\b")
_LIMIT = re.compile(r"\b(?:due|deadlines?|ends?|over|clos\w+|finish\w*)\b", re.IGNORECASE)
_HOURS = re.compile(r"\bhours$", re.IGNORECASE)
_LEADS = ("the", "next", "our", "a", "an", "upcoming", "this")
_LEAD = re.compile(rf"^(?:(?:{'|'.join(_LEADS)})\s+)+", re.IGNORECASE)


def thing(question: Question, passage: Passage, *, verbs: bool = False) -> str:
    """Return the asked-about thing in the question's words, such as `the next chess club meeting`.

    Each word must stand in the passage, whose capitals it takes; else "" is returned. With `verbs` a verb that follows
    belongs to it: `the library opens`.
    """
    said = list(_WORD.finditer(question.text))
    nouns = [word for word in question.lights if fold(word) in NAME_TAILS | SOFT_WORDS | EVENT_WORDS]
    telling = set(question.keys or nouns)
    places = [place for place, found in enumerate(said) if telling.intersection(words(found.group()))]
    if not places:
        return ""
    first, last = places[0], places[-1]
    while last + 1 < len(said) and _may_follow(said[last + 1].group(), passage):
        last += 1
    if verbs and last + 1 < len(said) and fold(said[last + 1].group()) in EVENT_VERBS:
        last += 1
    while first > 0 and _may_lead(said[first - 1].group(), passage):
        first -= 1
    if any(_parts_phrase(word.group()) for word in said[first : last + 1 - verbs]):
        return ""
    first = _with_day(question.text, said, first)
    slice_ = question.text[said[first].start() : said[last].end()]
    if slice_.endswith(("'s", "s'")):  # of whom it is, but not what
        return ""
    unknown = [word for word in words(slice_) if not _is_known(word, passage)]
    return "" if unknown else _capitals_of(passage, slice_)


def counted(
    question: Question, passage: Passage | None, counts: Sequence[Count], quotes: str, *, to_its_end: bool = False
) -> str:
    """Say how many days it is until the soonest of some days, then quote.

    With `to_its_end` the day is the last one of several, which is said of the thing only in a verb such as "closes".
    """
    ahead = [count for count in counts if count.days >= 0]
    if not ahead:
        count = max(counts, key=lambda one: one.days)
        name = thing(question, passage) if passage and not to_its_end and not _LIMIT.search(question.text) else ""
        was = f"{capital(name)} {_was(name)}" if name else "That was"
        return f"{was} {days(-count.days)} ago, on {count.on}. {quotes}".strip()
    count = min(ahead, key=lambda one: one.days)
    name = thing(question, passage, verbs=True) if passage else ""
    if to_its_end and name and fold(name.split()[-1]) not in EVENT_VERBS:
        name = ""
    if any(one.passed for one in counts):
        event = name.split()[-1] if name and fold(name.split()[-1]) in EVENT_WORDS else ""
        has = "have" if be(event) == "are" else "has"
        today = f"Today's {event} {has} begun or passed" if event else "It has begun or passed today"
        return f"{today}; the next is in {days(count.days)}, on {count.on}. {quotes}".strip()
    return f"{_until(name, count)} {quotes}".strip()


def under_way(question: Question, passage: Passage, end: Count, quotes: str) -> str:
    """Say until when something goes on that has begun and lasts several days, or when it ended; then quote."""
    name = thing(question, passage) or "it"
    if end.days < 0:
        return f"{capital(name)} ended {days(-end.days)} ago, on {end.on}. {quotes}"
    if end.days == 0:
        return f"{capital(name)} {_verb(name, 'end')} today, {end.on}. {quotes}"
    return f"{capital(name)} {be(name)} going on until {end.on}. {quotes}"


def next_days(counts: Sequence[Count], quotes: str) -> str:
    """Say when the days that are named come next, where something is not on at each of them, then quote."""
    count = min(counts, key=lambda one: one.days)
    day, _, date = count.on.partition(", ")
    coming = "is today" if count.days == 0 else f"is in {days(count.days)}, on {date}"
    return f"The next {day} {coming}. {quotes}"


def compared(ranked: Sequence[tuple[str, Count, int]], quotes: str, *, later: bool) -> str:
    """Say which of some things, ranked by day and start, comes first (or last), then quote.

    A start is in minutes since midnight, -1 where it is not said.
    """
    (one, first, start), (_, second, next_start) = ranked[:2]
    if len(ranked) == 2 and first.days == second.days:
        known = start >= 0 and start != next_start
        earlier = f", and {one} {_verb(one, 'start')} earlier" if known else ""
        return f"Both are {_when(first)}{earlier}. {quotes}"
    chosen, *others = ranked[::-1] if later else ranked
    name, count, _ = chosen
    place = ("later" if len(ranked) == 2 else "last") if later else "first"
    said = [f"{capital(name)} {_verb(name, 'come')} {place}: {_when(count)}."]
    said += [f"{capital(other)} {be(other)} {_when(count)}." for other, count, _ in others]
    return f"{' '.join(said)} {quotes}"


def name_of(passage: Passage, question: Question | None = None) -> str:
    """Name what a passage is about: in the words of a question about it, else by its title."""
    if question is not None and (name := thing(question, passage)):
        return name
    if passage.name.endswith("?"):  # the question of a list of questions and answers
        return thing(read_question(passage.name), passage) or "it"
    return passage.name


def state(question: Question, passage: Passage, said: str, *, past: bool = False) -> str:
    """Say how the asked-about thing is, such as `The GPU lab is open right now`, or with `past` how it was."""
    name = thing(question, passage) or _own_name(passage)
    singular = re.search(r"\b(?:is|does)\b", question.text, re.IGNORECASE) and not _HOURS.search(name)
    many = be(name) == "are" and not singular
    verb = ("were" if many else "was") if past else "are" if many else "is"
    return f"{capital(name or 'it')} {verb} {said}"


def _own_name(passage: Passage) -> str:
    """Return what a passage calls itself; "" where its title, such as that of a file, is no name of what it tells."""
    name = "" if passage.name.endswith("?") else passage.name
    named = passage.row or stems(words(name)) & stem_set(passage.text)
    return name if named else ""


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
    if fold(name.split()[-1]) in EVENT_VERBS and name.split()[-1].islower():  # not of a "Swap Meet"
        return f"{capital(name)} {_when(count)}."
    return f"{capital(name)} {be(name)} {_when(count)}."


def _when(count: Count) -> str:
    return f"today, {count.on}" if count.days == 0 else f"in {days(count.days)}, on {count.on}"


def _may_follow(word: str, passage: Passage) -> bool:
    return fold(word) in EVENT_WORDS or (fold(word) in NAME_TAILS | SOFT_WORDS and _is_in(word, passage))


def _may_lead(word: str, passage: Passage) -> bool:
    if fold(word) in _LEADS:
        return True
    return not _parts_phrase(word) and not _BEFORE_NAMES.fullmatch(word) and _is_in(word, passage)


def _with_day(text: str, said: Sequence[re.Match[str]], first: int) -> int:
    """Return where a name begins with "the last day of" before it, where that is asked for."""
    asked = day_words(text)
    before = [found.group() for found in said[:first]]
    return first - 4 if asked and before[-4:] == ["the", *asked, before[-1]] else first


def _parts_phrase(word: str) -> bool:
    """Say whether a word, such as a verb, stands in no name of a thing."""
    return fold(word) in FUNCTION_WORDS and fold(word) not in _IN_NAMES


def _is_in(word: str, passage: Passage) -> bool:
    return stem(word) in passage.stems


def _is_known(word: str, passage: Passage) -> bool:
    return fold(word) in FUNCTION_WORDS | EVENT_WORDS | EVENT_VERBS or _is_in(word, passage)


def _capitals_of(passage: Passage, text: str) -> str:
    name = _LEAD.sub("", text)
    written = re.search(re.escape(name), f"{passage.name} . {passage.text} . {passage.title}", re.IGNORECASE)
    titled = written and all(word[0].isupper() for word in words(written.group()) if fold(word) not in _IN_NAMES)
    if written and titled and len(words(name)) > 1:
        return text[: -len(name)].lower() + written.group()
    forms = [found.group() for found in _INSIDE.finditer(f"{passage.text} › {passage.title}")]

    def form(found: re.Match[str]) -> str:
        word = found.group()
        if word in forms or fold(word) in _LEADS:
            return fold(word) if fold(word) in _LEADS else word
        return next((form for form in forms if fold(form) == fold(word)), word)

    return re.sub(r"[^\W_]+", form, text)


def be(name: str) -> str:
    """Return the verb after a name: "are" of several things, else "is"."""
    head = name.partition(" of ")[0].split()
    last = fold(head[-1]) if head else ""
    return "are" if last.endswith("s") and not last.endswith(("ss", "us", "is")) else "is"


def _was(name: str) -> str:
    return "were" if be(name) == "are" else "was"


def _verb(name: str, verb: str) -> str:
    return verb if be(name) == "are" else f"{verb}s"
