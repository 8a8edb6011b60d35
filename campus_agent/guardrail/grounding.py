"""Checks every fact of a draft against the observations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from campus_agent.guardrail.attribution import Attributions
from campus_agent.guardrail.audiences import Audiences
from campus_agent.guardrail.by_tool import ByTool
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.comparing import Comparisons
from campus_agent.guardrail.contrary import Contraries
from campus_agent.guardrail.days import by_named_day, readings, too_often
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import QUESTION, Finding, Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.holders import Holders
from campus_agent.guardrail.limits import Limits
from campus_agent.guardrail.opening import Openings
from campus_agent.guardrail.opposites import Opposites
from campus_agent.guardrail.parts import of_another_part, on_another_day
from campus_agent.guardrail.passages import Passage, says_not_on, squeezed
from campus_agent.guardrail.places import is_place, is_placed
from campus_agent.guardrail.polarity import Polarity
from campus_agent.guardrail.relation import Place, Places, about, has_subject
from campus_agent.guardrail.relative import is_relative, names_the_day
from campus_agent.guardrail.segments import Segments
from campus_agent.guardrail.senses import Senses
from campus_agent.guardrail.superlatives import Superlatives
from campus_agent.guardrail.swaps import is_swapped

# A sentence of so many words or more that a passage holds word for word is supported by it.
_QUOTE = 5
# How many values of one sentence are looked at for a value to stand beside.
_SIDE_BY_SIDE = 40
# How many sentences, and clauses of a sentence, are read for who does what, and for what is denied.
_CLOSELY = 60
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

    def findings(self) -> Iterator[Finding]:
        """Yield what is found of each fact of the draft, in the order written."""
        places, openings = Places(self.ground), Openings(self.question, self.ground)
        comparisons, polarity = Comparisons(self.question, self.ground), Polarity(self.question, self.ground)
        attributions, contraries = Attributions(self.ground), Contraries(self.ground)
        audiences = Audiences(self.question, self.ground)
        superlatives, opposites = Superlatives(comparisons, self.ground), Opposites(self.ground)
        waiting = list(self.draft.facts[::-1])
        for index, sentence in enumerate(self.draft.sentences):
            here = places.of(sentence)
            inside = []
            while waiting and waiting[-1].start < sentence.end:
                inside.append(waiting.pop())
            found = [
                *openings.of(self.draft, sentence, here),
                *comparisons.of(self.draft, sentence, here),
                *superlatives.of(self.draft, sentence, here),
                *polarity.of(self.draft, sentence, here),
                *self._limits.of(self.draft, sentence, here),
                *self._of_values(sentence, here, inside),
            ]
            yield from found
            if index < _CLOSELY:
                wrong = {finding.place.clause.start for finding in found if finding.support is None}
                fine = [place for place in here[:_CLOSELY] if place.clause.start not in wrong]
                told = {finding.place.clause.start: finding for finding in contraries.of(self.draft, sentence, fine)}
                told |= {finding.place.clause.start: finding for finding in attributions.of(self.draft, sentence, fine)}
                told |= {finding.place.clause.start: finding for finding in opposites.of(self.draft, sentence, fine)}
                told |= {finding.place.clause.start: finding for finding in audiences.of(self.draft, sentence, fine)}
                yield from told.values()

    def _of_values(self, sentence: Sentence, here: Sequence[Place], inside: Sequence[Fact]) -> Iterator[Finding]:
        bare = not self.affirms and all(fact.kind == "name" for fact in inside)
        for fact in inside:
            place = here[sentence.clause_at(fact.start)]
            if self._claims_nothing(fact, place, bare=bare):
                continue
            support = self._support(fact, place, inside[:_SIDE_BY_SIDE])
            if support or not (self._counts_what_is_listed(fact, place) or self._only_denies(fact, place)):
                yield Finding(fact, place, support)

    @cached_property
    def _limits(self) -> Limits:
        return Limits(self.question, self.ground)

    @cached_property
    def _held(self) -> Holders:
        return Holders(self.question, self.allowed, self.ground, affirms=self.affirms)

    @cached_property
    def _segments(self) -> Segments:
        return Segments(self.draft, self.question, self.ground)

    @cached_property
    def _tools(self) -> ByTool:
        return ByTool(self.draft, self.question, self.ground, self._held, self.affirms)

    # ---- what is no claim ------------------------------------------------------------------------------------------

    def _claims_nothing(self, fact: Fact, place: Place, *, bare: bool) -> bool:
        """Whether a fact is allowed, or is a name of the question in a sentence without values, not said as a place."""
        if fact.kind != "name":
            return fact.supported_by(self.allowed.atoms)
        states_where = self._is_placed(fact) and self.ground.passages and not place.sentence.denies
        if is_place(fact) and states_where:
            return False
        asked = bare and not states_where and fact.supported_by(self.question.words) and not self._held.name(fact)
        return asked or fact.supported_by(self.allowed.words | self.allowed.atoms)

    def _only_denies(self, fact: Fact, place: Place) -> bool:
        """Whether something is said not to be on a relative day, or at a place: nothing has to bear that out."""
        if not place.clause.denies or not (is_relative(fact) or is_place(fact)):
            return False
        return not (
            says_not_on(self.draft.text, fact, self.ground.language)
            and self._held.value(fact, denied=place.sentence.denies)
        )

    def _is_placed(self, fact: Fact) -> bool:
        return is_placed(fact, self.draft.text, self.ground.language)

    def _counts_what_is_listed(self, fact: Fact, place: Place) -> bool:
        """Whether a number says how many things the answer lists, as in "here are 3 clubs" or "any of these two"."""
        if fact.kind != "number" or not fact.normal.isdigit() or len(fact.normal) > 2:
            return False
        if not self.ground.lexicon.words("lists").intersection(place.clause.before(fact.start)[-2:]):
            return False
        return 0 < int(fact.normal) <= max(len(self.ground.passages), 2) or int(fact.normal) == self._listed

    @cached_property
    def _listed(self) -> int:
        return sum(1 for _ in _LISTED.finditer(self.draft.text))

    # ---- support ---------------------------------------------------------------------------------------------------

    def _support(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        if names_the_day(self.draft.text, fact, self.ground.language) and self.ground.today:
            return by_named_day(fact, self.draft.text, self.ground)
        first, second = self._tools.support, self._by_passage
        if has_subject(place.clause, self.ground):
            first, second = second, first
        read = list(readings(fact, self.draft.text, self.ground.lexicon))
        return (
            next((found for one in read for rule in (first, second) if (found := rule(one, place, inside))), None)
            or self._by_absence(fact, place)
            or self._limits.support(fact, place, self.draft)
            or self._by_quote(place.sentence)
            or self._by_contrast(place)
            or self._by_question(fact, place, inside)
        )

    def _by_passage(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        holders = self._held.name(fact) if fact.kind == "name" else self._held.value(fact, denied=place.sentence.denies)
        if not holders:
            return None
        if fact.kind == "name":
            if not self._is_placed(fact) and not self._is_a_person(fact):
                return self._resting_on(holders[0])
            if self._is_what_it_is_about(fact, place, holders):
                return self._resting_on(holders[0])
            place = replace(place, clause=place.clause.without(fact))
        kind = "weekday" if is_relative(fact) else fact.kind
        best = about(place, holders, kind, self._held.asked(place.sentence), self.ground)
        if best is None and fact.kind == "name" and not has_subject(place.clause, self.ground):
            return None if self._is_placed(fact) or self._tell_of_people > 1 else self._resting_on(holders[0])
        if best is None or self._misread(fact, place, self.ground.passages[best], inside):
            return None
        return self._resting_on(best)

    def _is_what_it_is_about(self, fact: Fact, place: Place, holders: Sequence[int]) -> bool:
        """Whether a place is itself what is spoken of, as in "coffee is $2.75 at Trellis" and "swim at the pool"."""
        if has_subject(place.clause.without(fact), self.ground) or not self._is_placed(fact):
            return False
        passage = self.ground.passages[holders[0]]
        values = [other for other in self.draft.inside(place.clause) if other.kind in ("money", "percent")]
        if values:
            return all(other.supported_by(passage.gives) for other in values)
        asks_where = self.ground.lexicon.pattern("asks_where").search(self.question.text)
        return not asks_where and any(group & passage.title for group in fact.needs)

    def _is_a_person(self, fact: Fact) -> bool:
        """Whether a name of the draft is said to be who teaches, leads or helps, not what is spoken of."""
        if fact.supported_by(self.question.words | self.question.atoms):
            return False
        words, text = self.ground.lexicon, self.draft.text
        before = words.pattern("person_before").search(text, max(0, fact.start - 40), fact.start)
        return bool(before or words.pattern("person_after").match(text, fact.end))

    @cached_property
    def _tell_of_people(self) -> int:
        """How many passages say who does something."""
        return sum(any(part.people for part in passage.parts) for passage in self.ground.passages)

    def _misread(self, fact: Fact, place: Place, passage: Passage, inside: Sequence[Fact]) -> bool:
        """Whether a passage about the same thing holds a value, and does not say of it what the draft does."""
        return (
            of_another_part(fact, place, passage, self.ground, self._held.asked(place.sentence))
            or self._segments.give_to_another(fact, place, passage)
            or on_another_day(fact, inside, self.question.facts, passage)
            or self._turned_round(fact, passage)
            or is_swapped(fact, place, passage, self.ground)
            or Senses(self.ground.lexicon).differ(fact, place, self.draft.text, passage)
            or too_often(fact, self.draft.text, passage, self.ground.lexicon)
        )

    def _turned_round(self, fact: Fact, passage: Passage) -> bool:
        """Whether the draft says that something is not on a day on which the passage says that it is."""
        return says_not_on(self.draft.text, fact, self.ground.language) and not fact.supported_by(passage.denied)

    def _by_absence(self, fact: Fact, place: Place) -> Support | None:
        """Accept that something is not on a day, or at a time, when a passage about it gives others."""
        dated = fact.kind == "weekday" or is_relative(fact)
        if not place.clause.denies or not (dated or fact.kind == "time"):
            return None
        kind, others = ("weekday", self._held.with_weekdays) if dated else ("time", self._held.with_spans)
        best = about(place, others, kind, self._held.asked(place.sentence), self.ground) if others else None
        passage = None if best is None else self.ground.passages[best]
        if passage is None or fact.supported_by(passage.gives) or (not dated and passage.within(fact)):
            return None
        return Support(passage.source.source, passage.source)

    def _by_contrast(self, place: Place) -> Support | None:
        """Accept what a clause sets against the rest, as in "$20 rather than $35", when one passage holds all of it."""
        clause = place.clause
        if not self.ground.lexicon.pattern("contrasts").match(self.draft.text, clause.start, clause.end):
            return None
        inside = list(self.draft.inside(clause))
        for index, passage in enumerate(self.ground.passages):
            if all(fact.supported_by(passage.words if fact.kind == "name" else passage.gives) for fact in inside):
                return self._resting_on(index)
        return None

    def _by_quote(self, sentence: Sentence) -> Support | None:
        if sentence.start not in self._quoted:
            words = squeezed(self.draft.text[sentence.start : sentence.end])
            named = any(has_subject(clause, self.ground) for clause in sentence.clauses)  # or by its title, quoted too
            quoted = (p for p in self.ground.passages if (words in p.plain if named else p.plain.startswith(words)))
            self._quoted[sentence.start] = next(quoted, None) if words.count(" ") > _QUOTE else None
        passage = self._quoted[sentence.start]
        return Support(passage.source.source, passage.source) if passage else None

    def _by_question(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        """Accept a value of the question that is only repeated: denied, spoken of, or beside a supported one."""
        known = self.question.words | self.question.atoms if fact.kind == "name" else self.question.atoms
        if not fact.supported_by(known):
            return None
        spoken_of = (
            self.ground.lexicon.words("mentions").intersection(place.clause.before(fact.start)) or place.sentence.asks
        )
        if self.affirms:
            return Support(QUESTION) if spoken_of or self._beside_another(fact, place, inside) else None
        refused = place.sentence.clauses[0].plain[0][0] in self.ground.lexicon.words("no_first") and not has_subject(
            place.clause, self.ground
        )
        if self._tools.contradicts(fact, place) or (fact.normal == "not free" and not spoken_of):
            return None
        if place.clause.denies or spoken_of or refused or self._beside_another(fact, place, inside):
            return Support(QUESTION)
        return None

    def _beside_another(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> bool:
        """Whether another clause holds a supported value of the kind, as in "5 PM, after your class at 3 PM"."""
        if fact.kind in ("weekday", "name"):
            return False
        if fact.kind == "number" and not self.affirms and inside[-1].start > fact.start:
            return True  # for 4 years you pay ...
        clause = place.sentence.clause_at(fact.start)
        return any(
            other.kind == fact.kind
            and place.sentence.clause_at(other.start) != clause
            and self._held.value(other, denied=place.sentence.denies)
            for other in inside
            if other is not fact and other.normal != fact.normal
        )

    def _resting_on(self, index: int) -> Support:
        passage = self.ground.passages[index].source
        return Support(passage.source, passage)
