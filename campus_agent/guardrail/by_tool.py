"""Judges values that rest on what the clock and the counting tools returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.days import (
    by_named_day,
    by_two_counts,
    by_weekday,
    counts_days,
    falls_on,
    is_on_one_of,
    is_so_far,
    states_a_day,
)
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.holders import Holders
from campus_agent.guardrail.parts import of_another_part, told_of
from campus_agent.guardrail.passages import says_not_on
from campus_agent.guardrail.relation import Place, about, has_subject
from campus_agent.guardrail.relative import EVERY_OTHER_WEEK, MONTHLY, is_relative
from campus_agent.guardrail.tying import Tying


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
        return by_named_day(fact, text, self.ground) or by_two_counts(fact, text, self.ground)

    def _misplaced(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> bool:
        return (
            self._misplaced_day(fact, place)
            or self._miscounted(fact, place, inside)
            or self._misdated(fact, place)
            or self._tying.is_missing(fact, place)
            or self.contradicts(fact, place)
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
        if falls_on(fact, told, self.ground.today):
            return False  # Tuesday is 3 days away
        best = about(place, self.held.with_days, "date", self.held.asked(place.sentence), self.ground)
        return best is not None and not is_so_far(
            fact, self.ground.passages[best], self.ground.today, told_of(place, self.ground.passages[best])
        )

    def _misdated(self, fact: Fact, place: Place) -> bool:
        """Whether a date that a tool counted to is given as that of something that a passage puts on others."""
        if fact.kind != "date" or is_relative(fact):
            return False
        if not any(has_subject(clause, self.ground) for clause in (place.clause, *place.earlier)):
            return False
        if any(f"{day:%m-%d}" in fact.gives for day in self.ground.today):
            return False
        best = about(place, self.held.with_days, "date", self.held.asked(place.sentence), self.ground)
        passage = self.ground.passages[best] if best is not None else None
        if passage is None:
            return False
        if fact.supported_by(passage.gives) and not of_another_part(fact, place, passage, self.ground):
            return False
        told = told_of(place, passage)
        if place.sentence.denies or not by_weekday(told):
            return "date" in passage.kinds
        return not is_on_one_of(fact, told, self.ground.today) and not {MONTHLY, EVERY_OTHER_WEEK} & passage.gives

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
        return passage is not None and "weekday" in passage.kinds and not fact.supported_by(passage.gives)

    def _states_a_day(self, fact: Fact, place: Place) -> bool:
        return states_a_day(fact, place.clause, self.draft.text, self.ground.lexicon, affirms=self.affirms)

    def contradicts(self, fact: Fact, place: Place) -> bool:
        """Whether something is said not to be on a day on which a passage about it says that it is."""
        if not says_not_on(self.draft.text, fact, self.ground.language):
            return False
        holders = [
            i
            for i in self.held.value(fact, denied=place.sentence.denies)
            if fact.supported_by(self.ground.passages[i].gives)
        ]
        return (
            bool(holders) and about(place, holders, "weekday", self.held.asked(place.sentence), self.ground) is not None
        )
