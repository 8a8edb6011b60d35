"""Judges for whom something is: what a passage keeps for some, a draft may not give to everybody, or to others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import stems


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a sentence of a passage keeps for some: the stems of `group`, those of the rest, and its passage."""

    group: frozenset[str]
    what: frozenset[str]
    passage: Passage


@dataclass(frozen=True)
class Audiences:
    """Compares those to whom a draft opens something with those for whom a passage keeps it. `question` was asked."""

    question: Said
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield each clause of a sentence of `said` that opens to others what is kept for some."""
        for place in () if sentence.asks else places:
            text = said.text[place.clause.start : place.clause.end]
            own = frozenset(place.clause.subjects)
            if not place.clause.denies and self._opens_to_others(text, own):
                yield Finding(claim(text.strip(" ,;.\n"), place.clause.start), place, None)

    def _opens_to_others(self, text: str, subjects: frozenset[str]) -> bool:
        words, language = self.ground.lexicon, self.ground.language
        everybody = words.pattern("everybody").search(text)
        named = subjects & self.ground.people
        if not everybody and not (named and words.pattern("opens_to").search(text)):
            return False
        kept = self._nearest(subjects | self.question.words)
        if kept is None:
            return False
        if everybody:
            return bool(kept.group - stems(everybody[0], language))
        return not kept.group & subjects

    def _nearest(self, about: frozenset[str]) -> _Kept | None:
        """Return what is kept of what is spoken of, where one passage is nearer to it than any other."""
        near = [len(about & passage.words) for passage in self.ground.passages]
        best = max(near, default=0)
        if not best or near.count(best) > 1:
            return None
        passage = self.ground.passages[near.index(best)]
        return next((one for one in self._kept if one.passage is passage and one.what & about), None)

    @cached_property
    def _kept(self) -> Sequence[_Kept]:
        return [one for passage in self.ground.passages for one in self._told(passage)]

    def _told(self, passage: Passage) -> Iterator[_Kept]:
        pattern, language = self.ground.lexicon.pattern("kept_for"), self.ground.language
        for sentence in passage.sentences:
            match = pattern.search(passage.text, sentence.start, sentence.end)
            if match and not any(
                match.start() <= one.start < match.end() for one in passage.facts if one.kind != "name"
            ):
                group = stems(next(group for group in match.groups() if group), language)
                before, after = passage.text[sentence.start : match.start()], passage.text[match.end() : sentence.end]
                what = passage.title | stems(f"{before} {after}", language)
                rest = f"{passage.text[: match.start()]}\n{passage.text[match.end() :]}"
                if self.ground.lexicon.pattern("everybody").search(rest):
                    part = self.ground.lexicon.pattern("apart").split(before)[-1]  # open to all; tryouts only for some
                    what = stems(part, language) - passage.title
                yield _Kept(group, what - group, passage)
