"""Copying: by a tool of the system that reaches the person, else by tmux, else by asking the terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_PATIENCE = 2  # seconds
_MOST_BYTES = 74_994  # that a terminal takes: the most that xterm reads, less than others do
_SCREEN_TAKES = 250  # characters of one piece; GNU screen drops longer ones


@dataclass(frozen=True, slots=True)
class _Tool:
    """A program that fills a clipboard from its standard input, and the variable that says where its display is."""

    command: tuple[str, ...]
    display: str = ""
    encoding: str = "utf-8"


_TOOLS = (
    _Tool(("pbcopy",)),
    _Tool(("wl-copy",), "WAYLAND_DISPLAY"),
    _Tool(("xclip", "-selection", "clipboard"), "DISPLAY"),
    _Tool(("xsel", "--clipboard", "--input"), "DISPLAY"),
    _Tool(("clip.exe",), encoding="utf-16"),  # Windows, and Linux under it; other bytes it reads by an old code page
)


def copy_by_tool(text: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """Copy `text` with a tool that reaches the person's clipboard; return its name, or None when none did it.

    Blocks for at most a few seconds, so it is for a thread. Over SSH the tools of the far machine are left out, but
    for those of X whose display is forwarded to where the person sits.
    """
    for tool in _within_reach(environ):
        path = shutil.which(tool.command[0], path=environ.get("PATH", os.defpath))
        if path and _ran([path, *tool.command[1:]], text.encode(tool.encoding, "replace")):
            return tool.command[0]
    return None


def _within_reach(environ: Mapping[str, str]) -> Iterator[_Tool]:
    far = "SSH_CONNECTION" in environ or "SSH_TTY" in environ
    for tool in _TOOLS:
        display = environ.get(tool.display, "")
        forwarded = tool.display == "DISPLAY" and bool(display) and not display.startswith(":")
        if forwarded if far else not tool.display or display or sys.platform == "win32":
            yield tool
    if "TMUX" in environ:  # it asks the terminal of whoever looks at it, near or far
        yield _Tool(("tmux", "load-buffer", "-w", "-"))


def by_terminal(text: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """Return what asks the terminal to copy `text` (OSC 52), wrapped so that it passes tmux and GNU screen.

    None when the text is longer than terminals take.
    """
    data = text.encode("utf-8", "replace")
    if len(data) > _MOST_BYTES:
        return None
    asked = f"\x1b]52;c;{b64encode(data).decode()}\x07"
    if "TMUX" in environ:
        doubled = asked.replace("\x1b", "\x1b\x1b")
        return f"{asked}\x1bPtmux;{doubled}\x1b\\"
    if "STY" in environ:
        pieces = (asked[start : start + _SCREEN_TAKES] for start in range(0, len(asked), _SCREEN_TAKES))
        return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return asked


def copied(tool: str | None, *, asked: bool) -> str:
    """Say which way a copy went: by a tool, by a request to the terminal, or not at all."""
    if tool == "tmux":
        return "Copied inside tmux: paste with its prefix (often Ctrl+B) and ]. The usual way to paste may work too."
    if tool is not None:
        return f"Copied with {tool}."
    if asked:
        return (
            "Handed to the terminal to copy (OSC 52). Not every terminal does it: if pasting brings nothing, hold "
            "Shift while you select with the mouse, or write a file with /export."
        )
    return "Not copied: it is too long for the terminal. Write a file with /export."


def _ran(command: list[str], data: bytes) -> bool:
    try:
        done = subprocess.run(
            command, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
