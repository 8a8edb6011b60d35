"""How the app ends when it is told to from outside, whatever its terminal does: by a signal, or a closed window."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from types import FrameType, TracebackType
from typing import Any

_PATIENCE = 3.0  # seconds; a terminal that takes no output would hold the end of the app for ever
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # the last is not there on every system
HANG_UP = getattr(signal, "SIGHUP", 1)
_GONE = 0x08 | 0x10  # POLLERR and POLLHUP
_KEYBOARD, _SCREEN = 0, 1  # the files of the terminal
_TRIES = 20  # to write
_AS_BEFORE = (
    "\x18\x1b\\"  # the end of whatever was being written
    "\x1b[?2026l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?2048l\x1b[?1004l"
    "\x1b[<u\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h"
)


class Leaving:
    """Ends the app at a signal, or when its terminal is gone; by force when it has not ended some seconds later.

    Attributes:
        number: the signal that ended the app; None while none did. A terminal that went away counts as a hang-up.
    """

    def __init__(self, leave: Callable[[int], object], *, end: Callable[[int], object] = os._exit) -> None:
        """Take what ends the app with an exit status, called on its loop, and what ends the process at once."""
        self.number: int | None = None
        self._leave = leave
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._over = Event()
        self._insisting: Thread | None = None
        self._before: dict[int, Any] = {}
        self._modes = terminal_modes()

    def __enter__(self) -> Leaving:
        """Begin to listen; only the main thread can."""
        for number in (getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)):
            self._before[number] = signal.signal(number, self._signalled)
        if self._modes is not None and hasattr(select, "poll"):
            Thread(target=self._watch, name="terminal", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Leave the signals to whom they were left before."""
        self._over.set()
        if self._insisting is not None:
            self._insisting.join()  # it is over too, or about to give the terminal back and to end the process
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        """End the app; a loop that waits for the terminal cannot be asked, so this is no handler of the loop."""
        if self.number is not None or self._over.is_set():
            return
        self.number = number
        self._insisting = Thread(target=self._insist, name="leaving", daemon=True)
        self._insisting.start()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(self._leave, 128 + number)

    def _watch(self) -> None:
        """Wait until the terminal is gone, which takes no time of the processor."""
        watched = select.poll()
        watched.register(_KEYBOARD, 0)  # nothing but that it is gone
        if any(what & _GONE for _, what in watched.poll()):
            self._signalled(HANG_UP, None)

    def _insist(self) -> None:
        """End the process by force when the app has not ended in time."""
        if not self._over.wait(_PATIENCE):
            _set_free(self._modes)
            self._end(128 + (self.number or 0))


def terminal_modes() -> list[Any] | None:
    """Return the modes of the terminal, None where there is none, or none that can be asked."""
    if sys.platform == "win32":
        return None
    import termios

    try:
        return termios.tcgetattr(_KEYBOARD)
    except termios.error:
        return None


def set_terminal_modes(modes: list[Any] | None) -> None:
    """Give the terminal these modes, as far as there are any and it takes them."""
    if sys.platform == "win32" or modes is None:
        return
    import termios

    with suppress(OSError, termios.error):
        termios.tcsetattr(_KEYBOARD, termios.TCSANOW, modes)


def _set_free(modes: list[Any] | None) -> None:
    """Give the terminal back as it was, as far as it can be without waiting for it."""
    if sys.platform == "win32" or modes is None:
        return
    import termios

    set_terminal_modes(modes)
    with suppress(OSError, termios.error):
        os.set_blocking(_SCREEN, False)  # also for the thread that is stuck in a write: it gives up once woken
        try:
            _write(_AS_BEFORE.encode())
        finally:
            os.set_blocking(_SCREEN, True)


def _make_room() -> None:
    """Drop what the terminal does not take, and wake the thread that waits for it to be taken."""
    if sys.platform != "win32":
        import termios

        termios.tcflush(_SCREEN, termios.TCOFLUSH)
        termios.tcflow(_SCREEN, termios.TCOOFF)
        termios.tcflow(_SCREEN, termios.TCOON)


def _write(data: bytes) -> None:
    for _ in range(_TRIES):
        _make_room()
        if select.select([], [_SCREEN], [], 0.05)[1]:
            with suppress(BlockingIOError):
                data = data[os.write(_SCREEN, data) :]
        if not data:
            return
