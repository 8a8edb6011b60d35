"""Tells which names of a draft are what it answers with, and what the question then lends them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.holders import Holders
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.places import is_placed
from campus_agent.guardrail.relation import Place, has_subject, without_house, without_verb

# How many characters before a name may say that it is a person's.
_NEAR = 40
# How many clauses of a sentence, and facts of a question, are looked at.
_CLOSELY = 40
_WHERE = ("name", "room")
# How many characters may stand between a title and a name.
_TITLE = 2


@dataclass(frozen=True)
class Naming:
    """Reads the names of one draft. `affirms` is whether it is what a yes to the question states."""

    draft: Said
    question: Said
    held: Holders
    ground: Ground
    affirms: bool

    def asked(self, fact: Fact, sentence: Sentence) -> Sequence[Clause]:
        """Return the clauses of the question; for a person or a place, without those that it may have instead."""
        clauses = self.held.asked(sentence)
        if fact.kind not in _WHERE:
            return clauses
        left = clauses
        for one in self.question.facts[:_CLOSELY]:
            if one.kind == "room" == fact.kind:
                left = tuple(without_house(one, clause, self.question.inside(clause)) for clause in left)
            elif one.kind == "name" == fact.kind and (one.supported_by(fact.gives) or does(one, self.question)):
                left = tuple(clause.without(one) for clause in left)
        return left if any(has_subject(clause, self.ground) for clause in left) else clauses

    def is_value(self, fact: Fact, place: Place) -> bool:
        """Whether a name says who or where something is, so that it has to be so of just that."""
        return (
            self.answers(fact, place)
            or is_placed(fact, self.draft.text, self.ground.language)
            or ((self.affirms or not self._is_asked(fact)) and does(fact, self.draft))
        )

    def answers(self, fact: Fact, place: Place) -> bool:
        """Whether a name is all that a draft says of what was asked: "Ana Ruiz runs it"."""
        named = sum(1 for other in self.draft.inside(place.clause) if other.kind == "name")
        others = (clause for clause in place.sentence.clauses[:_CLOSELY] if clause.start != place.clause.start)
        if named > 1 or any(clause.subjects for clause in others) or self._is_spoken_of(fact):
            return False
        asked = self.asked(fact, place.sentence)
        if not any(has_subject(clause, self.ground) for clause in asked):
            return False
        left = without_verb(self.without(fact, place), asked, self.ground).clause
        return self.ground.idle.issuperset(left.subjects)

    def without(self, fact: Fact, place: Place) -> Place:
        """Return a place without a name in it, and without the title before that."""
        titles = self.ground.lexicon.words("person_titles")
        before = [word for word in place.clause.free if word.start < fact.start]
        title = (
            before
            and before[-1].folded.removesuffix(".").capitalize() in titles
            and fact.start - before[-1].end <= _TITLE
        )
        start = before[-1].start if title else fact.start
        return replace(place, clause=place.clause.without(replace(fact, start=start)))

    def names_its_subject(self, sentence: Sentence) -> bool:
        """Whether a sentence has a word that tells what it is about, beside its verb, its names and its rooms."""
        for clause in sentence.clauses[:_CLOSELY]:
            for one in self.draft.inside(clause):
                if one.kind in _WHERE and (one.kind == "room" or does(one, self.draft)):
                    clause = without_house(one, clause.without(one), self.draft.inside(clause))
            words = self.ground.lexicon
            if has_subject(clause.without_verb(words.words("stand_ins"), words), self.ground):
                return True
        return False

    def _is_asked(self, fact: Fact) -> bool:
        return fact.supported_by(self.question.words | self.question.atoms)

    def _is_spoken_of(self, fact: Fact) -> bool:
        """Whether the question speaks of a name, and does not ask whether it is who does something."""
        known = self.question.words | self.question.atoms
        asked = (one for one in self.question.facts[:_CLOSELY] if one.kind == "name" and fact.supported_by(one.gives))
        return any(group & known for group in fact.needs) and not any(does(one, self.question) for one in asked)


def does(fact: Fact, said: Said) -> bool:
    """Whether a name is said to be who teaches, leads or helps, not what is spoken of."""
    words, text = lexicon(said.language), said.text
    before = words.pattern("person_before").search(text, max(0, fact.start - _NEAR), fact.start)
    return bool(before or words.pattern("person_after").match(text, fact.end))
