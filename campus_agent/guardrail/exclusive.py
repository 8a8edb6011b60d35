"""Judges what is so of one thing alone: where only the annex is open, a draft may not say so of the library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import listed_stems, stems

# How many sentences of a passage are looked at.
_MOST = 60


@dataclass(frozen=True, slots=True)
class _Alone:
    """That a sentence of `passage` says `what` of nothing but `whom`, in the case or the title `when`; as stems.

    With `denied` it denies it of them; None where nothing tells. `all_but` where it says so of all but them.
    """

    whom: frozenset[str]
    what: frozenset[str]
    when: frozenset[str]
    passage: Passage
    denied: bool | None
    all_but: bool


@dataclass(frozen=True)
class Exclusives:
    """Compares what a draft says of a thing with what passages say of another alone. `question` was asked."""

    question: Said
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each clause of a sentence of `said` that says of a thing what is so of another alone."""
        plain = {word for clause in sentence.clauses for word, _ in clause.plain}
        limits = self.ground.lexicon.words("limits") & plain
        if sentence.asks or limits - self.ground.lexicon.words("denials"):
            return
        for place in places:
            own = frozenset(place.clause.subjects)
            text = said.text[place.clause.start : place.clause.end].strip(" ,;.\n")
            others = () if place.clause.denies or limits else self._alone
            whole = said.text[self._begins(said, sentence, place) : place.clause.end]
            turned = any(self._is_turned_round(whole, own, one) for one in self._alone)
            if turned or any(self._is_of_another(own, one) for one in others):
                yield Finding(claim(text, place.clause.start), place, None)

    def _begins(self, said: Said, sentence: Sentence, place: Place) -> int:
        """Return where a clause begins; an exception belongs to the one before: "Pets are banned, except for fish"."""
        at, first = sentence.clause_at(place.clause.start), place.clause.plain[0][1]
        excepts = self.ground.lexicon.pattern("all_but").match(said.text, first, place.clause.end)
        return sentence.clauses[at - 1].start if at and excepts else place.clause.start

    def _is_of_another(self, own: frozenset[str], one: _Alone) -> bool:
        telling = frozenset(stem for stem in own if self.ground.distinctive(stem))
        if one.all_but or own & one.whom or not telling - one.passage.words or own.isdisjoint(one.what):
            return False
        if one.when.isdisjoint(own | self.question.words):
            return False
        said = telling | (own & one.what)
        return not any(said <= other.words for other in self.ground.passages if other is not one.passage)

    def _is_turned_round(self, text: str, own: frozenset[str], one: _Alone) -> bool:
        """Whether a clause denies of some what is so of them alone, or affirms what is so of all but them."""
        words, known = self.ground.lexicon, (one.what | one.when | one.passage.title) - one.whom
        excepts = words.pattern("all_but").search(text)
        telling = own - one.whom - (self.ground.light - self.ground.people) - words.words("lacking")
        telling -= stems(excepts[0], self.ground.language) if excepts else frozenset()
        if one.denied is None or not (one.whom <= own and telling <= known):
            return False
        return (
            not known.isdisjoint(telling | self.question.words) and (self._denies(text) != bool(excepts)) != one.denied
        )

    def _denies(self, text: str) -> bool:
        words = self.ground.lexicon
        closed = sum(not match["open"] for match in words.pattern("status").finditer(text))
        return (sum(1 for _ in words.pattern("denied").finditer(text)) + closed) % 2 == 1

    @cached_property
    def _alone(self) -> Sequence[_Alone]:
        return [one for passage in self.ground.passages for one in self._told(passage)]

    def _told(self, passage: Passage) -> Iterator[_Alone]:
        language, text = self.ground.language, passage.text
        light = self.ground.light - self.ground.people
        for sentence in passage.sentences[:_MOST]:
            for name in ("alone", "one_of", "all_but"):
                if match := self.ground.lexicon.pattern(name).search(text, sentence.start, sentence.end):
                    start, end = match.span("whom")
                    clause = sentence.clauses[sentence.clause_at(end)]
                    whom, what = stems(text[start:end], language), stems(text[end : clause.end], language)
                    if whom <= listed_stems("predicates", language):
                        continue  # recommended but not required
                    all_but = name == "all_but"
                    before = text[sentence.start : match.start() if all_but else start]
                    when = stems(before, language) - light - passage.title - whom
                    valued = name == "one_of" or any(match.start() <= one.start < end for one in passage.facts)
                    denied = None if valued else self._denies(before + text[end : sentence.end]) != all_but
                    yield _Alone(whom, what, when or passage.title, passage, denied, all_but)
