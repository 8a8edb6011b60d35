"""Runs as a terminal recording (asciinema's format, version 2), with the times at which things really happened.

The format: https://docs.asciinema.org/manual/asciicast/v2/ - a line of JSON that describes the recording, then a line
for each piece of output: seconds since the beginning, "o", the text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from campus_agent.agent.events import Event, RunStarted
from campus_agent.text import one_line, sanitize
from campus_agent.transcript import Runs

_WIDTH, _HEIGHT = 120, 36  # cells
_BETWEEN = 1.0  # seconds between two runs: how long a person read is not known


def as_cast(runs: Runs) -> str:
    """Return the runs, one after the other, as the plain printer would have shown them."""
    began = runs[0][0].time.timestamp() if runs else 0
    header = {"version": 2, "width": _WIDTH, "height": _HEIGHT, "timestamp": int(began), "title": _title(runs)}
    lines = [json.dumps(header)]
    start = 0.0
    for run in runs:
        latest = start
        for seconds, text in _output(run):
            latest = max(latest, start + seconds)  # a clock that was set back must not turn time back
            lines.append(json.dumps([round(latest, 6), "o", text]))
        start = latest + _BETWEEN
    return "\n".join(lines) + "\n"


def _output(run: Sequence[Event]) -> Iterator[tuple[float, str]]:
    """Yield the seconds since the run began, and what was printed then."""
    from campus_agent.cli.printer import Printer
    from campus_agent.cli.trace_show import CUT_LINE

    printed: list[str] = []
    printer = Printer(
        trace=printed.append,
        murmur=printed.append,
        answer=printed.append,
        message=lambda explanation: printed.append(str(explanation)),
    )
    for event in run:
        if isinstance(event, RunStarted):
            printed += [f"> {one_line(event.question)}", ""]
        printer.read(event)
        if printed:
            text = "".join(f"{sanitize(line)}\n" for line in printed).replace("\n", "\r\n")
            yield max(0.0, (event.time - run[0].time).total_seconds()), text
            printed.clear()
    if run and run[-1].kind != "run_finished":
        yield max(0.0, (run[-1].time - run[0].time).total_seconds()), f"{CUT_LINE}\r\n"


def _title(runs: Runs) -> str:
    questions = (event.question for run in runs for event in run if isinstance(event, RunStarted))
    return one_line(next(questions, ""), 80)
