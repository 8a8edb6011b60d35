"""Finds what a draft says by a bare yes or no: the values of the question are the draft's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campus_agent.guardrail.clauses import Clause, Sentence
from campus_agent.guardrail.contrary import Contraries
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Finding, Said, claim, said
from campus_agent.guardrail.given import Givens, is_only_given
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.grounding import Grounding
from campus_agent.guardrail.lexicon import Lexicon
from campus_agent.guardrail.naming import does
from campus_agent.guardrail.opening import Openings, is_about_now
from campus_agent.guardrail.passages import squeezed
from campus_agent.guardrail.places import is_placed
from campus_agent.guardrail.polarity import Polarity
from campus_agent.guardrail.relation import Places
from campus_agent.guardrail.words import fold, listed_stems, special_stems, stem, stems

# The spaces of a word alone: that a cell says "no" answers nothing.
_BARE = 2
# The most words of a draft that only agrees.
_SHORT = 8
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
        yield from self._too_late()
        if self._says(words.pattern("yes")):
            yield from self._affirmed(own)
        elif self._says(words.pattern("no")) or any(self._is_denied(one) for one in own):
            yield from self._denied(own)
        elif self._only_agrees():
            yield from self._affirmed(own)

    def _is_denied(self, one: Finding) -> bool:
        """Whether the draft says that a value of the question is not so."""
        text, language = self.draft.text, self.ground.language
        is_value = one.fact.kind != "name" or is_placed(one.fact, text, language)
        is_value = is_value and not self.ground.lexicon.pattern("denied").search(one.fact.text)  # no charge
        return is_value and one.place.clause.denies and one.fact.supported_by(self.question.atoms)

    def _only_agrees(self) -> bool:
        """Whether a short draft can only mean a yes, having no value, denial or telling word: "Sounds right"."""
        said, polar = self.draft.sentences, self.ground.lexicon.pattern("polar")
        if not any(polar.match(self.question.text, one.start) for one in self.question.sentences):
            return False
        if sum(len(clause.plain) for one in said[:_SHORT] for clause in one.clauses) > _SHORT or self.draft.facts:
            return False
        if any(one.asks or one.denies or self._is_on_condition(one) for one in said):
            return False
        language = self.ground.language
        idle = self.ground.idle | listed_stems("ordinary_words", language)
        idle -= listed_stems("status_words", language)  # what is open is judged by itself
        return all(idle.issuperset(clause.subjects) for sentence in said for clause in sentence.clauses)

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
        if (givens := Givens(self.question, self.ground)).are_left_out(self.draft):
            yield self._whole()
        for finding in found:
            fits = finding.support or givens.fit(finding.fact)
            if self._is_affirmed(finding, own) and (finding.support or not (one_is_enough or fits)):
                yield finding

    def _too_late(self) -> Iterator[Finding]:
        """Yield each sentence that says of what was to be done by some day, now past, that it still may be."""
        words, givens = self.ground.lexicon, Givens(self.question, self.ground)
        asked, places = words.pattern("still").search(self.question.text), Places(self.ground)
        for sentence in self.draft.sentences:
            here, text = places.of(sentence), self.draft.text[sentence.start : sentence.end]
            if sentence.asks or words.pattern("denied").search(text):
                continue
            if words.pattern("still").search(text) or (asked and words.pattern("yes").match(text)):
                told = [stem for clause in sentence.clauses for stem in clause.subjects]
                told += [atom for fact in self.draft.inside(sentence) for atom in fact.gives]
                if givens.are_too_late(self.question.words.union(told)):
                    yield Finding(claim(text.strip(), sentence.start), here[0], None)

    def _denied(self, own: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the opposite of what was asked: a no to "Is it open right now?" says that it is closed."""
        openings, asked = Openings(self.question, self.ground), self._statement()
        if asked is None or self._is_quoted():
            return
        known = self.question.words | self.question.atoms
        if all(one.fact.kind != "claim" and (one.place.clause.denies or one.fact.supported_by(known)) for one in own):
            yield from self._is_so(asked)
        places, polarity = Places(self.ground), Polarity(self.question, self.ground)
        for sentence in asked.sentences:
            here = places.of(sentence)
            if not self._is_on_condition(sentence):
                yield from polarity.of(asked, sentence, here, denied=True)
            if not own and not self.draft.facts and not self._values(asked):
                yield from Contraries(self.ground).of(asked, sentence, here, denied=True)
        if not openings.asked_about_now or any(is_about_now(finding.fact) for finding in own):
            return
        for finding in Grounding(asked, self.question, self.allowed, self.ground, affirms=True).findings():
            if is_about_now(finding.fact):
                opposite = openings.judge(finding.place, is_open=finding.fact.normal.startswith("closed"))
                yield from (opposite,) if opposite else ()

    def _is_on_condition(self, sentence: Sentence) -> bool:
        """Whether a question is about one case alone: If I cancel in July, is it refunded?"""
        conditions = self.ground.lexicon.words("conditions")
        return any(clause.plain[0][0] in conditions for clause in sentence.clauses)

    def _is_quoted(self) -> bool:
        """Whether a passage says the whole draft, as one does that answers the same question with a no."""
        words = squeezed(self.draft.text)
        told = (one for one in self.ground.passages if words.count(" ") > _BARE or "?" in one.text)
        return any(words in passage.plain for passage in told)

    def _is_so(self, asked: Said) -> Iterator[Finding]:
        """Yield the no to a question of which the passages bear out all that it asks."""
        values, words = self._values(asked), self.ground.lexicon
        if not values or words.pattern("limited").search(asked.text):
            return
        if self._is_borne_out(asked, values):
            yield self._whole()

    def _whole(self) -> Finding:
        """Find the sentence that says yes or no unsupported."""
        sentence = next(one for one in self.draft.sentences if not one.asks)
        text = self.draft.text[sentence.start : sentence.end].strip()
        return Finding(claim(text, sentence.start), Places(self.ground).of(sentence)[0], None)

    def _values(self, asked: Said) -> list[Fact]:
        """Return what can be so or not of a thing that is asked about: its values, where it is, and who leads it."""
        text, language = asked.text, self.ground.language
        where = (fact for fact in asked.facts if fact.kind != "name" or is_placed(fact, text, language))
        return [*where, *(fact for fact in asked.facts if fact.kind == "name" and does(fact, asked))]

    def _is_borne_out(self, asked: Said, values: Sequence[Fact]) -> bool:
        """Whether one passage bears out every value and every telling word of a statement."""
        found = list(Grounding(asked, self.question, self.allowed, self.ground, affirms=True).findings())
        rests_on = {finding.support.passage if finding.support else None for finding in found}
        judged = {finding.fact.start for finding in found}
        if any(fact.start not in judged for fact in values):
            return False
        said_words = frozenset(stem for clause in asked.clauses for stem in clause.subjects)
        verb = self.ground.lexicon.pattern("person_after")  # whoever is named with it may lead, run or teach it
        for match in filter(None, (verb.match(asked.text, fact.end) for fact in values if fact.kind == "name")):
            said_words -= stems(match[0], self.ground.language)
        return any(
            {one.source} == rests_on and said_words <= one.words | self.ground.light for one in self.ground.passages
        )

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
        if fact.kind == "claim":
            denied = {
                stem for one in self.draft.sentences[1:] if one.denies for told in one.clauses for stem in told.subjects
            }
            return denied.isdisjoint(clause.subjects)  # yes, ..., but the second thing asked is not so
        if is_only_given(fact, clause, self.ground.lexicon) or self._is_a_thing(fact, clause):
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
