"""Judges whether a draft affirms what a passage denies of the same thing, or denies what it affirms, in any verb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.words import fold, stem

# The share of a clause's words that a passage has to say, for it to say the same or the opposite.
_SAME = 0.75
# How many sentences of a passage are looked at.
_MOST = 60


@dataclass(frozen=True)
class Contraries:
    """Compares clauses without days or times; on which days something is not is judged with the days."""

    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place], *, denied: bool = False) -> Iterator[Finding]:
        """Yield each clause of a sentence of `said` of which the passages say the opposite alone.

        With `denied`, the sentence is what a bare no says not to be so.
        """
        if sentence.asks or any(self._has_a_time(said, clause) for clause in sentence.clauses[:_MOST]):
            return
        for place in places:
            text = said.text[place.clause.start : place.clause.end]
            if not place.clause.subjects or self._is_judged_elsewhere(text, said, place.clause):
                continue
            denies = self._denies(text)
            if self._is_contradicted(place, denies != denied, permits=not denies and self._permits(text)):
                written = text.strip(" ,;.\n")
                yield Finding(claim(written, place.clause.start), place, None)

    def _has_a_time(self, said: Said, clause: Clause) -> bool:
        return any(fact.kind in ("weekday", "date", "time") for fact in said.inside(clause))

    def _is_judged_elsewhere(self, text: str, said: Said, clause: Clause) -> bool:
        """Whether a clause is of money, of what is open or unknown, or holds only in part."""
        words = self.ground.lexicon
        return any(fact.kind == "money" for fact in said.inside(clause)) or any(
            words.pattern(name).search(text) for name in ("qualified", "unknown", "status")
        )

    def _denies(self, text: str) -> bool:
        return sum(1 for _ in self.ground.lexicon.pattern("denied").finditer(text)) % 2 == 1

    def _permits(self, text: str) -> bool:
        return bool(self.ground.lexicon.pattern("permits").search(text))

    @cached_property
    def _permitting(self) -> frozenset[str]:
        """The stems of the words that say that something may be done, not what."""
        language = self.ground.language
        return frozenset(stem(fold(word), language) for word in self.ground.lexicon.words("permitting"))

    def _is_contradicted(self, place: Place, denies: bool, *, permits: bool) -> bool:
        own = frozenset(place.clause.subjects) - (self.ground.light - self.ground.people)
        if permits:
            own -= self._permitting
        if not own:
            return False
        subject = frozenset() if len(own) > 1 else frozenset(place.subject.subjects)
        best, signs = (0, 0), set[bool]()
        for said, lent, denied in self._all_told:
            key = (len((own | subject) & (said | lent)), len(own & said))
            whole = denied and not denies and len(said) > 1 and said <= own
            enough = key[1] and (whole or len(own & (said | lent)) >= _SAME * len(own))
            if enough and (key[0] > 1 or own == said or (permits and denied)) and key >= best:
                signs = {denied} if key > best else signs | {denied}
                best = key
        return bool(signs) and denies not in signs

    @cached_property
    def _all_told(self) -> Sequence[tuple[frozenset[str], frozenset[str], bool]]:
        return [one for passage in self.ground.passages for one in self._told(passage)]

    def _told(self, passage: Passage) -> Iterator[tuple[frozenset[str], frozenset[str], bool]]:
        """Yield of each clause its stems, those of its title and of the clause before, and whether it denies."""
        before = frozenset[str]()
        if self.ground.lexicon.pattern("row").search(passage.text):
            return  # "Fee: none" denies no fee
        for sentence in passage.sentences[:_MOST]:
            for clause in sentence.clauses:
                text = passage.text[clause.start : clause.end]
                if not self.ground.lexicon.pattern("qualified").search(text):
                    yield frozenset(clause.subjects), passage.title | before, self._denies(text)
                before = frozenset(clause.subjects) or before
