"""Looks a base over for the person who keeps it: what was read, what could be better, what its questions find."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from campus_agent.guardrail.hostile import flags
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.contradictions import contradictions
from campus_agent.knowledge.kinds import kind_of
from campus_agent.knowledge.language import in_others
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.reading import Progress
from campus_agent.knowledge.search import Confidence
from campus_agent.knowledge.suggestions import question_about, questions_of, subject_of
from campus_agent.knowledge.words import Words
from campus_agent.text import one_line, plural

AdviceKind = Literal["title", "long", "short", "order", "contradiction", "question", "language", "settings"]

_LONGEST = 1_300  # characters; three such passages are all that the model reads of a search
_FEWEST_WORDS = 4  # of a passage and its title
_UNDER_ONE_TITLE = 10  # passages
_MOST_TRIED = 40  # questions made of titles
_MOST_LOOKED_OVER = 10_000  # passages, some three seconds
_TIMES = 4  # that every passage is looked at
_TOLD_AGAIN = 100  # passages, after which the progress is told again


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that could be better and is no problem; `line` is None where the whole document is meant."""

    kind: AdviceKind
    source: str
    line: int | None
    text: str

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}, line {self.line}"
        return f"{where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Tried:
    """A question to begin with, how sure the search is, and the passage that it finds first, None for nothing."""

    question: str
    confidence: Confidence
    passage: Passage | None


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in a base beside its problems.

    Attributes:
        kinds: how many documents there are of each kind, the most first.
        read: how many passages each document gave.
        repeated: passages that stand in several places.
        questions: those that the app begins with, the base's own or made of its first titles.
        titles: how many titles a question was made of, and how many of these questions find what stands under it.
        advice: what could be better.
    """

    kinds: dict[str, int]
    read: dict[str, int]
    repeated: tuple[Passage, ...]
    questions: tuple[Tried, ...]
    titles: tuple[int, int]
    advice: tuple[Advice, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the findings as `kb check --json` prints them."""
        tried, found = self.titles
        return {
            "kinds": self.kinds,
            "read": self.read,
            "repeated": [_place(passage) | {"also": list(passage.also)} for passage in self.repeated],
            "questions": [
                {"question": one.question, "confidence": one.confidence, "finds": _place(one.passage)}
                for one in self.questions
            ],
            "titles": {"tried": tried, "found": found},
            "advice": [
                {"kind": one.kind, "source": one.source, "line": one.line, "text": one.text} for one in self.advice
            ],
        }


def check(
    base: KnowledgeBase,
    questions: Sequence[str] = (),
    *,
    advice: Sequence[Advice] = (),
    progress: Progress | None = None,
) -> Findings:
    """Look over all passages of a base, and try `questions`, else those that the app would make of its titles.

    `advice` is what is known beforehand, and comes first. `progress` is told how many passages are looked over, of how
    many, each counted as often as it is looked at, and whose document is next.
    """
    passages = tuple(base.passages)
    english = base.language == "english"
    asked = questions or questions_of(passages, english=english)
    read = Counter(passage.document for passage in passages)
    lost, tried = _lost(base, passages, english=english)
    each = _LookedOver(passages, progress)
    titles = list(_about_titles(each))
    lists = {one.source for one in titles if one.line is None}  # where every row is short, and that is said already
    lengths = (one for one in _about_lengths(each) if one.kind == "long" or one.source not in lists)
    about_texts = (*titles, *lengths, *_about_orders(each), *_about_contradictions(each, base), *lost)
    return Findings(
        kinds=dict(Counter(map(kind_of, read)).most_common()),
        read=dict(read),
        repeated=tuple(passage for passage in passages if passage.also),
        questions=tuple(_try(base, question) for question in asked),
        titles=(tried, tried - len(lost)),
        advice=(*advice, *_about_languages(passages, base.language), *about_texts),
    )


class _LookedOver:
    """The passages of a base, one after the other, as often as they are looked over."""

    def __init__(self, passages: Sequence[Passage], progress: Progress | None) -> None:
        self._passages = passages
        self._progress = progress
        self._before = 0  # passages that were looked at the times before

    def __iter__(self) -> Iterator[Passage]:
        of = _TIMES * len(self._passages)
        try:
            for number, passage in enumerate(self._passages):
                if self._progress and number % _TOLD_AGAIN == 0:
                    self._progress(self._before + number, of, passage.document)
                yield passage
        finally:
            self._before += len(self._passages)


