"""Judges whether a draft affirms what a passage denies of the same thing, or denies what it affirms, in any verb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.places import is_placed
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.statements import HAPPENING, is_so, statements
from campus_agent.guardrail.words import listed_stems, stems

# The share of a clause's words that a passage has to say, for it to say the same or the opposite.
_SAME = 0.85
# That share where something is permitted, in whatever words.
_PERMITTED = 0.6
# The share of them that is forbidden outright: a toaster, be it in a room.
_FORBIDDEN = 0.5
# So many words, and such a share, of what is said are an order's where whoever says it follows the order.
_ORDERED, _MOSTLY = 2, 0.75
# So many words of a clause beside an amount of money say more than what it is paid for.
_MUCH = 4
# How many characters of a clause are looked at.
_LONGEST = 1000
# How many sentences of a passage are looked at.
_MOST = 60
_WHEN = frozenset(("weekday", "date", "time"))


class _Told(NamedTuple):
    """What a clause of a passage says.

    Attributes:
        said: its stems; `lent` those of the title and the clause before.
        denied: whether it denies; None where it holds in part.
    """

    said: frozenset[str]
    lent: frozenset[str]
    denied: bool | None


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a clause of a draft says, as stems.

    Attributes:
        own: its words; `subject` those that say what it is about, where it has one word alone.
        denies: whether it denies; `permits` whether it says that something is allowed.
    """

    own: frozenset[str]
    subject: frozenset[str]
    denies: bool
    permits: bool

    def shared(self, told: _Told) -> tuple[int, int]:
        """Return how many words a clause of a passage shares with it, lent ones too, and of its own."""
        return len((self.own | self.subject) & (told.said | told.lent)), len(self.own & told.said)


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
        signs = self._signs(said.text, sentence.clauses[:_MOST])
        for place in places[:_MOST]:
            text = said.text[place.clause.start : min(place.clause.end, place.clause.start + _LONGEST)]
            at = sentence.clause_at(place.clause.start)
            denies = signs[at] if at < len(signs) else None
            if denies is None:
                continue
            if self._is_only_ordered(place.clause, denies=denies):
                yield Finding(claim(text.strip(" ,;.\n"), place.clause.start), place, None)
                continue
            if not place.clause.subjects or self._is_judged_elsewhere(text, said, place.clause):
                continue
            if self._is_contradicted(place, denies != denied, permits=not denies and self._permits(text)):
                written = text.strip(" ,;.\n")
                yield Finding(claim(written, place.clause.start), place, None)

    def _is_only_ordered(self, clause: Clause, *, denies: bool) -> bool:
        """Whether a clause says what an order to the assistant says, better than anything that the passages tell."""
        own = frozenset(clause.subjects)
        orders = {one for passage in self.ground.passages for one in passage.orders}
        ordered = max((len(own & stems) for stems, denied in orders if denied == denies), default=0)
        if ordered < max(_ORDERED, _MOSTLY * len(own)):
            return False
        return all(len(own & (said | lent)) < ordered for said, lent, *_ in self._all_told)

    def _has_a_time(self, said: Said, clause: Clause) -> bool:
        return any(fact.kind in _WHEN for fact in said.inside(clause))

    def _is_judged_elsewhere(self, text: str, said: Said, clause: Clause) -> bool:
        """Whether a clause is of money, of now, of what is open, lasts, takes place or is unknown, or holds in part."""
        words = self.ground.lexicon
        if clause.denies and (clause.plain[0][0] in words.words("self") or self._has_a_value(said, clause)):
            return True  # I have no phone number for it; it is not in room 2, but in another
        if not words.words("brought").isdisjoint(word for word, _ in clause.plain):
            return True  # what is not lent is one's own
        if any(one.sense == HAPPENING for one in statements(clause, self.ground.language)):
            return True
        money = any(fact.kind == "money" for fact in said.inside(clause))
        return (money and len(clause.subjects) <= _MUCH) or any(
            words.pattern(name).search(text) for name in ("qualified", "unknown", "status", "now")
        )

    def _denies(self, text: str) -> bool:
        return sum(1 for _ in self.ground.lexicon.pattern("denied").finditer(text)) % 2 == 1

    def _signs(self, text: str, clauses: Sequence[Clause]) -> list[bool | None]:
        """Return which clauses of a sentence deny; a mere list shares the verb before it, or else the one after it.

        None where the verbs before and after differ, and nobody can tell whose the list is.
        """
        own = [self._denies(text[clause.start : min(clause.end, clause.start + _LONGEST)]) for clause in clauses]
        listed = [self._is_listed(clause) for clause in clauses]
        later, after = [], False
        for denies, nouns in zip(reversed(own), reversed(listed), strict=True):
            after = after if nouns else denies
            later.append(after)
        signs: list[bool | None] = []
        leads = True  # no verb yet since the sentence, or a part of it, began
        for at, clause in enumerate(clauses):
            turns = clause.plain[0][0] in self.ground.lexicon.words("turns") or text[clause.start] == ";"
            leads = turns or (leads and (not at or listed[at - 1]))
            labels = listed[at] and text[clause.end : clause.end + 1] == ":"
            goes_on = bool(signs) and self._goes_on(clause)
            shared = later[-1 - at] if (leads or labels) and not goes_on else signs[-1]
            if listed[at] and not (leads or labels or goes_on) and later[-1 - at] != shared and not all(listed[at:]):
                shared = None
            signs.append(own[at] or (shared if listed[at] or goes_on else False))
        return signs

    def _goes_on(self, clause: Clause) -> bool:
        """Whether a clause goes on with what the one before it says: "not sold or lent", "together with dogs"."""
        words, (first, *rest) = self.ground.lexicon, [word for word, _ in clause.plain]
        finite = words.words("finite")
        if not set(rest) - words.words("joins") and first in words.words("joins"):
            return True
        if first in words.words("alternatives"):
            return True
        if first in words.words("echoes") and finite.intersection(rest[:1]):
            return True  # as are dogs
        return first in words.words("carries_on") and finite.isdisjoint(rest)

    def _is_listed(self, clause: Clause) -> bool:
        """Whether a clause has nouns alone, beside an "and" or "or" before them."""
        words = self.ground.lexicon
        lead = words.words("joins") | words.words("turns") | words.words("alternatives")
        plain = clause.plain[1:] if clause.plain[0][0] in lead else clause.plain
        if any(word in words.table("predicates") for word, _ in plain):
            return False
        return bool(plain) and [word.start for word in clause.free if word.stem] == [start for _, start in plain]

    def _permits(self, text: str) -> bool:
        return bool(self.ground.lexicon.pattern("permits").search(text))

    def _has_a_value(self, said: Said, clause: Clause) -> bool:
        language = self.ground.language
        return any(one.kind != "name" or is_placed(one, said.text, language) for one in said.inside(clause))

    def _is_contradicted(self, place: Place, denies: bool, *, permits: bool) -> bool:
        """Whether the clauses nearest to one all have the other sign, and none with its sign has more words of it."""
        one = self._claim(place, denies, permits=permits)
        if not one.own:
            return False
        near = [told for told in self._all_told if self._is_near(one, told)]
        ruled_out = frozenset[str]().union(*(told.said for told in near if self._is_ruled_out(one, told)))
        if banned := one.own & ruled_out:  # "they are washed here" lets nobody take scrubs home to wash
            as_much = [told for told in near if len(one.own & told.said) >= len(banned)]
            near = [told for told in near if banned & told.said or (told in as_much and banned & told.lent)]
        best = max(map(one.shared, near), default=None)
        nearest = [told for told in near if one.shared(told) == best]
        if any(told.denied in (denies, None) for told in nearest):
            return False
        words = frozenset[str]().union(*(told.said | told.lent for told in nearest))
        return bool(nearest) and not any(told.denied == denies and (one.own & told.said) - words for told in near)

    def _claim(self, place: Place, denies: bool, *, permits: bool) -> _Claim:
        """Read what a clause says, without the words that only say that it is allowed."""
        whole = frozenset(place.clause.subjects)
        own = whole - (self.ground.light - self.ground.people - self._predicates)
        own = own if len(own) > 1 else whole
        plain = self._permitting if permits else self._permitting & self._predicates
        own = own - plain if permits or own - plain else own
        subject = frozenset() if len(own) > 1 else _subject(place)
        return _Claim(own, subject, denies, permits)

    def _is_near(self, one: _Claim, told: _Told) -> bool:
        """Whether a clause of a passage speaks of the same: it has most of the words, or rules out what it names."""
        shared, own = one.shared(told)
        if not one.own & self.ground.labels <= told.said | told.lent:
            return False  # it is of another row of a table
        if not own or not (shared > 1 or one.own == told.said or (one.permits and told.denied)):
            return False
        most = (_PERMITTED if one.permits else _SAME) * len(one.own)
        return len(one.own & (told.said | told.lent)) >= most or self._is_ruled_out(one, told)

    def _is_ruled_out(self, one: _Claim, told: _Told) -> bool:
        """Whether a clause denies outright what another says: all that it names, or "no desks are taken"."""
        if not told.denied:
            return False
        what = told.said - self._permitting
        outright = one.own <= told.said | told.lent or len(what) >= _FORBIDDEN * len(one.own)
        if one.permits and what and what <= one.own and outright:
            return True
        return len(told.said) > 1 and told.said <= one.own

    @cached_property
    def _permitting(self) -> frozenset[str]:
        return listed_stems("permitting", self.ground.language)

    @cached_property
    def _predicates(self) -> frozenset[str]:
        return listed_stems("predicates", self.ground.language)

    @cached_property
    def _all_told(self) -> Sequence[_Told]:
        return [one for passage in self.ground.passages for one in self._told(passage)]

    def _told(self, passage: Passage) -> Iterator[_Told]:
        before, goes_on = frozenset[str](), self.ground.lexicon.words("goes_on")
        if self.ground.lexicon.pattern("row").search(passage.text):
            yield from self._told_by_cells(passage)
            return
        for sentence in passage.sentences[:_MOST]:
            clauses = sentence.clauses[:_MOST]
            signs, partly = self._signs(passage.text, clauses), False
            meant = before = before if sentence.clauses[0].plain[0][0] in goes_on else frozenset()
            for clause, denies in zip(clauses, signs, strict=True):
                text = passage.text[clause.start : clause.end]
                verb = clause.plain[0][0] in self.ground.lexicon.words("finite")
                inside = partly and (verb or self._is_listed(clause) or self._goes_on(clause))
                partly = inside or bool(self.ground.lexicon.pattern("qualified").search(text))
                lent = passage.title | (before | meant) - self._predicates
                sure = not partly or (denies and self.ground.lexicon.pattern("excepts").search(text))
                so = is_so(passage.text, clause, self.ground.language)
                if so is not None:
                    kinds = (one.kind for one in passage.facts if clause.start <= one.start < clause.end)
                    sure = sure and not (denies and not _WHEN.isdisjoint(kinds))  # only then
                    yield _Told(frozenset(clause.subjects), lent, denies == so if sure else None)
                before = frozenset(clause.subjects) or before

    def _told_by_cells(self, passage: Passage) -> Iterator[_Told]:
        """Yield what the cells of a row say by a mere yes or no: "Air conditioning: no"."""
        words = self.ground.lexicon
        for cell in words.pattern("cell").finditer(passage.text):
            value = cell["value"].strip(" .")
            denied = bool(words.pattern("no").fullmatch(value))
            if denied or words.pattern("yes").fullmatch(value):
                yield _Told(stems(cell["name"], self.ground.language), passage.title | passage.label, denied)


def _subject(place: Place) -> frozenset[str]:
    """Return the stems of what a place is about, with those of the clause before it: "Donkey: petting is fine"."""
    return frozenset(stem for clause in (place.subject, *place.earlier[:1]) for stem in clause.subjects)
