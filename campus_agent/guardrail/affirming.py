"""Finds what a draft says by a bare yes or no: the values of the question are the draft's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.grounding import Grounding
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.opening import Openings, is_about_now
from campus_agent.guardrail.polarity import Polarity
from campus_agent.guardrail.relation import Places
from campus_agent.guardrail.words import fold, special_stems, stem

_AMOUNTS = ("number", "money", "percent")


@dataclass(frozen=True, slots=True)
class Affirming:
    """Compares what a draft affirms of the question with the ground."""

    draft: Said
    question: Said
    allowed: Said
    ground: Ground

    def findings(self, own: Sequence[Finding]) -> Iterator[Finding]:
        """Yield what is found of each value that the draft affirms; `own` is what was found of its own facts."""
        if any(finding.support is None for finding in own):
            return
        words = self.ground.lexicon
        if self._says(words.pattern("yes")) or (
            not self.draft.facts and words.pattern("sure").fullmatch(self.draft.text)
        ):
            yield from self._affirmed(own)
        elif self._says(words.pattern("no")):
            yield from self._denied(own)

    def _says(self, pattern: re.Pattern[str]) -> bool:
        """Whether a sentence of the draft begins so, and is no question."""
        return any(
            not sentence.asks and pattern.match(self.draft.text[sentence.start : sentence.end].rstrip())
            for sentence in self.draft.sentences
        )

    def _affirmed(self, own: Sequence[Finding]) -> Iterator[Finding]:
        asked = self._statement()
        if asked is None:
            return
        grounding = Grounding(asked, self.question, self.allowed, self.ground, affirms=True)
        found = list(grounding.findings())
        one_is_enough = self.ground.lexicon.pattern("or").search(asked.text) and any(
            finding.support for finding in found
        )
        for finding in found:
            if self._is_affirmed(finding, own) and (finding.support or not one_is_enough):
                yield finding

    def _denied(self, own: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the opposite of what was asked: a no to "Is it open right now?" says that it is closed."""
        openings, asked = Openings(self.question, self.ground), self._statement()
        if asked is None:
            return
        places, polarity = Places(self.ground), Polarity(self.question, self.ground)
        for sentence in asked.sentences:
            yield from polarity.of(asked, sentence, places.of(sentence), denied=True)
        if not openings.asked_about_now or any(is_about_now(finding.fact) for finding in own):
            return
        for finding in Grounding(asked, self.question, self.allowed, self.ground, affirms=True).findings():
            if is_about_now(finding.fact):
                opposite = openings.judge(finding.place, is_open=finding.fact.normal.startswith("closed"))
                yield from (opposite,) if opposite else ()

    def _statement(self) -> Said | None:
        """Return the yes-or-no questions among what was asked, read as statements."""
        asking = [sentence for sentence in self.question.sentences if sentence.asks] or self.question.sentences
        texts = [self.question.text[sentence.start : sentence.end].strip() for sentence in asking]
        words = self.ground.lexicon
        polar = [_not_negated(text, words) for text in texts if _is_polar(text, words)]
        return said("\n".join(polar), self.ground).stated() if polar else None

    def _is_affirmed(self, finding: Finding, own: Sequence[Finding]) -> bool:
        """Whether a yes states this value of the question: it is not repeated, replaced, or only the asker's own."""
        fact, clause = finding.fact, finding.place.clause
        if fact.supported_by(self.draft.words if fact.kind == "name" else self.draft.atoms):
            return False
        if is_about_now(fact):
            return not any(is_about_now(other.fact) for other in own)
        if _only_given(fact, clause, self.ground.lexicon) or self._is_a_thing(fact, clause):
            return False
        replaced = any(other.fact.kind == fact.kind and other.support for other in own)
        return not replaced or not (
            fact.kind in _AMOUNTS or self.ground.lexicon.pattern("contrast").search(self.draft.text)
        )

    def _is_a_thing(self, fact: Fact, clause: Clause) -> bool:
        """Whether a name is that of a club, a course or a school that is asked about, not where or who something is."""
        words, language = self.ground.lexicon, self.ground.language
        if not words.words("placing").isdisjoint(clause.before(fact.start)[-2:]):
            return False
        if fact.text[:2].isupper() and fact.text[-1].isdigit():
            return True  # CS 131
        if fact.kind == "room":
            return False
        after = next((word for word, start in clause.plain if start >= fact.end), "")
        heads = special_stems(language).heads
        near = (fact.text.split()[-1], after)
        return fact.kind == "name" and any(stem(fold(word), language) in heads for word in near)


def _not_negated(text: str, words: Lexicon) -> str:
    """Return a question without its "n't": Isn't it on Friday? asks whether it is."""
    return words.pattern("negated").sub(lambda match: match[0][: match.start("not") - match.start()], text)


def _is_polar(text: str, words: Lexicon) -> bool:
    lead = words.pattern("question_lead").match(text)
    rest = text[lead.end() :] if lead else text
    return bool(words.pattern("polar").match(rest)) or not words.pattern("open_question").search(rest)


def _only_given(fact: Fact, clause: Clause, words: Lexicon) -> bool:
    """Whether the asker gives the value as a bound, or as something of theirs."""
    before = clause.before(fact.start)
    plain = [word for word, _ in clause.plain]
    if words.words("own").intersection(plain):
        return True
    if plain[:1] == ["i"] or (plain[1:2] == ["i"] and plain[0] in words.words("joins")):
        return True
    if fact.kind == "time" and words.words("bounds").intersection(before[-2:]):
        return True
    return fact.kind in _AMOUNTS and bool(words.words("amount_bounds").intersection(before[-3:]))