def _about_titles(passages: Iterable[Passage]) -> Iterator[Advice]:
    by_document: dict[str, Counter[str]] = defaultdict(Counter)
    for passage in passages:
        by_document[passage.document][passage.title] += 1
        if not any(letter.isalnum() for letter in passage.title):
            yield Advice("title", passage.source, passage.line, "it has no title; put a heading above it")
    for document, titles in by_document.items():
        (title, count), *others = titles.most_common(2)
        if not others and count >= _UNDER_ONE_TITLE and title:
            same = f"all {plural(count, 'passage')} have the title “{one_line(title, 60)}”"
            yield Advice("title", document, None, f"{same}; headings, or a column “title”, would tell them apart")


def _about_lengths(passages: Iterable[Passage]) -> Iterator[Advice]:
    words = Words("none")
    for passage in passages:
        length = len(passage.text)
        if length > _LONGEST:
            why = f"it is {plural(length, 'character')} long in one sentence, which is more than can be quoted"
            yield Advice("long", passage.source, passage.line, f"{why}; cut it into sentences or rows")
        elif length < _LONGEST // 10 and len(words.tokens(f"{subject_of(passage)} {passage.text}")) < _FEWEST_WORDS:
            said = f"“{one_line(passage.text, 40)}” says too little to answer a question"
            yield Advice("short", passage.source, passage.line, f"{said}; write a whole sentence, or take it out")


def _about_languages(passages: Sequence[Passage], language: str) -> Iterator[Advice]:
    others = in_others(passages, language)
    searched = f"the base is searched in {language.title()}"
    ((most, count),) = Counter(others.values()).most_common(1) or [("", 0)]
    if 2 * count > len({passage.document for passage in passages}):
        text = f'{plural(count, "document")} in {most.title()}, and {searched}; write language = "{most}" into it'
        yield Advice("language", "campus.toml", None, text)
        return
    for document, other in others.items():
        text = (
            f"it seems to be in {other.title()}, and {searched}: its words are found only as they are written there; "
            f'put it into a folder of its own with language = "{other}" in campus.toml'
        )
        yield Advice("language", document, None, text)


def _about_orders(passages: Iterable[Passage]) -> Iterator[Advice]:
    for passage in islice(passages, _MOST_LOOKED_OVER):
        for found in flags(f"{passage.title}: {passage.text}")[:1]:
            text = f"{found} It is fenced off when it is found, and nothing after it supports an answer; take it out"
            yield Advice("order", passage.source, passage.line, text)


def _about_contradictions(passages: Iterable[Passage], base: KnowledgeBase) -> Iterator[Advice]:
    for one in contradictions(passages, base.language):
        text = (
            f"it says {one_line(one.said, 60)} of “{one_line(one.subject, 60)}”, and {one.second.place} says "
            f"{one_line(one.also_said, 60)}; correct the one that is wrong"
        )
        yield Advice("contradiction", one.first.source, one.first.line, text)


def _lost(base: KnowledgeBase, passages: Sequence[Passage], *, english: bool) -> tuple[list[Advice], int]:
    """Try a question about each of some titles of all parts of the base; return what is not found, and of how many."""
    by_subject = {subject_of(passage): passage for passage in reversed(passages) if passage.title}
    step = max(1, len(by_subject) // _MOST_TRIED)
    some = list(islice(reversed(by_subject.items()), 0, step * _MOST_TRIED, step))
    lost = []
    for subject, passage in some:
        question = question_about(subject, english=english)
        found = base.search(question).passages
        if all(subject_of(scored.passage) != subject for scored in found):
            what = "other passages come first" if found else "nothing is found"
            text = f"asked “{one_line(question, 80)}”, {what}; use the words of the title in its text too"
            lost.append(Advice("question", passage.source, passage.line, text))
    return lost, len(some)


def _try(base: KnowledgeBase, question: str) -> Tried:
    result = base.search(question)
    return Tried(question, result.confidence, result.passages[0].passage if result.passages else None)


def _place(passage: Passage | None) -> dict[str, Any]:
    if passage is None:
        return {}
    return {"title": passage.title, "source": passage.source, "line": passage.line}
