"""Cuts a passage into parts, each a clause with what it gives, and of what or whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from campus_agent.guardrail.clauses import Sentence
from campus_agent.guardrail.fact import Fact
from campus_agent.guardrail.lexicon import lexicon
from campus_agent.guardrail.places import is_placed
from campus_agent.guardrail.words import special_stems


@dataclass(frozen=True, slots=True)
class Part:
    """A clause of a passage, with the atoms and kinds of its facts.

    Attributes:
        own: the stems of its words; `words` with those of the clause before it.
        subject: those that stand before its first fact; where none do, its others, or those of the clause before it.
        people: those of who does or gives it, here or in the clause before.
        goes_on: whether no telling word stands before its first fact: it goes on about what the last one is about.
    """

    own: frozenset[str]
    words: frozenset[str]
    subject: frozenset[str]
    gives: frozenset[str]
    kinds: frozenset[str]
    people: frozenset[str]
    goes_on: bool


def parts_of(text: str, cut: Sequence[Sentence], read: Sequence[Fact], language: str, *, title: int) -> Sequence[Part]:
    """Return the parts of a passage: `cut` are the sentences of its text, `read` its facts.

    A name right after the `title`, in characters, is not what a label introduces.
    """
    return _with_asides(text, cut, _clauses(text, cut, read, language, title=title))


def _clauses(text: str, cut: Sequence[Sentence], read: Sequence[Fact], language: str, *, title: int) -> Iterator[Part]:
    """Yield the clauses; a name right after the `title`, in characters, is not what a label introduces."""
    words, special = lexicon(language), special_stems(language)
    names = [fact for fact in read if fact.kind == "name"]
    people = [
        fact for fact in names if words.pattern("person_before").search(text, max(0, fact.start - 40), fact.start)
    ]
    doing = [
        fact
        for fact in names
        if (fact in people and fact.start != title) or words.pattern("person_after").match(text, fact.end)
    ]
    for sentence in cut:
        before, who = frozenset[str](), frozenset[str]()
        for clause in sentence.clauses:
            inside = [fact for fact in read if clause.start <= fact.start < clause.end]
            values = [fact.start for fact in inside if fact.kind != "name" or fact in people]
            first = values[0] if values else clause.end
            where = first if values or not before else clause.start - 1
            listed = clause.plain[0][0] in words.words("joins") and all(fact.kind == "name" for fact in inside)
            listed = listed and all(any(one.start <= at < one.end for one in inside) for _, at in clause.plain[1:])
            aside = [fact for fact in inside if listed or fact in people or _is_where(fact, where, text, language)]
            free = [word for word in clause.free if not any(one.start <= word.start < one.end for one in aside)]
            own = frozenset(word.stem for word in free if word.stem in clause.subjects)
            lead = frozenset(word.stem for word in free if word.stem and word.start < first)
            telling = own - (special.light - special.people)
            who = frozenset(atom for fact in inside if fact in doing for atom in fact.gives) or who
            yield Part(
                own=own,
                words=own | before,
                subject=lead or telling or before,
                gives=frozenset(atom for fact in inside for atom in fact.gives),
                kinds=frozenset(fact.kind for fact in inside),
                people=who,
                goes_on=not lead,
            )
            before = own if telling else own | before


def _with_asides(text: str, cut: Sequence[Sentence], parts: Iterable[Part]) -> list[Part]:
    """Return the parts; a name right before a bracket has the words in it too: "Ana Ruiz (coach, team 2)"."""
    found, named = list(parts), None
    for at, clause in enumerate(clause for sentence in cut for clause in sentence.clauses):
        if text[clause.start] == "(":
            named = at - 1 if at and found[at - 1].kinds == {"name"} else None
        elif text[clause.start] != ",":
            named = None
        if named is not None:
            name, own = found[named], found[at].own
            found[named] = replace(name, own=name.own | own, words=name.words | own)
    return found


def _is_where(fact: Fact, first: int, text: str, language: str) -> bool:
    """Whether a fact only says where something is of which a value was given before: on Mondays in Norris 214."""
    return fact.kind == "name" and fact.start > first and is_placed(fact, text, language)
