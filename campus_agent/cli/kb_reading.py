"""Reads the base of the settings for the `kb` commands, with a bar where that takes long."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from time import perf_counter
from typing import TYPE_CHECKING

import click

from campus_agent.layers import base_paths
from campus_agent.text import one_line
from campus_agent.tools.clock import CampusClock

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from campus_agent.knowledge.base import KnowledgeBase
    from campus_agent.knowledge.passage import Passage
    from campus_agent.settings import Settings

_SOON = 0.5  # seconds, within which most bases are read


def read_base(settings: Settings) -> KnowledgeBase:
    """Read the base that the settings name, as the assistant would; raises `KnowledgeError`."""
    from campus_agent.knowledge.base import KnowledgeBase

    now = campus_clock(settings).now()
    with ReadingBar(shown=somebody_looks()) as bar:
        return KnowledgeBase.load(base_paths(settings.kb), language=settings.language, now=now, progress=bar.told)


def somebody_looks() -> bool:
    """Return whether standard error is a terminal, on which a bar can be drawn."""
    return bool(sys.stderr) and sys.stderr.isatty()


def campus_clock(settings: Settings) -> CampusClock:
    """Return the clock on campus."""
    return CampusClock(settings.zone, settings.now)


def place_of(passage: Passage) -> str:
    """Name a passage and where it is, on one line: "Clubs › AI Club (clubs.md, line 3)"."""
    return one_line(f"{passage.title} ({passage.place})")


class ReadingBar:
    """A bar on standard error for the documents or passages of a base, drawn once half a second has gone by.

    Args:
        doing: what stands before it.
        shown: whether to draw it at all, which only a terminal has a use for.
    """

    def __init__(self, doing: str = "reading", *, shown: bool) -> None:
        self._doing = doing
        self._shown = shown
        self._began = perf_counter()
        self._stack = ExitStack()
        self._bar: ProgressBar[str] | None = None

    def __enter__(self) -> ReadingBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def told(self, done: int, of: int, source: str) -> None:
        """Take up that `done` documents of `of` are read, and that `source` is next."""
        if self._bar is None and self._shown and perf_counter() - self._began >= _SOON:
            bar: ProgressBar[str] = click.progressbar(
                length=of, label=self._doing, file=sys.stderr, item_show_func=lambda name: one_line(name or "", 40)
            )
            self._bar = self._stack.enter_context(bar)
        if self._bar is not None:
            self._bar.update(done - self._bar.pos, source)
