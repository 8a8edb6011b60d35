"""Judges superlatives: what a draft calls the cheapest or the largest has to be so by all values of its kind.

Or a passage says it itself: "The lowest quiz is dropped."
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.comparing import Comparisons
from campus_agent.guardrail.finding import Finding, Said, Support, claim
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.passages import squeezed
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.things import Thing
from campus_agent.guardrail.words import stems

# How many superlatives of a sentence, and sentences of a passage, are looked at.
_MOST, _SENTENCES = 10, 60


@dataclass(frozen=True)
class Superlatives:
    """Judges them by the values that `comparisons` reads off the passages."""

    comparisons: Comparisons
    ground: Ground

    def of(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of each superlative in a sentence of `said`.

        One that no values bear out is unsupported.
        """
        words = self.ground.lexicon
        if sentence.asks or sentence.denies or not self.ground.passages:
            return
        yield from self._soonest(said, sentence, places)
        for match in list(words.pattern("superlative").finditer(said.text, sentence.start, sentence.end))[:_MOST]:
            clause = sentence.clauses[sentence.clause_at(match.start())]
            left = self.comparisons.stems(said.text[clause.start : match.start()])
            left &= self.ground.weights.keys()
            noun = self.comparisons.stems(said.text[match.end() : clause.end])
            told = self.comparisons.stems(said.text[clause.start : clause.end]) & self.ground.weights.keys()
            support = self._by_passage(match[0], told) or self._by_values(match[0], left or noun, said.atoms)
            yield Finding(
                claim(match[0], match.start(), "comparison"), places[sentence.clause_at(match.start())], support
            )

    def _soonest(self, said: Said, sentence: Sentence, places: Sequence[Place]) -> Iterator[Finding]:
        """Yield what is found of what is called the next of its sort, where there are several, and a clock was read.

        Those of today count only for it: they may be over.
        """
        pattern = self.ground.lexicon.pattern("next_of")
        match = pattern.search(said.text, sentence.start, sentence.end)
        if match is None or len(self.ground.today) != 1:
            return
        (today,) = self.ground.today
        question, place = self.comparisons.question, places[sentence.clause_at(match.end() + 1)]
        asked = pattern.search(question.text)
        sort = stems(match["sort"] or (asked and asked["sort"]) or "", self.ground.language)
        alike = self._of_sort(sort) if sort else ()
        clause = place.clause
        before = self.comparisons.stems(said.text[sentence.start : match.start()]) - sort
        behind = self.comparisons.stems(said.text[match.end() : clause.end]) - sort
        named = self._named(alike, before if match["is"] else behind)
        topic = (question.words | before).union(*(lender.subjects for lender in place.lenders))
        if not named and not self._named(alike, topic - sort):
            atoms = frozenset(atom for fact in said.inside(clause) for atom in fact.gives)
            told = [one for one in alike if _told(one, atoms)]
            named = sorted(told, key=lambda one: (-_told(one, atoms), one.value))
        if len(alike) > 1 and named:
            right = all(named[0].value <= one.value for one in alike if one.value > today.toordinal())
            source = named[0].passage.source
            support = Support(source.source, source) if right else None
            yield Finding(claim(match["next"], match.start("next"), "comparison"), place, support)

    def _of_sort(self, sort: frozenset[str]) -> Sequence[Thing]:
        """Return the dated things of a sort: one of each that it is the title of, or what it is said of."""
        things = [one for ways in self.comparisons.things.by_measure["when"][:1] for one in ways if one.unit == "date"]
        language = self.ground.language
        titles = [one.passage.source.title.rpartition("›")[2].strip() for one in things]
        titled = [
            one
            for one, title in zip(things, titles, strict=True)
            if stems(title.rpartition(" ")[2], language) <= sort <= stems(title, language)
        ]
        if len(titled) > 1:
            return list({one.passage.text: one for one in reversed(titled)}.values())
        return [one for one in things if sort <= one.words - one.title]

    def _by_passage(self, written: str, told: frozenset[str]) -> Support | None:
        """Return the passage of which a sentence says the superlative of all that a clause speaks of."""
        for passage in self.ground.passages:
            for sentence in passage.sentences[:_SENTENCES]:
                text = passage.text[sentence.start : sentence.end]
                if squeezed(written) in squeezed(text) and told <= self.comparisons.stems(text) | passage.title:
                    return Support(passage.source.source, passage.source)
        return None

    def _by_values(self, written: str, subject: frozenset[str], atoms: frozenset[str]) -> Support | None:
        measure, sign = self.ground.lexicon.table("superlatives")[written.lower()]
        for things in self.comparisons.things.measured(measure, frozenset()):
            found = self._named(things, subject) or [one for one in things if _written(one) in atoms][:1]
            for named in found:
                rivals = [one for one in things if one.is_like(named) and _document(one) == _document(named)]
                if len(rivals) > 1 and all(sign * (named.value - one.value) >= 0 for one in rivals):
                    return Support(named.passage.source.source, named.passage.source)
            if found:
                return None
        return None

    def _named(self, things: Sequence[Thing], subject: frozenset[str]) -> Sequence[Thing]:
        """Return what the words name best: one thing, or the values of one row; nothing where they do not tell."""
        scored = [(self.comparisons.things.score(thing, subject), thing) for thing in things]
        best = max((score for score, _ in scored), default=0.0)
        found = [thing for score, thing in scored if score == best > 0]
        of_one_row = found and found[0].passage.label and all(one.passage is found[0].passage for one in found)
        return found if of_one_row or len({thing.value for thing in found}) == 1 else []


def _told(thing: Thing, atoms: frozenset[str]) -> int:
    """Return how much of the day of a thing is among atoms: its date, its weekday or both."""
    day = date.fromordinal(int(thing.value))
    return len(atoms & {f"{day:%m-%d}", WEEKDAYS[day.weekday()]})


def _written(thing: Thing) -> str:
    """Return a value as the atom of a draft: "$4", "40%", "number 4" or "4 day"."""
    if thing.unit in "$€£":
        return f"{thing.unit}{thing.value:g}"
    if thing.unit == "number":
        return f"number {thing.value:g}"
    return f"{thing.value:g}{thing.unit}" if thing.unit == "%" else f"{thing.value:g} {thing.unit}"


def _document(thing: Thing) -> str:
    """Return where a thing stands, without the row or line."""
    return thing.passage.source.source.partition(",")[0]
