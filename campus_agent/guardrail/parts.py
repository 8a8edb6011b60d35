"""Decides to which of its own subjects, and on which of its days, a passage gives a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campus_agent.calendar_names import WEEKDAYS
from campus_agent.guardrail.clauses import Clause
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.finding import Said
from campus_agent.guardrail.ground import Ground
from campus_agent.guardrail.part import Part
from campus_agent.guardrail.passages import Passage, lies_within, time_spans
from campus_agent.guardrail.relation import Place
from campus_agent.guardrail.relative import is_relative
from campus_agent.guardrail.timetable import by_day
from campus_agent.guardrail.words import LABEL, stem, stems

# How many facts of a sentence are looked at.
_MOST = 40
# Kinds of values that a draft may take for each other: 250 dollars.
_AMOUNTS = frozenset(("number", "money", "percent"))
# How many clauses before a value, or after it, may tell the condition on which it holds.
_NEAR = 3


def of_another_part(fact: Fact, place: Place, passage: Passage, ground: Ground, asked: Sequence[Clause] = ()) -> bool:
    """Whether the passage gives the value to another of its own subjects: "homework 40%, the midterm 25%".

    It does when a part with another value of the kind shares more words with the draft's subject than any part with
    the value does.
    """
    leading = _leading(fact, place)
    if leading is None or passage.label:
        return False
    at = place.sentence.clause_at(fact.start)
    near = place.sentence.clauses[max(0, at - _NEAR) : at + _NEAR]
    if ground.lexicon.words("lacking").intersection(word for clause in near for word, _ in clause.plain):
        return False  # without the plan it is $55
    known = passage.words - passage.title - (ground.light - ground.people) - ground.paying
    people = ground.people.intersection(place.clause.subjects)
    lender = next(iter((*place.earlier, *place.topic, *place.heading, *place.later)), place.clause)
    subject = known.intersection(leading) or known.intersection(place.clause.subjects)
    if not subject and ground.idle.issuperset(lender.subjects):
        subject = known.intersection(next(iter(asked), place.clause).subjects)
    subject |= known & people
    holding = [part for part in passage.parts if fact.supported_by(part.gives)]
    if not subject or not holding or any(_is_label(part, ground) for part in holding):
        return False
    others = [part for part in passage.parts if part not in holding]
    if _of_somebody_else(place, fact, passage.title, holding, others):
        return True
    who = any(part.people.intersection(*fact.needs[:1]) for part in holding)
    rivals = [
        part
        for part in others
        if (part.people and not fact.supported_by(part.people) if who else fact.kind in part.kinds)
        and (
            fact.kind != "number" or _is_bare(part) or not all(map(_is_bare, holding))
        )  # an age is no number of nights
    ]
    label = known.intersection(word.stem for word in place.clause.free if word.stem.startswith(LABEL))
    if any(label & part.own for part in holding):
        rivals = [part for part in rivals if label & part.own]  # wing A is not wing B, whatever is said of both
    tells = {stem: 1 / max(1, sum(stem in part.words for part in (*holding, *rivals))) for stem in subject}
    best = max(sum(tells[stem] for stem in subject & _subject(part, known)) for part in holding)
    return any(sum(tells[stem] for stem in subject & (part.subject | _subject(part, known))) > best for part in rivals)


def in_another_column(
    fact: Fact, place: Place, passage: Passage, inside: Sequence[Fact], ground: Ground, question: Said
) -> bool:
    """Whether a row has a value in another column than the one that the draft names beside it: 14 dollars a week.

    Where nothing but the row is named there, the column is one that the question names and does not tell the value of.
    """
    if not passage.label:
        return False
    kinds = _AMOUNTS if fact.kind in _AMOUNTS else {fact.kind}
    beside = _beside(fact, place, inside, ground.language) - ground.light - passage.label - passage.title
    known = frozenset[str]() if beside else question.atoms
    beside = beside or question.words - ground.light
    holding, others = frozenset[str](), list[frozenset[str]]()
    for cell in ground.lexicon.pattern("cell").finditer(passage.text, len(passage.source.title)):
        values = [one for one in passage.facts if cell.start("value") <= one.start < cell.end("value")]
        column = stems(cell["name"], ground.language)
        if any(fact.supported_by(one.gives) for one in values):
            if column == passage.heading:
                return False  # it names the row
            holding |= column
        elif any(one.kind in kinds for one in values) and not any(one.supported_by(known) for one in values):
            others.append(column)
    return bool(holding) and len(beside & holding) < max((len(beside & column) for column in others), default=0)


def _beside(fact: Fact, place: Place, inside: Sequence[Fact], language: str) -> frozenset[str]:
    """Return the stems of a clause between the values before and after one; a day may be part of a column's name."""
    others = [one for one in inside if one.kind not in ("name", "weekday") and one is not fact]
    start = max((one.end for one in others if one.end <= fact.start), default=0)
    end = min((one.start for one in others if one.start >= fact.end), default=place.clause.end)
    free = frozenset(word.stem for word in place.clause.free if word.stem and start <= word.start < end)
    days = (one.text for one in inside if one.kind == "weekday" and start <= one.start < end)
    return free.union(*(stems(day, language) for day in days)) if free else free


