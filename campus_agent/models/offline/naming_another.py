"""Whether a passage is of another thing than the one that is asked about, although it has the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.dates import blank_dates
from campus_agent.models.offline.ends import End, day_words, end_asked, tells_neither, tells_only
from campus_agent.models.offline.hours import read_schedule
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Kind, Question, Want
from campus_agent.models.offline.rows import Row, has_columns_of_hours, has_limit, row_name
from campus_agent.models.offline.sections import about
from campus_agent.models.offline.subject import Subject
from campus_agent.models.offline.vocabulary import AUDIENCES
from campus_agent.models.offline.words import stem, stem_set, stems, words

_OF_WHAT = re.compile(r",|\b(?:for|of|to|in|from|by)\b", re.IGNORECASE)
_BEGINS_OR_ENDS = re.compile(r"\b(?:start|begin|end|finish|over)(?:s|es)?\b", re.IGNORECASE)
_TO_DO = re.compile(r"\b(?:apply|register|qualify|eligible|required|needed|have|need|want|able)(?= to ([a-z]+))")
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")  # a word, or what parts it from the next one
_LIMIT = re.compile(r"\b(?:deadline|due|appl\w+|register|hand|submit|sign)\b", re.IGNORECASE)


def is_of_another_name(passage: Passage, question: Question, subject: Subject, others: Sequence[Passage]) -> bool:
    """Say whether what a passage is called shows that it is of another thing.

    Args:
        passage: one that has the words asked for.
        question: what is asked.
        subject: what the question is about.
        others: all that was found with the passage.
    """
    if _is_of_other_end(passage, question, subject):
        return True
    if _is_of_others(passage, question) or _is_only_named_so(passage, question):
        return True
    if not passage.row:
        return False
    if _is_one_of_many(passage, question, others):
        return True
    of_any = question.kind not in (Kind.LIST, Kind.AGENDA) and _names_only_columns(passage, subject, others)
    return of_any or _limits_another(passage.row, question, subject)


def _is_of_others(passage: Passage, question: Question) -> bool:
    """Say whether "the student union" is asked about, and a passage has it only in names such as "Tea Union"."""
    pairs = pairwise(words(question.text))
    wanted = [stem(thing) for whose, thing in pairs if fold(whose) in AUDIENCES and stem(whose) not in passage.stems]
    return any(_stands_in_names(thing, passage) for thing in wanted if thing in stems(question.keys))


def _is_of_other_end(passage: Passage, question: Question, subject: Subject) -> bool:
    """Say whether the last day of something is asked for, and a passage has the date of its first one, or of neither.

    So does a question when something ends, unless a passage tells of the times of one day.
    """
    asked, end = day_words(question.text), end_asked(question.text)
    told = about(passage.text, subject.stems)
    if end is None or Want.WHEN not in question.wants or (not asked and read_schedule(blank_dates(told)).rules):
        return False
    other = End.FIRST if end is End.LAST else End.LAST
    return tells_only(other, told) or bool(asked and tells_neither(told))


def _is_only_named_so(passage: Passage, question: Question) -> bool:
    """Say whether it is asked what has to be done to graduate, and a passage has that only in "Graduate School"."""
    done = {stem(found[1]) for found in _TO_DO.finditer(question.asks)} & stems(question.keys)
    return any(_stands_in_names(one, passage) for one in done)


def _stands_in_names(thing: str, passage: Passage) -> bool:
    said = ["", *_TOKEN.findall(f"{passage.title} . {passage.text}"), ""]
    around = [(said[at - 1], word, said[at + 1]) for at, word in enumerate(said) if word and stem(word) == thing]
    return bool(around) and all(
        word[:1].isupper() and (before[:1].isupper() or after[:1].isupper()) for before, word, after in around
    )


def _names_only_columns(passage: Passage, subject: Subject, others: Sequence[Passage]) -> bool:
    """Say whether all that is asked for stands over a column of a row, as over that of every row of its table.

    A table of hours may have a column for each thing: of that column it tells.
    """
    if has_columns_of_hours(passage.text):
        return False
    columns = [name for name, _ in passage.row]
    alike = [other for other in others if other != passage and [name for name, _ in other.row] == columns]
    told = subject.held_by(stem_set(" . ".join(value for _, value in passage.row)))
    over = subject.held_by(stem_set(" . ".join(columns)))
    if all(other.title == passage.title for other in alike):  # then it tells no row from the others
        rest = subject.keys - passage.title_stems or subject.keys
    else:
        rest, told = subject.keys, told | passage.title_stems
    return bool(alike) and bool(rest) and rest <= over - told


def _is_one_of_many(passage: Passage, question: Question, others: Sequence[Passage]) -> bool:
    """Say whether "the biggest" is asked for, which a single row of several does not tell."""
    most = [word for word in question.lights if fold(word).endswith("est") and stem(word) not in passage.stems]
    return bool(most) and any(other != passage and other.title == passage.title and other.row for other in others)


def _limits_another(row: Row, question: Question, subject: Subject) -> bool:
    """Say whether a begin or an end is asked for, and a row has the deadline of what is only done for the thing."""
    if not has_limit(row) or not _BEGINS_OR_ENDS.search(question.text) or _LIMIT.search(question.text):
        return False
    done = words(_OF_WHAT.split(row_name(row))[0])
    return bool(done) and stem(done[-1]) not in subject.stems and not _BEGINS_OR_ENDS.fullmatch(done[-1])
