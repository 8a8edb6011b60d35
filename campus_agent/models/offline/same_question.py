"""Answers of a list of questions and answers: whether they were given to the question that is asked."""

from __future__ import annotations

import re
from dataclasses import replace

from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.passages import Passage
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.words import stems

_VERDICT = re.compile(r"(?:yes|no|sure|of course|certainly|absolutely)\b\s*[.,;:!–—-]+\s*", re.IGNORECASE)


def without_verdict(passage: Passage, question: Question) -> Passage | None:
    """Return a passage without a "Yes" or "No" that answers another question; None where nothing else is said."""
    found = _VERDICT.match(f"{passage.text}." if passage.name.endswith("?") else "")
    if found is None or _is_same(question, read_question(passage.name)):
        return passage
    rest = passage.text[found.end() :]
    return replace(passage, text=rest[:1].upper() + rest[1:]) if rest else None


def _is_same(one: Question, other: Question) -> bool:
    """Say whether two questions ask the same: of the same things, at the same moment, with the same no in them."""
    things = [stems([*asked.keys, *asked.lights]) for asked in (one, other)]
    ways = [(asked.polar, asked.moment, asked.negated) for asked in (one, other)]
    return things[0] == things[1] and ways[0] == ways[1]
