"""Headings and what stands under them: the way from the blocks of a document to its passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campus_agent.knowledge.formats.blocks import Block, bullets, file_title, join_blocks
from campus_agent.knowledge.passage import Passage, title_path


class Sections:
    """Takes a document's headings and blocks in their order, and gives the passages of each section as it ends.

    Args:
        source: the document, whose name is the title of what stands under no heading.
        title: what the document calls itself beside its headings, above which it stands where there is no widest one.
    """

    def __init__(self, source: str, *, title: str = "") -> None:
        self._source = source
        self._title = title
        self._titles: dict[int, str] = {}  # by the level of the heading
        self._blocks: list[Block] = []
        self._bare: Block | None = None  # a heading that nothing stands under so far

    def heading(self, level: int, title: str, line: int | None) -> Iterator[Passage]:
        """Begin the section under a heading, 1 the widest; yield the passages of the one that it ends."""
        yield from self._section(deeper=level > max(self._titles, default=0))
        self._titles = {at: name for at, name in self._titles.items() if at < level} | {level: title}
        self._bare = Block(title, line)

    def add(self, *blocks: Block) -> None:
        """Put blocks into the section; those without text are left out."""
        self._blocks.extend(block for block in blocks if block.text)

    def add_list(self, items: Sequence[tuple[str, int | None]]) -> None:
        """Put the items of a list into the section, each a text and its line."""
        told = [(text, line) for text, line in items if text]
        if told:
            introduced = bool(self._blocks) and self._blocks[-1].text.endswith(":")
            self._blocks.extend(bullets(told, introduced=introduced))

    def end(self) -> Iterator[Passage]:
        """Yield the passages of the last section."""
        yield from self._section(deeper=False)

    def _section(self, *, deeper: bool) -> Iterator[Passage]:
        """Yield what was collected under the last heading; a heading with nothing under it is itself a passage."""
        titles = [self._titles[level] for level in sorted(self._titles)]
        if self._bare and self._bare.text and not self._blocks and not deeper:
            self._blocks.append(self._bare)
            titles.pop()
        if 1 not in self._titles:
            titles.insert(0, self._title)
        for block in join_blocks(self._blocks):
            yield Passage(title_path(*titles) or file_title(self._source), block.text, self._source, block.line)
        self._blocks, self._bare = [], None
