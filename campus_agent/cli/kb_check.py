"""`campus-agent kb check`: what was read of a base, what was not and why, and what could be better."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.kb_reading import ReadingBar, place_of, read_base, somebody_looks
from campus_agent.cli.output import as_json, result
from campus_agent.layers import base_paths
from campus_agent.text import one_line, plural

if TYPE_CHECKING:
    from campus_agent.knowledge.base import KnowledgeBase, Problem
    from campus_agent.knowledge.campus_file import CampusFile
    from campus_agent.knowledge.checking import Advice, Findings, Tried
    from campus_agent.settings import Settings

_MOST_LISTED = 20  # documents, and problems for one reason
_MOST_ADVICE = 5  # of a kind


@click.command(cls=Command)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def check(context: click.Context, paths: tuple[str, ...], one_object: bool) -> int:
    """Read the base at PATHS, name everything in it that cannot be used, and say what could be better.

    Without PATHS the base of the settings is read. Exit status 1 when there is a problem (✕); advice (!) is none.
    """
    settings = loaded(context, kb=paths).settings if paths else loaded(context).settings
    base = read_base(settings)

    from campus_agent.knowledge.campus_file import read_campus_file
    from campus_agent.knowledge.checking import check as look_over

    campus = read_campus_file(base_paths(settings.kb))
    with ReadingBar("looking over", shown=somebody_looks()) as bar:
        advice = tuple(_of_others(settings, campus))
        findings = look_over(base, campus.questions, advice=advice, progress=bar.told)
    in_force = {name: getattr(settings, name) for name in ("refusal", "timezone", "language", "topics")}
    values = {**in_force, "questions": campus.questions, "synonyms": campus.synonyms}
    if one_object:
        as_json(_report(base, findings, values))
    else:
        _print(base, findings, values)
    return 1 if base.problems else 0


def _of_others(settings: Settings, campus: CampusFile) -> Iterator[Advice]:
    """Advise on what a base that is not the one of the program takes over from that."""
    from campus_agent.knowledge.bundled import bundled_base
    from campus_agent.knowledge.checking import Advice
    from campus_agent.knowledge.folder import CAMPUS_FILE

    defaults = {name: type(settings).model_fields[name].default for name in ("refusal", "timezone")}
    if all(Path(path).resolve() == bundled_base().resolve() for path in base_paths(settings.kb)):
        return
    if campus.refusal is None and settings.refusal == defaults["refusal"]:
        text = f"what is not there is refused with “{settings.refusal}”; write a refusal of your own into this file"
        yield Advice("settings", CAMPUS_FILE, None, text)
    if campus.timezone is None and settings.timezone == defaults["timezone"]:
        text = f"what is open now is told by the time in {settings.timezone}; write your timezone into this file"
        yield Advice("settings", CAMPUS_FILE, None, text)


def _report(base: KnowledgeBase, findings: Findings, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": base.name,
        "documents": len(findings.read),
        "passages": len(base.passages),
        "language": base.language,
        "settings": values,
        "problems": [{"source": one.source, "line": one.line, "reason": one.reason} for one in base.problems],
        **findings.as_json(),
    }


def _print(base: KnowledgeBase, findings: Findings, values: dict[str, Any]) -> None:
    result(one_line(base.name))
    for name, value in (*_of_reading(base, findings), *_of_settings(base, values), *_of_questions(findings)):
        result(f"  {name:<9}  {one_line(value)}")
    for line in _problems(base.problems):
        result(f"✕ {one_line(line)}")
    for line in _advice(findings):
        result(f"! {one_line(line)}")
    if not base.problems:
        result("✓ everything in it can be used")


def _of_reading(base: KnowledgeBase, findings: Findings) -> Iterator[tuple[str, str]]:
    yield "documents", f"{len(findings.read):,} ({_counted(findings.kinds)})"
    yield "passages", f"{len(base.passages):,}"
    for source, passages in islice(findings.read.items(), _MOST_LISTED):
        yield "read", f"{source}, {plural(passages, 'passage')}"
    if len(findings.read) > _MOST_LISTED:
        yield "read", f"and {len(findings.read) - _MOST_LISTED:,} more"
    for passage in findings.repeated[:_MOST_ADVICE]:
        yield "repeated", f"{place_of(passage)} is also in {', '.join(passage.also)}; it is kept once"
    if len(findings.repeated) > _MOST_ADVICE:
        yield "repeated", f"and {len(findings.repeated) - _MOST_ADVICE:,} more"


def _of_settings(base: KnowledgeBase, values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("refusal", "timezone"):
        yield name, str(values[name])
    found = f" ({base.language})" if values["language"] != base.language else ""
    yield "language", f"{values['language']}{found}"
    for topic in values["topics"]:
        yield "topics", topic
    for word, others in values["synonyms"].items():
        yield "synonyms", f"{word}: {', '.join(others)}"


def _of_questions(findings: Findings) -> Iterator[tuple[str, str]]:
    for tried in findings.questions:
        yield "questions", f"{tried.question} → {_finding(tried)}"
    of, found = findings.titles
    if of:
        yield "titles", f"{of} asked about, {found} found"


def _finding(tried: Tried) -> str:
    if tried.passage is None:
        return "nothing is found, so it will be refused"
    return f"{'perhaps ' if tried.confidence == 'low' else ''}{place_of(tried.passage)}"


def _problems(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield a line for each problem, but only so many for one reason: a folder may hold ten thousand pictures."""
    by_reason: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        by_reason[problem.reason].append(problem)
    for reason, same in by_reason.items():
        yield from map(str, same[:_MOST_LISTED])
        if len(same) > _MOST_LISTED:
            yield f"and {len(same) - _MOST_LISTED:,} more: {reason}"


def _advice(findings: Findings) -> Iterator[str]:
    by_kind: dict[str, list[str]] = defaultdict(list)
    for advice in findings.advice:
        by_kind[advice.kind].append(str(advice))
    for lines in by_kind.values():
        yield from lines[:_MOST_ADVICE]
        if len(lines) > _MOST_ADVICE:
            yield f"and {len(lines) - _MOST_ADVICE:,} more of this kind; --json lists them all"


def _counted(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
