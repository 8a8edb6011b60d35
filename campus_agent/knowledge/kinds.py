"""What kind of document a source is, in the words of a person."""

from __future__ import annotations

from pathlib import PurePosixPath

_BY_SUFFIX = {
    "": "text",
    ".txt": "text",
    ".text": "text",
    ".md": "Markdown",
    ".markdown": "Markdown",
    ".html": "web page",
    ".htm": "web page",
    ".xhtml": "web page",
    ".ndjson": "JSON lines",
    ".jsonl": "JSON lines",
    ".yml": "YAML",
    ".ics": "calendar",
    ".ical": "calendar",
    ".docx": "Word",
}


def kind_of(document: str) -> str:
    """Return the kind of a document by the end of its name, such as "Markdown", "CSV" or "calendar"."""
    suffix = PurePosixPath(document).suffix.lower()
    return _BY_SUFFIX.get(suffix, suffix.removeprefix(".").upper())
