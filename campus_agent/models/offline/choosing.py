"""Which of the passages that came back is about the thing asked, if one is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.naming_another import is_of_another_name
from campus_agent.models.offline.passages import LONGEST_QUOTE, Passage, likeness
from campus_agent.models.offline.question import Kind, Question, Want
from campus_agent.models.offline.rows import has_limit, of_person, row_name
from campus_agent.models.offline.sections import about, sections, sentences
from campus_agent.models.offline.subject import Subject
from campus_agent.models.offline.vocabulary import FUNCTION_WORDS
from campus_agent.models.offline.wanted import counts_it, fits
from campus_agent.models.offline.words import stem, stem_set, stems, words

_PAYING = stems(("cost", "pay", "price", "charge", "fee"))
_DEPUTIES = stems(("associate", "assistant", "vice", "deputy", "acting", "former"))
_ASKS_PERMISSION = re.compile(r"(?:and |so )?(?:can|may|could|am|are) (?:i|we|you|students?)\b", re.IGNORECASE)
_PERMISSION = re.compile(
    r"\b(?:may|can|cannot|must|only|forbidden|prohibited|(?:not )?(?:allowed|permitted|accepted))\b", re.IGNORECASE
)
_LITTLE = 1  # word more
_OPENING = frozenset(("open", "close", "hour"))  # stems


def choose(passages: Sequence[Passage], question: Question, subject: Subject) -> list[Passage]:
    """Return the passages that answer a question about a subject, best first; none when none is about it.

    A passage must hold every key word (but one that several others share may be missing, as the name of the place often
    is), and what the question wants. Of those the best holds most of what is wanted, then shares most words, then
    names the subject in its title, and little beside it; else the order of the search stands.
    """
    fitting = [
        passage
        for passage in passages
        if _is_about(passage, question, subject, passages)
        and not is_of_another_name(passage, question, subject, passages)
        and _fits(passage, question, subject)
    ]
    return sorted(fitting, key=lambda passage: _rank(passage, question, subject), reverse=True)


def _is_about(passage: Passage, question: Question, subject: Subject, others: Sequence[Passage]) -> bool:
    if _has_another_number(passage, subject):
        return False
    has = subject.held_by(passage.stems)
    if question.kind is Kind.LIST or subject.keys & has:
        has = subject.held_by(has | passage.source_stems)
    missing = subject.keys - has
    if not subject.keys or all(key.isdigit() for key in subject.keys - missing):
        return not missing and bool(subject.lights & has)
    if len(missing) == 1 and len(subject.keys) > 2:
        return _is_of_all(missing, passage, others)
    return not missing


def _has_another_number(passage: Passage, subject: Subject) -> bool:
    """Say whether a passage has a number that is asked for, or another, but not where it names the thing."""
    said = [stem(word) for word in words(f"{passage.title} . {passage.text}")]
    for nouns, number in subject.numbered:
        after = {follows for before, follows in pairwise(said) if before in nouns}
        if number not in after and any(follows.isdigit() for follows in after):
            return True
    return False


def is_of_another(passage: Passage, want: Want, question: Question) -> bool:
    """Say whether a value is told of the like of what is asked for: the price of dinner, when lunch is asked about.

    Every sentence that holds the value then shares a word with the question but lacks another, which the passage says
    elsewhere.
    """
    if passage.row:
        return False
    asked = stems([*question.keys, *question.lights]) - _PAYING
    asked = asked & passage.stems - passage.title_stems
    if want is Want.NUMBER and not counts_it(passage.text, question):
        return True
    parts = sections(passage.text) if want is Want.WHERE else sentences(passage.text)
    telling = [stem_set(part) & asked for part in parts if fits(part, want, question)]
    if want is Want.WHERE:  # somebody's office, of which no word was asked
        return bool(telling and asked) and not any(telling)
    return bool(telling) and all(shared and shared != asked for shared in telling)


def _is_of_all(missing: frozenset[str], passage: Passage, others: Sequence[Passage]) -> bool:
    """Say whether a word that a passage lacks is the name of the place, which all of a base is about.

    It is none where it tells this passage from its like: a row from the next row, one exam from another.
    """
    holding = [other for other in others if missing <= other.stems]
    if len(holding) < 2 or any(_is_like(other, passage) for other in holding):
        return False
    said = [word for other in holding for word in words(f"{other.title} {other.text}") if stem(word) in missing]
    return all(word[:1].isupper() for word in said)


def _is_like(other: Passage, passage: Passage) -> bool:
    """Say whether a row is of the same table as a passage, or of a table with the same columns."""
    return bool(other.row) and (other.title == passage.title or likeness(other, passage) > 0)


def _fits(passage: Passage, question: Question, subject: Subject) -> bool:
    if question.kind in (Kind.ON, Kind.LIST, Kind.AGENDA) and Want.WHEN not in question.wants:
        return True
    return not question.wants or any(_holds(passage, want, question, subject) for want in question.wants)


def _rank(passage: Passage, question: Question, subject: Subject) -> tuple[int, ...]:
    satisfied = sum(_holds(passage, want, question, subject) for want in question.wants)
    name = _planned(passage, subject) or passage.name
    titled = len(subject.keys & subject.held_by(passage.title_stems | stem_set(row_name(passage.row)) | stem_set(name)))
    beyond = len(stem_set(name) - subject.stems) if titled else 0  # of the AI Club, not of its workshop
    return (
        _asks_the_same(passage, question),
        satisfied,
        _permits(passage, question, subject),
        -_is_deputy(passage, subject),
        len(subject.stems & subject.held_by(passage.stems)),
        -passage.name.endswith("?"),  # whoever asked that may have meant something else
        titled,
        -beyond,
    )


def _permits(passage: Passage, question: Question, subject: Subject) -> bool:
    """Say whether it is asked what one may do, and a passage says so of the thing in question."""
    told = _PERMISSION.search(about(passage.text, subject.stems))
    return _ASKS_PERMISSION.match(question.text) is not None and told is not None and not passage.row


def _asks_the_same(passage: Passage, question: Question) -> bool:
    """Say whether a passage answers the very question, in a list of questions and answers."""
    said = [word for word in words(passage.name) if fold(word) not in FUNCTION_WORDS]
    asked = [word for word in words(question.text) if fold(word) not in FUNCTION_WORDS]
    first = [fold(next(iter(words(text)), "")) for text in (passage.name, question.text)]
    return passage.name.endswith("?") and bool(said) and stems(said) == stems(asked) and first[0] == first[1]


def _planned(passage: Passage, subject: Subject) -> str:
    """Return the column of a dated row that is what is asked about and little more; "" where there is none."""
    if row_name(passage.row):
        return ""
    cells = [value for _, value in passage.row if subject.keys <= stem_set(value)]
    return next((value for value in cells if len(stems(words(value)) - subject.stems) <= _LITTLE), "")


def _is_deputy(passage: Passage, subject: Subject) -> bool:
    """Say whether a passage has a key word only as the associate or the vice of what is asked for."""
    said = [stem(word) for word in words(f". {passage.text}")]
    before = [one for one, role in pairwise(said) if role in subject.keys and one not in subject.keys]
    return bool(before) and _DEPUTIES.issuperset(before)


def _holds(passage: Passage, want: Want, question: Question, subject: Subject) -> bool:
    """Say whether what is quoted of a passage holds what is wanted; a time must be said of the subject itself.

    Opening hours are of what the title names, or of what is said to be open: a club that meets in a hall tells nothing
    of when the hall is open.
    """
    if want is Want.WHEN and question.opening and not has_limit(passage.row):
        told = subject.keys & passage.title_stems or _OPENING & passage.stems
        return bool(told) and fits(about(passage.text, subject.stems), want, question)
    if want is Want.WHERE and passage.row and len(subject.keys) == 1 and not subject.keys & stem_set(passage.name):
        return False  # one word somewhere in a row, such as somebody's name, does not make the row be about it
    if want is Want.WHEN or len(passage.text) > LONGEST_QUOTE:
        return fits(about(passage.text, subject.stems), want, question)
    return fits(of_person(passage.text, subject.keys), want, question)
