"""Reads a short answer as the statement that it makes: "The Singers." to "Which club meets on Mondays?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.finding import Finding, Said, claim, said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.grounding import Grounding
from campus_agent.guardrail.relation import Places, has_subject

# The most words of a short answer.
_SHORT = 16


@dataclass(frozen=True, slots=True)
class Completing:
    """Compares what a short answer states together with its question with the ground."""

    draft: Said
    question: Said
    allowed: Said
    ground: Ground

    def findings(self, own: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the answer if it is not so of what was asked; `own` is what was found of its own facts."""
        judged = any(one.support is None or one.fact.kind != "name" for one in own)
        if judged or len(self.draft.sentences) != 1 or not self.ground.passages or self._asks_to_compare():
            return
        words, sentence = self.ground.lexicon, self.draft.sentences[0]
        lead = words.pattern("asks_which").match(self.question.text)
        plain = [word for clause in sentence.clauses for word, _ in clause.plain]
        answer = words.pattern("echo").sub("", self.draft.text.strip())
        rest = {word for word, _ in zip(plain, answer.split(), strict=False)}
        if not lead or len(plain) > _SHORT or words.words("finite") & rest or sentence.denies or sentence.asks:
            return
        place = Places(self.ground).of(sentence)[0]
        if not has_subject(place.clause, self.ground):
            return
        whole = said(f"{answer.rstrip(' .!')} {self.question.text[lead.end() :].strip()}", self.ground).stated()
        found = Grounding(whole, self.question, self.allowed, self.ground, affirms=True).findings()
        several = not words.words("and").isdisjoint(plain)
        kinds = ("name", "claim") if several else ()
        if any(one.support is None and one.fact.kind not in kinds for one in found):
            yield Finding(claim(answer, sentence.start), place, None)

    def _asks_to_compare(self) -> bool:
        words = self.ground.lexicon
        return any(words.pattern(name).search(self.question.text) for name in ("compared", "superlative", "ranked"))
