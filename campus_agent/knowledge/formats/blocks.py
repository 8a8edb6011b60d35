"""Paragraphs, list items and table rows, put together to passages that are about one thing each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath
from typing import Literal

_LONG = 900  # characters beyond which nothing is joined, and text is cut between sentences
_LONGEST_SENTENCE = 4_000  # characters beyond which it is none that somebody wrote, and is cut inside too
_CUT = 2_000  # characters of its pieces, at most
# Where it may be cut, the best first: never in the middle of a date, a time or a name if there is any other place.
_BORDERS = (
    re.compile(r"[;:|。，；]\s|[.!?,]\s(?=[^\W\d])"),
    re.compile(r"(?<=[^\W\d_A-Z]{4})\s(?=[a-z]{4})"),
    re.compile(r"\s"),
)
_LABELLED = re.compile(r"[^\W_a-z][^:.!?]{0,40}:\s+\S")
_LABEL = 80  # characters: a longer line without a full stop is still a paragraph of its own
_SENTENCE_END = re.compile(r"""[.!?…。！？][)\]"'”’»]*$""")
_MARKED = re.compile(rf"{_SENTENCE_END.pattern}|[:;,-]$")
# Not after "a.m.", "Dr." or "Prof.", which seldom end a sentence.
_BETWEEN_SENTENCES = re.compile(r"(?<=[\w)]{5}[.!?])\s+(?=[^\W_a-z])|(?<=[。！？])")
_LEANS_BACK = re.compile(
    r"(it|its|they|their|them|he|his|she|her|this|that|these|those|also|but|and|or|so|then|however|both|otherwise)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list, item or row.

    Attributes:
        text: on one line.
        line: where it begins, or the page; None where neither is known.
        leans: on the block before or after it, without which it does not say what it is about; "alone" for a row of a
            table, which nothing that comes after it belongs to.
    """

    text: str
    line: int | None
    leans: Literal["no", "back", "on", "alone"] = "no"


def paragraph(text: str, line: int | None) -> Block:
    """Make a block of running text: a label or "as follows:" leans on the next, "It opens at 8." on the one before."""
    if not is_sentence(text) and (text.endswith(":") or len(text) <= _LABEL):
        return Block(text, line, "on")
    return Block(text, line, "back" if _LEANS_BACK.match(text) else "no")


def bullets(items: Sequence[tuple[str, int | None]], *, introduced: bool = False) -> list[Block]:
    """Make blocks of a list's items, each a text and its line: one an item if all are sentences, else one for all.

    Args:
        items: at least one.
        introduced: whether the text before ends with a colon, so that the items lean on it.
    """
    if not introduced and all(is_sentence(text) for text, _ in items):
        return [Block(text, line) for text, line in items]
    groups: list[Block] = []
    for text, line in items:
        if groups and len(groups[-1].text) + len(text) <= _LONG:
            groups[-1] = Block(join_lines(groups[-1].text, text), groups[-1].line, "back")
        else:
            groups.append(Block(text, line, "back"))
    return groups


def join_blocks(blocks: Iterable[Block]) -> list[Block]:
    """Join the blocks of one section that lean on each other, as long as what comes of it is short."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        together = last is not None and (last.leans == "on" or (block.leans == "back" and last.leans != "alone"))
        if last is None or not together or len(last.text) + len(block.text) > _LONG:
            joined.append(block)
            continue
        leans = "no" if block.leans == "back" else block.leans
        joined[-1] = Block(_join(last.text, block.text), last.line, leans)
    if len(joined) > 1 and joined[-1].leans == "on":  # a label with nothing after it
        last = joined.pop()
        joined[-1] = Block(_join(joined[-1].text, last.text), joined[-1].line)
    return joined


def join_lines(*lines: str) -> str:
    """Put lines on one, with a semicolon after each that ends without a mark."""
    *others, last = lines or ("",)
    return " ".join([*(line if _MARKED.search(line) else f"{line};" for line in others), last])


def unwrapped(lines: Sequence[str]) -> str:
    """Put the lines of a paragraph on one: it was wrapped, unless each begins with a label, as in "Office: Hall 3"."""
    labelled = len(lines) > 1 and all(map(_LABELLED.match, lines))
    return join_lines(*lines) if labelled else " ".join(lines)


def _join(text: str, more: str) -> str:
    """Put a block after another: "Printing" before a sentence gets a colon, before another label a semicolon."""
    if is_sentence(more) and not _MARKED.search(text):
        return f"{text}: {more}"
    return join_lines(text, more)


def is_sentence(text: str) -> bool:
    """Tell whether `text` is at least one whole sentence, understood without what stands around it."""
    return _SENTENCE_END.search(text) is not None and (len(text.split()) >= 4 or not text.isascii())


def split_long(text: str) -> Iterator[str]:
    """Yield `text` in pieces of at most some 900 characters, cut between sentences.

    A sentence of over 4,000 characters, which is most likely none, is cut too, into pieces of at most 2,000.
    """
    piece = ""
    whole = _BETWEEN_SENTENCES.split(text) if len(text) > _LONG else [text]
    for sentence in chain.from_iterable(map(_bounded, whole)):
        if piece and len(piece) + len(sentence) > _LONG:
            yield piece
            piece = ""
        piece = f"{piece} {sentence}".strip()
    yield piece


def _bounded(sentence: str) -> Iterator[str]:
    """Yield a sentence, or the pieces of one without an end."""
    if len(sentence) <= _LONGEST_SENTENCE:
        yield sentence
        return
    at = 0
    while len(sentence) - at > _CUT:
        window = sentence[at : at + _CUT]
        ends = ([found.end() for found in border.finditer(window, _CUT // 2)] for border in _BORDERS)
        end = next((found[-1] for found in ends if found), _CUT)
        yield window[:end].strip()
        at += end
    yield sentence[at:].strip()


def file_title(source: str) -> str:
    """Return a title for a document that gives itself none: "labs/office_hours.txt" -> "Office hours"."""
    words = re.sub(r"[-_\s]+", " ", PurePosixPath(source).stem).strip()
    return words[:1].upper() + words[1:]
