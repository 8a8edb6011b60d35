"""Opens an address in the person's browser, if that has a window of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import PurePath

_IN_THE_TERMINAL = ("browsh", "carbonyl", "elinks", "links", "links2", "lynx", "netrik", "retawq", "w3m", "www-browser")
_PATIENCE = 8.0  # seconds; a command that is still there by then is the browser itself, so the page is open
_OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"


def opened_in_browser(address: str, *, environ: Mapping[str, str]) -> bool:
    """Open a web address, and return whether a browser took it; it may take some seconds, so it belongs in a thread.

    A browser that is drawn in a terminal would draw over the app, so none is started: what looks for one is a process
    of its own, without a terminal.
    """
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", _OPEN, address],
            env=_without_terminal(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return process.wait(_PATIENCE) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False


def _without_terminal(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without what leads to a browser that is drawn in a terminal."""
    browsers = (choice for choice in environ.get("BROWSER", "").split(os.pathsep) if choice.strip())
    named = os.pathsep.join(choice for choice in browsers if _name(choice) not in _IN_THE_TERMINAL)
    rest = {name: value for name, value in environ.items() if name not in ("TERM", "BROWSER")}
    return {**rest, "BROWSER": named} if named else rest


def _name(command: str) -> str:
    return PurePath(command.split()[0].strip("\"'")).name
