"""Finding the passages that a question is about: in what was said before, or by searching."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from campus_agent.knowledge.words import fold
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.offline.case import Calls, Case, Observations, call
from campus_agent.models.offline.choosing import choose
from campus_agent.models.offline.items import each_item, named_items
from campus_agent.models.offline.passages import (
    Found,
    Passage,
    cancellation,
    dates_of,
    likeness,
    quote,
    read_found,
    schedule_of,
    takes_place,
)
from campus_agent.models.offline.question import Kind, Question, Want
from campus_agent.models.offline.rows import row_name
from campus_agent.models.offline.same_question import without_verdict
from campus_agent.models.offline.schedule import Schedule
from campus_agent.models.offline.subject import Subject, called_short, clipped, subject_of
from campus_agent.models.offline.turns import SEARCH
from campus_agent.models.offline.vocabulary import SOFT_WORDS
from campus_agent.models.offline.wanted import asks_only_how_many, fits
from campus_agent.models.offline.words import stem_set, words

# Words that stand where a thing is told of, in a base where its name stands in many places.
_TOLD_BY = {Want.WHERE: "room", Want.COST: "cost", Want.CONTACT: "email"}

_JUST_NOW = 2  # passages that were spoken of
_HOW_LONG = re.compile(r"\bhow long\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"\b(?:minutes?|hours?|days?|weeks?|months?|years?|terms?|semesters?|pages?|words?|met(?:er|re)s?|until|till)\b"
    r"|\d",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """The passages that answer a question, best first, and what it is about.

    `beside` holds what came back for the calls that were made beside the search, `found` all that was found, whether
    or not it answers.
    """

    passages: tuple[Passage, ...]
    subject: Subject
    beside: Observations = ()
    found: tuple[Passage, ...] = ()

    @property
    def quotes(self) -> list[str]:
        """The passages, quoted."""
        return [quote(passage, self.subject.keys) for passage in self.passages]

    def schedule(self, place: int = 0) -> Schedule:
        """Read the days and hours of a passage."""
        return schedule_of(self.passages[place], self.subject.stems)

    def dates(self, place: int = 0, *, last: bool = False) -> tuple[str, ...]:
        """Read the dates of a passage; none where they only bound something that is on every week."""
        return dates_of(self.passages[place], self.subject.stems, last=last)

    def takes_place(self, place: int, date: str) -> bool | None:
        """Say whether a passage tells that it is on at a date; None where it gives no dates."""
        return takes_place(self.passages[place], self.subject.stems, date)

    @property
    def cancelled(self) -> Passage | None:
        """The first of all that was found which says that the thing does not take place."""
        about_it = [other for other in self.found if self.subject.keys and self.subject.keys <= other.stems]
        every = dict.fromkeys([*self.passages[:1], *about_it])
        return next((passage for passage in every if cancellation(passage, self.subject.stems)), None)


Seeking = Generator[Calls, Observations, Finding]


def search(query: str) -> RequestedCall:
    """Return the call that searches for some words."""
    return call(SEARCH, query=query)


def find(case: Case, *beside: RequestedCall) -> Seeking:
    """Find the passages that answer the question of a case, making some other calls beside the first search."""
    question = case.question
    told_on = question.leans_back or asks_only_how_many(question) or _row_asked(case)
    if told_on and (known := _said_before(case)):
        also = (yield beside) if beside else ()
        return Finding(told_to(question, known), subject_of(question), also, case.earlier)
    question = _filled_in(case)
    finding = Finding((), subject_of(question))
    also = ()
    queries = _queries(question)
    if question.follows and case.earlier and (name := row_name(case.earlier[0].row)):
        queries = [*queries[:1], f"{question.query} {name}"]  # "and for guests?": the same, of another table
    for query in queries:
        observation, *others = yield (search(query), *beside)
        also, beside = also or tuple(others), ()
        found = read_found(observation)
        finding = judged(found, question, also)
        if finding.passages or not _worth_another(found, question, observation):
            break
        if full := {**called_short(question, found), **clipped(found)}:
            question = _in_full(question, full)
            queries[1:] = [question.query]
    if question.follows and case.earlier:
        alike = sorted(finding.passages, key=lambda one: likeness(one, case.earlier[0]), reverse=True)
        finding = replace(finding, passages=tuple(alike))
    return replace(finding, beside=also)


def judged(found: Found, question: Question, beside: Observations = ()) -> Finding:
    """Return those passages of a search that answer a question."""
    subject = subject_of(question, found)
    if question.points and not question.keys:  # it points at something, and nobody knows at what
        return Finding((), subject, beside)
    passages = told_to(question, _in_items(found.passages, question))
    return Finding(tuple(choose(passages, question, subject)), subject, beside, passages)


def _in_items(passages: Sequence[Passage], question: Question) -> tuple[Passage, ...]:
    """Return passages, of each list the items that are asked for by name; each item where a day is asked about."""
    named = named_items(passages, [*question.keys])
    return each_item(named) if question.moment.names_day and question.kind in (Kind.ON, Kind.LIST) else named


def told_to(question: Question, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return passages as they tell something to a question, without a yes or a no to another one."""
    told = (without_verdict(passage, question) for passage in passages)
    return tuple(passage for passage in told if passage is not None)


