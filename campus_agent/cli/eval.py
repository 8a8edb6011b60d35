"""`campus-agent eval`: golden cases, played against the model of the settings, and the report."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.kb_reading import read_base
from campus_agent.cli.output import as_json, aside, result
from campus_agent.cli.printer import introduce
from campus_agent.errors import KnowledgeError, SettingsError
from campus_agent.text import one_line, plural

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from campus_agent.evaluation.case import Case, Suite
    from campus_agent.evaluation.planning import Plan
    from campus_agent.evaluation.playing import Evaluation, Played
    from campus_agent.evaluation.summary import Summary
    from campus_agent.settings import Settings

_EXAMPLES = ("workshop", "grounded")
_NOTHING_NAMED = """Name a suite of golden cases to play.

  campus-agent eval --example workshop   the five cases of the workshop
  campus-agent eval --example grounded   five questions whose answers have to be grounded
  campus-agent eval init --kb PATH       write a first suite for your own campus: eval.toml
  campus-agent eval FILE...              play your own; docs/evaluation.md says how to write one"""
_OFFLINE = {"provider": "offline", "model": None, "base_url": None, "guardrail": "strict"}
_PIPED = (120, 24)  # columns, with room for every figure, and lines, where there is no terminal
_MOST_TRIED, _MOST_KEPT = 40, 8  # cases of a first suite


class _WithInit(Command):
    """The command, whose first word may be `init` instead of a file."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's own
    ) -> click.Context:
        """Make the context of `eval`, or that of `eval init`."""
        if args[:1] == ["init"]:
            return init.make_context(f"{info_name} init", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command("eval", cls=_WithInit)
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--example", "examples", multiple=True, type=click.Choice(_EXAMPLES), help="Play a shipped suite.")
@click.option("--jobs", default=4, show_default=True, type=click.IntRange(1, 64), help="Cases played at one time.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    help="Play every case so often.  [default: once, and a failed one once more]",
)
@click.option("--strict", is_flag=True, help="Let a flaky case count as a failure.")
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit report; an earlier one is replaced."
)
@click.pass_context
def evaluate(
    context: click.Context,
    files: tuple[str, ...],
    examples: tuple[str, ...],
    jobs: int,
    repeat: int | None,
    strict: bool,
    one_object: bool,
    junit: Path | None,
) -> int:
    """Play the golden cases in FILES (TOML or YAML) and report PASS, FLAKY or FAIL.

    A case is a question, or a conversation, and what has to come of it: the outcome, facts, tools, sources. Exit status
    1 when a case failed, 2 when a suite is not right: then nothing is asked.

    `campus-agent eval init [--kb PATH] [FILE]` writes a first suite from a knowledge base.
    """
    if not files and not examples:
        raise click.UsageError(_NOTHING_NAMED)

    from campus_agent.evaluation import junit as xml
    from campus_agent.evaluation.suite import read_example, read_suites

    suites = (*read_suites(files), *map(read_example, dict.fromkeys(examples)))
    if junit:
        xml.check_place(junit)
    plan = _planned(context, suites)
    if not one_object:
        for about in plan.assistants:
            introduce(about, aside)
    began = perf_counter()
    played, interrupted = _play(plan, jobs=jobs, repeat=repeat)
    summary = _report(plan, played, perf_counter() - began, interrupted=interrupted, one_object=one_object)
    if junit:
        xml.write(junit, played, plan.cases, strict=strict)
        aside(f"JUnit report: {one_line(str(junit))}")
    if interrupted:
        return 130
    return 1 if summary.failed or (strict and summary.flaky) else 0


@click.command(cls=Command)
@click.argument("file", default="eval.toml", type=click.Path(path_type=Path))
@click.pass_context
def init(context: click.Context, file: Path) -> int:
    """Write a first suite for the base of the settings to FILE, by default eval.toml.

    Questions are made from titles and passages, with the facts that stand there as what is expected, and one that the
    base cannot answer. Those that the offline model answers as expected are kept. A file that is there is never
    overwritten.
    """
    if file.exists():
        raise _taken(file)

    from campus_agent.tools import clock

    settings = loaded(context).settings
    now = settings.now or clock.real_time().astimezone(settings.zone).replace(second=0, microsecond=0)
    cases, name = _first_cases(settings.model_copy(update={"now": now, **_OFFLINE}))
    if not cases:
        raise KnowledgeError(
            "No question could be made of this knowledge base.",
            "Its passages have no titles, or no days, times, rooms or names in them.",
            "Write the cases by hand; docs/evaluation.md shows how.",
        )

    from campus_agent.evaluation.starter import write_suite

    text = write_suite(cases, name=name, file=str(file), kb=_from(file.parent, settings.kb), now=now)
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise _taken(file) from None
    result(f"Wrote {one_line(str(file))}: {plural(len(cases), 'case')}.")
    result(f"Play it: campus-agent eval {one_line(str(file))}")
    return 0


