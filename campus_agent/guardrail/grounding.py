"""Checks every fact of a draft against the observations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from campus_agent.guardrail.attribution import Attributions
from campus_agent.guardrail.audiences import Audiences
from campus_agent.guardrail.by_tool import ByTool
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.comparing import Comparisons
from campus_agent.guardrail.contrary import Contraries
from campus_agent.guardrail.counting import Counting
from campus_agent.guardrail.days import by_named_day, readings
from campus_agent.guardrail.exclusive import Exclusives
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.holders import Holders
from campus_agent.guardrail.limits import within_limit
from campus_agent.guardrail.misreading import Misreadings
from campus_agent.guardrail.naming import Naming
from campus_agent.guardrail.opening import Openings
from campus_agent.guardrail.opposites import Opposites
from campus_agent.guardrail.passages import Passage, says_not_on, squeezed
from campus_agent.guardrail.places import is_place, is_placed
from campus_agent.guardrail.polarity import Polarity
from campus_agent.guardrail.relation import Place, Places, about, has_subject, without_house, without_verb
from campus_agent.guardrail.relative import is_relative, names_the_day
from campus_agent.guardrail.repeated import Repeated
from campus_agent.guardrail.siblings import Siblings
from campus_agent.guardrail.superlatives import Superlatives

# A sentence of so many words or more that a passage holds word for word is supported by it.
_QUOTE = 5
# How many characters before a day may wish it.
_NEAR = 40
# How many values of one sentence are looked at for a value to stand beside.
_SIDE_BY_SIDE = 40
# How many sentences, and clauses of a sentence, are read for who does what, and for what is denied.
_CLOSELY = 60


class _Check(Protocol):
    """Finds what one sentence claims and no observation bears out."""

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]: ...


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
        places, of_sentences, of_clauses = Places(self.ground), self._of_sentences(), self._of_clauses()
        waiting = list(self.draft.facts[::-1])
        for index, sentence in enumerate(self.draft.sentences):
            here = places.of(sentence)
            inside = []
            while waiting and waiting[-1].start < sentence.end:
                inside.append(waiting.pop())
            quoted = self._by_quote(sentence) is not None  # then nothing in it is the draft's own claim
            checks = () if quoted else of_sentences
            found = [one for check in checks for one in check.of(self.draft, sentence, here)]
            found += self._of_values(sentence, here, inside)
            yield from found
            if index < _CLOSELY and not quoted:
                judged = [one.place.clause.start for one in found if not one.support or one.fact.kind == "comparison"]
                fine = [place for place in here[:_CLOSELY] if place.clause.start not in judged]
                told = (one for check in of_clauses for one in check.of(self.draft, sentence, fine))
                yield from {one.place.clause.start: one for one in told}.values()

    def _of_sentences(self) -> tuple[_Check, ...]:
        """Return the checks of what a sentence claims beside its values."""
        comparisons = Comparisons(self.question, self.ground)
        return (
            Openings(self.question, self.ground),  # what is open or closed, now or at all
            comparisons,  # what is sooner, cheaper, longer
            Superlatives(comparisons, self.ground),  # what is the most of all
            Polarity(self.question, self.ground),  # what is needed, allowed, included
            self._siblings,  # what is of another row of a table, or of other days
        )

    def _of_clauses(self) -> tuple[_Check, ...]:
        """Return the checks of what a clause says as a whole, where nothing else in it was found wrong."""
        return (
            Contraries(self.ground),  # what a passage denies
            Attributions(self.ground),  # what is so of somebody or something else
            Opposites(self.ground),  # lunch where the passage has dinner
            Audiences(self.question, self.ground),  # what is only for some
            Exclusives(self.question, self.ground),  # what is so of another alone
        )

    def _of_values(self, sentence: Sentence, here: Sequence[Place], inside: Sequence[Fact]) -> Iterator[Finding]:
        bare = not self.affirms and all(fact.kind == "name" for fact in inside)
        for fact in inside:
            place = here[sentence.clause_at(fact.start)]
            if self._claims_nothing(fact, place, bare=bare):
                continue
            support = self._support(fact, place, inside[:_SIDE_BY_SIDE])
            if support or not (self._counting.counts(fact, place) or self._only_denies(fact, place)):
                yield Finding(fact, place, support)

    @cached_property
    def _held(self) -> Holders:
        return Holders(self.question, self.allowed, self.ground, affirms=self.affirms)

    @cached_property
    def _naming(self) -> Naming:
        return Naming(self.draft, self.question, self._held, self.ground, self.affirms)

    @cached_property
    def _misreadings(self) -> Misreadings:
        return Misreadings(self.draft, self.question, self.ground, self._siblings)

    @cached_property
    def _siblings(self) -> Siblings:
        return Siblings(self.question, self.ground)

    @cached_property
    def _repeated(self) -> Repeated:
        segments = self._misreadings.segments
        return Repeated(self.draft, self.question, self.ground, self._held, self._tools, segments, self.affirms)

    @cached_property
    def _tools(self) -> ByTool:
        return ByTool(self.draft, self.question, self.ground, self._held, self.affirms)

    # ---- what is no claim ------------------------------------------------------------------------------------------

    def _claims_nothing(self, fact: Fact, place: Place, *, bare: bool) -> bool:
        """Whether a fact is allowed, or is a name of the question in a sentence without values, not said as a place."""
        if fact.kind != "name":
            return fact.supported_by(self.allowed.atoms) or self._is_wished(fact)
        states_where = self._is_placed(fact) and self.ground.passages and not place.sentence.denies
        if is_place(fact) and states_where:
            return False
        asked = bare and not states_where and fact.supported_by(self.question.words) and not self._held.name(fact)
        return asked or fact.supported_by(self.allowed.words | self.allowed.atoms)

    def _is_wished(self, fact: Fact) -> bool:
        """Whether a day is only wished to be a good one: "have a lovely weekend"."""
        wished = self.ground.lexicon.pattern("wished_before")
        day = fact.kind == "weekday" or is_relative(fact)
        return day and bool(wished.search(self.draft.text, max(0, fact.start - _NEAR), fact.start))

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

    @cached_property
    def _counting(self) -> Counting:
        return Counting(self.draft, self.ground)

    # ---- support ---------------------------------------------------------------------------------------------------

    def _support(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        if names_the_day(self.draft.text, fact, self.ground.language) and self.ground.today:
            return by_named_day(fact, self.draft.text, self.ground)
        first, second = self._tools.support, self._by_passage
        if has_subject(place.clause, self.ground):
            first, second = second, first
        text = self.draft.text
        read = [*readings(fact, text, self.ground.lexicon), *within_limit(fact, text, self.question, self.ground)]
        return (
            next((found for one in read for rule in (first, second) if (found := rule(one, place, inside))), None)
            or self._by_absence(fact, place)
            or self._by_quote(place.sentence)
            or self._by_contrast(place)
            or self._repeated.support(fact, place, inside)
        )

    def _by_passage(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
        holders = self._held.name(fact) if fact.kind == "name" else self._held.value(fact, denied=place.sentence.denies)
        if not holders:
            return None
        asked = self._naming.asked(fact, place.sentence)
        if fact.kind == "name" and not self._naming.is_value(fact, place):
            return self._resting_on(holders[0])
        whole = place
        if fact.kind == "name":
            place = self._naming.without(fact, place)
        elif fact.kind == "room":
            place = replace(place, clause=without_house(fact, place.clause, self.draft.inside(place.clause)))
        place = without_verb(place, asked, self.ground)
        kind = "weekday" if is_relative(fact) else fact.kind
        best = about(place, holders, kind, asked, self.ground)
        if best is None and fact.kind == "name" and not has_subject(place.clause, self.ground):
            return None if self._is_one_of_many(fact, whole) else self._resting_on(holders[0])
        if best is None or self._misreadings.misread(fact, place, self.ground.passages[best], inside, asked):
            return None
        return self._resting_on(best)

    def _is_one_of_many(self, fact: Fact, place: Place) -> bool:
        """Whether others could stand for a name, so that it has to be told of what was asked."""
        return self._naming.answers(fact, place) or self._is_placed(fact) or self._tell_of_people > 1

    @cached_property
    def _tell_of_people(self) -> int:
        """How many passages say who does something."""
        return sum(any(part.people for part in passage.parts) for passage in self.ground.passages)

    def _by_absence(self, fact: Fact, place: Place) -> Support | None:
        """Accept that something is not on a day, or at a time, when a passage about it gives others."""
        dated = fact.kind == "weekday" or is_relative(fact)
        if not _denies(place) or not (dated or fact.kind == "time"):
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
        if self.affirms:
            return None  # a passage that holds the words of a question asks it too
        if sentence.start not in self._quoted:
            words = squeezed(self.draft.text[sentence.start : sentence.end])
            named = self._naming.names_its_subject(sentence)  # or by its title, quoted too
            quoted = (p for p in self.ground.passages if (p.says(words) if named else p.begins_with(words)))
            self._quoted[sentence.start] = next(quoted, None) if words.count(" ") > _QUOTE else None
        passage = self._quoted[sentence.start]
        return Support(passage.source.source, passage.source) if passage else None

    def _resting_on(self, index: int) -> Support:
        passage = self.ground.passages[index].source
        return Support(passage.source, passage)


def _denies(place: Place) -> bool:
    """Whether a clause denies, or only adds a value to one that does: "closed Saturday and Sunday"."""
    if place.clause.denies or place.clause.free[1:]:
        return place.clause.denies
    at = place.sentence.clause_at(place.clause.start)
    return at > 0 and place.sentence.clauses[at - 1].denies
