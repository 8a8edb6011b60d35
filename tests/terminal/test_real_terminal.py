from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

if sys.platform == "win32":
    pytest.skip("a pseudo-terminal of this kind is not there on Windows", allow_module_level=True)

import fcntl
import pty
import struct
import termios

ROWS, COLUMNS, PATIENCE = 36, 120, 60.0
QUESTION = "How many days until the next USC AI Club meeting?"
MODES_SET_AND_RESET = ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h"), (b"\x1b[?1000h", b"\x1b[?1000l"))


class Terminal:
    """The program in a pseudo-terminal, and what a person would see on it."""

    def __init__(self, *arguments: str) -> None:
        self.output = b""
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        self.fd, self.tty = pty.openpty()
        fcntl.ioctl(self.tty, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.modes = termios.tcgetattr(self.tty)
        self.program = subprocess.Popen(
            [str(Path(sys.executable).parent / "campus-agent"), *arguments],
            stdin=self.tty,
            stdout=self.tty,
            stderr=self.tty,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "CAMPUS_AGENT_NOW": "2026-06-13T10:00:00-07:00"},
        )

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def type(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def read(self, *, wait: float) -> bool:
        if not select.select([self.fd], [], [], wait)[0]:
            return False
        data = os.read(self.fd, 65536)
        self.output += data
        self._stream.feed(data)
        return True

    def until(self, holds: Callable[[str], bool]) -> str:
        deadline = time.monotonic() + PATIENCE
        while not holds(self.text):
            self.read(wait=0.2)
            assert self.program.poll() is None, f"the program ended early:\n{self.text}"
            assert time.monotonic() < deadline, f"what the test waits for did not come:\n{self.text}"
        return self.text

    def ended(self) -> int:
        """Read on until the program has ended, and return its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self.program.poll() is None:
            self.read(wait=0.05)
            assert time.monotonic() < deadline, f"the program did not end:\n{self.text}"
        while self.read(wait=0):
            pass
        return self.program.returncode

    def close(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        os.close(self.fd)
        os.close(self.tty)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.close()


@pytest.mark.parametrize(
    "keys", ["\x1b\r", "\n", "\x1b[13;2u", "\x1b[13;3u"], ids=["alt", "ctrl-j", "shift", "alt-kitty"]
)
def test_every_key_for_a_new_line_makes_one_and_sends_nothing(terminal: Terminal, keys: str):
    terminal.until(lambda text: "offline model" in text)
    terminal.type(f"first{keys}second")
    text = terminal.until(lambda text: "second" in text)
    assert text.index("❯ first") < text.index("second")
    assert "Your own campus" in text  # the start screen is still there: nothing was asked
    terminal.type("\x11")
    assert terminal.ended() == 0


def test_the_installed_program_answers_in_a_real_terminal_and_leaves_it_as_it_was(terminal: Terminal):
    terminal.until(lambda text: "offline model" in text)
    terminal.type(f"{QUESTION}\r")
    text = terminal.until(lambda text: "answered in" in text and "grounded" in text)
    assert "search_campus_info" in text
    assert "days_until_weekday" in text
    assert "June 18" in text
    terminal.type("\x11")
    assert terminal.ended() == 0
    assert_left_as_it_was(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_to_end_leaves_the_terminal_as_it_was(terminal: Terminal, number: signal.Signals):
    terminal.until(lambda text: "offline model" in text)
    terminal.program.send_signal(number)
    assert terminal.ended() == 128 + number
    assert_left_as_it_was(terminal)


def assert_left_as_it_was(terminal: Terminal) -> None:
    for set_mode, reset_mode in MODES_SET_AND_RESET:
        assert terminal.output.rfind(reset_mode) > terminal.output.rfind(set_mode) >= 0
    assert termios.tcgetattr(terminal.tty) == terminal.modes
    assert b"Traceback" not in terminal.output
