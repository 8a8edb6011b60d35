"""Reads what a clause says to be needed, allowed, included or the like, in whatever word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.words import special_stems

# The senses of what goes on, as a card that stays valid may be kept, of what has to be, and of what takes place.
LASTING, NEEDED, HAPPENING = "lasting", "needed", "happening"


@dataclass(frozen=True, slots=True)
class Statement:
    """That something is allowed, needed or the like, or is not.

    Attributes:
        sense: what is said, the same for "required" and "necessary".
        about: the stems of the other words of its clause; `lent` those of the clause before it in the sentence.
        denied: whether it is said not to be so: "not required", "optional".
        start: where the word that says so begins; it ends at `end`.
        wide: whether a verb such as "may" says so, of all that the clause says to be done.
        limited: whether it holds only in part: of some, or for a time.
    """

    sense: str
    about: frozenset[str]
    denied: bool
    start: int
    end: int
    lent: frozenset[str] = frozenset()
    wide: bool = False
    limited: bool = False


def statements(clause: Clause, language: str) -> Iterator[Statement]:
    """Yield what a clause says to be so; nothing for a condition such as "if it is required"."""
    words, special = lexicon(language), special_stems(language)
    plain = [word for word, _ in clause.plain]
    if words.words("conditions").intersection(plain[:1]):
        return
    modals, senses = words.table("modals"), words.table("predicates")
    limited = not words.words("limits").isdisjoint(plain)
    denials, endings = words.words("denials"), words.listed("denial_endings")
    for word, after in zip_longest(clause.free, clause.free[1:]):
        pair = f"{word.folded} {after.folded}" if after else ""
        wide = pair in modals or (word.folded in modals and pair not in senses)
        near = (plain[0], *clause.before(word.start)[-1:], word.folded, after.folded if after else "")
        if wide and clause.denies and not any(one in denials or one.endswith(endings) for one in near):
            continue  # may be had at no cost
        for sense, sign in (modals if wide else senses).get(pair) or (modals if wide else senses).get(word.folded, ()):
            said = {word.stem, after.stem} if after and pair in senses else {word.stem}
            about = frozenset(clause.subjects) - said - (special.light - special.people)
            if sense == LASTING and not words.words("until").isdisjoint(plain):
                continue  # what may be kept until August ends then
            yield Statement(sense, about, clause.denies == (sign > 0), word.start, word.end, wide=wide, limited=limited)


def is_so(text: str, clause: Clause, language: str) -> bool | None:
    """Whether what a clause of `text` says is so: a question says what the yes or no behind it does, or else None."""
    if not text[clause.start : clause.end].rstrip().endswith("?"):
        return True
    words = lexicon(language)
    if words.pattern("no").match(text, clause.end):
        return False
    return True if words.pattern("yes").match(text, clause.end) else None
