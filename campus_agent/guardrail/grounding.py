"""Checks every fact of a draft against the observations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from campus_agent.guardrail.clauses import Clause, Sentence, sentences
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.facts import facts
from campus_agent.guardrail.passages import Ground, Passage, says_not_on, squeezed
from campus_agent.guardrail.relation import Place, Places, about, has_subject, of_another_part
from campus_agent.guardrail.review import CheckedFact
from campus_agent.guardrail.tables import GAPS, LISTS, MENTIONS, PRESENT, STATES_A_DAY
from campus_agent.guardrail.words import stems
from campus_agent.tools.tool import Source

QUESTION = "question"
# A sentence of so many words or more that a passage holds word for word is supported by it.
_QUOTE = 5
# How many clauses of a question are looked at.
_CLAUSES = 40
# How many values of one sentence are looked at for a value to stand beside.
_SIDE_BY_SIDE = 40
_PLACED = re.compile(r"\b(?:in|at|inside) (?:the )?[*_\"“]{0,3}\Z", re.IGNORECASE)
_LISTED = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]", re.MULTILINE)
_DAYS = re.compile(r"(\d{1,6}) day")


@dataclass(frozen=True, slots=True)
class Support:
    """What a fact rests on: a passage, or else the name of a tool (or "question", for a value only repeated)."""

    source: str
    passage: Source | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact of the draft, its support if it has any, and where it stands."""

    fact: Fact
    place: Place
    support: Support | None

    @property
    def checked(self) -> CheckedFact:
        """The finding as a review carries it."""
        source = self.support.source if self.support else None
        return CheckedFact(text=self.fact.text, kind=self.fact.kind, supported=source is not None, source=source)


@dataclass(frozen=True)
class Said:
    """A text, read: its facts, their atoms, the stems of its words, its sentences and clauses."""

    text: str
    facts: tuple[Fact, ...]
    sentences: tuple[Sentence, ...]

    @cached_property
    def atoms(self) -> frozenset[str]:
        """What its facts give."""
        return frozenset(atom for fact in self.facts for atom in fact.gives)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of its words."""
        return stems(self.text)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all sentences."""
        return tuple(clause for sentence in self.sentences for clause in sentence.clauses)[:_CLAUSES]


def said(text: str, ground: Ground) -> Said:
    """Read a question or a draft; names that `ground` abbreviates are read as their initials."""
    found = facts(text)
    return Said(text, found, sentences(text, found, acronyms=ground.acronyms))


