"""Which of the passages that came back is about the thing asked, if one is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.passages import LONGEST_QUOTE, Found, Passage
from campus_agent.models.offline.question import Kind, Question, Want
from campus_agent.models.offline.rows import row_name
from campus_agent.models.offline.sections import about, sections, sentences
from campus_agent.models.offline.vocabulary import BREAKS, FUNCTION_WORDS
from campus_agent.models.offline.wanted import counts_it, fits
from campus_agent.models.offline.words import stem, stem_set, stems, words

_PAYING = stems(("cost", "pay", "price", "charge", "fee"))
_DEPUTIES = stems(("associate", "assistant", "vice", "deputy", "acting", "former"))
_LITTLE = 1  # word more
_CLIPPED = 4  # letters, at least
_YEAR = 4  # digits
_OPENING = frozenset(("open", "close", "hour"))  # stems


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked for.

    Attributes:
        keys: the stems that must be there.
        lights: those that help.
        numbered: the stems of a noun, and the number that stands after it: "lab 3" is one name.
        read_as: the stem of a word that was read as others, and theirs, which stand in its place above.
    """

    keys: frozenset[str] = frozenset()
    lights: frozenset[str] = frozenset()
    numbered: frozenset[tuple[frozenset[str], str]] = frozenset()
    read_as: tuple[tuple[str, frozenset[str]], ...] = ()

    @property
    def stems(self) -> frozenset[str]:
        """All of its stems."""
        return self.keys | self.lights

    def held_by(self, has: frozenset[str]) -> frozenset[str]:
        """Return some stems with those that words among them were read as: what is called so, too, is meant."""
        return has.union(*(meant for asked, meant in self.read_as if asked in has))


def subject_of(question: Question, found: Found | None = None) -> Subject:
    """Return what a question is about, misspelt words and words for the same read as the search read them."""
    read_as = {**_clipped(found), **dict(found.read_as)} if found else {}

    def read(asked: Iterable[str]) -> frozenset[str]:
        return stems(word for one in asked for word in words(read_as.get(fold(one), one)))

    breaks = read(question.keys) & stems(BREAKS)
    names = [pair for pair in pairwise(words(question.query)) if _is_numbered(*pair)]
    return Subject(
        keys=read(question.keys),
        lights=read(question.lights),
        numbered=frozenset((read([noun]) | {stem(noun)}, number) for noun, number in names),
        read_as=(
            *((stem(asked), stems(words(meant))) for asked, meant in read_as.items()),
            *((stem(other), breaks) for other in BREAKS if breaks),
        ),
    )


def _clipped(found: Found) -> dict[str, str]:
    """Return the words of a question that no passage has but as the beginning of one longer word: "grad"."""
    said = {fold(word) for passage in found.passages for word in words(f"{passage.title} {passage.text}")}
    longer = {short: [word for word in said if word.startswith(short)] for short in found.unmatched}
    return {
        short: many[0] for short, many in longer.items() if len(short) >= _CLIPPED and many and len(stems(many)) == 1
    }


def _is_numbered(noun: str, number: str) -> bool:
    """Say whether two words are one name, such as "lab 3"; a number of four digits may be a year."""
    return number.isdigit() and len(number) < _YEAR and not noun.isdigit()


def choose(passages: Sequence[Passage], question: Question, subject: Subject) -> list[Passage]:
    """Return the passages that answer a question about a subject, best first; none when none is about it.

    A passage must hold every key word (but one that several others share may be missing, as the name of the place often
    is), and what the question wants. Of those the best holds most of what is wanted, then shares most words, then
    names the subject in its title, and little beside it; else the order of the search stands.
    """
    fitting = [
        passage for passage in passages if _is_about(passage, subject, passages) and _fits(passage, question, subject)
    ]
    return sorted(fitting, key=lambda passage: _rank(passage, question, subject), reverse=True)


def _is_about(passage: Passage, subject: Subject, others: Sequence[Passage]) -> bool:
    if _has_another_number(passage, subject):
        return False
    has = subject.held_by(passage.stems)
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
    if len(holding) < 2 or any(other.row and other.title == passage.title for other in holding):
        return False
    said = [word for other in holding for word in words(f"{other.title} {other.text}") if stem(word) in missing]
    return all(word[:1].isupper() for word in said)


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
        -_is_deputy(passage, subject),
        len(subject.stems & subject.held_by(passage.stems)),
        -passage.name.endswith("?"),  # whoever asked that may have meant something else
        titled,
        -beyond,
    )


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
    if want is Want.WHEN and question.opening and not (subject.keys & passage.title_stems or _OPENING & passage.stems):
        return False
    if want is Want.WHERE and passage.row and len(subject.keys) == 1 and not subject.keys & stem_set(passage.name):
        return False  # one word somewhere in a row, such as somebody's name, does not make the row be about it
    if want is Want.WHEN or len(passage.text) > LONGEST_QUOTE:
        return fits(about(passage.text, subject.stems), want, question)
    return fits(passage.text, want, question)
