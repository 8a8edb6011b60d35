"""How long the command line takes to say something, and the app to paint its first frame.

Run: python benchmarks/startup.py [ROUNDS]

A command is compared with a script that defines one pydantic model, the app with a blank Textual app, the mark of which
is 1.5 times. Each is a process of its own; the rounds are interleaved, so that a busy machine slows all of them alike.
The figures are the medians of the rounds, in milliseconds: the time that went by, and the time of the processor (of the
process and its threads), which other programs disturb less; and the ratio of each to its baseline. What paints runs in
a terminal of 120 columns and 36 lines, and is ended as soon as what is last in its first frame has arrived.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from dataclasses import dataclass

MODEL = "from pydantic import BaseModel\nclass One(BaseModel):\n    a: int = 1\n"
BLANK = """
from textual.app import App
from textual.widgets import Static
class Blank(App):
    def compose(self):
        yield Static('ready-mark')
Blank().run()
"""
_PATIENCE = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Start:
    """A start that is measured: what Python is given, and the mark that ends it, "" when it ends by itself."""

    name: str
    arguments: tuple[str, ...]
    mark: str = ""


GROUPS = (
    (
        Start("one pydantic model", ("-c", MODEL)),
        Start("campus-agent --version", ("-m", "campus_agent", "--version")),
        Start("campus-agent --help", ("-m", "campus_agent", "--help")),
        Start("campus-agent config show", ("-m", "campus_agent", "config", "show")),
        Start("campus-agent kb check", ("-m", "campus_agent", "kb", "check")),
    ),
    (
        Start("a blank Textual app", ("-c", BLANK), "ready-mark"),
        Start("campus-agent", ("-m", "campus_agent"), "❯"),
        Start("campus-agent --provider ...", ("-m", "campus_agent", "--provider", "offline"), "❯"),
        Start("campus-agent --step", ("-m", "campus_agent", "--step"), "❯"),
        Start("campus-agent -c", ("-m", "campus_agent", "-c"), "❯"),
    ),
)
"""The first of each group is its baseline."""


def main() -> None:
    """Measure and print a line a start."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    starts = [start for group in GROUPS for start in group]
    with tempfile.TemporaryDirectory() as home:
        taken: dict[Start, list[tuple[float, float]]] = {start: [] for start in starts}
        for _ in range(rounds):
            for start in starts:
                taken[start].append(measured(start, home))
    for group in GROUPS:
        baseline = [statistics.median(times) for times in zip(*taken[group[0]], strict=True)]
        for start in group:
            passed, used = (statistics.median(times) for times in zip(*taken[start], strict=True))
            print(
                f"{start.name:<28} {passed:7.1f} ms {passed / baseline[0]:5.2f} times   "
                f"processor {used:7.1f} ms {used / baseline[1]:5.2f} times"
            )
        print()


def measured(start: Start, home: str) -> tuple[float, float]:
    """Return the milliseconds that went by until the start was over, and those of the processor."""
    began = time.perf_counter()
    program, terminal = pty.fork()
    if program == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        os.environ.update(TERM="xterm-256color", HOME=home, XDG_CONFIG_HOME=home, XDG_STATE_HOME=home)
        os.execv(sys.executable, [sys.executable, *start.arguments])
    arrived = _until(terminal, start.mark.encode())
    passed = (time.perf_counter() - began) * 1000
    if start.mark:
        os.kill(program, signal.SIGKILL)
    _, status, used = os.wait4(program, 0)
    os.close(terminal)
    if not arrived or (status and not start.mark):
        raise SystemExit(f"{start.name} did not come to its end")
    return passed, (used.ru_utime + used.ru_stime) * 1000


def _until(terminal: int, mark: bytes) -> bool:
    """Read until the mark is there, or with none until the program has ended; return whether that came in time."""
    written, end = b"", time.perf_counter() + _PATIENCE
    while not mark or mark not in written:
        if not select.select([terminal], [], [], max(0.0, end - time.perf_counter()))[0]:
            return False
        try:
            written += os.read(terminal, 65536)
        except OSError:  # so Linux says that the program has ended
            return not mark
    return True


if __name__ == "__main__":
    main()
