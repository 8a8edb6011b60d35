"""`campus-agent kb`: look into a knowledge base without any model."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from campus_agent.cli.flags import Command, Group, loaded
from campus_agent.cli.output import as_json, result
from campus_agent.layers import base_paths
from campus_agent.text import one_line, plural

if TYPE_CHECKING:
    from campus_agent.knowledge.base import KnowledgeBase
    from campus_agent.knowledge.search import SearchResult
    from campus_agent.settings import Settings


_MOST_LISTED = 20  # documents


@click.group(cls=Group)
def kb() -> None:
    """Check a knowledge base, or search it."""


@kb.command(cls=Command)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def check(context: click.Context, paths: tuple[str, ...], one_object: bool) -> int:
    """Read the base at PATHS and name everything in it that cannot be used.

    Without PATHS the base of the settings is read. Exit status 1 when there is a problem.
    """
    settings = loaded(context, kb=paths).settings if paths else loaded(context).settings
    base = _load(settings)

    from campus_agent.knowledge.campus_file import read_campus_file

    campus = read_campus_file(base_paths(settings.kb))
    in_force = {name: getattr(settings, name) for name in ("refusal", "timezone", "language", "topics")}
    values = {**in_force, "questions": campus.questions}
    if one_object:
        as_json(_report(base, values))
    else:
        _print_report(base, values)
    return 1 if base.problems else 0


@kb.command(cls=Command)
@click.argument("query")
@click.option("-k", "wanted", default=3, show_default=True, type=click.IntRange(min=1), help="Most passages to print.")
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def search(context: click.Context, query: str, wanted: int, one_object: bool) -> int:
    """Search the base for QUERY, as the assistant would.

    With - as the query, queries are read from standard input, one a line, and each gives one line of JSON.
    """
    if not query.strip():
        raise click.UsageError('The query is blank. Try: campus-agent kb search "club meeting"')
    base = _load(loaded(context).settings)
    if query == "-":
        for line in sys.stdin or ():
            if text := line.strip("\ufeff \t\r\n"):
                as_json(base.search(text, wanted).as_json())
        return 0
    found = base.search(query, wanted)
    if one_object:
        as_json(found.as_json())
    else:
        _print_found(found)
    return 0


def _load(settings: Settings) -> KnowledgeBase:
    from campus_agent.knowledge.base import KnowledgeBase

    return KnowledgeBase.load(base_paths(settings.kb), language=settings.language)


def _report(base: KnowledgeBase, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": base.name,
        "documents": base.documents,
        "read": _read(base),
        "passages": len(base.passages),
        "settings": values,
        "problems": [{"source": one.source, "line": one.line, "reason": one.reason} for one in base.problems],
    }


def _read(base: KnowledgeBase) -> dict[str, int]:
    """Return how many passages each document gave."""
    return dict(Counter(passage.source for passage in base.passages))


def _print_report(base: KnowledgeBase, values: dict[str, Any]) -> None:
    result(one_line(base.name))
    result(f"  documents  {base.documents}")
    result(f"  passages   {len(base.passages)}")
    for source, passages in list(_read(base).items())[:_MOST_LISTED]:
        result(f"  read       {one_line(source)}, {plural(passages, 'passage')}")
    if base.documents > _MOST_LISTED:
        result(f"  read       and {base.documents - _MOST_LISTED} more")
    for name, value in values.items():
        for part in value if isinstance(value, tuple) else (value,):
            result(f"  {name:<9}  {one_line(str(part))}")
    for problem in base.problems:
        result(f"✕ {one_line(str(problem))}")
    if not base.problems:
        result("✓ everything in it can be used")


def _print_found(found: SearchResult) -> None:
    for wrong, right in found.corrected.items():
        result(f'Read "{one_line(wrong)}" as "{one_line(right)}".')
    for scored in found.passages:
        passage = scored.passage
        line = f", line {passage.line}" if passage.line else ""
        result(f"- {one_line(f'{passage.title}: {passage.text} ({passage.source}{line})')}")
    if not found.found:
        result("Nothing found.")
    elif found.confidence == "low":
        result("Weak match: the passages may be about something else.")
    if found.unmatched_terms:
        result(f"No passage mentions: {one_line(', '.join(found.unmatched_terms))}.")
