"""Finds what a draft says by a bare yes or no: the values of the question are the draft's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, said
from campus_agent.guardrail.grounding import Grounding
from campus_agent.guardrail.opening import Openings, is_about_now
from campus_agent.guardrail.passages import Ground
from campus_agent.guardrail.words import HEAD_STEMS, fold, stem

_END = r"[\s*_\"”]*(?:[,.!;:—–-]|\Z)"
_YES = re.compile(
    r"\W*(?:(?:oh|well|ah|hi|hello)\W+)?(?:"
    r"(?:yes|yeah|yep|yup|affirmative)\b(?! and no\b)|i can confirm\b"
    rf"|(?:correct|right|indeed|exactly|true|confirmed)(?={_END})"
    r"|(?:that|this)(?:['’]s| is) (?:right|correct|true|so)\b|you(?:['’]re| are) (?:right|correct)\b"
    r"|(?:it|they|he|she|you) (?:sure |certainly |indeed )?(?:does|do|is|are|will|can)(?=[\s.!]*\Z))",
    re.IGNORECASE,
)
# Polite openings of any answer, which affirm only when nothing else is said.
_SURE = re.compile(
    r"\W*(?:sure(?: thing)?|certainly|absolutely|definitely|of course|you bet)"
    r"(?:\W+(?:it|they|he|she|you) (?:does|do|is|are|will|can))?\W*",
    re.IGNORECASE,
)
_NO = re.compile(rf"\W*(?:no|nope)(?:{_END}| (?:it|they|the)\b)(?!\W*i\b)", re.IGNORECASE)
_CONTRAST = re.compile(r"\b(?:but|however|though|although|instead|rather|only|except|not)\b|n['’]t\b", re.IGNORECASE)

_LEAD = re.compile(r"\W*(?:(?:and|so|but|ok|okay|hi|hello|hey|please|then|well)\b\W*)*", re.IGNORECASE)
_OPEN_QUESTION = re.compile(r"\b(?:when|where|what|which|who|whom|whose|how|why)\b", re.IGNORECASE)
_POLAR = re.compile(
    r"(?:do|does|did|is|are|was|were|has|have|can|could|will|would|should|may|must|am)(?:n['’]t)?\b(?! you\b)", re.I
)
_NEGATED = re.compile(r"\b(do|does|did|is|are|was|were|has|have|can|could|wo|would|should)n['’]t\b", re.IGNORECASE)
# What the person says of themselves, or gives as a bound, is not what a yes affirms.
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_OWN = frozenset(("my", "i'm", "i've", "i'll"))
_JOINS = frozenset(("if", "because", "since", "when", "and", "but", "so", "as", "while"))
_BOUNDS = frozenset(
    ("after", "before", "past", "by", "since", "from", "between", "around", "later", "earlier", "than", "about", "near")
)
_PLACED = frozenset(("in", "at", "inside", "within", "of"))
_AMOUNTS = ("number", "money", "percent")
_AMOUNT_BOUNDS = frozenset(
    ("for", "with", "under", "over", "within", "most", "least", "up", "of", "have", "bring", "spend", "i", "we")
)


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
        if self._says(_YES) or (not self.draft.facts and _SURE.fullmatch(self.draft.text)):
            yield from self._affirmed(own)
        elif self._says(_NO):
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
        one_is_enough = _OR.search(asked.text) and any(finding.support for finding in found)
        for finding in found:
            if self._is_affirmed(finding, own) and (finding.support or not one_is_enough):
                yield finding

    def _denied(self, own: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the opposite of what was asked about now: a no to "Is it open right now?" says that it is closed."""
        openings = Openings(self.question, self.ground)
        asked = self._statement() if openings.asked_about_now else None
        if asked is None or any(is_about_now(finding.fact) for finding in own):
            return
        for finding in Grounding(asked, self.question, self.allowed, self.ground, affirms=True).findings():
            if is_about_now(finding.fact):
                opposite = openings.judge(finding.place, is_open=finding.fact.normal.startswith("closed"))
                yield from (opposite,) if opposite else ()

    def _statement(self) -> Said | None:
        """Return the yes-or-no questions among what was asked, read as statements."""
        asking = [sentence for sentence in self.question.sentences if sentence.asks] or self.question.sentences
        texts = [self.question.text[sentence.start : sentence.end].strip() for sentence in asking]
        polar = [_NEGATED.sub(r"\1", text) for text in texts if _is_polar(text)]
        return said("\n".join(polar), self.ground).stated() if polar else None

    def _is_affirmed(self, finding: Finding, own: Sequence[Finding]) -> bool:
        """Whether a yes states this value of the question: it is not repeated, replaced, or only the asker's own."""
        fact, clause = finding.fact, finding.place.clause
        if fact.supported_by(self.draft.words if fact.kind == "name" else self.draft.atoms):
            return False
        if is_about_now(fact):
            return not any(is_about_now(other.fact) for other in own)
        if _only_given(fact, clause) or _is_a_thing(fact, clause):
            return False
        replaced = any(other.fact.kind == fact.kind and other.support for other in own)
        return not replaced or not (fact.kind in _AMOUNTS or _CONTRAST.search(self.draft.text))


def _is_polar(text: str) -> bool:
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    return bool(_POLAR.match(rest)) or not _OPEN_QUESTION.search(rest)


def _only_given(fact: Fact, clause: Clause) -> bool:
    """Whether the asker gives the value as a bound, or as something of theirs."""
    before = clause.before(fact.start)
    plain = [word for word, _ in clause.plain]
    if _OWN.intersection(plain) or plain[:1] == ["i"] or (plain[1:2] == ["i"] and plain[0] in _JOINS):
        return True
    if fact.kind == "time" and _BOUNDS.intersection(before[-2:]):
        return True
    return fact.kind in _AMOUNTS and bool(_AMOUNT_BOUNDS.intersection(before[-3:]))


def _is_a_thing(fact: Fact, clause: Clause) -> bool:
    """Whether a name is that of a club, a course or a school that is asked about, not where or who something is."""
    if not _PLACED.isdisjoint(clause.before(fact.start)[-2:]):
        return False
    if fact.kind == "room":
        return fact.text[:2].isupper()  # CS 131
    after = next((word for word, start in clause.plain if start >= fact.end), "")
    last = fact.text.split()[-1]
    return fact.kind == "name" and any(stem(fold(word)) in HEAD_STEMS for word in (last, after))
