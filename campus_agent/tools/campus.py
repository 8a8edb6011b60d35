"""`search_campus_info`: the tool that looks up what the knowledge base says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from campus_agent.errors import SearchFailed
from campus_agent.knowledge.base import Changes, KnowledgeBase
from campus_agent.knowledge.search import SearchResult
from campus_agent.text import one_line
from campus_agent.tools.tool import Source, Tool, ToolResult, tool

_SHOWN = 3  # passages
_QUERY = 200  # characters of a query that are repeated to the model
_CHANGES = 300  # characters of what changed in the base that are told
_LOOK_EVERY = 1.0  # seconds


def search_tool(base: KnowledgeBase, now: Callable[[], datetime] | None = None) -> Tool:
    """Make the tool that searches `base` as its files are now; it raises `SearchFailed` when the search itself breaks.

    `now` tells the time on campus, for a query that says "tomorrow" or "next week".
    """

    @tool(searches=True, timeless=True, read_only=True)
    def search_campus_info(query: str) -> ToolResult:
        """Look up campus information: when and where things are, opening hours, people, rules, how to join or apply.

        Call it before you state any fact about the campus. It returns up to three passages, best first, and says which
        words of the query no passage mentions.

        Args:
            query: A few key words for one thing, such as "AI Club meeting".
        """
        try:
            moment = now() if now else None
            changes = base.refresh(moment, every=_LOOK_EVERY)
            result = base.search(query, _SHOWN, today=moment.date()) if moment else base.search(query, _SHOWN)
        except SearchFailed:
            raise
        except Exception as error:
            raise SearchFailed(
                f"The search in {base.name} failed: {error}",
                "The search index could not be built or read.",
                "Try again; if it fails again, run `campus-agent kb check`.",
            ) from error
        return replace(_observation(result), notes=(*_changed(changes), *map(one_line, result.notes)))

    return search_campus_info


def _changed(changes: Changes | None) -> Iterator[str]:
    """Yield what became of the files, for the trace: in an observation its names and times would be evidence."""
    if changes and changes.said:
        yield f"Read again: {one_line('; '.join(changes.said), _CHANGES)}."
    for trouble in changes.troubles if changes else ():
        yield f"Not up to date: {one_line(trouble, _CHANGES)}."


def _observation(result: SearchResult) -> ToolResult:
    sources = tuple(
        Source(title=one_line(p.title), source=one_line(p.source), line=p.line, text=one_line(p.text))
        for p in (scored.passage for scored in result.passages)
    )
    if not result.found:
        nothing = f'Nothing found for "{one_line(result.query, _QUERY)}".'
        missing = f" No passage mentions: {_unmatched(result)}." if result.unmatched_terms else ""
        return ToolResult("\n".join([nothing + missing, *_corrections(result)]), empty=True)
    lines = [*map(_line, sources), *_corrections(result), *_doubts(result)]
    return ToolResult("\n".join(lines), sources=sources, match="weak" if result.confidence == "low" else "strong")


def _line(source: Source) -> str:
    where = source.source if source.line is None else f"{source.source}, line {source.line}"
    return f"- {source.title}: {source.text} ({where})"


def _corrections(result: SearchResult) -> Iterator[str]:
    for written, meant in result.corrected.items():
        yield f'Read "{one_line(written)}" as "{one_line(meant)}".'


def _doubts(result: SearchResult) -> Iterator[str]:
    missing = f"o passage mentions {_unmatched(result)}." if result.unmatched_terms else ""
    if result.confidence == "low":
        yield f"Weak match: n{missing}" if missing else "Weak match: the passages may be about something else."
    elif missing:
        yield f"N{missing}"


def _unmatched(result: SearchResult) -> str:
    return one_line(", ".join(result.unmatched_terms), _QUERY)
