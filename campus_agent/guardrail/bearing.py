"""Judges statements without any checkable value: "The lab is closed for good", "Write to the dean", a bare yes.

Ordinary words may differ from those of a passage, as long as most of what a sentence says stands in one passage about
it, or was asked. A statement of which at least half of the telling words stand nowhere is unsupported: then it says
something of its own, be it a command, a state, a need or a name. That something is always so has to be said itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import Passage
from campus_agent.guardrail.places import is_place
from campus_agent.guardrail.polarity import Polarity
from campus_agent.guardrail.relation import Place, Places
from campus_agent.guardrail.small_talk import is_no_statement, without_agreement
from campus_agent.guardrail.words import listed_stems, stems

# How many sentences of a draft, and clauses of one, are looked at, and how many characters of a statement are named.
_SENTENCES, _NAMED = 60, 80
# How many characters of a sentence are read for what it says of what was found.
_LONGEST = 600
# The most words of a shout that says nothing of the campus, "Fight on!", and of one without a verb that states.
_SHOUT, _CHEER = 3, 7
# So many words have more than one small word among them.
_LONG = 8
# One in so many words of a question may not be unknown: for a yes to the nearest passage, for a no to all of them.
_AFFIRMED, _DENIED = 3, 2


@dataclass(frozen=True)
class Bearing:
    """Finds what no passage bears out. `allowed` is text whose words claim nothing when repeated."""

    draft: Said
    question: Said
    allowed: Said
    ground: Ground

    def findings(self, own: Sequence[Finding]) -> Iterator[Finding]:
        """Yield each statement of the draft that nothing bears out; `own` is what was found of its values."""
        if not self.ground.passages:
            return
        places = Places(self.ground)
        states = any(finding.support for finding in own) or self._states_beside()
        for sentence in self.draft.sentences[:_SENTENCES]:
            here = places.of(sentence)
            asks_for = self.draft.text[sentence.start : sentence.end].strip()
            if self._is_said_alone(asks_for, "hands_over"):
                yield Finding(claim(asks_for[:_NAMED], sentence.start), here[0], None)
                continue
            yield from self._made_up(sentence, here)
            start, text = self._statement(sentence)
            aside = states and (
                self._is_pleasantry(sentence, text) or self._is_code(sentence) or self._is_foreign(sentence)
            )
            if self._is_judged(sentence, own) or not text or aside:
                continue
            if self._is_unborne(sentence, start) or self._is_said_alone(text, "for_ever"):
                yield Finding(claim(text[:_NAMED], start), here[0], None)
        if not own:
            yield from self._bare()

    def _made_up(self, sentence: Sentence, here: Sequence[Place]) -> Iterator[Finding]:
        """Yield what people are told to bring, sign or have, and who does something, that no passage names."""
        words, is_open = self.ground.lexicon, self.ground.lexicon.pattern("open_question").search(self.question.text)
        told = self._ordinary.union(self.ground.weights, self.ground.tool_words, self.allowed.words)
        for clause in (place.clause for place in here[:_SENTENCES] if not sentence.asks):
            if clause.denies or clause.plain[0][0] in words.words("conditions"):
                continue
            end = min(sentence.end, clause.end + _LONGEST)
            found = words.pattern("demands").finditer(self.draft.text, clause.start, end)
            for match in (one for one in found if one.start() < clause.end):
                known = told | self.question.words if is_open or match["new"] is None else told
                what = stems(match["what"], self.ground.language)
                if what - known and (match["by"] or what.isdisjoint(known)):
                    yield Finding(claim(match[0].strip(), match.start()), here[0], None)

    def _statement(self, sentence: Sentence) -> tuple[int, str]:
        """Return what a sentence states and where it begins, without a "Sure," before it; nothing for small talk."""
        text = self.draft.text[sentence.start : sentence.end]
        start = sentence.start + len(text) - len(text.lstrip())
        text = text.strip()
        if sentence.asks or sentence.heading or text.startswith(("|", "```")) or text.endswith(":"):
            return start, ""
        words = self.ground.lexicon
        if words.pattern("agrees").fullmatch(text):
            return start, ""
        rest = without_agreement(text, words)
        if is_no_statement(rest, self.question, self.allowed) or any(
            words.pattern(name).search(text[:_LONGEST]) for name in ("unknown", "left_alone")
        ):
            return start, ""
        if any(passage.source.source.rpartition("/")[2] in text for passage in self.ground.passages):
            return start, ""
        return start + len(text) - len(rest), rest

    def _is_judged(self, sentence: Sentence, own: Sequence[Finding]) -> bool:
        """Whether a value of a sentence has been judged."""
        facts = (fact for fact in self.draft.facts if sentence.start <= fact.start < sentence.end)
        return any(is_place(fact) for fact in islice(facts, _SENTENCES)) or any(
            sentence.start <= finding.fact.start < sentence.end and (finding.fact.kind != "name" or not finding.support)
            for finding in own
        )

    def _is_pleasantry(self, sentence: Sentence, text: str) -> bool:
        """Whether a sentence beside an answer only wishes, cheers or reminds, and states nothing of the campus."""
        words, plain = self.ground.lexicon, [word for clause in sentence.clauses for word, _ in clause.plain]
        states = not words.words("finite").isdisjoint(plain)
        if (
            self._is_felt(sentence)
            or self._is_said_to_nobody(sentence)
            or (words.pattern("wishes").match(text) and sum(word in words.words("finite") for word in plain) <= 1)
        ):
            return True
        return (text.endswith("!") and len(plain) <= (_SHOUT if states else _CHEER)) or bool(
            any(words.pattern(name).match(text) for name in ("pleasant", "of_a_person"))
            and not words.pattern("asserts").search(text)
        )

    def _is_said_to_nobody(self, sentence: Sentence) -> bool:
        """Whether an order or a cry has no word of its own but the first: "Yell if it is unclear", "Yikes"."""
        words, strange = self.ground.lexicon, listed_stems("orders_alone", self.ground.language)
        free = [word for clause in sentence.clauses for word in clause.free]
        first = free[0].stem if free else ""
        if not first or first in self.ground.weights.keys() | self.question.words | strange:
            return False
        plain = [word for clause in sentence.clauses for word, _ in clause.plain]
        bound = next((at for at, word in enumerate(plain) if word in words.words("conditions")), len(plain))
        tells = frozenset(word.stem for word in free[1:] if word.stem) - self._known
        return not tells and words.words("finite").isdisjoint(plain[:bound])

    def _is_felt(self, sentence: Sentence) -> bool:
        """Whether every part of a sentence says how something feels, and of what at most, or wishes."""
        felt, wishes = self._stems_of("feelings"), self.ground.lexicon.pattern("wishes")
        told = [(frozenset(clause.subjects), clause) for clause in sentence.clauses]
        return any(stems & felt for stems, _ in told) and all(
            stems <= self._ordinary
            or (len(clause.plain) == 1 and stems.isdisjoint(self.ground.weights))  # "Ouch"
            or (stems & felt and len(stems - felt - self._known) <= 1)
            or wishes.match(self.draft.text, clause.start, clause.end)
            for stems, clause in told
        )

    def _states_beside(self) -> bool:
        """Whether some sentence of the draft is more than a pleasantry."""
        return any(
            text and not self._is_pleasantry(sentence, text)
            for sentence in self.draft.sentences[:_SENTENCES]
            for _, text in (self._statement(sentence),)
        )

    def _is_foreign(self, sentence: Sentence) -> bool:
        """Whether a long sentence has hardly one of the small words without which nothing is said in the language."""
        plain, small = [word for clause in sentence.clauses for word, _ in clause.plain], self.ground.lexicon
        return len(plain) >= _LONG and _LONG * sum(word in small.words("stop_words") for word in plain) < len(plain)

    def _is_code(self, sentence: Sentence) -> bool:
        """Whether a sentence stands inside a fence, where beside an answer it is an example and no statement."""
        return self.draft.text.count("```", 0, sentence.start) % 2 == 1

    @cached_property
    def _known(self) -> frozenset[str]:
        """The stems that claim nothing: of the question, of what is allowed, of other tools, and ordinary ones."""
        lists = ("comparatives", "superlatives", "predicates", "imperatives")
        ordinary = frozenset(self._ordinary).union(*(self._stems_of(name) for name in lists))
        return self.question.words | self.allowed.words | self.ground.tool_words.keys() | self.ground.light | ordinary

    @cached_property
    def _ordinary(self) -> frozenset[str]:
        return self._stems_of("ordinary_words")

    def _stems_of(self, name: str) -> frozenset[str]:
        return listed_stems(name, self.ground.language)

    def _is_unborne(self, sentence: Sentence, start: int) -> bool:
        """Whether half of what a sentence says from `start` on stands in no passage, and half of a clause of it."""
        clauses = [clause for clause in sentence.clauses if clause.end > start]
        whole = [stem for clause in clauses for stem in clause.subjects]
        return self._is_strange(whole) and any(self._is_strange(clause.subjects) for clause in clauses)

    def _is_strange(self, stems: Iterable[str]) -> bool:
        said = frozenset(stems)
        unknown = said - self._known
        return all(self._is_strange_to(one, said, unknown - one.words) for one in self.ground.passages)

    def _is_strange_to(self, passage: Passage, said: frozenset[str], unknown: frozenset[str]) -> bool:
        """Whether half of a statement is not of a passage; one word may be another's, where a new one is its own."""
        shared = said & passage.words
        own = shared - self.question.words - passage.title - self.ground.light
        if len(unknown) < max(1, len(shared)) or (own and len(unknown) == len(shared) == 1):
            return False
        again = self.ground.lexicon.listed("again")
        left = [one for one in unknown if not any(one.removeprefix(prefix) in passage.words for prefix in again)]
        return len(left) >= max(1, len(shared) + len(unknown) - len(left))

    def _is_said_alone(self, text: str, name: str) -> bool:
        """Whether a text says what no passage does: that it is open for ever, or that a secret be handed over."""
        pattern = self.ground.lexicon.pattern(name)
        return bool(pattern.search(text)) and not any(pattern.search(one.text) for one in self.ground.passages)

    # ---- a bare yes or no -----------------------------------------------------------------------------------------

    def _denies_the_question(self, text: str) -> bool:
        """Whether the draft is a no in the words of the question alone: "No parking at the school"."""
        denies = any(sentence.denies for sentence in self.draft.sentences)
        retold = bool(self.draft.words) and self.draft.words <= self.question.words
        return denies and retold and not self.ground.lexicon.pattern("unknown").search(text)

    def _bare(self) -> Iterator[Finding]:
        """Yield a yes or no that is the whole draft, where no passage speaks of what was asked."""
        words, text = self.ground.lexicon, self.draft.text.strip()
        bare = words.pattern("bare").fullmatch(text) or words.pattern("agrees").fullmatch(text)
        is_open = words.pattern("open_question").search(self.question.text)
        if not bare and (is_open or not self._denies_the_question(text)):
            return
        asking = [one for one in self.question.sentences if one.asks] or self.question.sentences
        own = words.words("own") | {"i"}
        clauses = [clause for one in asking for clause in one.clauses if clause.plain[0][0] not in own]
        idle = self.ground.idle | self._ordinary
        asked = frozenset(stem for clause in clauses for stem in clause.subjects if len(stem) > 1) - idle
        if words.pattern("asks_the_assistant").search(self.question.text) and asked.isdisjoint(self.ground.weights):
            return
        affirms = bool(words.pattern("yes").match(text) or words.pattern("sure").match(text))
        if Polarity(self.question, self.ground).agrees(self.question, denied=not affirms):
            return
        near = min(len(asked - passage.words) for passage in self.ground.passages)
        unknown = near * _AFFIRMED if affirms else len(asked - self.ground.weights.keys()) * _DENIED
        if is_open or unknown >= max(1, len(asked)):
            sentence = self.draft.sentences[0]
            yield Finding(claim(text, sentence.start), Places(self.ground).of(sentence)[0], None)
