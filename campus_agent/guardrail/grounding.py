"""Checks every fact of a draft against the observations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.days import by_named_day, by_two_counts, states_a_day, too_often
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import QUESTION, Finding, Said, Support
from campus_agent.guardrail.opening import Openings
from campus_agent.guardrail.passages import Ground, Passage, says_not_on, squeezed
from campus_agent.guardrail.places import is_place, stands_in
from campus_agent.guardrail.relation import Place, Places, about, has_subject, of_another_part
from campus_agent.guardrail.relative import is_relative, names_the_day
from campus_agent.guardrail.tables import LISTS, MENTIONS

# A sentence of so many words or more that a passage holds word for word is supported by it.
_QUOTE = 5
# How many values of one sentence are looked at for a value to stand beside.
_SIDE_BY_SIDE = 40
_PLACED = re.compile(r"\b(?:in|at|inside|within) (?:(?:the|an?|our|its|their) )?[*_\"“]{0,3}\Z", re.IGNORECASE)
_LISTED = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]", re.MULTILINE)


@dataclass
class Grounding:
    """Compares one draft with the ground.

    Attributes:
        draft: the draft, or what it affirms of the question.
        question: what was asked.
        allowed: text whose names and values carry no facts when repeated.
        ground: the observations.
        affirms: whether a yes to the question states the draft, so that to repeat the question excuses nothing.
    """

    draft: Said
    question: Said
    allowed: Said
    ground: Ground
    affirms: bool = False
    _quoted: dict[int, Passage | None] = field(default_factory=dict)
    _holders: dict[tuple[str, bool], list[int]] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """Yield what is found of each fact of the draft, in the order written."""
        places, openings = Places(self.ground), Openings(self.question, self.ground)
        waiting = list(self.draft.facts[::-1])
        for sentence in self.draft.sentences:
            here = places.of(sentence)
            inside = []
            while waiting and waiting[-1].start < sentence.end:
                inside.append(waiting.pop())
            yield from openings.of(self.draft, sentence, here)
            bare = not self.affirms and all(fact.kind == "name" for fact in inside)
            for fact in inside:
                place = here[sentence.clause_at(fact.start)]
                if self._claims_nothing(fact, place, bare=bare):
                    continue
                support = self._support(fact, place, inside[:_SIDE_BY_SIDE])
                if support or not (self._counts_what_is_listed(fact, place) or self._only_denies(fact, place)):
                    yield Finding(fact, place, support)

    # ---- what is no claim ------------------------------------------------------------------------------------------

    def _claims_nothing(self, fact: Fact, place: Place, *, bare: bool) -> bool:
        """Whether a fact is allowed, or is a name of the question in a sentence without values, not said as a place."""
        if fact.kind != "name":
            return fact.supported_by(self.allowed.atoms)
        states_where = self._is_placed(fact) and self.ground.passages and not place.sentence.denies
        if is_place(fact) and states_where:
            return False
        asked = bare and not states_where and fact.supported_by(self.question.words) and not self._name_holders(fact)
        return asked or fact.supported_by(self.allowed.words | self.allowed.atoms)

    def _only_denies(self, fact: Fact, place: Place) -> bool:
        """Whether something is said not to be on a relative day, or at a place: nothing has to bear that out."""
        if not place.clause.denies or not (is_relative(fact) or is_place(fact)):
            return False
        return not (says_not_on(self.draft.text, fact) and self._value_holders(fact, place.sentence))

    def _is_placed(self, fact: Fact) -> bool:
        return is_place(fact) or bool(_PLACED.search(self.draft.text, max(0, fact.start - 16), fact.start))

    def _counts_what_is_listed(self, fact: Fact, place: Place) -> bool:
        """Whether a number says how many things the answer lists, as in "here are 3 clubs" or "any of these two"."""
        if fact.kind != "number" or not fact.normal.isdigit() or len(fact.normal) > 2:
            return False
        if not LISTS.intersection(place.clause.before(fact.start)):
            return False
        return 0 < int(fact.normal) <= max(len(self.ground.passages), 2) or int(fact.normal) == self._listed

    @cached_property
    def _listed(self) -> int:
        return sum(1 for _ in _LISTED.finditer(self.draft.text))

    @cached_property
    def _dated(self) -> list[int]:
        return [i for i, passage in enumerate(self.ground.passages) if "weekday" in passage.kinds]

    @cached_property
    def _timed(self) -> list[int]:
        return [i for i, passage in enumerate(self.ground.passages) if passage.spans]

    # ---- support ---------------------------------------------------------------------------------------------------

    def _support(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        if names_the_day(self.draft.text, fact) and self.ground.today:
            return by_named_day(fact, self.draft.text, self.ground)
        first, second = self._by_tool, self._by_passage
        if has_subject(place.clause, self.ground):
            first, second = second, first
        return (
            first(fact, place)
            or second(fact, place)
            or self._by_absence(fact, place)
            or self._by_quote(place.sentence)
            or self._by_question(fact, place, inside)
        )

    def _by_tool(self, fact: Fact, place: Place) -> Support | None:
        if fact.supported_by(self.ground.tools) and not self._misplaced_day(fact, place):
            return Support(next(self.ground.tools[atom] for atom in sorted(fact.needs[0]) if atom in self.ground.tools))
        if fact.kind == "name" and fact.supported_by(self.ground.tool_words):
            return Support(
                next(self.ground.tool_words[stem] for stem in fact.needs[0] if stem in self.ground.tool_words)
            )
        text = self.draft.text
        return by_named_day(fact, text, self.ground) or by_two_counts(fact, text, self.ground)

    def _misplaced_day(self, fact: Fact, place: Place) -> bool:
        """Whether a tool's weekday, such as today's, is given as the day of something that a passage puts on others."""
        if not is_relative(fact) and not states_a_day(fact, place.clause, affirms=self.affirms):
            return False
        lenders = (place.clause, *place.lenders, *self.question.clauses)
        if not any(has_subject(clause, self.ground) for clause in lenders):
            return False
        everything = range(len(self.ground.passages))
        best = about(place, everything, "weekday", self._asked(place.sentence), self.ground)
        passage = self.ground.passages[best] if best is not None else None
        return passage is not None and "weekday" in passage.kinds and not fact.supported_by(passage.gives)

    def _by_passage(self, fact: Fact, place: Place) -> Support | None:
        holders = self._name_holders(fact) if fact.kind == "name" else self._value_holders(fact, place.sentence)
        if not holders:
            return None
        if fact.kind == "name":
            if not self._is_placed(fact):
                return self._resting_on(holders[0])
            place = replace(place, clause=place.clause.without(fact))
        kind = "weekday" if is_relative(fact) else fact.kind
        best = about(place, holders, kind, self._asked(place.sentence), self.ground)
        passage = None if best is None else self.ground.passages[best]
        if passage is None or of_another_part(fact, place, passage) or self._turned_round(fact, passage):
            return None
        return None if too_often(fact, self.draft.text, passage) else Support(passage.source.source, passage.source)

    def _value_holders(self, fact: Fact, sentence: Sentence) -> list[int]:
        """Return the passages that hold a value; a day on which something is not, for a sentence that denies."""
        key = (f"{fact.kind} {fact.normal}", sentence.denies)
        if key not in self._holders:
            asked = fact.supported_by(self.question.atoms) and not (self.affirms and sentence.denies)
            within = fact.kind == "time" and asked
            self._holders[key] = [
                index
                for index, passage in enumerate(self.ground.passages)
                if fact.supported_by(passage.gives | passage.denied if key[1] else passage.gives)
                or (within and passage.within(fact))
            ]
        return self._holders[key]

    def _name_holders(self, fact: Fact) -> list[int]:
        key = (f"name {fact.normal}", False)
        if key not in self._holders:
            self._holders[key] = self._passages_naming(fact)
        return self._holders[key]

    def _passages_naming(self, fact: Fact) -> list[int]:
        allowed = self.allowed.words
        return [
            index
            for index, passage in enumerate(self.ground.passages)
            if all(group & passage.words or group & passage.gives or group & allowed for group in fact.needs)
            and (not is_place(fact) or stands_in(fact, f"{passage.source.title}: {passage.source.text}"))
        ]

    def _turned_round(self, fact: Fact, passage: Passage) -> bool:
        """Whether the draft says that something is not on a day on which the passage says that it is."""
        return says_not_on(self.draft.text, fact) and not fact.supported_by(passage.denied)

    def _by_absence(self, fact: Fact, place: Place) -> Support | None:
        """Accept that something is not on a day, or at a time, when a passage about it gives others."""
        dated = fact.kind == "weekday" or is_relative(fact)
        if not place.clause.denies or not (dated or fact.kind == "time"):
            return None
        kind, others = ("weekday", self._dated) if dated else ("time", self._timed)
        best = about(place, others, kind, self._asked(place.sentence), self.ground) if others else None
        passage = None if best is None else self.ground.passages[best]
        if passage is None or fact.supported_by(passage.gives) or (not dated and passage.within(fact)):
            return None
        return Support(passage.source.source, passage.source)

    def _by_quote(self, sentence: Sentence) -> Support | None:
        if sentence.start not in self._quoted:
            words = squeezed(self.draft.text[sentence.start : sentence.end])
            long = words.count(" ") > _QUOTE
            self._quoted[sentence.start] = next((p for p in self.ground.passages if long and words in p.plain), None)
        passage = self._quoted[sentence.start]
        return Support(passage.source.source, passage.source) if passage else None

    def _by_question(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        """Accept a value of the question that is only repeated: denied, spoken of, or beside a supported one."""
        known = self.question.words | self.question.atoms if fact.kind == "name" else self.question.atoms
        if not fact.supported_by(known):
            return None
        spoken_of = MENTIONS.intersection(place.clause.before(fact.start)) or place.sentence.asks
        if self.affirms:
            return Support(QUESTION) if spoken_of or self._beside_another(fact, place, inside) else None
        refused = place.sentence.clauses[0].plain[0][0] in ("no", "not") and not has_subject(place.clause, self.ground)
        if self._contradicts(fact, place):
            return None
        if place.clause.denies or spoken_of or refused or self._beside_another(fact, place, inside):
            return Support(QUESTION)
        return None

    def _contradicts(self, fact: Fact, place: Place) -> bool:
        """Whether something is said not to be on a day on which a passage about it says that it is."""
        if not says_not_on(self.draft.text, fact):
            return False
        holders = [
            i for i in self._value_holders(fact, place.sentence) if fact.supported_by(self.ground.passages[i].gives)
        ]
        return bool(holders) and about(place, holders, "weekday", self._asked(place.sentence), self.ground) is not None

    def _beside_another(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> bool:
        """Whether another clause holds a supported value of the kind, as in "5 PM, after your class at 3 PM"."""
        if fact.kind in ("weekday", "name"):
            return False
        clause = place.sentence.clause_at(fact.start)
        return any(
            other.kind == fact.kind
            and place.sentence.clause_at(other.start) != clause
            and self._value_holders(other, place.sentence)
            for other in inside
            if other is not fact and other.normal != fact.normal
        )

    def _resting_on(self, index: int) -> Support:
        passage = self.ground.passages[index].source
        return Support(passage.source, passage)

    def _asked(self, sentence: Sentence) -> tuple[Clause, ...]:
        """Return the clauses of the question; for a sentence that denies, without the places that no passage knows."""
        return self._asked_elsewhere if sentence.denies else self.question.clauses

    @cached_property
    def _asked_elsewhere(self) -> tuple[Clause, ...]:
        clauses = self.question.clauses
        for fact in self.question.facts[:_SIDE_BY_SIDE]:
            if is_place(fact) and not self._name_holders(fact):
                clauses = tuple(clause.without(fact) for clause in clauses)
        return clauses
