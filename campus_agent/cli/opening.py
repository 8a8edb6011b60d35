"""The short way to the app: of the command line only what its first frame needs is imported.

The flags are made from the settings, which take longer to import than the frame takes to paint. So the commonest ones
are read here; the settings check what they are given once the frame stands, as they check every flag that takes a text.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from campus_agent.settings import Settings

LAST = "last"
"""The conversation that was changed last, wherever the id of one is wanted."""

ONE = ("provider", "model", "base_url", "theme", "timezone", "now", "max_steps", "deadline")
SEVERAL = ("kb",)
SWITCHES = ("step",)
"""The settings whose flags are read here: those that take one text, those that are repeated, and those that turn on."""

UNABLE = ("dumb", "unknown")
"""What TERM says of a terminal on which nothing can be drawn."""

_GO_ON, _RESUME = ("-c", "--continue"), "--resume"


@dataclass(frozen=True, slots=True)
class Wish:
    """How a command line that does nothing else wants the app opened.

    Attributes:
        flags: the settings that it names, by their names.
        resume: the id of the conversation to resume, as it was written; "" for a new one.
    """

    flags: dict[str, Any]
    resume: str = ""


def wish(words: Sequence[str]) -> Wish | None:
    """Return how a command line wants the app opened.

    None when it does anything else, or when it takes all of the command line to tell: with any other flag, with a
    value that looks like one, and on Windows, where click also expands what was written.
    """
    if words and os.name == "nt":
        return None
    names = {f"--{name.replace('_', '-')}": name for name in (*ONE, *SEVERAL, *SWITCHES)}
    flags: dict[str, Any] = {}
    resume = last = ""
    rest = iter(words)
    for word in rest:
        flag, joined, value = word.partition("=")
        name = names.get(flag)
        if name in SWITCHES and not joined:
            flags[name] = True
            continue
        if word in _GO_ON:
            last = LAST
            continue
        value = value if joined else next(rest, "")
        if (name is None and flag != _RESUME) or name in SWITCHES or not value or value.startswith("-"):
            return None
        if name is None:
            resume = value
        else:
            flags[name] = (*flags.get(name, ()), value) if name in SEVERAL else value
    return Wish(flags, resume or last)


def is_at_a_terminal() -> bool:
    """Return whether there is a terminal to type in and to draw on."""
    return _is_terminal(sys.stdin) and _is_terminal(sys.stdout) and not cannot_draw(os.environ.get("TERM"))


def cannot_draw(kind: str | None) -> bool:
    """Return whether TERM, which is None where it is not set, says that lines can be written and nothing be drawn."""
    return kind in UNABLE


def open_app(wanted: Wish) -> int:
    """Open the app as it is wanted and return its exit status; raises `SettingsError` for settings that are wrong."""
    gc.disable()  # nothing is left behind before the first frame, and looking for it takes a tenth of the time
    try:
        from campus_agent.tui.run import run_app

        load = partial(_load, wanted.flags)
        return run_app(load=load, theme=wanted.flags.get("theme", ""), resume=wanted.resume)[0]
    finally:
        gc.enable()


def _load(flags: dict[str, Any], **changes: object) -> Settings:
    """Read every layer of the settings; it is asked for them as soon as the first frame stands."""
    gc.enable()
    from campus_agent.layers import load

    return load({**flags, **changes}).settings


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
