"""The report for a person: a table of the cases, the reasons of those that failed, and the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from campus_agent.evaluation.checking import Failure
from campus_agent.evaluation.playing import Played, Verdict
from campus_agent.evaluation.summary import Summary, Times, runs_of
from campus_agent.models.chat_model import total_usage
from campus_agent.text import duration, one_line, plural

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_NARROWEST = 30  # columns
_WITH_TIMES, _WITH_TOKENS = 64, 96  # columns from which there is room for them
_NOT_SAID = "n/a"  # which is not 0


def report(played: Sequence[Played], summary: Summary, *, width: int) -> Iterator[str]:
    """Yield the lines of the report, at most `width` columns wide (30 at least); every text in them is safe to show."""
    width = max(width, _NARROWEST)
    if played:
        yield from _lines(_table(played, width), width)
    for one in played:
        if one.verdict is not Verdict.PASS:
            yield ""
            yield from _lines(_text(f"{one.verdict.sign} {one.verdict} {one_line(one.case.name)}"), width)
            for reason in _reasons(one):
                yield from _lines(_text(reason), width, indent=4)
    yield ""
    for name, value in _figures(summary):
        yield from _lines(_text(f"{name:<12} {value}"), width)
    yield summary.line()


def _table(played: Sequence[Played], width: int) -> RenderableType:
    from rich.table import Table

    columns = ["steps", "calls"]
    columns += ["model", "tools"] if width >= _WITH_TIMES else []
    columns += ["tokens", "unsupported"] if width >= _WITH_TOKENS else []
    table = Table("", "case", box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="none")
    table.columns[0].no_wrap = True
    table.columns[1].overflow = "fold"
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for one in played:
        cells = _cells(one)
        verdict = _text(f"{one.verdict.sign} {one.verdict}")
        table.add_row(verdict, _text(one_line(one.case.name)), *(_text(cells[name]) for name in columns))
    return table


def _cells(one: Played) -> dict[str, str]:
    """Return the figures of the last attempt at a case, all its turns together."""
    runs = runs_of(one.attempts[-1:])
    usage = total_usage(run.result.usage for run in runs)
    return {
        "steps": str(sum(run.steps for run in runs)),
        "calls": str(sum(len(run.result.steps) for run in runs)),
        "model": duration(sum(time for run in runs for time in run.model_ms)),
        "tools": duration(sum(time for run in runs for time in run.tool_ms)),
        "tokens": f"{usage.prompt_tokens + usage.completion_tokens:,}" if usage else _NOT_SAID,
        "unsupported": str(sum(len(run.unsupported) + len(run.unsupported_drafts) for run in runs)),
    }


def _reasons(one: Played) -> Iterator[str]:
    """Yield why attempts failed; reasons that came several times are said once."""
    turns = len(one.case.conversation)
    said = Counter(in_words(failure, turns=turns) for attempt in one.attempts for failure in attempt.failures)
    tries = len(one.attempts)
    for reason, times in said.items():
        yield reason if tries == 1 else f"{reason} ({times} of {tries} times)"


def in_words(failure: Failure, *, turns: int) -> str:
    """Say what failed, with its turn where there are several."""
    where = f"turn {failure.turn}, " if turns > 1 and failure.turn else ""
    return one_line(f"{where}{failure}")


def _figures(summary: Summary) -> Iterator[tuple[str, str]]:
    yield "model time", _times(summary.model, "a step")
    yield "tool time", _times(summary.tool, "a call")
    yield "tokens", _tokens(summary)
    drafts = f", {summary.unsupported_drafts} in drafts that were not shown" if summary.unsupported_drafts else ""
    yield "unsupported", f"{plural(summary.unsupported, 'fact')} in answers{drafts}"
    if summary.not_played:
        yield "not played", f"{plural(summary.not_played, 'case')}, because of the interrupt"


def _times(times: Times | None, of: str) -> str:
    return f"p50 {duration(times.p50)} · p95 {duration(times.p95)} {of}" if times else _NOT_SAID


def _tokens(summary: Summary) -> str:
    if summary.usage is None:
        return _NOT_SAID
    said = f"{summary.usage.prompt_tokens:,} read, {summary.usage.completion_tokens:,} written"
    every = summary.counted == summary.runs
    return said if every else f"{said}, in {summary.counted} of {plural(summary.runs, 'run')}; {_NOT_SAID} in the rest"


def _text(text: str) -> RenderableType:
    from rich.text import Text

    return Text(text)


def _lines(shown: RenderableType, width: int, *, indent: int = 0) -> Iterator[str]:
    """Lay something out by the cells that its characters take, without any colour."""
    from rich.padding import Padding

    console = _console(width)
    console.print(Padding(shown, (0, 0, 0, indent)) if indent else shown)
    assert isinstance(console.file, StringIO)
    yield from (line.rstrip() for line in console.file.getvalue().splitlines())


def _console(width: int) -> Console:
    from rich.console import Console

    return Console(
        file=StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False, highlight=False
    )
