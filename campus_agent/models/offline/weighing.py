"""Answers about which of two things costs more, counts more or holds more, by one value of each."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from campus_agent.models.offline import answers
from campus_agent.models.offline.asking import read_question
from campus_agent.models.offline.case import Calls, Case, Observations, Script
from campus_agent.models.offline.cells import only_asked
from campus_agent.models.offline.finding import Finding, find
from campus_agent.models.offline.passages import Passage, likeness, quote
from campus_agent.models.offline.question import Question
from campus_agent.models.offline.weighed import Measure, measure_of, things_in
from campus_agent.models.offline.words import stems

_FREE = re.compile(r"\b(?:free|for nothing)\b", re.IGNORECASE)
_PER = re.compile(r"[$€£]\s?[\d.,]+ (?:per|an?|each|every) (\w+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Thing:
    """One of the things that are compared: what tells of it, and the words of the question for it."""

    passage: Passage
    question: Question

    def value(self, measure: Measure) -> float | None:
        """Return the one value that is told; None where there is none, or several."""
        values = set(measure.values_in(self.passage.text))
        if not values and measure.of_money and _FREE.search(self.passage.text):
            return 0.0
        return values.pop() if len(values) == 1 else None

    @property
    def each(self) -> frozenset[str]:
        """For what its price is: "year" of "£30 per year"."""
        return frozenset(map(str.casefold, _PER.findall(self.passage.text)))


def weigh(case: Case) -> Script:
    """Say which of the things that a question names has more of what is compared, and quote both."""
    measure = measure_of(case.question.text)
    named = things_in(case.question.text, measure) if measure else []
    things = yield from _found(case, named)
    if measure is None or len(things) < max(2, len(named)):
        return case.refusal
    quotes = answers.joined(quote(thing.passage, stems(thing.question.keys)) for thing in things)
    return answers.spaced(_verdict(things, measure), quotes)


def _found(case: Case, named: Sequence[str]) -> Generator[Calls, Observations, list[_Thing]]:
    found: list[tuple[Question, Finding]] = []
    things: list[_Thing] = []
    for text in named:
        question = read_question(text)
        finding = yield from find(case.asking(question))
        found.append((question, finding))
    every = [passage for _, finding in found for passage in finding.passages]
    for question, finding in found:  # best of a table that tells of the other, too
        alike = [one for one in finding.passages if any(one != other and likeness(one, other) for other in every)]
        best = (alike or finding.passages)[:1]
        things += [_Thing(only_asked(passage, question, finding.subject), question) for passage in best]
    return things


def _verdict(things: Sequence[_Thing], measure: Measure) -> str:
    """Say which of two things has more or less; "" where their values are not plain, or not of the same."""
    values = [thing.value(measure) for thing in things]
    if len(things) != 2 or None in values or values[0] == values[1]:
        return ""
    if things[0].passage == things[1].passage or (all(values) and things[0].each != things[1].each):
        return ""
    wanted = (min if measure.less else max)(value for value in values if value is not None)
    thing = things[values.index(wanted)]
    name = answers.name_of(thing.passage, thing.question)
    be = answers.be(name)
    return f"{answers.capital(name)} {measure.said.format(be=be, s='s' if be == 'is' else '')}."
