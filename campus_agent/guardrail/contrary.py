"""Judges whether a draft affirms what a passage denies of the same thing, or denies what it affirms, in any verb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.statements import LASTING, statements
from campus_agent.guardrail.words import listed_stems

# The share of a clause's words that a passage has to say, for it to say the same or the opposite.
_SAME = 0.75
# So many words of an order are said again by whoever follows it.
_ORDERED = 2
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
        before = False
        for place in places:
            text = said.text[place.clause.start : place.clause.end]
            before = denies = self._denies(text) or (before and self._goes_on(place.clause))
            if not place.clause.denies and self._is_only_ordered(place.clause):
                yield Finding(claim(text.strip(" ,;.\n"), place.clause.start), place, None)
                continue
            if not place.clause.subjects or self._is_judged_elsewhere(text, said, place.clause):
                continue
            if self._is_contradicted(place, denies != denied, permits=not denies and self._permits(text)):
                written = text.strip(" ,;.\n")
                yield Finding(claim(written, place.clause.start), place, None)

    def _is_only_ordered(self, clause: Clause) -> bool:
        """Whether a clause says what an order to the assistant says, better than anything that the passages tell."""
        own = frozenset(clause.subjects)
        ordered = max((len(own & one) for passage in self.ground.passages for one in passage.orders), default=0)
        if ordered < max(_ORDERED, _SAME * len(own)):
            return False
        return all(len(own & (said | lent)) < ordered for said, lent, _ in self._all_told)

    def _has_a_time(self, said: Said, clause: Clause) -> bool:
        return any(fact.kind in ("weekday", "date", "time") for fact in said.inside(clause))

    def _is_judged_elsewhere(self, text: str, said: Said, clause: Clause) -> bool:
        """Whether a clause is of money, of now, of what is open, lasts or is unknown, or holds only in part."""
        words = self.ground.lexicon
        if not words.words("brought").isdisjoint(word for word, _ in clause.plain):
            return True  # what is not lent is one's own
        if self._tells_what_lasts and any(one.sense == LASTING for one in statements(clause, self.ground.language)):
            return True
        return any(fact.kind == "money" for fact in said.inside(clause)) or any(
            words.pattern(name).search(text) for name in ("qualified", "unknown", "status", "now")
        )

    @cached_property
    def _tells_what_lasts(self) -> bool:
        return any(one.sense == LASTING for passage in self.ground.passages for one in passage.statements)

    def _denies(self, text: str) -> bool:
        return sum(1 for _ in self.ground.lexicon.pattern("denied").finditer(text)) % 2 == 1

    def _goes_on(self, clause: Clause) -> bool:
        """Whether a clause goes on with what the one before it denies: "not sold or lent"."""
        return clause.plain[0][0] in self.ground.lexicon.words("alternatives")

    def _shares_its_verb(self, clause: Clause, after: Clause) -> bool:
        """Whether a clause has nouns alone, and the next says of them too what it does: "food and drink are not"."""
        nouns = all(word.stem for word in clause.free) and len(clause.free) == len(clause.plain)
        return nouns and after.plain[0][0] in self.ground.lexicon.words("joins")

    def _permits(self, text: str) -> bool:
        return bool(self.ground.lexicon.pattern("permits").search(text))

    def _is_contradicted(self, place: Place, denies: bool, *, permits: bool) -> bool:
        own = frozenset(place.clause.subjects) - (self.ground.light - self.ground.people)
        if permits:
            own -= listed_stems("permitting", self.ground.language)
        if not own:
            return False
        subject = frozenset() if len(own) > 1 else frozenset(place.subject.subjects)
        best, signs = (0, 0), set[bool | None]()
        for said, lent, denied in self._all_told:
            key = (len((own | subject) & (said | lent)), len(own & said))
            whole = denied and not denies and len(said) > 1 and said <= own
            enough = key[1] and (whole or len(own & (said | lent)) >= _SAME * len(own))
            if enough and (key[0] > 1 or own == said or (permits and denied)) and key >= best:
                signs = {denied} if key > best else signs | {denied}
                best = key
        return bool(signs) and denies not in signs and None not in signs

    @cached_property
    def _all_told(self) -> Sequence[tuple[frozenset[str], frozenset[str], bool | None]]:
        return [one for passage in self.ground.passages for one in self._told(passage)]

    def _told(self, passage: Passage) -> Iterator[tuple[frozenset[str], frozenset[str], bool | None]]:
        """Yield of each clause its stems, those of the title and the clause before, and if it denies; None: in part."""
        before = frozenset[str]()
        if self.ground.lexicon.pattern("row").search(passage.text):
            return  # "Fee: none" denies no fee
        for sentence in passage.sentences[:_MOST]:
            denies = False
            for clause, after in zip_longest(sentence.clauses, sentence.clauses[1:]):
                text = passage.text[clause.start : clause.end]
                shared = passage.text[after.start : after.end] if after and self._shares_its_verb(clause, after) else ""
                denies = self._denies(text) or self._denies(shared) or (denies and self._goes_on(clause))
                bound = text + passage.text[after.start : after.end] if after and _counts(passage, after) else text
                partly = self.ground.lexicon.pattern("qualified").search(bound)
                yield frozenset(clause.subjects), passage.title | before, None if partly else denies
                before = frozenset(clause.subjects) or before


def _counts(passage: Passage, clause: Clause) -> bool:
    """Whether a clause has a number: "after 5 days" bounds what the clause before it says."""
    return any(clause.start <= fact.start < clause.end for fact in passage.facts if fact.kind == "number")
