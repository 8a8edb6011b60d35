"""How each kind of question is answered, told from beginning to end.

A script yields the tool calls that it needs next, is sent what came back, and returns the answer. It is played from
the start at every step of a run, over what has been observed so far; see `model.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from itertools import pairwise

from campus_agent.models.offline import answers
from campus_agent.models.offline.agenda import agenda, clock, listing
from campus_agent.models.offline.asked import Asked
from campus_agent.models.offline.asking import read_question, split_question
from campus_agent.models.offline.cancelling import called_off
from campus_agent.models.offline.case import SMALL_TALK, Calls, Case, Observations, Script
from campus_agent.models.offline.cells import only_asked
from campus_agent.models.offline.choosing import is_of_another
from campus_agent.models.offline.counting import compare, count
from campus_agent.models.offline.days import held
from campus_agent.models.offline.features import without_feature
from campus_agent.models.offline.finding import Finding, enough, find, of_the_same, search
from campus_agent.models.offline.hours_found import with_hours
from campus_agent.models.offline.opening import on
from campus_agent.models.offline.passages import quote, read_found
from campus_agent.models.offline.plans import of_other_days, planned
from campus_agent.models.offline.question import Kind, Question, Want
from campus_agent.models.offline.rows import has_columns_of_hours
from campus_agent.models.offline.timetable import timetable
from campus_agent.models.offline.vocabulary import EVERY_DAY
from campus_agent.models.offline.weighing import weigh
from campus_agent.models.offline.words import stems

_VALUES = (Want.COST, Want.NUMBER, Want.WHERE)
_ABOUT = re.compile(r"\b(?:about|tell me|what is|what are|who (?:is|are)|describe|information)\b", re.IGNORECASE)

_ASKS_END = re.compile(
    r"\b(?:when|what time|how late)\b.*\b(?:ends?|finish(?:es)?|over)\b|\bhow long (?:is|are|does|do|will)\b"
    r"|\buntil when\b",
    re.IGNORECASE,
)


def answer(case: Case) -> Script:
    """Answer a question, or each of the questions that a text asks."""
    parts = split_question(case.question.text)
    if parts == [case.question.text]:
        return (yield from _script(case)(case))
    cases = [case.asking(read_question(part)) for part in parts]
    scripts = [_script(first)(first) for first in cases[:1]]
    scripts += [_of_the_same(part, before) for before, part in pairwise(cases)]
    said = yield from _side_by_side(scripts)
    known = [text for text in said if text != case.refusal]
    rest = ["I found nothing on the rest of your question."] if len(known) < len(said) else []
    known = [text for text in known if not any(text in other and text != other for other in known)]
    return answers.joined([*known, *rest]) if known else case.refusal


def _of_the_same(case: Case, before: Case) -> Script:
    """Answer a later part of a text: of what the part before it is about, where that is told ("and the dues?")."""
    question, keys = case.question, before.question.keys
    if question.kind is Kind.LOOK_UP and not any(key[:1].isupper() or key.isdigit() for key in question.keys):
        query = " ".join(dict.fromkeys([*keys, *question.query.split()]))
        both = replace(question, keys=tuple(dict.fromkeys([*keys, *question.keys])), query=query)
        told = yield from _look_up(case.asking(both))
        if told != case.refusal:
            return told
    return (yield from _script(case)(case))


def quote_only(case: Case) -> Script:
    """Answer with the best passage and no word of our own: for a draft that was sent back."""
    if case.question.kind in SMALL_TALK:
        return (yield from _script(case)(replace(case, topics="")))
    if case.question.kind is Kind.ON:
        return (yield from on(case, plain=True))
    question = replace(case.question, kind=Kind.LOOK_UP, wants=frozenset())
    finding = yield from find(case.asking(question))
    if question.moment.names_day:  # which of the rows of a plan is of that day is not known here
        finding = replace(finding, passages=tuple(one for one in finding.passages if not of_other_days(one)))
    if question.opening:
        finding = yield from with_hours(finding, question)
        if finding.passages and has_columns_of_hours(finding.passages[0].text):
            return (yield from _whole_week(finding, question))
    return finding.quotes[0] if finding.passages else case.refusal


def quote_found(question: str, refusal: str) -> Script:
    """Answer a question that is not in English with what the search is sure of, quoted, and with nothing else."""
    (observation,) = yield (search(question),)
    found = read_found(observation)
    if not found.passages or "Weak match" in (observation or ""):  # as the search tool says it
        return refusal
    return quote(found.passages[0], frozenset())


def _script(case: Case) -> Callable[[Case], Script]:
    scripts: Mapping[Kind, Callable[[Case], Script]] = {
        Kind.HELLO: _hello,
        Kind.THANKS: _thanks,
        Kind.ABILITIES: _abilities,
        Kind.CLOCK: clock,
        Kind.COUNT: count,
        Kind.COMPARE: compare,
        Kind.WEIGH: weigh,
        Kind.ON: on,
        Kind.HELD: held,
        Kind.AGENDA: agenda,
        Kind.LIST: listing,
        Kind.LOOK_UP: _look_up,
    }
    return scripts[case.question.kind]


def _look_up(case: Case) -> Script:
    question = case.question
    finding = yield from find(case)
    if question.moment.names_day and (
        not (question.wants and finding.passages) or any(map(of_other_days, finding.passages))
    ):
        finding = yield from _of_its_day(finding, question)
    if question.opening:
        finding = yield from with_hours(finding, question)
    if not finding.passages:
        lacking = without_feature(finding.found, question, finding.subject)
        return f"This is all that I found. {quote(lacking, frozenset())}" if lacking else case.refusal
    if question.opening and has_columns_of_hours(finding.passages[0].text):
        return (yield from _whole_week(finding, question))
    if off := called_off(finding, question):
        return off
    if not question.wants and _ABOUT.search(question.text) and not question.leans_back:
        return answers.joined(finding.quotes[:2])
    kept = enough(finding, question)
    kept = replace(kept, passages=tuple(dict.fromkeys([*kept.passages, *of_the_same(kept, finding, question)])))
    kept = replace(kept, passages=tuple(only_asked(passage, question, kept.subject) for passage in kept.passages))
    return answers.spaced(_beside_it(kept, question), *dict.fromkeys(kept.quotes), _end_not_given(kept, question))


def _whole_week(finding: Finding, question: Question) -> Script:
    """Quote the rows of all days, of a table that has the hours of several things."""
    asked = Asked(question.moment, tuple(sorted(question.moment.days or EVERY_DAY)))
    table = yield from timetable(finding, asked)
    return answers.joined(quote(row, finding.subject.keys) for row in table.passages)


def _of_its_day(finding: Finding, question: Question) -> Generator[Calls, Observations, Finding]:
    """Keep what tells of the day in question; a row of a plan that is of another date tells nothing of it."""
    found = yield from planned(question)
    rest = tuple(one for one in finding.passages if not of_other_days(one))
    return replace(finding, passages=tuple(dict.fromkeys([*found.passages, *rest])))


def _beside_it(finding: Finding, question: Question) -> str:
    """Own that what is asked for is not told of the very thing; "" where it is."""
    passage = finding.passages[0]
    missing = question.polar and not question.wants and stems(question.lights) - passage.stems
    another = any(want in question.wants and is_of_another(passage, want, question) for want in _VALUES)
    return "This is all that I found." if missing or another else ""


def _end_not_given(finding: Finding, question: Question) -> str:
    """Say that an end is asked for of something of which only the start is told; "" otherwise."""
    if question.opening or not _ASKS_END.search(question.text):
        return ""
    schedule = finding.schedule()
    spans = [span for rule in schedule.rules for span in rule.spans]
    return "When it ends is not given." if spans and not any(span.end for span in spans) else ""


def _side_by_side(scripts: list[Script]) -> Generator[Calls, Observations, list[str]]:
    """Play several scripts as one: what they need next is asked for together."""
    said = [""] * len(scripts)
    waiting: dict[int, Calls] = {}

    def advance(place: int, came_back: Observations | None) -> None:
        try:
            waiting[place] = next(scripts[place]) if came_back is None else scripts[place].send(came_back)
        except StopIteration as end:
            waiting.pop(place, None)
            said[place] = end.value

    for place in range(len(scripts)):
        advance(place, None)
    while waiting:
        asked = dict(waiting)
        observations = iter((yield tuple(call for calls in asked.values() for call in calls)))
        for place, calls in asked.items():
            advance(place, tuple(next(observations) for _ in calls))
    return said


def _hello(case: Case) -> Script:
    return _say(f"Hello! {_offer(case)}")


def _thanks(case: Case) -> Script:
    farewell = re.search(r"\b(?:bye|goodbye)\b", case.question.text, re.IGNORECASE)
    return _say("Goodbye!" if farewell else f"You're welcome. {_offer(case)}")


def _abilities(case: Case) -> Script:
    return _say(
        "I look things up in this campus's own information, read the clock, and count the days until something. "
        f"{_offer(case)}"
    )


def _say(text: str) -> Script:
    """Answer at once, without any call."""
    yield from ()
    return text


def _offer(case: Case) -> str:
    topics = " or ".join(case.topics.rsplit(", ", 1))
    return f"Ask me about {topics}." if topics else "What would you like to know about the campus?"
