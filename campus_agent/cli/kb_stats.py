"""`campus-agent kb stats`: a base in figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.kb_reading import place_of, read_base
from campus_agent.cli.output import as_json, result
from campus_agent.knowledge.postgres.address import SCHEMES
from campus_agent.layers import base_paths
from campus_agent.text import one_line, plural

if TYPE_CHECKING:
    from campus_agent.knowledge.figures import Figures
    from campus_agent.knowledge.passage import Passage


@click.command(cls=Command)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def stats(context: click.Context, paths: tuple[str, ...], one_object: bool) -> int:
    """Count the base at PATHS: documents, passages, words, and what they are.

    Without PATHS the base of the settings is counted.
    """
    settings = loaded(context, kb=paths).settings if paths else loaded(context).settings
    base = read_base(settings)

    from campus_agent.knowledge.figures import figures

    counted = figures(base)
    if one_object:
        as_json({"name": base.name, **counted.as_json()})
        return 0
    result(one_line(base.name))
    for name, value in (*_lines(counted), ("index", _index(counted, base_paths(settings.kb)))):
        result(f"  {name:<10}  {one_line(value)}")
    return 0


def _lines(figures: Figures) -> Iterator[tuple[str, str]]:
    yield "documents", f"{figures.documents:,}"
    yield "passages", f"{figures.passages:,}"
    yield "words", f"{figures.words:,}, of which {figures.vocabulary:,} different"
    for kind, share in figures.kinds.items():
        documents = plural(share.documents, "document")
        passages = plural(share.passages, "passage")
        yield "kind", f"{kind}: {documents}, {passages} ({share.passages / figures.passages:.0%})"
    for language, count in figures.languages.items():
        yield "language", f"{'cannot be told' if language == 'none' else language}: {plural(count, 'document')}"
    yield "longest", _measured(figures.longest)
    yield "shortest", _measured(figures.shortest)
    yield "frequent", ", ".join(f"{word} ({count:,})" for word, count in figures.frequent)


def _index(figures: Figures, paths: Sequence[str]) -> str:
    if figures.kept:
        path, size = figures.kept
        return f"{size / 1_000_000:,.1f} MB, kept in {path}"
    if any(path.startswith(SCHEMES) for path in paths):
        return "kept by the server, which every search asks"
    return "made at each start, in a moment; that of over 10,000 passages is kept"


def _measured(passage: Passage) -> str:
    return f"{plural(len(passage.text), 'character')}: {place_of(passage)}"
