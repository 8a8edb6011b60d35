"""A conversation as one web page that needs nothing else: no network, no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from campus_agent.agent.events import (
    Acting,
    Event,
    GroundingChecked,
    RunFinished,
    RunStarted,
    StepStarted,
)
from campus_agent.agent.outcome import Outcome
from campus_agent.text import duration, one_line, sanitize
from campus_agent.transcript import Runs

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid #8888; margin-top: 2rem; }
h2 { font-size: 1.1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
p.answer { white-space: pre-wrap; overflow-wrap: anywhere; }
p.ending, li { opacity: .8; font-size: .9rem; }
summary { cursor: pointer; }
pre { overflow-x: auto; padding: .5rem; background: #8881; font-size: .85rem; }
"""


def as_html(runs: Runs) -> str:
    """Return the conversation as a page: each question, its answer with the sources, and its steps, folded."""
    title = _text(_title(runs))
    articles = "\n".join(line for run in runs for line in _article(run))
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{_STYLE}</style>
<h1>A conversation with campus-agent</h1>
{articles}
</html>
"""


def _article(run: Sequence[Event]) -> Iterator[str]:
    started = next((event for event in run if isinstance(event, RunStarted)), None)
    finished = next((event for event in run if isinstance(event, RunFinished)), None)
    yield "<article>"
    yield f"<h2>{_text(started.question if started else '')}</h2>"
    if started:
        about = f"{started.time:%Y-%m-%d %H:%M} UTC · {started.model} ({started.provider})"
        yield f'<p class="ending">{_text(about)}</p>'
    if finished:
        yield f'<p class="answer">{_text(finished.answer or str(finished.message or ""))}</p>'
        ending = f"{finished.outcome.sign} {finished.outcome.words} in {duration(finished.duration_ms)}"
    else:
        ending = "✕ broken off"
    yield f'<p class="ending">{_text(ending)}</p>'
    yield from _sources(run, finished)
    for summary, lines in _steps(run):
        text = _text("\n".join(lines))
        yield f"<details><summary>{_text(summary)}</summary><pre>{text}</pre></details>"
    yield "</article>"


def _sources(run: Sequence[Event], finished: RunFinished | None) -> Iterator[str]:
    checked = [event for event in run if isinstance(event, GroundingChecked)]
    if finished is None or finished.outcome is not Outcome.ANSWERED or not checked or not checked[-1].sources:
        return
    yield "<ul>"
    for source in checked[-1].sources:
        line = f", line {source.line}" if source.line else ""
        yield f"<li>{_text(one_line(f'{source.title} ({source.source}{line})'))}</li>"
    yield "</ul>"


def _steps(run: Sequence[Event]) -> Iterator[tuple[str, list[str]]]:
    """Yield what each step is called, and its part of the trace; what comes before the first stands by itself."""
    from campus_agent.cli.printer import Printer

    lines: list[str] = []
    printer = Printer(trace=lines.append, murmur=lines.append, answer=lambda _: None, message=lambda _: None)
    step, tools = "before the first step", dict[str, None]()
    for event in run:
        if isinstance(event, StepStarted | RunFinished):
            if lines:
                yield _summary(step, tools), list(lines)
            lines.clear()
            tools.clear()
        if isinstance(event, StepStarted):
            step = f"step {event.step}/{event.of}"
        elif isinstance(event, Acting):
            tools[event.tool] = None
        elif isinstance(event, RunFinished):
            return
        printer.read(event)
    if lines:
        yield _summary(step, tools), lines


def _summary(step: str, tools: dict[str, None]) -> str:
    return f"{step} · {one_line(', '.join(tools), 100)}" if tools else step


def _title(runs: Runs) -> str:
    questions = (event.question for run in runs for event in run if isinstance(event, RunStarted))
    return one_line(next(questions, ""), 80) or "A conversation with campus-agent"


def _text(text: str) -> str:
    return escape(sanitize(text))
