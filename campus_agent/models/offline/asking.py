"""Reading a question: what kind it is, what it wants, what it is about."""

from __future__ import annotations

import re
from dataclasses import replace

from rapidfuzz.distance import OSA

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.moment import Moment, from_today, read_moment
from campus_agent.models.offline.naming import subject_words, without_kind
from campus_agent.models.offline.of_classes import kind_of_classes
from campus_agent.models.offline.question import Kind, Question, Want
from campus_agent.models.offline.vocabulary import (
    ABILITIES,
    FUNCTION_WORDS,
    GREETINGS,
    LIGHT_WORDS,
    MONTHS,
    OFTEN_MISTYPED,
    POINTING,
    PRAISE,
    SHORTHAND,
    SMALL_TALK,
    THANKS,
)
from campus_agent.models.offline.wants import asks_who_has, wants_of
from campus_agent.models.offline.weighed import measure_of
from campus_agent.models.offline.words import words


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_LONGEST = 1000  # characters of a question that are read

_COUNT = _pattern(
    r"\bhow (?:many|much) (?:more )?(?:days?|weeks?|hours?|time)\b.*\b(?:until|till|before|left|away|remain)\b",
    r"\bhow (?:many|much) (?:more )?(?:days?|weeks?|hours?|time) from now\b",
    r"\bhow many (?:more )?(?:days|weeks)\b.*\b(?:is that|there to)\b",
    r"(?<!\bthe )(?<!\ba )\b(?:how many )?days? (?:until|till|left|before|away|to (?:go|the|our))\b",
    r"\bhow (?:long|soon|far)\b.*\b(?:until|till|before|away|off|is the next)\b",
    r"\bhow many (?:until|till|before)\b|\bhow soon\b",
    r"\bcountdown\b|\bcount the days\b|\bin how many days\b|^(?:and )?how many days\W*$",
    r"\bwhen(?: is| are| will)?(?: be)? (?:the|our|your) (?:next|upcoming)\b",
)
_COMPARE = _pattern(
    r"\b(?:sooner|earlier|closer|nearer|soonest)\b",
    r"^(?:and )?(?:which|what)\b.*\b(?:earliest|latest)\b|^and the (?:earliest|latest)\b",
    r"\b(?:comes?|happens?|meets?|starts?|begins?|opens?) (?:first|next|last|later)\b",
    r"\bwhich\b.*\b(?:is|are) (?:\w+ )?(?:first|next|last|later)\b",
)
_BETWEEN = _pattern(r",|\b(?:or|vs|versus|and|than)\b")
_CLOCK = _pattern(
    r"\b(?:what|which) (?:time|day|date|weekday)(?: of the week)? (?:is|was) (?:it|today|tomorrow)\b",
    r"\bwhat is (?:the |today's )(?:current |exact )?(?:time|date|day)\b|\bwhat is today\b",
    r"\b(?:current|today's) (?:time|date|day)\b|\b(?:know|have|got|tell me) the (?:time|date|day)\b",
)
_IS_TODAY = _pattern(r"^(?:so )?is (?:it|today) (?:a )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\W*$")
_HOW_ARE_YOU = _pattern(r"^(?:hi|hello|hey)?\W*how(?: is it going| are (?:you|things)(?: today| doing)?)\W*$")
_ELSEWHERE = _pattern(r"\btime (?:is it )?(?:right )?(?:now )?in\b")
_POLAR = _pattern(r"^(?:(?:and|so|but|or|hi|hello|hey|ok|okay)\W+)*(?:is|are|was|will|does|do|can|could|has|have|am)\b")
_LIST = _pattern(
    r"^(?:and |so )?(?:what|which) (?:\w+ )*?\w+s (?:are|do you|exist|can i|meet|is there|do we)\b",
    r"^(?:(?:is|are) there )?any \w+s\b|^(?:please )?(?:list|name)\b",
    r"\b(?:all|every) (?:the |of the )?\w+s\b|\bare there any\b",
)
_ASKS_ANEW = _pattern(r"^(?:(?:and|so|but) )?(?:how (?!about\b)|why\b|who\b|what (?!about\b))")
_ASKS_BOUND = _pattern(r"^(?:(?:and|so|but) )?(?:(?:un)?till? (?:when|what time)|from when|how late|what times?)\b")
_TO_BE_DONE = _pattern(r"\b(?:have|has|need|needs|allowed|supposed|able) to (\w+)(?: to (\w+))?")
_INHERITS = _pattern(r"^(?:and|what about|how about|or)\b")
_OPENING = _pattern(
    r"\b(?:open|opens|opening|opened|close|closes|closed|shut|shuts)\b",
    r"(?<!office )(?<!contact )(?<!drop-in )(?<!how many )(?<!\d )\bhours\b",
)
_NEGATED = _pattern(r"\b(?:not|never|no longer)\b|n't\b")
_CLOSED = _pattern(r"\b(?:closed|shut)\b")
_ORDINAL = _pattern(
    r"\bthe (?:first|second|third|last|other|former|latter) (?:one|of (?:them|those|the two))\b",
    r"\bthe (?:former|latter)\b",
)
_OPEN_NOW = _pattern(r"^(?:(?:and|so|but|hi|hello|hey)\W+)*(?:is|are)\b.*\b(?:open|closed)\W*$")
_OPEN_STATE = _pattern(r"^(?:(?:and|so|but|hi|hello|hey)\W+)*(?:is|are|will)\b.*\b(?:open|closed)\b")
_WHAT_IS_OPEN = _pattern(r"^(?:what|which|anything|who)\b(?!.*\b(?:hours|time)\b)")
_WHAT_IS_ON = _pattern(r"^(?:and |so )?(?:what|which|any|are there)\b.*\b(?:events?|happening|happens|(?:going )?on)\b")
_WHAT_IS_DUE = _pattern(
    r"^(?:(?:and|so) )?(?:what is|(?:what|which) \w+s are|(?:is|are)(?: there)? (?:anything|something|any \w+)"
    r"|anything) (?:due|\w+ed|\w+ing)\b"
)
_HOURS_UNTIL = _pattern(r"\bhow (?:many (?:more )?(?:hours|minutes)|much (?:more )?time)\b.*\b(?:until|till|before)\b")
_THIS_TIME = _pattern(r"\bthis (?=(?:coming )?(?:week|month|year|term|semester|morning|afternoon|evening|\w+day))")
_ASKS = _pattern(r"\b(?:what|who|which|how|why|should|do i|need)\b")

