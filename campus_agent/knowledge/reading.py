"""From a document to its passages: the one place that knows which reader is for which kind of file."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.folder import Document
from campus_agent.knowledge.formats.blocks import split_long
from campus_agent.knowledge.formats.inside import seen_only
from campus_agent.knowledge.formats.reader import Content, Reader, of_text
from campus_agent.knowledge.intents import joined
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.text import one_line

_MOST_MEGABYTES = 20
_MOST_PASSAGES = 100_000  # of one document
_MOST_PROBLEMS = 100
_LONGEST_REASON = 300  # characters; it may quote the document
_ARCHIVE = ".zip"
_PROSE = ("", ".txt", ".text", ".md", ".markdown")  # in which a tag is what it is in Markdown, or just text

Progress = Callable[[int, int, str], None]
"""Called with how many documents are read, of how many, and the source of the one that is next ("" at the end)."""


def read_documents(
    documents: Sequence[Document], *, now: datetime | None = None, progress: Progress | None = None
) -> tuple[list[Passage], list[Problem]]:
    """Read all documents of a base, in their order; what of them cannot be read is a problem, never an exception.

    Args:
        documents: in the order that the passages shall have.
        now: when they are read, in the campus time zone; None: the time of this machine.
        progress: told before each document and once at the end.
    """
    passages: list[Passage] = []
    problems: list[Problem] = []
    for position, document in enumerate(documents):
        if progress:
            progress(position, len(documents), document.source)
        read, unread = read_alone(document, now=now)
        passages.extend(read)
        problems.extend(unread)
    if progress:
        progress(len(documents), len(documents), "")
    return joined(passages), problems


def read_document(document: Document, *, now: datetime | None = None) -> tuple[list[Passage], list[Problem]]:
    """Read one document that needs no other; `now` as in `read_documents`."""
    passages, problems = read_alone(document, now=now)
    return joined(passages), problems


def read_alone(document: Document, *, now: datetime | None = None) -> tuple[list[Passage], list[Problem]]:
    """Read one document of several: its passages are to be `joined` with those of the others, as they stand here.

    What it returns depends on the bytes, the source and the day only, so that it can be kept and joined again later.
    """
    passages: list[Passage] = []
    problems: list[Problem] = []
    try:
        data = file_bytes(document)
        for content in _contents(Content(data, document.source, now or datetime.now(UTC).astimezone())):
            if isinstance(content, Problem):
                problems.append(content)
            else:
                read, unread = _read(content)
                passages.extend(read)
                problems.extend(unread)
    except Unreadable as error:
        problems.append(Problem(document.source, error.line, error.reason))
    except OSError as error:
        problems.append(Problem(document.source, None, f"it cannot be opened: {error.strerror}"))
    if not passages and not problems:
        problems.append(Problem(document.source, None, "there is nothing in it"))
    return passages, [dataclasses.replace(one, reason=one_line(one.reason, _LONGEST_REASON)) for one in problems]


def _contents(content: Content) -> Iterator[Content | Problem]:
    """Yield the document, or the documents that it holds if it is an archive."""
    if PurePosixPath(content.source).suffix.lower() != _ARCHIVE:
        yield content
        return
    from campus_agent.knowledge.archive import members

    for member in members(content.data, content.source):
        if isinstance(member, Problem):
            yield member
        else:
            name, data = member
            yield Content(data, name, content.now)


def _read(content: Content) -> tuple[list[Passage], list[Problem]]:
    """Read what a document holds, up to where it is broken."""
    source = content.source
    passages: list[Passage] = []
    problems: list[Problem] = []
    try:
        for item in _reader(source)(content):
            if len(passages) >= _MOST_PASSAGES or len(problems) >= _MOST_PROBLEMS:
                what = "passages" if len(passages) >= _MOST_PASSAGES else "problems"
                reason = f"the rest is not read: there are too many {what}"
                problems.append(Problem(source, item.line, reason))
                break
            if isinstance(item, Problem):
                problems.append(item)
            else:
                passages.extend(_finished(item))
    except Unreadable as error:
        problems.append(Problem(source, error.line, error.reason))
    except RecursionError:
        problems.append(Problem(source, None, "it is nested too deeply; make it flatter"))
    return passages, problems


def is_read(source: str) -> bool:
    """Tell by the end of its name whether a document is of a kind that is read."""
    suffix = PurePosixPath(source).suffix.lower()
    return suffix == _ARCHIVE or (_of_words(suffix) or _of_more(suffix)) is not None


def _reader(source: str) -> Reader:
    """Return the reader for a document by the end of its name; without one it is text, as in README."""
    suffix = PurePosixPath(source).suffix.lower()
    reader = _of_words(suffix) or _of_more(suffix)
    if reader is None:
        raise Unreadable("not a kind of file that is read; save it as text, Markdown, HTML, CSV, PDF or Word (.docx)")
    return reader


def _of_words(suffix: str) -> Reader | None:
    """Return the reader of a format that is text through and through; only its own module is imported."""
    read: Callable[[str, str], Iterator[Passage | Problem]]
    match suffix:
        case ".txt" | ".text" | "":
            from campus_agent.knowledge.formats.plain_text import read_plain_text as read
        case ".md" | ".markdown":
            from campus_agent.knowledge.formats.markdown import read_markdown as read
        case ".csv" | ".tsv":
            from campus_agent.knowledge.formats.table import read_table as read
        case ".json":
            from campus_agent.knowledge.formats.json_facts import read_json as read
        case ".jsonl" | ".ndjson":
            from campus_agent.knowledge.formats.json_facts import read_json_lines as read
        case ".yaml" | ".yml":
            from campus_agent.knowledge.formats.yaml_facts import read_yaml as read
        case _:
            return None
    return of_text(read if suffix in _PROSE else seen_only(read))


def _of_more(suffix: str) -> Reader | None:
    """Return the reader of a format that needs to see the bytes or to know the time."""
    read: Reader
    match suffix:
        case ".html" | ".htm" | ".xhtml":
            from campus_agent.knowledge.formats.web_page import read_web_page as read
        case ".ics" | ".ical":
            from campus_agent.knowledge.formats.calendar_file import read_calendar as read
        case ".pdf":
            from campus_agent.knowledge.formats.pdf import read_pdf as read
        case ".docx":
            from campus_agent.knowledge.formats.word import read_word as read
        case _:
            return None
    return read


def file_bytes(document: Document) -> bytes:
    """Return the bytes of an ordinary file; a pipe or a device, which may never end, is not waited for.

    Raises:
        Unreadable: there is no reader for it, nothing or too much in it, or it is no ordinary file; it is not read.
        OSError: it cannot be opened.
    """
    if PurePosixPath(document.source).suffix.lower() != _ARCHIVE:
        _reader(document.source)
    with open(
        os.open(document.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb"
    ) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise Unreadable("it is not an ordinary file")
        if not about.st_size:  # or one of those that the system makes up as they are read, perhaps without an end
            raise Unreadable("there is nothing in it")
        limit = _MOST_MEGABYTES * 1024 * 1024
        data = (file.read(limit + 1) or b"") if about.st_size <= limit else b""  # None: it would have to be waited for
    if max(len(data), about.st_size) > limit:
        raise Unreadable(f"it is over {_MOST_MEGABYTES} MB; cut it into smaller files")
    return data


def _finished(passage: Passage) -> Iterator[Passage]:
    """Yield a passage on one line, safe to show, in parts if it is long; nothing if it is blank."""
    if not passage.text and passage.phrasings:  # what an intent stands for, to be joined with an answer
        yield passage
    source = passage.source if passage.page is None else f"{passage.source}, page {passage.page}"
    for text in split_long(one_line(passage.text)):
        if text:
            yield dataclasses.replace(passage, title=one_line(passage.title), text=text, source=source)
