"""`search_campus_info`: the tool that looks up what the knowledge base says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from campus_agent.errors import SearchFailed
from campus_agent.guardrail.hostile import HIDES
from campus_agent.knowledge.base import Changes, KnowledgeBase
from campus_agent.knowledge.formats.inside import HIDDEN
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.search import SearchResult
from campus_agent.text import one_line
from campus_agent.tools.tool import Source, Tool, ToolResult, tool

_SHOWN = 3  # passages
_QUERY = 200  # characters of a query that are repeated to the model
_CHANGES = 300  # characters of what changed in the base that are told
_LOOK_EVERY = 1.0  # seconds


class FollowedBase:
    """A knowledge base that is searched as its files are now.

    Args:
        base: the base as it was read.
        now: tells the time on campus, for a query that says "tomorrow" or "next week"; None: such words mean nothing.
    """

    def __init__(self, base: KnowledgeBase, now: Callable[[], datetime] | None = None) -> None:
        self._base = base
        self._now = now
        self._unsaid: list[str] = []  # what changed, until a search can tell it
        self._passages = base.passages
        self._standing: set[Source] = set()  # what is known to stand in them

    def gone(self, sources: Collection[Source]) -> set[Source]:
        """Return those of `sources` that the base does not say any more, or cannot be asked for; reads what changed."""
        with suppress(Exception):  # whatever it is, the next search says so
            self._look()
            if doubtful := {_said(source): source for source in sources if source not in self._standing}:
                texts = {source.text for source in doubtful.values()}
                there = (_source(passage) for passage in self._passages if one_line(passage.text) in texts)
                self._standing.update(doubtful[said] for said in map(_said, there) if said in doubtful)
        return set(sources) - self._standing

    def search(self, query: str) -> ToolResult:
        """Search the base; raises `SearchFailed` when the search itself breaks."""
        try:
            self._look()
            result = self._base.search(query, _SHOWN, today=self._now().date() if self._now else None)
        except SearchFailed:
            raise
        except Exception as error:
            raise SearchFailed(
                f"The search in {self._base.name} failed: {error}",
                "The search index could not be built or read.",
                "Try again; if it fails again, run `campus-agent kb check`.",
            ) from error
        observation = _observation(result)
        self._standing.update(observation.sources)
        notes, self._unsaid = self._unsaid, []
        return replace(observation, notes=(*notes, *map(one_line, result.notes), *self._hiding(result)))

    def _hiding(self, result: SearchResult) -> Iterator[str]:
        """Say for the trace of which documents that were found some text was left out as they were read."""
        hiding = {problem.source for problem in self._base.problems if problem.reason.startswith(HIDDEN)}
        for document in dict.fromkeys(scored.passage.document for scored in result.passages):
            if document in hiding:
                yield f"search_campus_info returned suspicious text. {HIDES} It is in {one_line(document)}."

    def _look(self) -> None:
        self._unsaid += _changed(self._base.refresh(self._now() if self._now else None, every=_LOOK_EVERY))
        if self._base.passages is not self._passages:
            self._passages, self._standing = self._base.passages, set()


def _source(passage: Passage) -> Source:
    """Return a passage as it is shown, each part on a line."""
    title, source, text = one_line(passage.title), one_line(passage.source), one_line(passage.text)
    return Source(title=title, source=source, line=passage.line, text=text)


def _said(source: Source) -> tuple[str, str, str]:
    """Return what a source says, and where; the line moves when something is written above it."""
    return source.title, source.source, source.text


def search_tool(base: FollowedBase) -> Tool:
    """Make the tool that searches `base`."""

    @tool(searches=True, timeless=True, read_only=True)
    def search_campus_info(query: str) -> ToolResult:
        """Look up campus information: when and where things are, opening hours, people, rules, how to join or apply.

        Call it before you state any fact about the campus. It returns up to three passages, best first, and says which
        words of the query no passage mentions.

        Args:
            query: A few key words for one thing, such as "AI Club meeting".
        """
        return base.search(query)

    return search_campus_info


def _changed(changes: Changes | None) -> Iterator[str]:
    """Yield what became of the files, for the trace: in an observation its names and times would be evidence."""
    if changes and changes.said:
        yield f"Read again: {one_line('; '.join(changes.said), _CHANGES)}."
    for trouble in changes.troubles if changes else ():
        yield f"Not up to date: {one_line(trouble, _CHANGES)}."


def _observation(result: SearchResult) -> ToolResult:
    sources = tuple(_source(scored.passage) for scored in result.passages)
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
