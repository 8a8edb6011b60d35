"""What stands under an answer, in words: how its run ended, what was checked, and what nothing supported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from campus_agent.agent.outcome import Outcome
from campus_agent.text import one_line, plural

if TYPE_CHECKING:
    from campus_agent.tui.record import Record


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run came to.

    Attributes:
        sign: the sign before the words, so that nothing hangs on colour.
        words: how it ended, in a few words.
        more: what there is to say beside that, "" for nothing.
        below: what a search said of the words that it did not find, or why there was none, when that matters; "" for
            nothing.
        grounded: whether every fact of the answer is supported, and there is one at least.
        doubtful: whether the answer has facts that nothing supports.
    """

    sign: str
    words: str
    more: str = ""
    below: str = ""
    grounded: bool = False
    doubtful: bool = False

    def __str__(self) -> str:
        """Return how it ended as one line."""
        return f"{self.sign} {self.words}" + (f" · {self.more}" if self.more else "")


def verdict(record: Record) -> Verdict:
    """Return what a run came to; one that has no end was broken off."""
    if record.finished is None:
        return Verdict("✕", "broken off")
    outcome, more, below = record.finished.outcome, "", ""
    match outcome:
        case Outcome.ANSWERED if record.facts:
            return _checked(record)
        case Outcome.ANSWERED:
            more, below = "not checked" if record.facts is None else "no facts to check", record.weak
        case Outcome.REFUSED:
            more, below = _why_refused(record), record.nothing or record.weak or _without_search(record)
        case Outcome.CANCELLED if record.finished.answer:
            more = "what was written so far stays here"
    return Verdict(outcome.sign, outcome.words, more, below)


def _checked(record: Record) -> Verdict:
    facts = record.facts or ()
    missing = [fact for fact in facts if not fact.supported]
    if not missing:
        return Verdict("✓", "grounded", plural(len(facts), "fact"), record.weak, grounded=True)
    named = ", ".join(one_line(fact.text, 30) for fact in missing)
    said = f"{len(missing)} of {plural(len(facts), 'fact')} unsupported: {named}"
    return Verdict("▲", said, below=record.weak, doubtful=True)


def _without_search(record: Record) -> str:
    """Say that the last step, in which no tool can be called, came before any search; "" when it did not."""
    if record.tools or not record.step or record.step < record.steps:
        return ""
    return f"the limit of {plural(record.steps, 'step')} left no search: /steps allows more"


def _why_refused(record: Record) -> str:
    if record.missing:
        return f"the draft named {plural(record.missing, 'fact')} that no source supports"
    if record.searches and not record.nothing:
        return "searched " + ", ".join(f"“{one_line(query, 40)}”" for query in record.searches)
    if record.skipped and not record.searches:
        was = "the call was" if record.skipped == 1 else f"{record.skipped} calls were"
        return f"nothing was searched: {was} skipped"
    return ""
