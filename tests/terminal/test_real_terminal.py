from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
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
SATURDAY = "2026-06-13T10:00:00-07:00"
F8 = "\x1b[19~"
QUESTION = "How many days until the next USC AI Club meeting?"
MODES_SET_AND_RESET = ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h"), (b"\x1b[?1000h", b"\x1b[?1000l"))


class Terminal:
    """The program in a pseudo-terminal, and what a person would see on it."""

    def __init__(
        self,
        *arguments: str,
        before: str = "",
        errors: int | None = None,
        hangs_up: bool = True,
        **environment: str,
    ) -> None:
        self.output = b""
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        self.fd, self.tty = pty.openpty()
        fcntl.ioctl(self.tty, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._stream.feed(before.encode())
        self.modes = termios.tcgetattr(self.tty)
        self.program = subprocess.Popen(
            [str(Path(sys.executable).parent / "campus-agent"), *arguments],
            stdin=self.tty,
            stdout=self.tty,
            stderr=self.tty if errors is None else errors,
            start_new_session=True,
            # Its own terminal, as in a window, or one that goes away without a word.
            preexec_fn=partial(fcntl.ioctl, self.tty, termios.TIOCSCTTY, 0) if hangs_up else None,
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "CAMPUS_AGENT_NOW": "2026-06-13T10:00:00-07:00",
                **environment,
            },
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

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.tty, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def ended(self) -> int:
        """Read on until the program has ended, and return its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self.program.poll() is None:
            self.read(wait=0.05)
            assert time.monotonic() < deadline, f"the program did not end:\n{self.text}"
        while self.read(wait=0.2):
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_to_end_leaves_the_terminal_as_it_was(terminal: Terminal, number: signal.Signals):
    terminal.until(lambda text: "offline model" in text)
    terminal.program.send_signal(number)
    assert terminal.ended() == 128 + number
    assert_left_as_it_was(terminal)


def test_a_sitting_of_two_answers_a_run_that_is_stopped_a_smaller_window_and_an_end(terminal: Terminal):
    terminal.until(lambda text: "offline model" in text)
    terminal.type(f"{QUESTION}\r")
    text = terminal.until(lambda text: "answered in 3 steps" in text)
    assert "step ▰▰▰▱▱ 3/5" in text
    terminal.type("When does the USC AI Club meet?\r")
    terminal.until(lambda text: "answered in 2 steps" in text)
    terminal.type(F8)
    terminal.until(lambda text: "a run pauses before" in text)
    terminal.type("Is the USC GPU lab open right now?\r")
    terminal.until(lambda text: "paused" in text)
    terminal.type("\x1b")
    terminal.until(lambda text: "■ cancelled" in text)
    terminal.resize(60, 20)
    text = terminal.until(lambda text: "┬" not in text and "■ cancelled" in text and "^Q quit" in text)
    assert "❯ Is the USC GPU lab open right now?" in text  # the question came back, and no message covers it
    terminal.resize(20, 5)
    terminal.until(lambda text: "❯ " in (seen := corner(text, 20, 5)) and "^Q" not in seen)
    terminal.resize(COLUMNS, ROWS)
    terminal.until(lambda text: "┬" in text and "■ cancelled" in text)
    terminal.type("\x11")
    assert terminal.ended() == 0
    assert_left_as_it_was(terminal)


def test_a_window_made_small_and_large_again_in_one_moment_shows_all_that_it_had(terminal: Terminal):
    def is_whole(text: str) -> bool:
        return all(part in text for part in ("offline model", "┬", "grounded", "answered in 3 steps", "^Q quit"))

    terminal.until(lambda text: "offline model" in text)
    terminal.type(f"{QUESTION}\r")
    terminal.until(is_whole)
    terminal.program.send_signal(signal.SIGSTOP)  # so that it hears of both changes at once
    terminal.resize(20, 5)
    terminal.resize(COLUMNS, ROWS)
    assert not is_whole(terminal.text)
    terminal.program.send_signal(signal.SIGCONT)
    terminal.until(is_whole)


def test_ctrl_q_in_the_middle_of_a_run_asks_nothing_and_leaves_the_terminal_as_it_was(terminal: Terminal):
    terminal.until(lambda text: "offline model" in text)
    terminal.type(F8)
    terminal.until(lambda text: "a run pauses before" in text)
    terminal.type(f"{QUESTION}\r")
    terminal.until(lambda text: "paused" in text)
    terminal.type("\x11")
    assert terminal.ended() == 0
    assert_left_as_it_was(terminal)


@pytest.mark.parametrize("hangs_up", [True, False], ids=["with a signal", "without one"])
@pytest.mark.parametrize("arguments", [(), ("--inline",)], ids=["whole window", "inline"])
def test_a_terminal_that_goes_away_ends_the_program(arguments: tuple[str, ...], hangs_up: bool):
    terminal = Terminal(*arguments, hangs_up=hangs_up)
    terminal.until(lambda text: "offline model" in text)
    terminal.type(f"{QUESTION}\r")
    terminal.until(lambda text: "answered in" in text)
    hang_up(terminal)
    try:
        assert terminal.program.wait(PATIENCE) == 128 + signal.SIGHUP
    finally:
        terminal.close()


def test_what_is_typed_before_the_first_frame_stands_in_the_prompt(terminal: Terminal):
    terminal.type("typed at once")
    terminal.until(lambda text: "❯ typed at once" in text)
    terminal.type(", and now\r")
    terminal.until(lambda text: "refused" in text or "answered in" in text)
    assert "typed at once, and now" in terminal.text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_terminal_that_takes_no_output_does_not_hold_the_end(terminal: Terminal, number: signal.Signals):
    terminal.until(lambda text: "offline model" in text)
    back_up(terminal)
    terminal.program.send_signal(number)
    assert terminal.program.wait(PATIENCE) == 128 + number
    terminal.ended()
    assert_left_as_it_was(terminal)


def test_a_window_that_is_closed_while_output_is_backed_up_ends_the_program(terminal: Terminal):
    terminal.until(lambda text: "offline model" in text)
    back_up(terminal)
    hang_up(terminal)
    assert terminal.program.wait(PATIENCE) == 128 + signal.SIGHUP


def test_the_app_is_drawn_on_the_terminal_when_errors_go_to_a_file(tmp_path: Path):
    with (tmp_path / "errors.txt").open("wb") as file:
        terminal = Terminal(errors=file.fileno())
    try:
        terminal.until(lambda text: "offline model" in text)
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert_left_as_it_was(terminal)
        assert (tmp_path / "errors.txt").read_bytes() == b""
    finally:
        terminal.close()


@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1"])
def test_every_sign_is_drawn_whatever_the_locale(locale: str):
    terminal = Terminal(LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="latin-1")
    try:
        terminal.until(lambda text: "offline model" in text and "❯" in text)
        terminal.type("café ✓\r")
        text = terminal.until(lambda text: "● answered" in text or "○ refused" in text)
        assert "café ✓" in text
        assert "─" in text
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert_left_as_it_was(terminal)
    finally:
        terminal.close()


@pytest.mark.parametrize("arguments", [("--inline",)])
def test_inline_keeps_what_the_terminal_showed_before_and_leaves_it_there(arguments: tuple[str, ...]):
    terminal = Terminal(*arguments, before="what the shell said before\r\n")
    try:
        terminal.until(lambda text: "offline model" in text)
        assert "what the shell said before" in terminal.text
        terminal.type(f"{QUESTION}\r")
        terminal.until(lambda text: "answered in" in text or "grounded" in text)
        terminal.type("\x11")
        assert terminal.ended() == 0
        assert "what the shell said before" in terminal.text
        assert b"\x1b[?1049h" not in terminal.output
        assert_left_as_it_was(terminal, modes=MODES_SET_AND_RESET[1:])
    finally:
        terminal.close()


def hang_up(terminal: Terminal) -> None:
    os.close(terminal.fd)
    terminal.fd = os.open(os.devnull, os.O_RDONLY)
    os.close(terminal.tty)
    terminal.tty = os.open(os.devnull, os.O_RDONLY)


def back_up(terminal: Terminal) -> None:
    """Let the terminal hold all that it can, without reading any of it, and have the program draw."""
    beside = os.open(os.ttyname(terminal.tty), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    while select.select([], [beside], [], 0.5)[1]:  # what it holds moves on inside it for a moment
        with suppress(BlockingIOError):
            os.write(beside, b" " * 1024)
    os.close(beside)
    fcntl.ioctl(terminal.tty, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS - 1, 0, 0))
    terminal.program.send_signal(signal.SIGWINCH)


def corner(text: str, columns: int, rows: int) -> str:
    """Return what a terminal of that size shows; outside of it the larger one before has left its text."""
    return "\n".join(line[:columns] for line in text.splitlines()[:rows])


def assert_left_as_it_was(terminal: Terminal, *, modes: Sequence[tuple[bytes, bytes]] = MODES_SET_AND_RESET) -> None:
    for set_mode, reset_mode in modes:
        assert terminal.output.rfind(reset_mode) > terminal.output.rfind(set_mode) >= 0
    assert termios.tcgetattr(terminal.tty) == terminal.modes
    assert b"Traceback" not in terminal.output
