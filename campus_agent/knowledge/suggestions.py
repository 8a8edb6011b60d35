"""What a base seems to be about, read off the titles of its passages: topics, and questions to begin with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from campus_agent.knowledge.passage import Passage

_MOST_TOPICS = 12
_MOST_QUESTIONS = 4
_LONGEST = 120  # characters
_LOOKED_AT = 1_000  # passages, so that a base of any size opens at once
_MARKUP = re.compile(r"[<>{}]")
_ASKS = re.compile(r"(who|what|when|where|which|why|how|is|are|do|does|can|should)\b.* ", re.IGNORECASE)


def topics_of(passages: Iterable[Passage]) -> tuple[str, ...]:
    """Return the subjects of the first passages, each once, at most 12."""
    return tuple(islice(_subjects(passages), _MOST_TOPICS))


def questions_of(passages: Iterable[Passage], *, english: bool = True) -> tuple[str, ...]:
    """Return questions to begin with, made of the first titles, at most 4; `english` is the language of the base."""
    return tuple(question_about(subject, english=english) for subject in islice(_subjects(passages), _MOST_QUESTIONS))


def question_about(subject: str, *, english: bool = True) -> str:
    """Make a question of a subject; what is a question already, or of a base in another language, stays as it is."""
    if not english or subject.endswith(("?", "？")):
        return subject
    return f"{subject}?" if _ASKS.match(subject) else f"Tell me about {subject.removesuffix('.')}."


def subject_of(passage: Passage) -> str:
    """Return the narrowest part of the title: "Clubs › AI Club" -> "AI Club"."""
    return passage.title.rpartition("›")[2].strip()


def _subjects(passages: Iterable[Passage]) -> Iterator[str]:
    """Yield each subject once: a short title in plain words, that does not speak to the assistant, which reads it."""
    from campus_agent.guardrail.hostile import flags

    told: set[str] = set()
    for subject in map(subject_of, islice(passages, _LOOKED_AT)):
        plain = 0 < len(subject) <= _LONGEST and not _MARKUP.search(subject)
        if plain and subject not in told and not flags(subject):
            told.add(subject)
            yield subject
