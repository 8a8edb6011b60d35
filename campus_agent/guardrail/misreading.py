"""Tells whether a passage about the right thing gives a value, and yet does not say of it what a draft does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.days import too_often
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.parts import in_another_column, of_another_part, on_another_day, on_anothers_day
from campus_agent.guardrail.passages import Passage, says_not_on
from campus_agent.guardrail.rates import of_another_rate
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.segments import Segments
from campus_agent.guardrail.senses import Senses
from campus_agent.guardrail.siblings import Siblings

_SHORT = re.compile(r"\d\d-\d\d")
_WEEK = range(-1, 7)  # days after a Monday: a week may begin on the Sunday before


@dataclass(frozen=True)
class Misreadings:
    """Compares how a draft means its values with how the passages that hold them do.

    Attributes:
        siblings: the tables among the passages.
    """

    draft: Said
    question: Said
    ground: Ground
    siblings: Siblings

    def misread(
        self, fact: Fact, place: Place, passage: Passage, inside: Sequence[Fact], asked: Sequence[Clause]
    ) -> bool:
        """Whether a passage about the same thing holds a value, and does not say of it what the draft does.

        Args:
            fact: the value.
            place: where it stands in the draft.
            passage: the passage.
            inside: the facts of the sentence.
            asked: the clauses of the question that lend a subject.
        """
        words = self.ground.lexicon
        return (
            of_another_part(fact, place, passage, self.ground, asked)
            or in_another_column(fact, place, passage, inside, self.ground, self.question)
            or self.segments.give_to_another(fact, place, passage)
            or on_another_day(
                fact, inside, self.question.facts, passage, is_end=Senses(words).is_end(fact, self.draft.text)
            )
            or on_anothers_day(fact, place, inside, passage)
            or self.siblings.is_of_others(fact, self.draft, place.sentence, passage)
            or self._turned_round(fact, passage)
            or self._in_another_week(fact, place)
            or Senses(words).differ(fact, place, self.draft.text, passage)
            or too_often(fact, self.draft.text, passage, words)
            or of_another_rate(fact, self.draft.text, passage, self.ground.passages, self.ground.language)
        )

    @cached_property
    def segments(self) -> Segments:
        """The sentences of the passages."""
        return Segments(self.draft, self.question, self.ground)

    def _in_another_week(self, fact: Fact, place: Place) -> bool:
        """Whether a clause about this week, or the next one, has a date of another: "due this week is on May 20"."""
        if fact.kind != "date" or place.clause.denies or not any(_SHORT.fullmatch(atom) for atom in fact.gives):
            return False
        week = self.ground.lexicon.pattern("which_week").search(self.draft.text, place.clause.start, place.clause.end)
        if week is None or not self.ground.today:
            return False
        mondays = (day - timedelta(day.weekday() - (7 if week["next"] else 0)) for day in self.ground.today)
        days = (monday + timedelta(on) for monday in mondays for on in _WEEK)
        return not any(f"{day:%m-%d}" in fact.gives for day in days)

    def _turned_round(self, fact: Fact, passage: Passage) -> bool:
        """Whether the draft says that something is not on a day on which the passage says that it is."""
        return says_not_on(self.draft.text, fact, self.ground.language) and not fact.supported_by(passage.denied)