def _is_bare(part: Part) -> bool:
    """Whether a part gives a number that counts no thing that is named: an age, or that of a course."""
    return any(atom.startswith("bare ") for atom in part.gives)


def _is_label(part: Part, ground: Ground) -> bool:
    """Whether a part only labels where something is, in a line that is all about one thing."""
    labels = (stem(word, ground.language) for word in ground.lexicon.words("where_labels"))
    return bool(part.words) and (part.own or part.words) <= frozenset(labels)


def _leading(fact: Fact, place: Place) -> list[str] | None:
    """Return the stems before a value that say what it is of; None for one more of several values of one subject."""
    leading = [word.stem for word in place.clause.free if word.stem and word.start < fact.start]
    at = 0 if leading else place.sentence.clause_at(fact.start)
    if not at:
        return leading
    *before, label = place.sentence.clauses[:at]
    is_label = len(label.free) == len(label.plain) and not any(clause.subjects for clause in before[:_MOST])
    return list(label.subjects) or None if is_label else None


def _of_somebody_else(
    place: Place, fact: Fact, title: frozenset[str], holding: Sequence[Part], others: Sequence[Part]
) -> bool:
    """Whether the passage tells the value of one person, and the draft of another whom the passage knows."""
    named = {word.stem for word in place.clause.free if word.capital and word.start < fact.start} - title
    if any(not part.people or (part.people | part.words) & named for part in holding):
        return False
    return any(len(part.own & named) > 1 for part in others)


def told_of(place: Place, passage: Passage) -> frozenset[str]:
    """Return the atoms of the days that a passage gives of what the place is about; of all, where it does not tell."""
    subject = frozenset(place.clause.subjects) or frozenset(place.subject.subjects)
    dated = [part for part in passage.parts if part.kinds & {"weekday", "date"}]
    best = max((len(subject & part.words) for part in dated), default=0)
    nearest = [part for part in dated if len(subject & part.words) == best]
    return frozenset(atom for part in nearest for atom in part.gives) if best else passage.gives


def _subject(part: Part, known: frozenset[str]) -> frozenset[str]:
    """Return what a part is about: its own words, or if those tell nothing, those of the clause before it."""
    return part.own if part.own & known else part.words


def on_another_day(
    fact: Fact, inside: Sequence[Fact], asked: Sequence[Fact], passage: Passage, *, is_end: bool = False
) -> bool:
    """Whether a passage that gives times by day gives this time to other days than the draft does.

    Args:
        fact: a time of the draft.
        inside: the facts of its sentence; where no day is among them, the day is that of the question.
        asked: the facts of the question.
        passage: the passage that holds the time.
        is_end: whether something is said to begin or end at the time; what does on other days may not on these.
    """
    if fact.kind != "time":
        return False
    said = next((days for days, times in by_day(inside) if fact in times), frozenset())
    days = said or weekdays(one for one in inside[:_MOST] if is_relative(one)) or weekdays(asked[:_MOST])
    groups = [times for own, times in passage.times_by_day if own >= days]
    if not days or not groups or any(not times for times in groups):
        return False
    others = [times for _, times in passage.times_by_day if times not in groups]
    if (is_end or any(time_spans((fact,)))) and any(_says(times, fact) for times in others):
        return not any(_says(times, fact) for times in groups)
    return not any(_gives(times, fact, passage) for times in groups)


def on_anothers_day(fact: Fact, place: Place, inside: Iterable[Fact], passage: Passage) -> bool:
    """Whether a relative day is a weekday that a passage gives, but not to who its clause of the draft names."""
    if not is_relative(fact) or place.sentence.denies or "date" in passage.kinds:
        return False
    said = [one for one in inside if one.kind == "name" and place.clause.start <= one.start < place.clause.end]
    names = frozenset(atom for one in said for atom in one.gives)
    dated = [part for part in passage.parts if "weekday" in part.kinds]
    own = [part for part in dated if names & (part.gives | part.people)]
    return bool(own) and not any(fact.supported_by({f"on {atom}" for atom in part.gives}) for part in own)


def weekdays(found: Iterable[Fact]) -> frozenset[str]:
    """Return the weekdays among facts; those of a relative day are what it falls on."""
    days = (one.gives if one.kind == "weekday" else one.needs[0] for one in found if one.kind in ("weekday", "date"))
    return frozenset(day for atoms in days for atom in atoms if (day := atom.removeprefix("on ")) in WEEKDAYS)


def _says(times: Sequence[Fact], fact: Fact) -> bool:
    """Whether one of these times is that of a fact, or has it as an end."""
    return fact.supported_by(frozenset(atom for time in times for atom in time.gives))


def _gives(times: Sequence[Fact], fact: Fact, passage: Passage) -> bool:
    """Whether a time is one of these, or lies in a span of them; of a span, one end may be said for other days too."""
    if _says(times, fact) or any(lies_within(fact, span) for span in time_spans(times)):
        return True
    one_end = any(not group.isdisjoint(time.gives) for group in fact.needs for time in times)
    return one_end and not any(time_spans(times)) and fact.supported_by(passage.gives)
