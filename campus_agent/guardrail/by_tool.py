"""Judges values that rest on what the clock and the counting tools returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.days import (
    around,
    by_named_day,
    by_two_counts,
    by_weekday,
    counts_days,
    falls_on,
    is_on_one_of,
    is_seldom,
    is_weekday_of,
    states_a_day,
)
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.holders import Holders
from campus_agent.guardrail.parts import of_another_part, on_anothers_day, told_of
from campus_agent.guardrail.passages import Passage, says_not_on
from campus_agent.guardrail.relation import Place, about, has_subject
from campus_agent.guardrail.relative import LASTING, is_relative
from campus_agent.guardrail.tying import Tying
from campus_agent.guardrail.words import special_stems


@dataclass(frozen=True)
class ByTool:
    """Compares a draft with what tools returned.

    A tool's value supports any sentence, but not of something that a passage puts on another day.
    """

    draft: Said
    question: Said
    ground: Ground
    held: Holders
    affirms: bool

    @cached_property
    def _tying(self) -> Tying:
        return Tying(self.draft, self.question, self.ground, self.held, self.affirms)

    def support(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        """Return what a fact rests on, if a tool returned it and it is not given to something else."""
        if fact.supported_by(self.ground.tools) and not self._misplaced(fact, place, inside):
            return Support(next(self.ground.tools[atom] for atom in sorted(fact.needs[0]) if atom in self.ground.tools))
        if fact.kind == "name" and fact.supported_by(self.ground.tool_words):
            return Support(
                next(self.ground.tool_words[stem] for stem in fact.needs[0] if stem in self.ground.tool_words)
            )
        text = self.draft.text
        return (
            by_named_day(fact, text, self.ground)
            or by_two_counts(fact, text, self.ground)
            or self._by_reckoning(fact, place, inside)
        )

    def _by_reckoning(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        """Accept how far off a day of a passage is, where a tool told what day it is, and how long its span is."""
        passage = self._dated(place) if counts_days(fact) or fact.kind == "weekday" else None
        if passage is None:
            return None
        if fact.kind == "weekday":
            found = is_weekday_of(fact, told_of(place, passage), self.ground.today)
            return Support(passage.source.source, passage.source) if found else None
        words, near = self.ground.lexicon, around(fact, self.draft.text)
        if words.pattern("lasting").search(near) or words.pattern("asks_how_long").search(self.question.text):
            found = f"{LASTING}{fact.normal}" in passage.gives
        else:
            found = not is_seldom(passage) and self._is_so_far(fact, told_of(place, passage), inside)
        return Support(passage.source.source, passage.source) if found else None

    def _is_so_far(self, fact: Fact, told: frozenset[str], inside: Sequence[Fact]) -> bool:
        """Whether a number of days leads to a day of those told, and to that of the sentence if it names one.

        Where it names none only dates count: whether today's is over, for a weekday, a counting tool has to say.
        """
        own = frozenset(atom for other in inside if other.kind in ("date", "weekday") for atom in other.gives)
        told -= frozenset(() if own else WEEKDAYS)
        return falls_on(fact, self.draft.text, told, self.ground, own)

    def _dated(self, place: Place) -> Passage | None:
        """Return the passage with days that is about what the place is about."""
        dated = self.held.with_days
        best = about(place, dated, "date", self.held.asked(place.sentence), self.ground) if dated else None
        return None if best is None else self.ground.passages[best]

    def _falls_on(self, fact: Fact, atoms: frozenset[str]) -> bool:
        return falls_on(fact, self.draft.text, atoms, self.ground)

    def _misplaced(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> bool:
        return (
            self._misplaced_day(fact, place)
            or self._miscounted(fact, place, inside)
            or self._misdated(fact, place)
            or self._is_only_now(fact, place)
            or self._tying.is_missing(fact, place)
            or self.contradicted(fact, place) is not None
        )

    def _miscounted(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> bool:
        """Whether a tool's number of days is given as the time to something that a passage puts on other days."""
        if not counts_days(fact) or by_two_counts(fact, self.draft.text, self.ground):
            return False
        lenders = (place.clause, *place.lenders, *self.question.clauses)
        if not self.ground.today or not any(has_subject(clause, self.ground) for clause in lenders):
            return False
        own = set(self.draft.inside(place.clause))
        told = frozenset(atom for other in inside if other.kind == "weekday" or other in own for atom in other.gives)
        if self._falls_on(fact, told):
            return False  # Tuesday is 3 days away
        passage = self._dated(place)
        return passage is not None and not is_seldom(passage) and not self._falls_on(fact, told_of(place, passage))

    def _misdated(self, fact: Fact, place: Place) -> bool:
        """Whether a date that a tool counted to is given as that of something that a passage puts on others."""
        if fact.kind != "date" or is_relative(fact):
            return False
        if not any(has_subject(clause, self.ground) for clause in (place.clause, *place.earlier)):
            return False
        if self._is_told_by_the_clock(fact):
            return False  # which is judged by itself
        passage = self._dated(place)
        if passage is None:
            return False
        if fact.supported_by(passage.gives) and not of_another_part(fact, place, passage, self.ground):
            return False
        told = told_of(place, passage)
        if place.sentence.denies or not by_weekday(told):
            return "date" in passage.kinds
        return not is_on_one_of(fact, told, self.ground.today) and not is_seldom(passage)

    def _is_told_by_the_clock(self, fact: Fact) -> bool:
        """Whether a fact is the day, or the time of day, that a clock told."""
        if fact.kind == "time":
            return any(f"{moment:%H:%M}" in fact.gives for moment in self.ground.clocks)
        return fact.kind == "date" and any(f"{day:%m-%d}" in fact.gives for day in self.ground.today)

    def _is_only_now(self, fact: Fact, place: Place) -> bool:
        """Whether the time that a clock told is given as that of something: "The exam is today at 9:00 AM"."""
        if is_relative(fact) or place.sentence.denies or not self._is_told_by_the_clock(fact):
            return False
        if self._speaks_of_now(fact, place.sentence):
            return False
        passage = self._dated(place) if fact.kind == "date" else None
        return passage is None or not is_on_one_of(fact, told_of(place, passage), self.ground.today)

    def _speaks_of_now(self, fact: Fact, sentence: Sentence) -> bool:
        """Whether a sentence tells the time, or how something is then, or what is on today, or names nothing."""
        words, text = self.ground.lexicon, self.draft.text[sentence.start : sentence.end]
        if any(words.pattern(name).search(text) for name in ("now", "status", "under_way", "tells_now")):
            return True
        idle = self.ground.light | special_stems(self.ground.language).calendar
        if all(idle.issuperset(clause.subjects) for clause in sentence.clauses if clause.start <= fact.start):
            return True
        plain = {word for clause in sentence.clauses for word, _ in clause.plain}
        return fact.kind == "date" and not plain.isdisjoint(words.table("relative_days"))

    def _misplaced_day(self, fact: Fact, place: Place) -> bool:
        """Whether a tool's weekday, such as today's, is given as the day of something that a passage puts on others."""
        if not is_relative(fact) and not self._states_a_day(fact, place):
            return False
        lenders = (place.clause, *place.lenders, *self.question.clauses)
        if not any(has_subject(clause, self.ground) for clause in lenders):
            return False
        everything = range(len(self.ground.passages))
        best = about(place, everything, "weekday", self.held.asked(place.sentence), self.ground)
        passage = self.ground.passages[best] if best is not None else None
        if passage is None or "weekday" not in passage.kinds:
            return False
        inside = self.draft.inside(place.clause)
        return not fact.supported_by(passage.gives) or on_anothers_day(fact, place, inside, passage)

    def _states_a_day(self, fact: Fact, place: Place) -> bool:
        return states_a_day(fact, place.clause, self.draft.text, self.ground.lexicon, affirms=self.affirms)

    def contradicted(self, fact: Fact, place: Place) -> int | None:
        """Return the passage about something that says it to be on a day on which it is said not to be, by index."""
        if not says_not_on(self.draft.text, fact, self.ground.language):
            return None
        holders = [
            i
            for i in self.held.value(fact, denied=place.sentence.denies)
            if fact.supported_by(self.ground.passages[i].gives)
        ]
        return about(place, holders, "weekday", self.held.asked(place.sentence), self.ground)
