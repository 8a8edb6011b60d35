"""What benchmarks/app.py measures from outside, of a program in a terminal of its own: first paint, and idle."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

BLANK = """
from textual.app import App
from textual.widgets import Static
class Blank(App):
    def compose(self):
        yield Static('ready-mark')
Blank().run()
"""
COMMANDS: dict[str, tuple[list[str], bytes]] = {  # and what is on the screen once it has painted
    "blank": ([sys.executable, "-c", BLANK], b"ready-mark"),
    "app": ([sys.executable, "-m", "campus_agent", "--provider", "offline"], "❯".encode()),
}


class Terminal:
    """A program in a terminal of 120 columns and 36 lines."""

    def __init__(self, command: list[str], home: str) -> None:
        """Start the program."""
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "HOME": home, "XDG_CONFIG_HOME": home}
        self.program = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, env=environment
        )
        os.close(theirs)

    def read_until(self, mark: bytes, seconds: float = 30.0) -> bool:
        """Read what is painted until the mark is there; return whether it came in time."""
        painted, end = b"", time.perf_counter() + seconds
        while mark not in painted and time.perf_counter() < end:
            if select.select([self._ours], [], [], 0.1)[0]:
                painted += os.read(self._ours, 65536)
        return mark in painted

    def read_for(self, seconds: float) -> int:
        """Read for some seconds; return how many bytes were painted."""
        painted, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            if select.select([self._ours], [], [], 0.1)[0]:
                painted += len(os.read(self._ours, 65536))
        return painted

    def type(self, keys: bytes) -> None:
        """Type."""
        os.write(self._ours, keys)

    def cpu(self) -> float:
        """Return the CPU milliseconds that the program has used."""
        fields = Path(f"/proc/{self.program.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the program."""
        self.program.kill()
        self.program.wait()
        os.close(self._ours)


@contextmanager
def _terminal(name: str) -> Generator[Terminal]:
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(COMMANDS[name][0], home)
        try:
            yield terminal
        finally:
            terminal.close()


def paint(rounds: int) -> dict[str, float]:
    """Return the milliseconds until the first paint of the app and of a blank one, and the CPU, medians of rounds."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    used: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, (_, mark) in COMMANDS.items():
            began = time.perf_counter()
            with _terminal(name) as terminal:
                if not terminal.read_until(mark):
                    raise SystemExit(f"{name} did not paint")
                times[name].append(1000 * (time.perf_counter() - began))
                used[name].append(terminal.cpu())
    return {
        "value": statistics.median(times["app"]),
        "baseline": statistics.median(times["blank"]),
        "cpu": statistics.median(used["app"]),
        "cpu_baseline": statistics.median(used["blank"]),
    }


def idle(seconds: int) -> dict[str, float]:
    """Return the CPU milliseconds and the painted bytes of the app after an answer, and the CPU of a blank app."""
    with _terminal("blank") as blank:
        blank.read_until(COMMANDS["blank"][1])
        blank.read_for(3)
        baseline, _ = _while_idle(blank, seconds)
    with _terminal("app") as app:
        app.read_until(b"passages")
        app.read_for(2)
        app.type(b"When does the USC AI Club meet?\r")
        app.read_until(b"grounded")
        app.read_for(7)  # the cursor blinks for some seconds after a key
        used, painted = _while_idle(app, seconds)
    return {"value": used, "baseline": baseline, "painted": painted}


def _while_idle(terminal: Terminal, seconds: int) -> tuple[float, int]:
    before = terminal.cpu()
    painted = terminal.read_for(seconds)
    return terminal.cpu() - before, painted


PARTS: dict[str, Callable[[int], dict[str, float]]] = {"paint": paint, "idle": idle}
