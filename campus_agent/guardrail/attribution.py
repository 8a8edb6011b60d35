"""Judges who does, gets or may do something: what a passage says of one person or group is not so of another.

A clause of a passage belongs to the people and names in it, or else to those of the clause before it. What a draft
says of somebody whom the same passage speaks of elsewhere has to stand in a clause that is theirs, or everyone's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from campus_agent.guardrail.belonging import Belonging
from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import Word

# How many clauses of a passage are looked at.
_MOST = 60


@dataclass(frozen=True, slots=True)
class _Told:
    """What a clause of a passage tells, and of whom.

    Attributes:
        what: the stems of its words; `gives` the atoms of its values.
        groups: the people that it is about, as stems; `name` the name that it begins with, as stems.
        of_all: whether it is about everyone; `of_others` whether it is about everyone but those before.
        only: whether it is about nobody else.
    """

    what: frozenset[str]
    gives: frozenset[str]
    groups: frozenset[str]
    name: frozenset[str]
    of_all: bool
    of_others: bool
    only: bool

    @property
    def tells(self) -> bool:
        """Whether it says more than whom it is about."""
        return bool(self.what or self.gives or self.name)

    @property
    def whom(self) -> frozenset[str]:
        """All stems of those whom it is about."""
        return self.groups | self.name


@dataclass(frozen=True)
class Attributions:
    """Compares whom a draft speaks of with whom the passages do."""

    ground: Ground
    _read: dict[str, Sequence[_Told]] = field(default_factory=dict)

    @cached_property
    def _belonging(self) -> Belonging:
        return Belonging(self.ground)

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each clause of a sentence of `said` that gives somebody what is another's."""
        if sentence.asks or any(one.denies and len(one.plain) > 1 for one in sentence.clauses):
            return
        for place in places:
            values = [fact for fact in said.inside(place.clause) if fact.kind != "name"]
            found = self._about(place.clause, values)
            if (
                self._is_of_another_passage(place.clause, values)
                or (not values and self._belonging.is_of_another(place.clause))
                or (found and self._is_anothers(place.clause, values, found, self._told_by(found)))
            ):
                text = said.text[place.clause.start : place.clause.end].strip(" ,;.\n")
                yield Finding(claim(text, place.clause.start), place, None)

    def _is_of_another_passage(self, clause: Clause, values: Sequence[Fact]) -> bool:
        """Whether a clause without a value begins with a name, and goes on in words that only other passages have."""
        words, passages = self.ground.lexicon, self.ground.passages
        compares = words.words("comparatives") | words.words("superlatives") | {"than"}
        name = _leading_name(clause, words) & self.ground.weights.keys()
        named = [passage for passage in passages if name <= passage.words]
        if values or not name or not named or len(named) == len(passages):
            return False
        if compares.intersection(word for word, _ in clause.plain):
            return False
        rest = [stem for stem in clause.subjects if stem in self.ground.weights and self.ground.distinctive(stem)]
        return any(not any(stem in passage.words for passage in named) for stem in rest)

    def _about(self, clause: Clause, values: Sequence[Fact]) -> Passage | None:
        """Return the one passage that a clause is nearest to; None where two are as near."""
        subject = frozenset(clause.subjects)
        near = [
            len(subject & one.words) + sum(fact.supported_by(one.gives) for fact in values)
            for one in self.ground.passages
        ]
        best = max(near, default=0)
        return self.ground.passages[near.index(best)] if best and near.count(best) == 1 else None

    def _told_by(self, passage: Passage) -> Sequence[_Told]:
        if passage.text not in self._read:
            self._read[passage.text] = _told(passage, self.ground)
        return self._read[passage.text]

    def _is_anothers(self, clause: Clause, values: Sequence[Fact], passage: Passage, told: Sequence[_Told]) -> bool:
        if not told:
            return False
        everyone = not self.ground.lexicon.words("universals").isdisjoint(word for word, _ in clause.plain)
        whom = frozenset(clause.subjects) & frozenset[str]().union(*(one.whom for one in told))
        whom -= passage.title - self.ground.people
        people = frozenset(clause.subjects) & self.ground.people
        what = (frozenset(clause.subjects) & passage.words) - passage.title - whom - self.ground.light
        if values:
            found = [one for one in told if any(fact.supported_by(one.gives) for fact in values)]
        else:
            most = max(len(what & one.what) for one in told)
            found = [one for one in told if len(what & one.what) == most > 0]
        lacking = not self.ground.lexicon.words("lacking").isdisjoint(word for word, _ in clause.plain)
        if everyone and lacking and any(one.of_others for one in told):
            return bool(found) and not any(one.of_others for one in found)
        if not found or lacking:
            return False
        if everyone:
            return all(not one.of_all and (one.groups or one.only) for one in found)
        if people and all(one.only and one.groups and not one.groups & people for one in found):
            return True
        return bool(whom) and all(self._is_of_another(one, whom) for one in found)

    def _is_of_another(self, one: _Told, whom: frozenset[str]) -> bool:
        strange = whom - one.whom
        if strange & self.ground.people and (one.of_others or (one.groups and not one.groups & whom)):
            return True
        return bool(strange - self.ground.people) and bool(one.name) and not one.name & whom


def _told(passage: Passage, ground: Ground) -> Sequence[_Told]:
    """Return what each clause of a passage tells; nothing for a row of a table, which is all about one thing."""
    words, told = ground.lexicon, list[_Told]()
    if words.pattern("row").search(passage.text):
        return ()
    for sentence in passage.sentences:
        for clause in sentence.clauses[:_MOST]:
            if passage.text[clause.end : clause.end + 1] != ":":  # a label is about nobody
                one, before = _read(clause, passage, ground, words, told[-1] if told else None), told[-1:]
                same = clause is not sentence.clauses[0] and before and not all(part.tells for part in (*before, one))
                if same:  # staff and alumni
                    one = replace(told.pop() if before[0].tells else one, groups=before[0].groups | one.groups)
                told.append(one)
    return told


def _read(clause: Clause, passage: Passage, ground: Ground, words: Lexicon, before: _Told | None) -> _Told:
    plain = {word for word, _ in clause.plain}
    groups = frozenset(clause.subjects) & ground.people
    inside = [fact for fact in passage.facts if clause.start <= fact.start < clause.end]
    named = [fact for fact in inside if fact.kind == "name"]
    name = _leading_name(clause, words) - passage.title
    gives = frozenset(atom for fact in inside if fact.kind != "name" for atom in fact.gives)
    of_all, of_others = not words.words("universals").isdisjoint(plain), not words.words("lacking").isdisjoint(plain)
    if before and not groups and not named and not name and not of_all:
        groups, name = before.groups, before.name
    what = frozenset(clause.subjects) - groups - name
    return _Told(what, gives, groups, name, of_all, of_others, not words.words("only").isdisjoint(plain))


def _leading_name(clause: Clause, words: Lexicon) -> frozenset[str]:
    """Return the stems of two or more capitalised words with which a clause begins; of none, nothing."""
    skipped = words.words("joins") | words.words("determiners")
    plain = [start for word, start in clause.plain if word not in skipped]
    run: list[Word] = []
    for word in clause.free:
        if not run and plain and word.start > plain[0]:
            break
        if not (word.stem and word.capital):
            if run:
                break
            continue
        run.append(word)
    return frozenset(word.stem for word in run) if len(run) > 1 else frozenset()
