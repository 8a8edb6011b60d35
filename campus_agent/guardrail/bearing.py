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
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.places import is_place
from campus_agent.guardrail.relation import Places
from campus_agent.guardrail.small_talk import is_no_statement, without_agreement
from campus_agent.guardrail.words import fold, stem

# How many sentences of a draft are looked at, and how many characters of a statement are named.
_SENTENCES, _NAMED = 60, 80
# The most words of a shout that says nothing of the campus, "Fight on!", and of one without a verb that states.
_SHOUT, _CHEER = 3, 7
# So many words have more than one small word among them.
_LONG = 8


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
        states = any(finding.support for finding in own)
        for sentence in self.draft.sentences[:_SENTENCES]:
            here = places.of(sentence)
            asks_for = self.draft.text[sentence.start : sentence.end].strip()
            if self._is_said_alone(asks_for, "hands_over"):
                yield Finding(claim(asks_for[:_NAMED], sentence.start), here[0], None)
                continue
            start, text = self._statement(sentence)
            aside = states and (
                self._is_pleasantry(sentence, text) or self._is_code(sentence) or self._is_foreign(sentence)
            )
            if self._is_judged(sentence, own) or not text or aside:
                continue
            if self._is_unborne(sentence) or self._is_said_alone(text, "for_ever"):
                yield Finding(claim(text[:_NAMED], start), here[0], None)
        if not own:
            yield from self._bare()

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
        if is_no_statement(rest, self.question, self.draft.language) or words.pattern("unknown").search(text):
            return start, ""
        if any(passage.source.source in text for passage in self.ground.passages):
            return start, ""
        return start + len(text) - len(rest), rest

    def _is_judged(self, sentence: Sentence, own: Sequence[Finding]) -> bool:
        """Whether a value of a sentence has been judged."""
        facts = (fact for fact in self.draft.facts if sentence.start <= fact.start < sentence.end)
        return any(is_place(fact) for fact in islice(facts, _SENTENCES)) or any(
            sentence.start <= finding.fact.start < sentence.end
            and (finding.fact.kind != "name" or not finding.support or self._is_new(finding.fact))
            for finding in own
        )

    def _is_new(self, fact: Fact) -> bool:
        return not fact.supported_by(self.question.words | self.question.atoms)

    def _is_pleasantry(self, sentence: Sentence, text: str) -> bool:
        """Whether a sentence beside an answer only wishes, cheers or reminds, and states nothing of the campus."""
        words, plain = self.ground.lexicon, [word for clause in sentence.clauses for word, _ in clause.plain]
        states = not words.words("finite").isdisjoint(plain)
        return (text.endswith("!") and len(plain) <= (_SHOUT if states else _CHEER)) or bool(
            words.pattern("pleasant").match(text) and not words.pattern("asserts").search(text)
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
        lists = ("comparatives", "superlatives", "predicates")
        ordinary = frozenset(self._ordinary).union(*(self._stems_of(name) for name in lists))
        return self.question.words | self.allowed.words | self.ground.tool_words.keys() | self.ground.light | ordinary

    @cached_property
    def _ordinary(self) -> frozenset[str]:
        return self._stems_of("ordinary_words")

    def _stems_of(self, name: str) -> frozenset[str]:
        return frozenset(stem(fold(word), self.ground.language) for word in self.ground.lexicon.words(name))

    def _is_unborne(self, sentence: Sentence) -> bool:
        """Whether at least half of what a sentence says stands in no passage, and of what one of its clauses says."""
        whole = [stem for clause in sentence.clauses for stem in clause.subjects]
        return self._is_strange(whole) and any(self._is_strange(clause.subjects) for clause in sentence.clauses)

    def _is_strange(self, stems: Iterable[str]) -> bool:
        said = frozenset(stems)
        unknown = said - self._known
        return all(len(unknown - one.words) >= max(1, len(said & one.words)) for one in self.ground.passages)

    def _is_said_alone(self, text: str, name: str) -> bool:
        """Whether a text says what no passage does: that it is open for ever, or that a secret be handed over."""
        pattern = self.ground.lexicon.pattern(name)
        return bool(pattern.search(text)) and not any(pattern.search(one.text) for one in self.ground.passages)

    # ---- a bare yes or no -----------------------------------------------------------------------------------------

    def _bare(self) -> Iterator[Finding]:
        """Yield a yes or no that is the whole draft, where no passage speaks of what was asked."""
        words, text = self.ground.lexicon, self.draft.text.strip()
        if not words.pattern("agrees").fullmatch(text) or words.pattern("asks_the_assistant").search(
            self.question.text
        ):
            return
        asked = {stem for clause in self.question.clauses for stem in clause.subjects}
        asked -= self.ground.light | self._ordinary
        unknown = min((len(asked - passage.words) for passage in self.ground.passages), default=0)
        is_open = words.pattern("open_question").search(self.question.text)
        if is_open or 2 * unknown >= max(1, len(asked)):
            sentence = self.draft.sentences[0]
            yield Finding(claim(text, sentence.start), Places(self.ground).of(sentence)[0], None)
