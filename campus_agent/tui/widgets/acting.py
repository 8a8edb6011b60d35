"""How a call that the model asked for is shown in a row of the trace."""

from __future__ import annotations

import json

from textual.content import Content

from campus_agent.agent.events import Acting
from campus_agent.tui.widgets.row import BRIEF, LongText, Paragraph, Row
from campus_agent.tui.words import ACTING, CAUTION, DIM, line, plain

RUNNING = Content.styled("…", DIM)


def show_acting(row: Row, event: Acting) -> None:
    """Show a call: the tool, its arguments under each other, and what had to be done to read them."""
    _show(row, event, "≈ repaired", [])


def show_edited(row: Row, asked: Acting, event: Acting) -> None:
    """Show the arguments that a person put in the place of those that were `asked` for, and these struck out."""
    before = json.dumps(asked.arguments, ensure_ascii=False, default=str)
    _show(row, event, "✎ edited", [Paragraph(line(before, BRIEF, f"{DIM} strike"), Content.styled("asked  ", DIM))])


def _show(row: Row, event: Acting, done: str, more: list[Paragraph]) -> None:
    body = [Paragraph(line(event.tool, 80, "bold"))]
    if event.repaired:
        body.append(Paragraph(line(f"{done}: {event.repaired}", 400, CAUTION)))
    given, text = _given(event), LongText()
    if sum(len(name) + len(value) for name, value in given.items()) > BRIEF:
        text = LongText("\n".join(f"{name}  {value}" for name, value in given.items()))
    else:
        body += _under_each_other(given, CAUTION if event.arguments is None else DIM)
    row.change(ACTING, [*body, *more], text=text, edge=RUNNING)


def _given(event: Acting) -> dict[str, str]:
    """Return each argument as it is shown, or what could not be read as arguments."""
    if event.arguments is None:
        return {"unreadable": event.raw_arguments or "(nothing)"}
    return {name: json.dumps(value, ensure_ascii=False, default=str) for name, value in event.arguments.items()}


def _under_each_other(given: dict[str, str], style: str) -> list[Paragraph]:
    names = {name: line(name, 24) for name in given}
    widest = max((name.cell_length for name in names.values()), default=0)
    return [
        Paragraph(plain(value), names[name].pad_right(widest - names[name].cell_length + 2).stylize(style))
        for name, value in given.items()
    ]
