"""What a tool returned, as rows of the trace: a line that sums it up, each passage, and the rest of the text."""

from __future__ import annotations

from textual.content import Content

from campus_agent.agent.events import Observed
from campus_agent.text import plural
from campus_agent.tui.widgets.passage_row import PassageRow
from campus_agent.tui.widgets.row import BRIEF, LongText, Paragraph, Row
from campus_agent.tui.words import BAD, CAUTION, DIM, OBSERVE


class Again(Row):
    """An observation that was made before: it keeps to little room, and opens like any other."""

    FOLD_OVER = 2
    FOLDED = 1


def observation_rows(event: Observed) -> list[Row]:
    """Return the rows of an observation, the one with its label first."""
    size = plural(event.length, "character")
    match event.status:
        case "ok" if event.sources:
            return _found(event, size)
        case "ok":
            said = Content.styled(size, DIM) if event.length > BRIEF else None
        case "empty":
            return [Row(OBSERVE, text=LongText(event.content, lead=Content("○ ")))]
        case "error" if event.ran:
            said = Content.styled("✕ failed", BAD)
        case "error":
            said = Content.styled("✕ refused", CAUTION)
        case "cached":
            said = Content.styled(f"= same as before · {size}", DIM)
            return [Again(OBSERVE, [Paragraph(said)], text=LongText(event.content, DIM))]
        case "skipped":
            said = Content.styled("– skipped", CAUTION)
    dim = DIM if event.status == "skipped" else ""
    return [Row(OBSERVE, [Paragraph(said)] if said else [], text=LongText(event.content, dim))]


def _found(event: Observed, size: str) -> list[Row]:
    """Return how much was found and how well it fits, then a row for each passage, then what else was said."""
    said = f"{plural(len(event.sources), 'passage')} · {size}"
    rows = [Row(OBSERVE, [Paragraph(Content.styled(said, DIM))], edge=_edge(event.match) if event.match else None)]
    rest = event.content
    for source in event.sources:
        line, _, after = rest.partition("\n")
        if line.startswith("- "):  # the lines of a search are its passages, in order
            rest = after
            rows.append(PassageRow(source, line[2:]))
        else:
            rows.append(PassageRow(source, f"{source.title} ({source.source})"))
    return [*rows, Row(Content(""), text=LongText(rest))] if rest.strip() else rows


def _edge(said: str) -> Content:
    return Content.styled(said, CAUTION if said == "weak" else DIM)
