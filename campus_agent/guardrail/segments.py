"""Tells whether another sentence of a passage, with another value of the kind, names the draft's subject better.

"Soft cover $9, ready the next day. Hard cover $38, ready in 4 days.": each value is of what its sentence names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.fact import Fact, blank
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.lexicon import Lexicon, lexicon
from campus_agent.guardrail.opposites import opposites
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.relation import Place, without_house
from campus_agent.guardrail.words import stems

# How many sentences of a passage, and facts of a sentence, are looked at.
_SENTENCES, _FACTS = 40, 40
# Kinds of which only another one is a rival.
_CONTACTS = frozenset(("phone", "email", "link"))
# How many characters before a clause may deny what it says.
_NEAR = 200
# So many of the subjects are the draft's own.
_OWN = 3
# The most words of a bare no.
_BARE = 2
# So many words that two sentences have in common may be chance.
_FRAME = 1


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence: what it names, as stems and atoms, those of the rest, its facts, and the stems of its label."""

    names: frozenset[str]
    words: frozenset[str]
    facts: tuple[Fact, ...]
    label: frozenset[str]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of its values."""
        return frozenset(one.kind for one in self.facts if one.kind != "name")

    def is_like(self, other: Segment, kind: str) -> bool:
        """Whether two sentences are likely to say the same of two things, values of a `kind`: with some words alike."""
        kinds = self.kinds & other.kinds
        framed = len(kinds) > _FRAME or len(self.words & other.words) > _FRAME
        alike = self.kinds == other.kinds or framed or bool(self.label and other.label)
        named = kind == "name" and all(any(fact.kind == kind for fact in one.facts) for one in (self, other))
        return (bool(kinds) or named) and alike


@dataclass(frozen=True)
class Segments:
    """Compares the sentences of passages with what a draft says. `question` names the subject where it does not."""

    draft: Said
    question: Said
    ground: Ground
    _read: dict[str, Sequence[Segment]] = field(default_factory=dict)

    def give_to_another(self, fact: Fact, place: Place, passage: Passage) -> bool:
        """Whether every sentence that holds a value names less of its subject than one with another value does."""
        denies = self.ground.lexicon.pattern("denied").search(
            self.draft.text, max(_behind_no(place.sentence), place.clause.start - _NEAR), place.clause.end
        )
        return not denies and self.are_of_another(fact, place, passage)

    def are_of_another(self, fact: Fact, place: Place, passage: Passage) -> bool:
        """Whether that is so of a value, whether or not it is denied."""
        if len(passage.sentences) == 1:
            return False
        holding, rivals = self._rivals(fact, passage)
        idle = self.ground.paying if fact.kind == "money" else frozenset[str]()  # but a fee may have a deadline
        labels = [one.label for one in (*holding, *rivals)]
        labelled = all(labels)
        common = frozenset[str].intersection(*(one.words for one in (*holding, *rivals))) if rivals else frozenset()
        told_apart = labelled or all(one.words - common - self.ground.idle for one in (*holding, *rivals))
        by_day = not told_apart and any("time" in one.kinds for one in holding)
        if not rivals or (fact.kind == "weekday" and by_day):
            return False
        subjects = list(_subjects(fact, place, self.draft, self.question))
        if fact.kind == "time" and passage.times_by_day and not told_apart:
            del subjects[_OWN:]  # what is open when is told by the days
        for index, told in enumerate(subjects):
            if index == _OWN:
                rivals = [one for one in rivals if any(one.kinds == other.kinds for other in holding)]
            named = told - (self.ground.light - self.ground.people.union(*labels)) - idle
            named -= common
            own, other = _scores(named - passage.title, holding, rivals)
            if own != other:
                return other > own
            if passage.title & named or own:
                return False  # it names what all of the passage is about, or both of them
        return False

    def _rivals(self, fact: Fact, passage: Passage) -> tuple[list[Segment], list[Segment]]:
        """Return the sentences that hold a value, and those like them that do not."""
        if passage.text not in self._read:
            self._read[passage.text] = segments(passage, self.ground)
        parts = self._read[passage.text]
        holding = [one for one in parts if any(fact.supported_by(other.gives) for other in one.facts)]
        others = [one for one in parts if one not in holding and (fact.kind in one.kinds or fact.kind not in _CONTACTS)]
        return holding, [one for one in others if any(one.is_like(other, fact.kind) for other in holding)]


def _behind_no(sentence: Sentence) -> int:
    """Return where a sentence begins, behind a bare "No," or "Not quite," that answers a question."""
    first, *rest = sentence.clauses
    bare = first.denies and len(first.plain) <= _BARE
    return rest[0].start if rest and bare else sentence.start


def segments(passage: Passage, ground: Ground) -> Sequence[Segment]:
    """Return the sentences of a passage without its title; one that begins with "it" goes on about the last."""
    title = passage.text.startswith(passage.source.title) and len(passage.source.title)
    goes_on, finite = ground.lexicon.words("goes_on"), ground.lexicon.words("finite")
    before = frozenset[str]()
    found = []
    things = [frozenset(_things(one, passage, ground)) for one in passage.sentences[:_SENTENCES]]
    told = Counter(chain.from_iterable(things))
    for sentence, own in zip(passage.sentences, things, strict=False):
        start = max(sentence.start, title)
        if start >= sentence.end:
            continue
        facts = tuple(one for one in passage.facts if start <= one.start < sentence.end)
        names = stems(passage.text[start : sentence.end], ground.language)
        names |= {atom for one in facts for atom in one.gives}
        plain = [word for word, _ in sentence.clauses[0].plain]
        names_none = all(told[stem] > 1 for stem in own)  # "The fee is $5", of each
        if names_none or plain[0] in goes_on or any(one in goes_on and verb in finite for one, verb in pairwise(plain)):
            other = frozenset[str]().union(*(opposites(ground.language).get(name, ()) for name in names))
            names |= before - other  # what is so in winter is not of the summer
        words = frozenset(
            word.stem for clause in sentence.clauses for word in clause.free if word.stem and word.start > title
        )
        first = next((one.end for one in sentence.clauses if one.end > title + 1), sentence.end)
        label = (
            stems(passage.text[start:first], ground.language) if passage.text[first : first + 1] == ":" else frozenset()
        )
        found.append(Segment(names, words, facts, label))
        before = names
    return found


def _things(sentence: Sentence, passage: Passage, ground: Ground) -> Iterator[str]:
    """Yield the stems of a sentence that may name what it is about: none of a name or a room, and no light ones."""
    facts = [one for one in passage.facts if sentence.start <= one.start < sentence.end]
    for clause in sentence.clauses:
        for one in facts:
            if clause.start <= one.start < clause.end and one.kind in ("name", "room"):
                clause = without_house(one, clause.without(one), ())
        yield from (stem for stem in clause.subjects if stem not in ground.light)


def _scores(names: frozenset[str], holding: Sequence[Segment], rivals: Sequence[Segment]) -> tuple[float, float]:
    """Return how well the best of each is named; a name counts the less, the more of them it names."""
    counts = {name: sum(name in one.names for one in (*holding, *rivals)) for name in names}
    own, other = (
        max((sum(1 / counts[name] for name in names & one.names) for one in some), default=0.0)
        for some in (holding, rivals)
    )
    return own, other


def _subjects(fact: Fact, place: Place, said: Said, asked: Said) -> Iterable[frozenset[str]]:
    """Yield what may say of what the value is: what stands before it, its clause, what was said last, the question."""
    facts = [one for one in said.facts if place.sentence.start <= one.start < place.sentence.end][:_FACTS]
    start = _begins(fact, place, said, facts)
    clock = fact.kind == "time"
    whole = place.sentence.clauses[place.sentence.clause_at(place.clause.start)]
    verbs = {word.stem for word in whole.free} - {word.stem for word in place.clause.free}
    goes_on = _goes_on(place.clause, lexicon(said.language))
    yield _named(said, facts, fact.start if goes_on else max(start, place.clause.start), fact.start, clock) - verbs
    yield _named(said, facts, start, fact.start, clock) - verbs
    yield (
        _named(said, facts, place.clause.start, fact.start, clock)
        | _named(said, facts, fact.end, place.clause.end, clock)
    ) - verbs
    if start == place.sentence.start:
        yield frozenset(stem for clause in (place.heading or place.topic)[:1] for stem in clause.subjects)
        yield _asked(fact, asked)


def _asked(fact: Fact, asked: Said) -> frozenset[str]:
    """Return the stems and atoms of a question, without its values of the same kind: whether those are so is judged."""
    kinds = ("name", "room") if fact.kind in ("name", "room") else (fact.kind,)
    told = [one for one in asked.facts[:_FACTS] if one.kind not in kinds]
    judged = [(one.start, one.end) for one in asked.facts if one.kind in kinds]
    return stems(blank(asked.text, judged), asked.language) | {atom for one in told for atom in one.gives}


def _begins(fact: Fact, place: Place, said: Said, facts: Sequence[Fact]) -> int:
    """Return where what a value is of begins: behind the last value of the kind; days are listed together."""
    start = fact.start
    for one in reversed([one for one in facts if one.kind == fact.kind and one.end <= fact.start]):
        if fact.kind != "weekday" or stems(said.text[one.end : start], said.language):
            clause = place.sentence.clauses[place.sentence.clause_at(one.start)]
            return one.end if clause is place.clause else max(one.end, clause.end)
        start = one.start
    return place.sentence.start


def _goes_on(clause: Clause, words: Lexicon) -> bool:
    """Whether a clause begins with its verb, or with "it": what it is about stands before."""
    first = next((word for word, _ in clause.plain if word not in words.words("joins")), "")
    return first in words.words("finite") | words.words("goes_on")


def _named(said: Said, facts: Iterable[Fact], start: int, end: int, clock: bool) -> frozenset[str]:
    """Return the stems and atoms of a stretch of text; without weekdays where they only tell times apart."""
    inside = [one for one in facts if start <= one.start < end]
    days = [one for one in inside if clock and one.kind == "weekday"]
    text = blank(said.text[:end], ((one.start, one.end) for one in days))[start:]
    return stems(text, said.language) | {atom for one in inside if one not in days for atom in one.gives}
