"""The checks of what is around the model: the clock, the knowledge base, the terminal."""

from __future__ import annotations

import asyncio
import codecs
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from campus_agent.cli.opening import cannot_draw
from campus_agent.doctor.check import Check, Status
from campus_agent.errors import CampusAgentError, KnowledgeError
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.semantic.setting import Unavailable, embedder_of
from campus_agent.layers import base_paths
from campus_agent.settings import Settings
from campus_agent.text import one_line
from campus_agent.tools.clock import CampusClock, written

_WITHOUT = "Until then words alone are searched; --semantic off is that on purpose."

SMALLEST = (60, 20)
"""The columns and rows that the app needs to show everything."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where the output goes.

    Attributes:
        interactive: whether it is a terminal at all.
        columns: its width in cells.
        rows: its height in cells.
        encoding: how characters are written to it.
        kind: what TERM says of it; None on a system where terminals have no such name.
        colours: what it can show, such as "256 colours".
    """

    interactive: bool
    columns: int
    rows: int
    encoding: str
    kind: str | None
    colours: str

    @classmethod
    def here(cls, environ: Mapping[str, str]) -> Terminal:
        """Describe the standard output of this process."""
        size = shutil.get_terminal_size()
        kind = None if os.name == "nt" else environ.get("TERM", "")
        return cls(
            interactive=bool(sys.stdout and sys.stdout.isatty()),
            columns=size.columns,
            rows=size.lines,
            encoding=getattr(sys.stdout, "encoding", None) or "unknown",
            kind=kind,
            colours=_colours(kind, environ),
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the checks of this module look at: the settings, the terminal, and where keys come from."""

    settings: Settings
    terminal: Terminal
    environ: Mapping[str, str] = field(default_factory=dict)


async def check_clock(around: Surroundings) -> Check:
    """Say what time it is on campus, and whether that is the real time."""
    name, settings = "clock", around.settings
    moment = written(CampusClock(settings.zone, settings.now).now())
    found = f"{moment}, {settings.timezone}, {_zone_data()}"
    if settings.now is None:
        return Check(name, Status.OK, found)
    advice = "For the real time, take away --now, CAMPUS_AGENT_NOW or `now` in the configuration file."
    return Check(name, Status.WARNING, f"stands still at {found}", advice)


async def check_knowledge_base(around: Surroundings) -> Check:
    """Read the knowledge base, and count what is in it."""
    name, settings = "knowledge base", around.settings
    now = CampusClock(settings.zone, settings.now).now()
    load = partial(KnowledgeBase.load, base_paths(settings.kb), language=settings.language, now=now)
    try:
        base = await asyncio.to_thread(load)
    except KnowledgeError as error:
        return Check.failed(name, error)
    found = f"{base.name}: {_count(len(base.passages), 'passage')} from {_count(base.documents, 'document')}"
    if not base.problems:
        return Check(name, Status.OK, one_line(found))
    found = f"{found}; {_count(len(base.problems), 'problem')}, such as {base.problems[0]}"
    return Check(name, Status.WARNING, one_line(found, 500), "`campus-agent kb check` names everything that is wrong.")


async def check_semantic(around: Surroundings) -> Check:
    """Make the vector of a question, where the settings ask for a search by meaning."""
    name, settings = "semantic", around.settings
    try:
        embedder = embedder_of(settings, around.environ)
        if embedder is None:
            return Check(name, Status.NOT_APPLICABLE, "off: words alone are searched")
        (vector,) = await asyncio.to_thread(embedder.embed, ["When does the library open?"], "query")
    except Unavailable as why:
        return Check(name, Status.FAILED, one_line(f"{one_line(settings.semantic, 80)}: {why}", 500), _WITHOUT)
    except CampusAgentError as error:
        return Check.failed(name, error)
    return Check(name, Status.OK, one_line(f"{embedder.name}: a text gives {len(vector)} numbers", 500))


async def check_terminal(around: Surroundings) -> Check:
    """Say whether the app can be drawn on this terminal, and how well."""
    name, terminal = "terminal", around.terminal
    if not terminal.interactive:
        return Check(name, Status.NOT_APPLICABLE, "the output goes elsewhere; the app needs a terminal")
    seen = (f"{terminal.columns}x{terminal.rows}", terminal.colours, terminal.encoding, terminal.kind)
    found = one_line(", ".join(part for part in seen if part))
    advice = _advice(terminal)
    return Check(name, Status.WARNING if advice else Status.OK, found, advice)


def _advice(terminal: Terminal) -> str:
    """Return the first thing that would make the app show better, "" for nothing."""
    columns, rows = SMALLEST
    if terminal.kind == "" or cannot_draw(terminal.kind):
        return "TERM says that nothing can be drawn here: use `campus-agent --plain`, or set TERM=xterm-256color."
    if not _is_utf8(terminal.encoding):
        return "Characters will be missing: set PYTHONUTF8=1, or a UTF-8 locale such as LANG=C.UTF-8."
    if terminal.columns < columns or terminal.rows < rows:
        return f"Make the window at least {columns}x{rows}."
    return ""


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


def _colours(kind: str | None, environ: Mapping[str, str]) -> str:
    """Say how many colours there are, as terminals themselves announce it."""
    if environ.get("NO_COLOR"):
        return "no colours (NO_COLOR)"
    if kind is None or environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "16 million colours"
    return "256 colours" if "256" in kind else "16 colours"


def _zone_data() -> str:
    try:
        return f"tzdata {version('tzdata')}"
    except PackageNotFoundError:
        return "time zones of the system"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
