"""Judges whether something is open right now, by the hours of a passage and the time that a tool told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.hours import read_hours
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place, about, has_subject
from campus_agent.guardrail.words import listed_stems, special_stems, stem

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
# How many sentences of a passage are looked at.
_MOST = 60
# How many characters of a clause are looked at.
_LONGEST = 400


def gives_hours(passage: Passage, words: Lexicon) -> bool:
    """Whether a passage gives hours or days, or says that it takes an appointment."""
    return bool(passage.kinds & {"weekday", "time", "date"} or words.pattern("by_appointment").search(passage.text))


def told_states(passage: Passage, named: Collection[str], ground: Ground) -> Iterator[tuple[bool, bool]]:
    """Yield whether a passage says that something is open or closed, and whether at some times alone.

    What is so of a part of it counts only where the part is among `named` (stems).
    """
    words, special = ground.lexicon, special_stems(ground.language)
    plain = passage.title | ground.light | special.heads | listed_stems("place_heads", ground.language)
    for clause in passage.clauses:
        for status in words.pattern("status").finditer(passage.text, clause.start, clause.end):
            part = {word.stem for word in clause.free if word.stem and word.start < status.start()} - plain
            if not part or not part.isdisjoint(named):
                yield bool(status["open"]), bool(words.pattern("at_times").match(passage.text, status.end()))


@dataclass(frozen=True)
class Openings:
    """Judges what is said to be open, or closed, right now. `question` is what the person asked."""

    question: Said
    ground: Ground

    @cached_property
    def asked_about_now(self) -> bool:
        """Whether the question is of what is open now: it says so, or it names no day and a clock was read."""
        words, text = self.ground.lexicon, self.question.text
        if words.pattern("now").search(text):
            return any(words.pattern(name).search(text) for name in ("status", "under_way", "may_i"))
        dated = any(fact.kind in ("weekday", "date", "time") for fact in self.question.facts)
        asked = words.pattern("status_is_asked").match(text) or words.pattern("may_i").search(text)
        return bool(self.ground.clocks and not dated and asked)

    @cached_property
    def _speaking(self) -> list[int]:
        passages, words = enumerate(self.ground.passages), self.ground.lexicon
        said = words.pattern("status").search
        return [index for index, passage in passages if gives_hours(passage, words) or said(passage.text)]

    @cached_property
    def _with_hours(self) -> list[int]:
        return [index for index in self._speaking if self.ground.passages[index].spans]

    @cached_property
    def _told_by_a_tool(self) -> bool:
        ground = self.ground
        return any(stem(word, ground.language) in ground.tool_words for word in ground.lexicon.words("status_words"))

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of each clause of a sentence of `said` that tells how it is now; `places` are theirs."""
        words = self.ground.lexicon
        for place in () if sentence.asks else places:
            text = said.text[place.clause.start : min(place.clause.end, place.clause.start + _LONGEST)]
            now = words.pattern("now").search(text)
            status = list(words.pattern("status").finditer(text))
            under_way = [] if status or not now else list(words.pattern("under_way").finditer(text))
            if under_way and not said.names_a_day(place.clause):
                is_open = bool(under_way[0]["open"]) != bool(words.pattern("not").search(text))
                if self._about(place, self._speaking) is not None and (found := self.judge(place, is_open=is_open)):
                    yield found
            if len(status) != 1 or words.pattern("condition").search(text):
                continue
            is_open = bool(status[0]["open"]) != bool(words.pattern("not").search(text))
            if finding := self._found(said, place, text, is_open=is_open):
                yield finding

    def _found(self, said: Said, place: Place, text: str, *, is_open: bool) -> Finding | None:
        """Judge a clause that says of something whether it is open: of now, or of some day or no time at all."""
        words = self.ground.lexicon
        stated = words.pattern("status_is").search(text) or words.pattern("status_is_asked").match(text)
        now = words.pattern("now").search(text) or (self.asked_about_now and stated)
        if (now and not said.names_a_day(place.clause)) or self._tells_the_clock(said, place):
            return self.judge(place, is_open=is_open)
        if not words.pattern("status_said").search(text) and not now:
            return None
        if self._fails_anyway(said, place):
            return None
        return self._without_hours(place, is_open=is_open, when="right now" if now else "")

    def _tells_the_clock(self, said: Said, place: Place) -> bool:
        """Whether a sentence has the very time that a clock told, and no other day."""
        inside = [fact for fact in said.inside(place.sentence) if fact.kind in ("weekday", "date", "time")]
        at_a_time = bool(self.ground.clocks) and any(fact.kind == "time" for fact in inside)
        return at_a_time and all(fact.supported_by(self.ground.tools) for fact in inside)

    def _fails_anyway(self, said: Said, place: Place) -> bool:
        """Whether a day or time of the clause is one that no tool returned, so that it is judged by itself."""
        return any(
            fact.kind in ("weekday", "time") and not fact.supported_by(self.ground.tools)
            for fact in said.inside(place.clause)
        )

    def judge(self, place: Place, *, is_open: bool) -> Finding | None:
        """Say whether what the place is about is open (or closed) right now; None where that cannot be told."""
        if unknown := self._without_hours(place, is_open=is_open):
            return unknown
        best = self._about(place, self._with_hours, kind="span")
        best = self._about(place, self._speaking) if best is None else best
        if best is None or len(self.ground.clocks) > 1:
            return None
        states = self._states(self.ground.passages[best], place)
        return None if states is None else self._finding(place, best if is_open in states else None, is_open=is_open)

    def _states(self, passage: Passage, place: Place) -> frozenset[bool] | None:
        """Return what may be so now by a passage of what a place names; None where it cannot be read."""
        if not gives_hours(passage, self.ground.lexicon):
            told = list(told_states(passage, self._named(place), self.ground))
            lasts = not all(at_times for _, at_times in told)
            return frozenset(is_open for is_open, _ in told) if lasts else frozenset()
        if not self.ground.clocks:
            return frozenset()
        hours = read_hours(passage, self.ground.language)
        words = frozenset(place.clause.subjects) - self.ground.light - passage.title
        return frozenset[bool]().union(*map(hours.labelled(words).states_at, self.ground.clocks)) if hours else None

    def _named(self, place: Place) -> frozenset[str]:
        """Return the stems of what a place is about; without a word of its own, those of the question too."""
        own = frozenset(place.clause.subjects)
        return own if has_subject(place.clause, self.ground) else self.question.words.union(place.subject.subjects)

    def _without_hours(self, place: Place, *, is_open: bool, when: str = "right now") -> Finding | None:
        """Find a claim unsupported when no observation says anything of when that thing is open."""
        best = None if self._told_by_a_tool else self._about(place, self._speaking)
        passage = None if best is None else self.ground.passages[best]
        if self._told_by_a_tool or (passage and gives_hours(passage, self.ground.lexicon)):
            return None
        if passage and next(told_states(passage, self._named(place), self.ground), None):
            return None
        return self._finding(place, None, is_open=is_open, when=when)

    def _about(self, place: Place, holders: Sequence[int], *, kind: str = "time") -> int | None:
        return about(place, holders, kind, self.question.clauses, self.ground) if holders else None

    def _finding(self, place: Place, rests_on: int | None, *, is_open: bool, when: str = "right now") -> Finding:
        text = f"{'open' if is_open else 'closed'} {when}".strip()
        atoms = frozenset((text,))
        claim = Fact("time", text, (atoms,), atoms, text, place.clause.start, place.clause.end)
        if rests_on is None:
            return Finding(claim, place, None)
        source = self.ground.passages[rests_on].source
        return Finding(claim, place, Support(source.source, source))


def is_about_now(fact: Fact) -> bool:
    """Whether a fact is that something is open, or closed, right now."""
    return fact.normal in ("open right now", "closed right now")
