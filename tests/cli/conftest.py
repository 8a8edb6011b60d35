"""Runs the command line in this process, against an agent that plays given runs."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from played import Ending, Played

from campus_agent.cli.entry import run


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(autouse=True)
def terminal_that_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whatever is a terminal in a test be one on which the app can be drawn."""
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Played]:
    """Let every assistant of the test be one that plays these endings."""

    def play(*endings: Ending, questions: tuple[str, ...] = (), problems: tuple[str, ...] = ()) -> Played:
        from campus_agent import assemble

        agent = Played(*endings)
        about = assemble.About("a played model", "test base, 1 passage", questions, problems)
        monkeypatch.setattr(assemble, "assemble", lambda settings: assemble.Assistant(agent, about))
        return agent

    return play


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run the command line with these arguments and this standard input."""

    def call(*arguments: str, stdin: str | io.StringIO = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin) if isinstance(stdin, str) else stdin)
        before = signal.getsignal(signal.SIGINT)
        try:
            status = run(arguments)
        finally:
            signal.signal(signal.SIGINT, before)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return call