# ---- playing -------------------------------------------------------------------------------------------------------


def _planned(context: click.Context, suites: Sequence[Suite]) -> Plan:
    from campus_agent.evaluation.planning import plan

    return plan(suites, partial(loaded, context))


def _play(plan: Plan, *, jobs: int, repeat: int | None) -> tuple[Sequence[Played], bool]:
    """Play the cases with a bar on the terminal; return what was played, and whether Ctrl+C ended it."""
    import asyncio

    from campus_agent.evaluation.playing import Evaluation

    with _bar(len(plan.cases), "eval") as bar:
        evaluation = Evaluation(plan.cases, jobs=jobs, repeat=repeat, done=lambda _: bar.update(1))
        return asyncio.run(_until_interrupted(evaluation)), evaluation.interrupted


def _bar(length: int, label: str) -> ProgressBar[int]:
    """Return a bar on standard error, which only a terminal shows."""
    on_terminal = bool(sys.stderr) and sys.stderr.isatty()
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=not on_terminal)


async def _until_interrupted(evaluation: Evaluation) -> Sequence[Played]:
    """Play; the first Ctrl+C cancels what is under way, a second one ends the program at once."""
    import asyncio

    from campus_agent.daemon_threads import DaemonThreads

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        evaluation.cancel()

    asyncio.get_running_loop().set_default_executor(DaemonThreads())
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        return await evaluation.play()
    finally:
        signal.signal(signal.SIGINT, before)


def _report(plan: Plan, played: Sequence[Played], seconds: float, *, interrupted: bool, one_object: bool) -> Summary:
    from campus_agent.evaluation.summary import Summary, as_object
    from campus_agent.evaluation.table import report

    summary = Summary.of(played, of=len(plan.cases), seconds=seconds)
    if one_object:
        about = {"model": plan.model, "provider": plan.provider}
        as_json({**about, **as_object(played, summary, interrupted=interrupted)})
    else:
        for line in report(played, summary, width=shutil.get_terminal_size(_PIPED).columns):
            result(line)
    return summary


# ---- a first suite -------------------------------------------------------------------------------------------------


def _first_cases(settings: Settings) -> tuple[list[Case], str]:
    """Draft cases for the base and keep those that the offline model answers as expected; return them and its name."""
    import asyncio

    from campus_agent.assemble import assemble
    from campus_agent.evaluation.playing import Evaluation, Planned, Verdict
    from campus_agent.evaluation.starter import draft_cases, refusal_case

    base = read_base(settings)
    agent = assemble(settings).agent  # one for all: they are asked one after the other
    drafts = islice(draft_cases(base), _MOST_TRIED)
    refused = refusal_case(base)
    planned = [Planned("", case, settings) for case in (*drafts, *((refused,) if refused else ()))]
    with _bar(len(planned), "trying") as bar:
        evaluation = Evaluation(planned, make=lambda _: agent, jobs=1, repeat=1, done=lambda _: bar.update(1))
        played = asyncio.run(evaluation.play())
    good = [one.case for one in played if one.verdict is Verdict.PASS]
    answered = [case for case in good if case is not refused][:_MOST_KEPT]
    last = [case for case in good if case is refused and answered]
    return [*answered, *last], base.name


def _from(folder: Path, kb: Sequence[str]) -> tuple[str, ...]:
    """Write the paths of a base as they are seen from a folder, where there is a way between the two."""
    return tuple(_relative(place, folder) for place in kb)


def _relative(place: str, folder: Path) -> str:
    if "://" in place:
        return place
    try:
        return Path(os.path.relpath(place, folder)).as_posix()
    except ValueError:  # on another drive
        return str(Path(place).absolute())


def _taken(file: Path) -> SettingsError:
    return SettingsError(
        f"{one_line(str(file), 200)} is there already, and is not overwritten.",
        next="Name another file: campus-agent eval init FILE.",
    )
