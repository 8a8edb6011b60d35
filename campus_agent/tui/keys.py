"""Every key of the app, once: the bindings, the line at the bottom and the help screen are made from this list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Place = Literal["app", "screen", "prompt"]


@dataclass(frozen=True, slots=True)
class Key:
    """A key and what it does.

    Attributes:
        keys: the keys as Textual names them, separated by commas.
        label: the key as a person reads it.
        word: one or two words for the line at the bottom, "" to leave it out there.
        action: the name of the action.
        place: which part of the app acts on it.
        meaning: what it does, for the help screen.
        first: whether it is asked before the widget that has the focus; of the app's keys, also whether it works while
            something stands open over the conversation.
    """

    keys: str
    label: str
    word: str
    action: str
    place: Place
    meaning: str
    first: bool = False


KEYS = (
    Key("enter", "⏎", "send", "send", "prompt", "Send the question"),
    Key(
        "ctrl+j,shift+enter,alt+enter",
        "^J",
        "new line",
        "new_line",
        "prompt",
        "Begin a new line (also Shift+Enter and Alt+Enter)",
    ),
    Key("escape", "esc", "stop", "stop", "screen", "Stop the run at once; the question comes back to you"),
    Key("f2", "F2", "trace", "trace", "screen", "Show or hide the trace of acting and observing"),
    Key("ctrl+p", "^P", "commands", "command_palette", "app", "All commands, and the questions to begin with"),
    Key("f1", "F1", "help", "help", "app", "This help"),
    Key("ctrl+n", "^N", "", "new_conversation", "screen", "Begin a new conversation", first=True),
    Key("ctrl+y", "^Y", "", "copy_answer", "screen", "Copy the last answer", first=True),
    Key("ctrl+c", "^C", "", "copy_or_stop", "app", "Copy what is selected; else stop the run", first=True),
    Key("pageup", "PgUp", "", "page(-1)", "prompt", "Scroll back in the chat"),
    Key("pagedown", "PgDn", "", "page(1)", "prompt", "Scroll on in the chat"),
    Key("ctrl+end", "^End", "", "latest", "screen", "Go to the newest line and follow it", first=True),
    Key("ctrl+q", "^Q", "quit", "quit", "app", "Quit", first=True),
)


def bindings(place: Place) -> list[BindingType]:
    """Return the actions of one part of the app as bindings."""
    return [
        Binding(key.keys, key.action, key.meaning, show=False, priority=key.first) for key in KEYS if key.place == place
    ]


def actions(place: Place) -> dict[str, str]:
    """Return the action of each key of one part of the app."""
    return {name: key.action for key in KEYS if key.place == place for name in key.keys.split(",")}


def fitting(width: int, *, gap: int) -> Iterable[Key]:
    """Return the keys for a line of `width` cells, in order; help and stop stay the longest, the rest give way."""
    shown = [key for key in KEYS if key.word]
    for action in ("quit", "new_line", "command_palette", "trace", "send", "stop"):
        if sum(len(key.label) + 1 + len(key.word) + gap for key in shown) <= width:
            break
        shown = [key for key in shown if key.action != action]
    return shown
