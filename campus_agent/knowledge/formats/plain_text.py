"""Plain text: a passage a paragraph, or a line where the lines are a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from campus_agent.knowledge.formats.blocks import Block, file_title, is_sentence, join_blocks, paragraph, unwrapped
from campus_agent.knowledge.passage import Passage

_BULLET = re.compile(r"^(?:[-*+•–]|\d{1,3}[.)])\s+")
_LIST = 5  # lines; fewer that are no sentences may as well be an address


def read_plain_text(text: str, source: str) -> Iterator[Passage]:
    """Yield the passages of a text, with the document's name as their title."""
    for block in join_blocks(text_blocks(text)):
        yield Passage(file_title(source), block.text, source, block.line)


def text_blocks(text: str) -> list[Block]:
    """Return the paragraphs of a text, and the lines of a list one by one."""
    paragraphs = list(_paragraphs(text))
    if paragraphs and all(
        len(lines) == 1 and not is_sentence(lines[0][0]) for lines in paragraphs
    ):  # names with a blank line between
        paragraphs = [[line for lines in paragraphs for line in lines]]
    blocks: list[Block] = []
    for lines in paragraphs:
        if _is_list(lines):
            blocks.extend(Block(_BULLET.sub("", line), number) for line, number in lines)
        else:
            blocks.append(paragraph(unwrapped([line for line, _ in lines]), lines[0][1]))
    return blocks


def _paragraphs(text: str) -> Iterator[list[tuple[str, int]]]:
    """Yield the lines that stand together, each stripped and with its number."""
    lines: list[tuple[str, int]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            lines.append((line.strip(), number))
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _is_list(lines: list[tuple[str, int]]) -> bool:
    """Tell a list from a paragraph that was wrapped, some line of which goes on in lower case or ends in a comma."""
    texts = [line for line, _ in lines]
    if all(map(_BULLET.match, texts)) or (len(texts) > 1 and all(map(is_sentence, texts))):
        return True
    going_on = sum(line[0].islower() for line in texts[1:]) + sum(line[-1] in ",;-" for line in texts[:-1])
    return len(texts) >= _LIST and going_on <= len(texts) // 10
