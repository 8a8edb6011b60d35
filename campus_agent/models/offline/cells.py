"""The cell of a row that is asked for, with the thing that it is of."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.rows import Row, is_end, is_start, row_name, written
from campus_agent.models.offline.subject import Subject
from campus_agent.models.offline.vocabulary import FUNCTION_WORDS
from campus_agent.models.offline.wanted import fits
from campus_agent.models.offline.words import stem_set, stems, words

_CLOSES = re.compile(r"\b(?:closes?|shuts?|ends?|how late|(?:un)?till? (?:when|what time))\b", re.IGNORECASE)
_OPENS = re.compile(r"\b(?:opens?|hours|begins?|starts?|from)\b", re.IGNORECASE)
_PLAIN = 2  # words of a question that name a column, where it does not say what the row is of


def only_asked(passage: Passage, question: Question, subject: Subject) -> Passage:
    """Return a row with only what it is of and the one cell that is asked for; any other passage as it is.

    A row is cut where the question names the column of one cell that holds what is wanted, such as the price for one of
    several groups. So is a list, such as of the people of an office, each after what they are.
    """
    if len(question.wants) != 1:
        return passage
    (want,) = question.wants
    asked = subject.stems | stems(word for word in words(question.text) if fold(word) not in FUNCTION_WORDS)
    of = _of_what(passage.row, asked)
    holding = [one for one in passage.row if one not in of and (not of or fits(written([one]), want, question))]
    columns = asked | stems(word for word in words(question.asks) if fold(word) not in FUNCTION_WORDS)
    shared = [len(stem_set(name) & columns) for name, _ in holding]
    most = max(shared, default=0)
    if shared.count(most) > 1 or most < (1 if of else _PLAIN):
        return passage
    return replace(passage, text=written([*of, holding[shared.index(most)]]))


def without_start(passage: Passage, question: Question) -> Passage:
    """Return a row of hours without when it opens, where only when it closes is asked for; else as it is."""
    asks_end = _CLOSES.search(question.text) and not question.polar and not _OPENS.search(question.text)
    rest = tuple(one for one in passage.row if not is_start(*one))
    return replace(passage, text=written(rest)) if asks_end and any(is_end(*one) for one in rest) else passage


def _of_what(row: Row, asked: Set[str]) -> Row:
    """Return the columns that say what a row is of: the one that names it, if asked for, else those asked for."""
    held = [(name, value) for name, value in row if stem_set(value) & asked]
    naming = [one for one in held if one[1] == row_name(row)]
    return tuple(naming or held)