_TOLD_BY_PART = _pattern(r"\b(1?\d(?::\d\d)?)(?: o'clock)? in the (morning|afternoon|evening)\b")
_SHORTHAND = _pattern(rf"(?<![\w'/])(?:{'|'.join(map(re.escape, SHORTHAND))})(?![\w'/])")
_WITH = re.compile(r"\bw/ ?(?=[a-z]{2})|(?<=[a-z] )w (?=[a-z])")  # a capital W may be a mark
_GREETING = _pattern(
    r"^(?:good (?:morning|afternoon|evening|day)|hi|hello|hey|howdy)(?: there| everyone| all)?\b[\s,.!-]*(?=\w)"
)


def read_question(text: str, previous: Question | None = None) -> Question:
    """Read a question; one that leaves something out ("and the library?") takes it from the `previous` one."""
    text = _put_right(text)
    moment, rest = read_moment(text)
    keys, lights, query = subject_words(rest)
    query = f"{query} {from_today(text)}".strip() if query else ""
    keys, lights = without_kind(text, keys, lights)
    if moment.month and (_WHAT_IS_ON.match(text) or _WHAT_IS_DUE.match(text)):
        keys = tuple(key for key in keys if fold(key) != fold(MONTHS[moment.month - 1]))
    moment = _here_and_now(moment, text)
    if not keys and moment.names_day and asks_who_has(text):  # "who has hours on Friday?" is about hours
        keys, lights = lights, ()
    question = Question(
        text=text,
        kind=Kind.LOOK_UP,
        wants=wants_of(text, counts=_COUNT.search(text) is not None, opening=_OPENING.search(text) is not None),
        keys=keys,
        lights=lights,
        query=query,
        moment=moment,
        points=_pronoun(rest) or (not (keys or lights) and _ASKS_BOUND.match(text) is not None and bool(moment)),
        polar=_POLAR.match(text) is not None,
        opening=_OPENING.search(text) is not None,
        asks_closed=_CLOSED.search(text) is not None,
        negated=_NEGATED.search(text) is not None,
    )
    question = replace(question, kind=_kind(question))
    if previous and previous.kind in _PASSED_ON and _leaves_out(question, rest):
        return _inherit(question, previous)
    return question


