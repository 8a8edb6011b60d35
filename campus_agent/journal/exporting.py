"""Runs in every form in which they can be taken elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from campus_agent.transcript import Runs

Form = Literal["md", "jsonl", "html", "cast", "otel-json"]
BY_ENDING: dict[str, Form] = {
    ".md": "md",
    ".jsonl": "jsonl",
    ".html": "html",
    ".htm": "html",
    ".cast": "cast",
    ".json": "otel-json",
}
"""What a file is written as, by the ending of its name."""


def written(runs: Runs, form: Form, *, secrets: Sequence[str] = ()) -> str:
    """Return runs as a text of this form, with a mask for every secret, such as a key."""
    masked = _without(runs, secrets)
    match form:
        case "md":
            from campus_agent.transcript import as_markdown

            return as_markdown(masked)
        case "jsonl":
            from campus_agent.transcript import as_json_lines

            return as_json_lines(masked)
        case "html":
            from campus_agent.journal.web_page import as_html

            return as_html(masked)
        case "cast":
            from campus_agent.journal.cast import as_cast

            return as_cast(masked)
        case "otel-json":
            from campus_agent.journal.spans import as_otlp

            return as_otlp(masked)


def _without(runs: Runs, secrets: Sequence[str]) -> Runs:
    """Return the events with every secret masked, whatever they are written as."""
    from campus_agent.agent.events import event_from_json
    from campus_agent.journal.masking import KeyMasks
    from campus_agent.transcript import as_json_lines

    masks = KeyMasks(secrets)
    lines = (as_json_lines([run], secrets=secrets).splitlines() for run in runs)
    return [[masks.event(event_from_json(line), line)[0] for line in run] for run in lines]
