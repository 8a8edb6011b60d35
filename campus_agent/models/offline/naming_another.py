"""Whether a passage is of another thing than the one that is asked about, although it has the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Kind, Question
from campus_agent.models.offline.rows import Row, has_limit, row_name
from campus_agent.models.offline.subject import Subject
from campus_agent.models.offline.vocabulary import AUDIENCES
from campus_agent.models.offline.words import stem, stem_set, stems, words

_OF_WHAT = re.compile(r",|\b(?:for|of|to|in|from|by)\b", re.IGNORECASE)
_BEGINS_OR_ENDS = re.compile(r"\b(?:start|begin|end|finish|over)(?:s|es)?\b", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:deadline|due|appl\w+|register|hand|submit|sign)\b", re.IGNORECASE)


def is_of_another_name(passage: Passage, question: Question, subject: Subject, others: Sequence[Passage]) -> bool:
    """Say whether what a passage is called shows that it is of another thing.

    Args:
        passage: one that has the words asked for.
        question: what is asked.
        subject: what the question is about.
        others: all that was found with the passage.
    """
    if _is_of_others(passage, question):
        return True
    if not passage.row:
        return False
    of_any = question.kind not in (Kind.LIST, Kind.AGENDA) and _names_only_columns(passage, subject, others)
    return of_any or _limits_another(passage.row, question, subject)


def _is_of_others(passage: Passage, question: Question) -> bool:
    """Say whether "the student union" is asked about, and a passage has it only in names such as "Tea Union"."""
    pairs = pairwise(words(question.text))
    wanted = [stem(thing) for whose, thing in pairs if fold(whose) in AUDIENCES and stem(whose) not in passage.stems]
    return any(_stands_in_names(thing, passage) for thing in wanted if thing in stems(question.keys))


def _stands_in_names(thing: str, passage: Passage) -> bool:
    said = ["", *words(f"{passage.name} . {passage.text}"), ""]
    around = [(said[at - 1], word, said[at + 1]) for at, word in enumerate(said) if word and stem(word) == thing]
    return bool(around) and all(
        word[:1].isupper() and (before[:1].isupper() or after[:1].isupper()) for before, word, after in around
    )


def _names_only_columns(passage: Passage, subject: Subject, others: Sequence[Passage]) -> bool:
    """Say whether all that is asked for stands, by another word, over a column of a row, as over that of every row."""
    columns = [name for name, _ in passage.row]
    alike = any(other != passage and [name for name, _ in other.row] == columns for other in others)
    meant = frozenset[str]().union(*(stems for _, stems in subject.read_as))
    told = stem_set(" . ".join(value for _, value in passage.row)) | passage.title_stems
    return alike and bool(subject.keys) and subject.keys <= meant - told


def _limits_another(row: Row, question: Question, subject: Subject) -> bool:
    """Say whether a begin or an end is asked for, and a row has the deadline of what is only done for the thing."""
    if not has_limit(row) or not _BEGINS_OR_ENDS.search(question.text) or _LIMIT.search(question.text):
        return False
    done = words(_OF_WHAT.split(row_name(row))[0])
    return bool(done) and stem(done[-1]) not in subject.stems and not _BEGINS_OR_ENDS.fullmatch(done[-1])