def _here_and_now(moment: Moment, text: str) -> Moment:
    """Read "is it open?" as of this moment, and "is it open at noon?" as of today."""
    if not moment and not moment.vague and not moment.part and _OPEN_NOW.match(text):
        return replace(moment, now=True)
    if not moment and _HOURS_UNTIL.search(text):
        return replace(moment, ahead=0)
    timed = moment.minutes is not None and not (moment.now or moment.days or moment.dates or moment.vague)
    return replace(moment, ahead=0) if timed and moment.ahead is None and _OPEN_STATE.match(text) else moment


_PASSED_ON = (Kind.COUNT, Kind.ON, Kind.LOOK_UP)


def _leaves_out(question: Question, rest: str) -> bool:
    """Say whether a question leaves its verb to the one before it; `rest` is its text without its moment."""
    if not words(rest):  # only a day: "on Saturday?"
        return True
    if _ASKS_ANEW.match(question.text):
        return False
    if question.kind not in (Kind.LOOK_UP, Kind.ON) or question.wants or question.polar or question.opening:
        return False
    return not (question.keys or question.lights) or _INHERITS.match(question.text) is not None


def pointed_at(text: str) -> int | None:
    """Return which of several things a question points at, counted from 0 (-1: the last); None for no such words.

    "The other one" is the one before the last.
    """
    found = _ORDINAL.search(text)
    return _PLACES[found.group().split()[1].casefold()] if found else None


_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1, "other": -2}


def split_question(text: str) -> list[str]:
    """Cut a text into the questions that it asks, where each is about a thing of its own."""
    pieces = re.split(
        r"[?!]\s+(?=\w)|,?\s+and(?: also)?\s+(?=(?:when|where|who|what|how|which|is|are|does|do|can)\b)",
        text,
        flags=re.I,
    )
    pieces = [piece for piece in pieces if piece.strip() and not _small_talk(piece)] or [text]
    alone = [subject_words(read_moment(_put_right(piece))[1])[0] for piece in pieces]
    return pieces if all(alone) and not _COMPARE.search(text) and not measure_of(text) else [text]


def _inherit(question: Question, previous: Question) -> Question:
    timed = previous.kind is Kind.COUNT or Want.WHEN in previous.wants
    kind = Kind.ON if question.moment and timed else previous.kind
    done = _TO_BE_DONE.search(previous.text) if question.keys else None
    keys = [key for key in (done.groups() if done else ()) if key in previous.keys and key not in question.keys]
    return replace(
        question,
        kind=kind,
        keys=(*question.keys, *keys),
        query=" ".join([question.query, *keys]).strip(),
        wants=previous.wants,
        moment=_followed(question.moment, previous.moment),
        polar=previous.polar,
        opening=previous.opening,
        asks_closed=previous.asks_closed,
        follows=previous,
    )


def _followed(moment: Moment, previous: Moment) -> Moment:
    """Return the moment of a follow-up: what it says, and of the day that went before what it leaves out."""
    if not moment:
        return previous
    day_said = moment.now or moment.ahead is not None or moment.days or moment.dates
    return moment if day_said else replace(previous, now=False, minutes=moment.minutes, part="", vague=moment.vague)


def _kind(question: Question) -> Kind:
    """Return what has to be done: the first that fits."""
    text = question.text
    if small := _small_talk(text):
        return small
    if measure_of(text):
        return Kind.WEIGH
    if _COMPARE.search(text) and (not question.keys or _BETWEEN.search(text)):
        return Kind.COMPARE
    if _COUNT.search(text) and not (question.opening and _HOURS_UNTIL.search(text)):
        return Kind.COUNT
    return _kind_by_time(question) or (Kind.LIST if _LIST.search(text) and question.keys else Kind.LOOK_UP)


