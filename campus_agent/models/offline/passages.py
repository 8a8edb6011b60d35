"""What a search returned, read back, and a passage as an answer uses it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from campus_agent.guardrail.hostile import trusted
from campus_agent.knowledge.words import fold
from campus_agent.models.offline.certainty import is_certain
from campus_agent.models.offline.changes import cancelled, read_coming, read_series
from campus_agent.models.offline.dates import blank_dates, falls_on, read_dates, read_ranges, same_date
from campus_agent.models.offline.exceptions import without_exceptions
from campus_agent.models.offline.hours import read_schedule
from campus_agent.models.offline.rows import Row, is_part, of_column, read_row, row_name, told
from campus_agent.models.offline.schedule import Schedule
from campus_agent.models.offline.sections import about, narrow, sentences, tells_apart
from campus_agent.models.offline.words import stem_set, stems, words

_UNTELLING = ("hours", "opening hours", "opening times", "times", "schedule", "timetable", "events")  # titles
LONGEST_QUOTE = 320  # characters of a passage that are quoted whole; of a longer one only what was asked

_LINE = re.compile(r"- (?P<title>.+?): (?P<text>.+?)(?: \((?P<source>(?:[^()]|\([^()]*\))*)\))?")
_SENTENCES = re.compile(r".*[.!?;]")
_READ_AS = re.compile(r'Read "([^"]+)" as "([^"]+)"')
_UNMATCHED = re.compile(r"[Nn]o passage mentions:? (.+?)\.(?:\s|$)")
_WEEKLY = re.compile(r"\b(?:every|each|weekly)\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days\b", re.IGNORECASE)
# Meetings that are not held every week: their weekday alone does not say which day is next.
_NOT_WEEKLY = re.compile(
    r"\b(?:first|second|third|fourth|last|1st|2nd|3rd|4th|other)(?:\s+(?:and|or)\s+\w+)?\s+\w+days?\b"
    r"|\b(?:monthly|fortnightly|bi-?weekly|every (?:two|2|other) weeks?|once a (?:month|semester|term|year))\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"past:", re.IGNORECASE)
# Words that make a date a limit, or something else than the day of an event.
_BOUND = re.compile(
    r"\b(?:by|before|until|till|from|since|after|as of|starting|deadline|due|through|between|except|not|no|cancel\w*"
    r"|postponed|moved|closed|closes|clos(?:ing|ure)|ends?|if|register\w*|registration|apply|applications?)\b|n[’']t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as the search tool shows it.

    Attributes:
        title: where it stands.
        text: what it says.
        source: the file, and the line in it where that is known.
        regular: its text without the exceptions that are about other days than the one in question, once that is known.
    """

    title: str
    text: str
    source: str = ""
    regular: str = field(default="", compare=False)

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its title and text."""
        return stem_set(f"{self.title} . {self.text}")

    @property
    def title_stems(self) -> frozenset[str]:
        """The stems of its title."""
        return stem_set(self.title)

    @property
    def source_stems(self) -> frozenset[str]:
        """The stems of the name of its file, which may say what all in it is: "clubs.json"."""
        return stem_set(PurePath(self.source.partition(",")[0]).stem)

    @property
    def row(self) -> Row:
        """Its columns, when it is a row of a table."""
        return read_row(self.text)

    @property
    def name(self) -> str:
        """What it is about: the name that a row gives, else the last part of its title path that names something."""
        parts = [part.strip() for part in self.title.split(" › ")]
        telling = [part for part in parts if fold(part).replace("_", " ") not in _UNTELLING]
        return row_name(self.row) or (telling or parts)[-1]


@dataclass(frozen=True, slots=True)
class Found:
    """What one search returned.

    Attributes:
        passages: best first.
        read_as: words of the query that were read as other words, in lower case, each with what it was read as.
        unmatched: words of the query that no passage mentions, in lower case.
    """

    passages: tuple[Passage, ...] = ()
    read_as: tuple[tuple[str, str], ...] = ()
    unmatched: frozenset[str] = frozenset()


def read_found(observation: str | None) -> Found:
    """Read the observation of a search; one that failed found nothing."""
    if observation is None:
        return Found()
    passages, notes = [], []
    for line in observation.splitlines():
        found = _LINE.fullmatch(line.strip())
        if found and line.startswith("- "):
            title, text = _harmless(found["title"]), _harmless(found["text"])
            if title and text:
                passages.append(Passage(title, text, found["source"] or ""))
        else:
            notes.append(line)
    said = "\n".join(notes)
    unmatched = [fold(word.strip()) for listed in _UNMATCHED.findall(said) for word in listed.split(",")]
    read_as = tuple((fold(word), meant) for asked, meant in _READ_AS.findall(said) for word in words(asked))
    return Found(tuple(passages), read_as, frozenset(unmatched))


def _harmless(text: str) -> str:
    """Return what of `text` may be quoted: all before the first sentence that speaks to the model."""
    kept = trusted(text)
    if kept == text:
        return text
    whole = _SENTENCES.match(kept)
    return whole[0] if whole else ""


def likeness(passage: Passage, other: Passage) -> int:
    """Return how much a row is like another of its table: the number of stems that both have; 0 for anything else."""
    columns = [[name for name, _ in one.row] for one in (passage, other)]
    return len(passage.stems & other.stems) if columns[0] and columns[0] == columns[1] else 0


def schedule_of(passage: Passage, wanted: frozenset[str]) -> Schedule:
    """Read the days and hours that a passage says of the `wanted` stems, as far as they are those of every week."""
    whole = passage.regular or passage.text
    regular = without_exceptions(whole, wanted)
    text = narrow(told(of_column(regular, wanted)), wanted, passage.title_stems)
    if _NOT_WEEKLY.search(text):
        return Schedule(certain=False)
    schedule = read_schedule(blank_dates(text))
    dayless = not any(rule.days for rule in schedule.rules)
    certain = not dayless and is_certain(whole, text) and not tells_apart(text)
    return replace(schedule, certain=certain, whole=not is_part(passage.row))


def dates_of(passage: Passage, wanted: frozenset[str], *, last: bool = False) -> tuple[str, ...]:
    """Read the dates that a passage says of the `wanted` stems; none where they only bound what is on every week.

    Of a repeating event of a calendar they are its coming dates, or the last one when all are past.
    """
    if series := read_series(passage.text) or read_coming(passage.text):
        return series.dates
    text = narrow(without_exceptions(passage.text, wanted), wanted, passage.title_stems)
    weekly = _WEEKLY.search(text) is not None and read_schedule(blank_dates(text)).days
    if weekly and _PAST.match(passage.text):
        return read_dates(text, last=True)[-1:]
    return () if weekly else read_dates(text, last=last)


def span_of(passage: Passage, wanted: frozenset[str], first: str) -> str:
    """Return the last day of the range of dates that begins on a day, as a passage says it; "" where there is none."""
    text = narrow(without_exceptions(passage.text, wanted), wanted, passage.title_stems)
    return next((last for begin, last in read_ranges(text) if begin != last and same_date(begin, first)), "")


def takes_place(passage: Passage, wanted: frozenset[str], date: str) -> bool | None:
    """Say whether one of the dates that a passage says of the `wanted` is the one asked; None where it gives none."""
    series = read_series(passage.text) or read_coming(passage.text)
    if series and (on := series.on(date)) is not None:
        return on
    if series or not dates_of(passage, wanted):
        return None
    return falls_on(date, narrow(without_exceptions(passage.text, wanted), wanted, passage.title_stems))


def cancellation(passage: Passage, wanted: frozenset[str]) -> str:
    """Return how a passage says that the `wanted` does not take place, such as "postponed"; "" where it does not."""
    named = passage.title_stems & wanted
    return cancelled(passage.text if named else narrow(passage.text, wanted, passage.title_stems))


def plain_date(passage: Passage, wanted: frozenset[str]) -> str | None:
    """Return the one date on which a passage says that the `wanted` takes place; None where it is not that plain."""
    dates = dates_of(passage, wanted)
    bounded = dates != dates_of(passage, wanted, last=True) or _BOUND.search(passage.text)
    return dates[0] if len(dates) == 1 and not bounded else None


def quote(passage: Passage, wanted: frozenset[str]) -> str:
    """Return the words of a passage that answer, verbatim: all of a short one, of a long one what is asked about.

    Only its first letter may change, into the capital of a sentence. The title goes
    first where the text alone does not say what it is about.
    """
    series = read_series(passage.text)
    text = series.told if series else passage.text
    if len(text) > LONGEST_QUOTE:
        text = _shortened(about(text, wanted))
    if series and series.exception:
        text = f"{text} {series.exception}"
    name, has = passage.name, stem_set(text)
    if not wanted <= has and not name.endswith("?") and not stems(words(name)) <= has:
        text = f"{name}: {text}"
    text = text[:1].upper() + text[1:]
    return text if re.search(r"[.!?…][\"')\]]*$|[/@]\S*$", text) else f"{text}."


def _shortened(text: str) -> str:
    """Return the first sentences of a text, at least one."""
    first, *rest = sentences(text)
    for sentence in rest:
        if len(first) + len(sentence) >= LONGEST_QUOTE:
            break
        first += f" {sentence}"
    return first
