"""Tells whether a day that the clock or a counting tool returned is given to something that no observation puts there.

Such a tool knows nothing of the campus: that Monday is two days away says nothing of office hours, unless an
observation puts these on Mondays. Said of the day itself ("Monday is in 2 days") it needs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.days import counts_days, states_a_day
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.holders import Holders
from campus_agent.guardrail.relation import Place, about
from campus_agent.guardrail.relative import is_relative
from campus_agent.guardrail.words import LABEL, special_stems

# How many clauses of a sentence are looked at.
_CLAUSES = 40


@dataclass(frozen=True)
class Tying:
    """Looks for what ties the things of a draft, or of the question, to a day. `affirms` is as in `Grounding`."""

    draft: Said
    question: Said
    ground: Ground
    held: Holders
    affirms: bool

    def is_missing(self, fact: Fact, place: Place) -> bool:
        """Whether a day, time or count is one of those tools', and nothing says it of what the place is about."""
        if not self._from_the_calendar(fact) or not self._is_given(fact, place.clause):
            return False
        things = self._things(place, fact)
        if not things or not things.isdisjoint(self.ground.tool_words):
            return False
        asked = self.held.asked(place.sentence)
        return about(place, self._dated(fact), "time" if fact.kind == "time" else "date", asked, self.ground) is None

    def _from_the_calendar(self, fact: Fact) -> bool:
        if fact.kind not in ("weekday", "date", "time") and not counts_days(fact):
            return False
        tellers = set(self.ground.today.values())
        return any(self.ground.tools.get(atom) in tellers for group in fact.needs for atom in group)

    def _is_given(self, fact: Fact, clause: Clause) -> bool:
        """Whether a value is stated of something: not which day or what time it is now."""
        if fact.kind == "weekday":
            return states_a_day(fact, clause, self.draft.text, self.ground.lexicon, affirms=self.affirms)
        if fact.kind == "time" or (fact.kind == "date" and self._is_today(fact)):
            return bool(self.ground.lexicon.words("gives_a_day").intersection(clause.before(fact.start)[-1:]))
        return True

    def _is_today(self, fact: Fact) -> bool:
        return not is_relative(fact) and any(f"{day:%m-%d}" in fact.gives for day in self.ground.today)

    def _dated(self, fact: Fact) -> Sequence[int]:
        return range(len(self.ground.passages)) if fact.kind == "time" else self.held.with_days

    def _things(self, place: Place, fact: Fact) -> frozenset[str]:
        """Return the stems that tell what a value is given to: of its clause, its sentence, or else of the question."""
        own = frozenset(self._telling(place.clause))
        if own:
            return own
        opens = self.ground.lexicon.pattern("day_is").match(self.draft.text, place.sentence.start)
        others = (other for other in self.draft.inside(place.clause) if _is_a_day(other) and other is not fact)
        if any(others) or (opens and opens.end() < fact.start):
            return frozenset()  # Monday is in 2 days, on June 18
        clauses = place.sentence.clauses[:_CLAUSES]
        return frozenset(stem for clause in clauses for stem in self._telling(clause)) or self._asked

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The things of the question; none where it asks of a day itself, as in "How many days until Monday?"."""
        if any(_is_a_day(fact) and fact.supported_by(self.ground.tools) for fact in self.question.facts[:_CLAUSES]):
            return frozenset()
        return frozenset(stem for clause in self.question.clauses for stem in self._telling(clause))

    def _telling(self, clause: Clause) -> Iterator[str]:
        special = special_stems(self.ground.language)
        plain = special.calendar | special.modifiers
        return (stem for stem in clause.subjects if stem not in plain and not stem.startswith(LABEL))


def _is_a_day(fact: Fact) -> bool:
    return fact.kind in ("weekday", "date") and not is_relative(fact)
