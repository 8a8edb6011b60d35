"""Judges whether something is open right now, where a passage gives plain weekly hours and a tool told the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, Support
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place, about

# How many characters of a clause are looked at.
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Hours:
    """Plain weekly hours: weekdays, and the time of opening and of closing, as "10:00"."""

    days: frozenset[str]
    start: str
    end: str

    def open_at(self, moment: datetime) -> bool:
        """Whether it is open at `moment`; at closing time it is closed."""
        return WEEKDAYS[moment.weekday()] in self.days and self.start <= f"{moment:%H:%M}" < self.end


def plain_hours(passage: Passage, words: Lexicon) -> Hours | None:
    """Read the hours of a passage that gives one span of time, on certain weekdays, and no exception."""
    text = passage.source.text
    days = frozenset(WEEKDAYS) & passage.gives
    plain = passage.kinds >= {"weekday", "time"} and "date" not in passage.kinds
    if not days or not plain or len(passage.spans) != 1 or passage.times != 1:
        return None
    if words.pattern("uncertain").search(text) or len(words.pattern("hours").findall(text)) > 1:
        return None
    start, end = passage.spans[0]
    return Hours(days, start, end) if start < end else None


@dataclass(frozen=True)
class Openings:
    """Judges what is said to be open, or closed, right now. `question` is what the person asked."""

    question: Said
    ground: Ground

    @cached_property
    def asked_about_now(self) -> bool:
        """Whether the question is about what is open at the moment."""
        words, text = self.ground.lexicon, self.question.text
        return bool(words.pattern("now").search(text) and words.pattern("status").search(text))

    @cached_property
    def _hours(self) -> Mapping[int, Hours]:
        passages, words = enumerate(self.ground.passages), self.ground.lexicon
        return {index: hours for index, passage in passages if (hours := plain_hours(passage, words))}

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of each clause of a sentence of `said` that tells how it is now; `places` are theirs."""
        words = self.ground.lexicon
        for place in () if sentence.asks else places:
            text = said.text[place.clause.start : min(place.clause.end, place.clause.start + _LONGEST)]
            status = list(words.pattern("status").finditer(text))
            now = words.pattern("now").search(text) or (
                self.asked_about_now and words.pattern("status_is").search(text)
            )
            if len(status) != 1 or not now or words.pattern("condition").search(text) or said.names_a_day(place.clause):
                continue
            negated = bool(words.pattern("not").search(text))
            finding = self.judge(place, is_open=bool(status[0]["open"]) != negated)
            if finding:
                yield finding

    def judge(self, place: Place, *, is_open: bool) -> Finding | None:
        """Say whether what the place is about is open (or closed) right now; None where that cannot be told."""
        text = f"{'open' if is_open else 'closed'} right now"
        atoms = frozenset((text,))
        claim = Fact("time", text, (atoms,), atoms, text, place.clause.start, place.clause.end)
        ground, asked = self.ground, self.question.clauses
        if not ground.passages and not ground.tools:
            return Finding(claim, place, None) if is_open else None
        best = about(place, list(self._hours), "time", asked, ground) if self._hours else None
        if best is None:
            unknown = is_open and about(place, range(len(ground.passages)), "time", asked, ground) is None
            return Finding(claim, place, None) if unknown and ground.passages else None
        if len(ground.clocks) > 1:
            return None
        right = any(self._hours[best].open_at(moment) == is_open for moment in ground.clocks)
        source = ground.passages[best].source
        return Finding(claim, place, Support(source.source, source) if right else None)


def is_about_now(fact: Fact) -> bool:
    """Whether a fact is that something is open, or closed, right now."""
    return fact.normal in ("open right now", "closed right now")