@dataclass
class Grounding:
    """Compares one draft with the ground. `allowed` is text whose names and values carry no facts when repeated."""

    draft: Said
    question: Said
    allowed: Said
    ground: Ground
    _quoted: dict[int, Passage | None] = field(default_factory=dict)
    _holders: dict[tuple[str, bool], list[int]] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """Yield what is found of each fact of the draft, in the order written."""
        places = Places(self.ground)
        waiting = list(self.draft.facts[::-1])
        for sentence in self.draft.sentences:
            here = places.of(sentence)
            inside = []
            while waiting and waiting[-1].start < sentence.end:
                inside.append(waiting.pop())
            bare = all(fact.kind == "name" for fact in inside)
            for fact in inside:
                place = here[sentence.clause_at(fact.start)]
                if self._claims_nothing(fact, bare=bare):
                    continue
                support = self._support(fact, place, inside[:_SIDE_BY_SIDE])
                if support or not self._counts_what_is_listed(fact, place):
                    yield Finding(fact, place, support)

    # ---- what is no claim ------------------------------------------------------------------------------------------

    def _claims_nothing(self, fact: Fact, *, bare: bool) -> bool:
        """Whether a fact is allowed, or is a name of the question in a sentence without values."""
        if fact.kind == "name":
            asked = bare and fact.supported_by(self.question.words) and not self._name_holders(fact)
            return asked or fact.supported_by(self.allowed.words | self.allowed.atoms)
        return fact.supported_by(self.allowed.atoms)

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

    # ---- support ---------------------------------------------------------------------------------------------------

    def _support(self, fact: Fact, place: Place, inside: Sequence[Fact]) -> Support | None:
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
        return self._by_two_counts(fact)

    def _by_two_counts(self, fact: Fact) -> Support | None:
        """Accept "two days later" when the tools counted to two days that lie so far apart."""
        after = self.draft.text[fact.end : fact.end + 30].lower().split()[:2]
        days = _DAYS.fullmatch(fact.normal)
        if not days or not GAPS.intersection(word.strip(".,;:!?") for word in after):
            return None
        counts = {int(match[1]): tool for atom, tool in self.ground.tools.items() if (match := _DAYS.fullmatch(atom))}
        tool = next((tool for count, tool in counts.items() if count + int(days[1]) in counts), None)
        return Support(tool) if tool else None

    def _misplaced_day(self, fact: Fact, place: Place) -> bool:
        """Whether a tool's weekday, such as today's, is given as the day of something that a passage puts on others."""
        before = place.clause.before(fact.start)
        if fact.kind != "weekday" or not before or before[-1] not in STATES_A_DAY or place.clause.denies:
            return False
        if (
            before[-2:] == ("it", "is")
            or _tells_the_time(place.clause)
            or PRESENT.intersection(word for word, _ in place.clause.plain)
        ):
            return False
        lenders = (place.clause, *place.lenders, *self.question.clauses)
        if not any(has_subject(clause, self.ground) for clause in lenders):
            return False
        everything = range(len(self.ground.passages))
        best = about(place, everything, "weekday", self.question.clauses, self.ground)
        passage = self.ground.passages[best] if best is not None else None
        return passage is not None and "weekday" in passage.kinds and not fact.supported_by(passage.gives)

    def _by_passage(self, fact: Fact, place: Place) -> Support | None:
        holders = self._name_holders(fact) if fact.kind == "name" else self._value_holders(fact, place.sentence)
        if not holders:
            return None
        if fact.kind == "name":
            if not _PLACED.search(self.draft.text, max(0, fact.start - 16), fact.start):
                return self._resting_on(holders[0])
            place = replace(place, clause=place.clause.without(fact))
        best = about(place, holders, fact.kind, self.question.clauses, self.ground)
        passage = None if best is None else self.ground.passages[best]
        if passage is None or of_another_part(fact, place, passage) or self._turned_round(fact, passage):
            return None
        return Support(passage.source.source, passage.source)

    def _value_holders(self, fact: Fact, sentence: Sentence) -> list[int]:
        """Return the passages that hold a value; a day on which something is not, for a sentence that denies."""
        key = (f"{fact.kind} {fact.normal}", sentence.denies)
        if key not in self._holders:
            within = fact.kind == "time" and fact.supported_by(self.question.atoms)
            self._holders[key] = [
                index
                for index, passage in enumerate(self.ground.passages)
                if fact.supported_by(passage.gives | passage.denied if key[1] else passage.gives)
                or (within and _within(fact, passage))
            ]
        return self._holders[key]

    def _name_holders(self, fact: Fact) -> list[int]:
        allowed = self.allowed.words
        return [
            index
            for index, passage in enumerate(self.ground.passages)
            if all(group & passage.words or group & passage.gives or group & allowed for group in fact.needs)
        ]

    def _turned_round(self, fact: Fact, passage: Passage) -> bool:
        """Whether the draft says that something is not on a day on which the passage says that it is."""
        return says_not_on(self.draft.text, fact) and not fact.supported_by(passage.denied)

    def _by_absence(self, fact: Fact, place: Place) -> Support | None:
        """Accept that something is not on a day, when a passage about it names its days and leaves that one out."""
        if fact.kind != "weekday" or not place.clause.denies:
            return None
        best = about(place, self._dated, "weekday", self.question.clauses, self.ground) if self._dated else None
        if best is None or fact.supported_by(self.ground.passages[best].gives):
            return None
        return self._resting_on(best)

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
        refused = place.sentence.clauses[0].plain[0][0] in ("no", "not") and not has_subject(place.clause, self.ground)
        if place.clause.denies or spoken_of or refused or self._beside_another(fact, place, inside):
            return Support(QUESTION)
        return None

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


def _tells_the_time(clause: Clause) -> bool:
    """Whether a clause begins as in "it's 10:00 AM on Saturday"."""
    first, second, third = (*(word for word, _ in clause.plain[:3]), "", "", "")[:3]
    return (first == "it's" and second.isdigit()) or ((first, second) == ("it", "is") and third.isdigit())


def _within(fact: Fact, passage: Passage) -> bool:
    """Whether a time lies in a span of time that the passage gives."""
    times = [atom for group in fact.needs for atom in group if ":" in atom]
    return any(start <= time <= end for time in times for start, end in passage.spans)
