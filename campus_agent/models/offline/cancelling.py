"""Answers about what is cancelled: that comes first, and nothing is counted to it."""

from __future__ import annotations

from campus_agent.models.offline import answers
from campus_agent.models.offline.changes import cancelled
from campus_agent.models.offline.dates import blank_dates
from campus_agent.models.offline.finding import Finding
from campus_agent.models.offline.hours import read_schedule
from campus_agent.models.offline.passages import Passage, cancellation, quote
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.sections import sentences


def called_off(finding: Finding, question: Question) -> str:
    """Say that the thing in question does not take place, and quote; "" where nothing says so."""
    passage = finding.cancelled
    if passage is None:
        return ""
    told = told_off(passage, finding.subject.stems, answers.thing(question, passage))
    return answers.joined([told, *(one for one in finding.quotes[:1] if one not in told)])


def told_off(passage: Passage, wanted: frozenset[str], name: str = "") -> str:
    """Quote a passage that says that something does not take place, after a sentence that says so before all else.

    Args:
        passage: what says so.
        wanted: the stems of what is asked about.
        name: what it is called; by default as the passage calls it.
    """
    quoted = quote(passage, wanted)
    first, *rest = sentences(quoted)
    if cancelled(first) and ": Cancelled:" not in first:
        return quoted
    others = " ".join(sentence for sentence in [first, *rest] if not cancelled(sentence))
    if read_schedule(blank_dates(others)).days:  # it goes on, and only a part of it is off
        return f"Not all of this takes place: {quoted}"
    title = "" if passage.name.endswith("?") else passage.name
    called = answers.capital(name or title or "it")
    return f"{called} {answers.be(called)} {cancellation(passage, wanted)}. {quoted}"
