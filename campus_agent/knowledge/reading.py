"""From a document to its passages: the one place that knows which reader is for which kind of file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from campus_agent.knowledge.encoding import Unreadable, decode
from campus_agent.knowledge.folder import Document
from campus_agent.knowledge.formats.blocks import split_long
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.text import one_line

_MOST_MEGABYTES = 20
_MOST_PASSAGES = 100_000  # of one document
_MOST_PROBLEMS = 100

Reader = Callable[[str, str], Iterator[Passage | Problem]]


def read_document(document: Document) -> tuple[list[Passage], list[Problem]]:
    """Read a document; what of it cannot be read is a problem, never an exception."""
    passages: list[Passage] = []
    problems: list[Problem] = []
    try:
        reader = _reader(document.source)
        for item in reader(decode(_bytes(document)), document.source):
            if len(passages) >= _MOST_PASSAGES or len(problems) >= _MOST_PROBLEMS:
                what = "passages" if len(passages) >= _MOST_PASSAGES else "problems"
                problems.append(Problem(document.source, item.line, f"the rest is not read: there are too many {what}"))
                break
            if isinstance(item, Problem):
                problems.append(item)
            else:
                passages.extend(_finished(item))
    except Unreadable as error:
        problems.append(Problem(document.source, error.line, error.reason))
    except RecursionError:
        problems.append(Problem(document.source, None, "it is nested too deeply"))
    except OSError as error:
        problems.append(Problem(document.source, None, f"it cannot be opened: {error.strerror}"))
    if not passages and not problems:
        problems.append(Problem(document.source, None, "there is nothing in it"))
    return passages, problems


def _reader(source: str) -> Reader:
    """Return the reader for a document by the end of its name; without one it is text, as in README."""
    from campus_agent.knowledge.formats import json_facts, markdown, plain_text, table

    match PurePosixPath(source).suffix.lower():
        case ".md" | ".markdown":
            return markdown.read_markdown
        case ".txt" | ".text" | "":
            return plain_text.read_plain_text
        case ".csv" | ".tsv":
            return table.read_table
        case ".json":
            return json_facts.read_json
        case ".jsonl" | ".ndjson":
            return json_facts.read_json_lines
    raise Unreadable("not a kind of file that is read")


def _bytes(document: Document) -> bytes:
    with document.path.open("rb") as file:
        data = file.read(_MOST_MEGABYTES * 1024 * 1024 + 1)
    if len(data) > _MOST_MEGABYTES * 1024 * 1024:
        raise Unreadable(f"it is over {_MOST_MEGABYTES} MB")
    return data


def _finished(passage: Passage) -> Iterator[Passage]:
    """Yield a passage on one line, safe to show, in parts if it is long; nothing if it is blank."""
    for text in split_long(one_line(passage.text)):
        if text:
            yield Passage(one_line(passage.title), text, passage.source, passage.line, passage.phrasings)