def _kind_by_time(question: Question) -> Kind | None:
    """Return the kind of a question that speaks of a moment; None when it is about something else."""
    text, moment, keys, opening = question.text, question.moment, question.keys, question.opening
    if of_classes := kind_of_classes(question):
        return of_classes
    if moment.spans and not keys and _WHAT_IS_ON.match(text):
        return Kind.AGENDA
    if (moment or moment.spans) and keys and not opening and _WHAT_IS_DUE.match(text):
        return Kind.AGENDA
    if moment.spans and not moment and keys and _LIST.search(text):
        return Kind.AGENDA
    named = bool(moment.days or moment.dates)
    if _IS_TODAY.search(text):
        return Kind.CLOCK
    if _CLOCK.search(text) and not opening and (not keys or _ELSEWHERE.search(text)):
        return Kind.COUNT if named else Kind.CLOCK
    if not moment:
        return None
    if not keys and (not opening or _WHAT_IS_OPEN.match(text)) and not _points_back(text):
        return Kind.COUNT if named and Want.WHEN in question.wants and not opening else Kind.AGENDA
    if keys and (_LIST.search(text) or (moment.names_day and asks_who_has(text))):
        return Kind.LIST
    asks = question.polar or opening or Want.WHEN in question.wants or not _ASKS.search(text)
    return Kind.ON if asks else None


def _points_back(text: str) -> bool:
    return _pronoun(text) or _INHERITS.match(text) is not None or _ASKS_BOUND.match(text) is not None


def _pronoun(text: str) -> bool:
    """Say whether a text points at something with a pronoun; the "there" of "is there" points at nothing."""
    text = _THIS_TIME.sub(" ", text)
    text = re.sub(r"\b(?:is|are|was|were) there\b|\bthere (?:is|are)\b", " ", text, flags=re.IGNORECASE)
    return not POINTING.isdisjoint(words(fold(text)))


def _small_talk(text: str) -> Kind | None:
    said = set(words(fold(text)))
    plain = " ".join(words(fold(text))).removesuffix(" for me").removesuffix(" with")
    if plain in ABILITIES:
        return Kind.ABILITIES
    if not said or not (said <= SMALL_TALK | GREETINGS | THANKS or _HOW_ARE_YOU.match(text)):
        return None
    if said & THANKS or said <= PRAISE:
        return Kind.THANKS
    return Kind.HELLO if said & GREETINGS or _HOW_ARE_YOU.match(text) else None


def _put_right(text: str) -> str:
    """Spell contractions out, and put right a slip of the finger in a common word."""
    text = re.sub(r"[\u2018\u2019]", "'", " ".join(text[:_LONGEST].split()))
    if not _small_talk(text):
        text = _GREETING.sub("", text)
    text = _SHORTHAND.sub(lambda found: SHORTHAND[found.group().casefold()], text)
    text = _WITH.sub("with ", text)
    text = _ORDINAL.sub("it", text.lower() if text.isupper() and " " in text else text)
    text = re.sub(r"\b(what|when|where|who|how)'?s\b|\b(that|it|there)'s\b", r"\1\2 is", text, flags=re.IGNORECASE)
    text = _TOLD_BY_PART.sub(lambda said: f"{said[1]} {'AM' if said[2].casefold() == 'morning' else 'PM'}", text)
    return re.sub(r"[A-Za-z]+", lambda found: _common_word(found.group()), text)


def _common_word(word: str) -> str:
    folded = fold(word)
    if len(folded) < 3 or word.isupper() or folded in FUNCTION_WORDS or folded in LIGHT_WORDS:
        return word
    for common in OFTEN_MISTYPED:
        known = fold(common)
        if folded != known and folded[0] == known[0] and OSA.distance(folded, known, score_cutoff=1) == 1:
            swapped = sorted(folded) == sorted(known)
            if swapped or (len(known) > 3 and known not in ("open", "does") and len(folded) <= len(known)):
                return common
    return word
