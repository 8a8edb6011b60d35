"""Compares how a draft means a value with how a passage does: as a bound, a deadline, a start or an end, or as past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place

# How many characters on each side of a value may say how it is meant.
_NEAR = 48
# How many of them, within the sentence, may say that it holds no longer.
_AROUND = 200
# How many values of a passage are looked at.
_MOST = 200
_STRETCH = re.compile(r"[.,;:!?()\n]")
_NO_VALUES = ("email", "link", "phone", "claim", "comparison")
_OF_AMOUNTS, _OF_DAYS = ("least", "most", "more", "fewer"), ("before", "after", "start", "end")
# What cannot be said of a value of which a passage says the other.
_OPPOSITE = {
    "least": {"most", "fewer"},
    "more": {"most", "fewer"},
    "most": {"least", "more"},
    "fewer": {"least", "more", "most"},
    "before": {"after"},
    "after": {"before"},
    "start": {"end"},
    "end": {"start"},
}
# What nobody may be says what everybody has to be: nobody under 18.
_BEYOND = frozenset(("more", "fewer"))


@dataclass(frozen=True)
class Senses:
    """Reads in what sense a text gives its values."""

    words: Lexicon

    def differ(self, fact: Fact, place: Place, text: str, passage: Passage) -> bool:
        """Whether a passage gives a value, but only in a sense that rules out that of the draft.

        Args:
            fact: a value of the draft.
            place: where it stands.
            text: the draft.
            passage: the passage that holds the value.
        """
        holding = [one for one in passage.facts[:_MOST] if fact.supported_by(one.gives)]
        given = [one for one in holding if one.kind == fact.kind] or holding
        if not given or fact.kind in _NO_VALUES:
            return False
        if _is_turned_round(fact, passage):
            return True
        holds = not place.sentence.denies and not self._says_it_is_over(text, place.sentence, fact)
        if holds and all(self._is_over(fact, passage, one) for one in given):
            return True
        return all(self._rules_out(fact, place, text, passage, one) for one in given)

    def is_end(self, fact: Fact, text: str) -> bool:
        """Whether `text` says that something begins, or ends, at a time."""
        return not {"start", "end"}.isdisjoint(self._senses(text, fact))

    def limit(self, fact: Fact, text: str) -> str:
        """Return whether `text` says "more" or "fewer" than an amount; nothing where it says neither."""
        return next((sense for sense in self._senses(text, fact) if sense in _BEYOND), "")

    # ---- a value that holds no longer ---------------------------------------------------------------------------

    def _says_it_is_over(self, text: str, sentence: Sentence, fact: Fact) -> bool:
        start, end = max(sentence.start, fact.start - _AROUND), min(sentence.end, fact.end + _AROUND)
        return bool(self.words.pattern("is_over").search(text, start, end))

    def _is_over(self, fact: Fact, passage: Passage, one: Fact) -> bool:
        """Whether a passage says of a value that it holds no longer, or never did."""
        here = next((cut for cut in passage.sentences if cut.start <= one.start < cut.end), None)
        if here is None:
            return False
        words, text = self.words, passage.text
        if words.pattern("called_off").search(text, here.start, here.end):
            return True
        before, after = text[here.start : one.start], text[one.end : here.end]
        if words.pattern("moved").search(before) and words.pattern("moved_from").search(before):
            if one.kind == "weekday" and "-" in one.normal:  # from Monday to Wednesday
                return one.normal.startswith(f"{fact.normal}-")
            return bool(words.pattern("moved_to").match(after))
        if one.kind == "date" and words.pattern("not_on_date").search(before):
            return True
        clause = next(cut for cut in reversed(here.clauses) if cut.start <= one.start)
        return bool(words.pattern("was_until").match(text[clause.start : clause.end]))

    # ---- the sense of a value -----------------------------------------------------------------------------------

    def _rules_out(self, fact: Fact, place: Place, text: str, passage: Passage, one: Fact) -> bool:
        denies = place.clause.denies or (place.sentence.denies and self._is_compared(place, text))
        said = set(self._senses(text, fact)) - (_BEYOND if denies else frozenset[str]())
        given = set(self._senses(passage.text, one)) if said else set()
        if said & {"start", "end"} and (ends := ends_of(one)):
            given = {name for name, end in zip(("start", "end"), ends, strict=True) if end in fact.gives}
        against = {sense for sense in said - given if _OPPOSITE[sense] & given}
        return bool(against - {"before", "after"} or (against and self._is_same_statement(place, passage, one)))

    def _is_compared(self, place: Place, text: str) -> bool:
        """Whether a clause only says than what, as in "they can't be larger than 80 MB"."""
        return bool(self.words.pattern("than").match(text, place.clause.start, place.clause.end))

    def _is_same_statement(self, place: Place, passage: Passage, one: Fact) -> bool:
        """Whether a clause says nothing but what the passage's does: what holds before a day may not after it."""
        here = next((cut for cut in passage.sentences if cut.start <= one.start < cut.end), None)
        theirs = (
            {stem for clause in here.clauses if clause.start <= one.start for stem in clause.subjects}
            if here
            else set()
        )
        own = {stem for clause in (place.clause, place.subject) for stem in clause.subjects if stem in passage.words}
        return bool(own) and own <= theirs | passage.title

    def _senses(self, text: str, fact: Fact) -> Iterator[str]:
        before = text[max(0, fact.start - _NEAR) : fact.start]
        after = text[fact.end : fact.end + _NEAR]
        for name in _OF_DAYS if fact.kind in ("date", "weekday", "time") else _OF_AMOUNTS:
            said = self.words.pattern(f"{name}_before").search(before)
            if said and name == "after" and self._is_denied(text, fact.start - len(before) + said.start()):
                yield "before"  # what is not taken after a day is taken until then
            elif said or self.words.pattern(f"{name}_after").match(after):
                yield name

    def _is_denied(self, text: str, end: int) -> bool:
        """Whether the stretch of a sentence before `end` denies what it says."""
        lead = _STRETCH.split(text[max(0, end - _AROUND) : end])[-1]
        return sum(1 for _ in self.words.pattern("denied").finditer(lead)) % 2 == 1


def _is_turned_round(fact: Fact, passage: Passage) -> bool:
    """Whether a range of times begins where that of the passage ends, and ends where it begins."""
    start, end = ends_of(fact) or ("", "")
    return f"from {end} to {start}" in passage.gives and f"from {start} to {end}" not in passage.gives


def ends_of(fact: Fact) -> tuple[str, str] | None:
    """Return the two ends of a range of times as atoms, "08:00" and "18:00"; None for anything else."""
    spans = (re.fullmatch(r"from (\S+) to (\S+)", atom) for atom in fact.gives)
    return next(((span[1], span[2]) for span in spans if span), None)