def enough(finding: Finding, question: Question) -> Finding:
    """Keep the best passage, and another only where it holds something wanted that the first does not."""
    kept: list[Passage] = []
    open_wants = set(question.wants)
    for passage in finding.passages:
        met = {want for want in open_wants if fits(passage.text, want, question)}
        if not kept or met:
            kept.append(passage)
            open_wants -= met
    return replace(finding, passages=tuple(kept))


def of_the_same(kept: Finding, finding: Finding, question: Question) -> tuple[Passage, ...]:
    """Return the other rows of a table that have the cell by which the best one is about what is asked.

    Whoever presents twice has two rows, and "when" asks for both.
    """
    best, keys = kept.passages[0], finding.subject.keys
    holding = [one for one in best.row if keys and keys <= stem_set(" ".join(one))]
    if not holding or Want.WHEN not in question.wants:
        return ()
    return tuple(one for one in finding.passages if likeness(one, best) and holding[0] in one.row)


def _row_asked(case: Case) -> Sequence[Passage]:
    """Return the row just spoken of over a column of which stands all that a question names.

    So "who presents?" asks for the presenter of that row, not of any other.
    """
    question, keys = case.question, subject_of(case.question).keys
    if question.moment or question.kind is not Kind.LOOK_UP or not keys:
        return ()
    rows = [one for one in case.earlier[:_JUST_NOW] if keys <= stem_set(" . ".join(name for name, _ in one.row))]
    return rows[:1] if question.points or len(rows) == 1 else ()


def _said_before(case: Case) -> Sequence[Passage]:
    """Return the passages of earlier turns that answer the question; the latest turn's when it names nothing itself."""
    question = case.question
    subject, row = subject_of(question), _row_asked(case)
    if subject.keys and not asks_only_how_many(question) and not row:
        return choose(case.earlier, question, subject)[:1] if question.points else ()
    latest = row or case.earlier[:1]
    if not question.wants:
        return [one for one in latest if not _HOW_LONG.search(question.text) or _LENGTH.search(one.text)]
    return [passage for passage in latest if any(fits(passage.text, want, question) for want in question.wants)]


def _filled_in(case: Case) -> Question:
    """Return the question with the key words of an earlier one where it has none of its own."""
    question = case.question
    if question.keys or not case.earlier_keys or not case.earlier:
        return question
    query = " ".join(dict.fromkeys([*case.earlier_keys, *words(question.query)]))
    return replace(question, keys=case.earlier_keys, query=query)


def _queries(question: Question) -> list[str]:
    """Return what to search for: all that the question says, only the words that count, these with what is wanted."""
    everything = question.query or " ".join(words(question.text)) or question.text
    keys = " ".join(dict.fromkeys(question.keys))
    told = [f"{keys} {_TOLD_BY[want]}" for want in question.wants if keys and want in _TOLD_BY]
    return list(dict.fromkeys([everything, keys or everything, *told[:1]]))


def _in_full(question: Question, full: Mapping[str, str]) -> Question:
    """Return a question with the short forms in it written out that a search could not make out."""
    keys = tuple(word for key in question.keys for word in full.get(fold(key), key).split())
    query = " ".join(full.get(fold(word), word) for word in question.query.split())
    return replace(question, keys=keys, query=query)


def _worth_another(found: Found, question: Question, observation: str | None) -> bool:
    """Say whether fewer words could find more: not when the search failed, nor when a word that counts is unknown."""
    worked = bool(found.passages) or (observation or "").startswith("Nothing found")
    unknown = found.unmatched - clipped(found).keys()
    telling = {*map(fold, question.keys), *(SOFT_WORDS.intersection(map(fold, question.lights)))}
    return worked and unknown.isdisjoint(telling)
