"""Copying: by the system's own tool where there is one, else by asking the terminal."""

from __future__ import annotations

import os
import shutil
import subprocess

_TOOLS = (
    ("pbcopy",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("clip.exe",),
)
_PATIENCE = 2  # seconds


def copy_by_tool(text: str) -> str | None:
    """Copy `text` with the system's own tool and return the tool's name, or None when no tool did it.

    Over SSH a tool would fill the clipboard of the far machine, so none is tried.
    """
    if "SSH_CONNECTION" in os.environ:
        return None
    for tool, *options in _TOOLS:
        path = shutil.which(tool)
        if path and _ran([path, *options], text):
            return tool
    return None


def _ran(command: list[str], text: str) -> bool:
    try:
        done = subprocess.run(
            command,
            input=text.encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
