"""`campus-agent kb search`: what the assistant finds, and with --explain why."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.kb_reading import campus_clock, place_of, read_base
from campus_agent.cli.output import as_json, aside, result
from campus_agent.text import one_line

if TYPE_CHECKING:
    from datetime import date

    from campus_agent.knowledge.base import KnowledgeBase
    from campus_agent.knowledge.search import Contribution, ExplainedPassage, Origin, SearchResult

_HEADINGS = ("word", "looked for as", "says", "adds", "where")
_WHERE: dict[Origin, str] = {
    "title": "in the title",
    "text": "in the text",
    "synonym": "by another word for it",
    "correction": "as it was meant to be spelt",
    "letters": "letters in common",
    "meaning": "near in meaning",
    "whole title": "in the title as a whole",
    "time": "of the time that is asked for",
}


@click.command(cls=Command)
@click.argument("query")
@click.option("-k", "wanted", default=3, show_default=True, type=click.IntRange(min=1), help="Most passages to print.")
@click.option("--explain", is_flag=True, help="Say for each passage what each word adds to its score.")
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def search(context: click.Context, query: str, wanted: int, explain: bool, one_object: bool) -> int:
    """Search the base for QUERY, as the assistant would.

    With - as the query, queries are read from standard input, one a line, and each gives one line of JSON.
    """
    if not query.strip():
        raise click.UsageError('The query is blank. Try: campus-agent kb search "club meeting"')
    from campus_agent.knowledge.semantic.setting import search_by_meaning

    settings = loaded(context).settings
    base = read_base(settings)
    if without_meaning := search_by_meaning(base, settings, os.environ):
        aside(without_meaning)
    today = campus_clock(settings).now().date()
    if query == "-":
        for line in sys.stdin or ():
            if text := line.strip("\ufeff \t\r\n"):
                as_json(_as_object(base, text, wanted, today, explain=explain))
    elif one_object:
        as_json(_as_object(base, query, wanted, today, explain=explain))
    elif explain:
        _print_explained(base.search(query, wanted, today=today), base.explain(query, wanted, today=today))
    else:
        _print_found(base.search(query, wanted, today=today))
    return 0


def _as_object(base: KnowledgeBase, query: str, wanted: int, today: date, *, explain: bool) -> dict[str, Any]:
    searched = base.search(query, wanted, today=today)
    _print_notes(searched)
    found = searched.as_json()
    if explain:
        found["explanation"] = [_explanation(one) for one in base.explain(query, wanted, today=today)]
    return found


def _explanation(one: ExplainedPassage) -> dict[str, Any]:
    place = {name: getattr(one.passage, name) for name in ("title", "source", "line")}
    return {**place, "score": one.score, "share": one.share, "contributions": [asdict(c) for c in one.contributions]}


def _print_found(found: SearchResult) -> None:
    _print_corrections(found)
    for scored in found.passages:
        passage = scored.passage
        result(f"- {one_line(f'{passage.title}: {passage.text} ({passage.place})')}")
    _print_doubts(found)


def _print_explained(found: SearchResult, explained: Sequence[ExplainedPassage]) -> None:
    _print_corrections(found)
    for number, one in enumerate(explained, start=1):
        result(f"{number}. {place_of(one.passage)}")
        result(f"   {one_line(one.passage.text)}")
        result(f"   score {one.score:.2f}; it has {one.share:.0%} of what is asked")
        for line in _table([_HEADINGS, *map(_row, one.contributions)]):
            result(f"   {line}")
        result("")
    _print_doubts(found)
    if explained and not found.found:
        result("The passages above came nearest, and are not shown to the model.")


def _print_corrections(found: SearchResult) -> None:
    for wrong, right in found.corrected.items():
        result(f'Read "{one_line(wrong)}" as "{one_line(right)}".')


def _print_notes(found: SearchResult) -> None:
    for note in found.notes:
        aside(one_line(note))


def _print_doubts(found: SearchResult) -> None:
    _print_notes(found)
    if not found.found:
        result("Nothing found.")
    elif found.confidence == "low":
        result("Weak match: the passages may be about something else.")
    if found.unmatched_terms:
        result(f"No passage mentions: {one_line(', '.join(found.unmatched_terms))}.")


def _row(part: Contribution) -> tuple[str, ...]:
    """Return the cells for a word; letters, and what the whole query adds, have no weight of their own."""
    weight = f"{part.weight:.2f}" if part.weight else ""
    term = "" if part.origin == "letters" else one_line(part.term, 30)
    return one_line(part.word, 30), term, weight, f"{part.score:.2f}", _WHERE[part.origin]


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with their cells under each other, as wide as a terminal draws them."""
    from rich.cells import cell_len, set_cell_size

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
