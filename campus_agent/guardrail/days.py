"""Judges what a draft says of days by what the tools said: what day it is, and how far away another is."""

from __future__ import annotations

import re

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.finding import Support
from campus_agent.guardrail.passages import Ground, Passage
from campus_agent.guardrail.relative import EVERY_OTHER_WEEK, MONTHLY, days_named, is_relative
from campus_agent.guardrail.tables import GAPS, PRESENT, STATES_A_DAY

_DAYS = re.compile(r"(\d{1,6}) day")
_EVERY = re.compile(r"\b(?:every|each) \Z", re.IGNORECASE)
# How many characters around a weekday or date may hold the "tomorrow" that it is.
_NEAR = 40


def by_named_day(fact: Fact, text: str, ground: Ground) -> Support | None:
    """Accept what day tomorrow is, a tool having said what day today is."""
    if fact.kind not in ("weekday", "date") or is_relative(fact):
        return None
    for day, today in days_named(text[max(0, fact.start - _NEAR) : fact.end + _NEAR], ground.today):
        if any(fact.supported_by(written.gives) for written in facts(day.isoformat())):
            return Support(ground.today[today])
    return None


def by_two_counts(fact: Fact, text: str, ground: Ground) -> Support | None:
    """Accept "two days later" when the tools counted to two days that lie so far apart."""
    after = text[fact.end : fact.end + 30].lower().split()[:2]
    days = _DAYS.fullmatch(fact.normal)
    if not days or not GAPS.intersection(word.strip(".,;:!?") for word in after):
        return None
    counts = {int(match[1]): tool for atom, tool in ground.tools.items() if (match := _DAYS.fullmatch(atom))}
    tool = next((tool for count, tool in counts.items() if count + int(days[1]) in counts), None)
    return Support(tool) if tool else None


def states_a_day(fact: Fact, clause: Clause, *, affirms: bool) -> bool:
    """Whether a weekday is said to be when something is, not what day it is now."""
    before = clause.before(fact.start)
    if fact.kind != "weekday" or clause.denies or not before or before[-2:] == ("it", "is"):
        return False
    if clause.tells_the_time or PRESENT.intersection(word for word, _ in clause.plain):
        return False
    return affirms or before[-1] in STATES_A_DAY


def too_often(fact: Fact, text: str, passage: Passage) -> bool:
    """Whether the text says "every Friday" of what the passage puts on every other Friday, or on one a month."""
    if fact.kind != "weekday" or not _EVERY.search(text, max(0, fact.start - 8), fact.start):
        return False
    rarely = (EVERY_OTHER_WEEK, MONTHLY)
    return any(fact.supported_by(part.gives) and not part.gives.isdisjoint(rarely) for part in passage.parts)
