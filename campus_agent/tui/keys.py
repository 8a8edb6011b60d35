"""Every key of the app, once: the bindings, the line at the bottom and the help screen are made from this list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.widget import Widget

Place = Literal["prompt", "list", "pane", "turn", "fold", "code", "pause", "replay", "sheet", "screen", "app"]

TITLES: dict[Place, str] = {
    "prompt": "In the prompt",
    "screen": "Anywhere",
    "app": "Anywhere",
    "list": "In the questions to begin with",
    "pane": "In the chat and in the trace",
    "turn": "On a question of the chat",
    "fold": "On a line that is folded",
    "pause": "In a pause, in step mode",
    "replay": "In a replay",
    "code": "On code in an answer",
}
"""The parts of the app as the help names them, in that order; one without a title says its keys itself."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key and what it does.

    Attributes:
        keys: the keys as Textual names them, separated by commas.
        label: the key as a person reads it.
        word: one or two words for the line at the bottom, "" to leave it out there.
        action: the name of the action, "" where a widget of Textual's acts on the key by itself.
        place: which part of the app acts on it: it stands in the line at the bottom while that part has the focus.
        meaning: what it does, for the help screen; "" where that of another key says it.
        first: whether it is asked before the widget that has the focus; of the app's keys, also whether it works while
            something stands open over the conversation; of the screen's, whether the prompt leaves it to the screen.
        stays: how long it stays in the line at the bottom when that grows narrow; the highest stays the longest.
    """

    keys: str
    label: str
    word: str
    action: str
    place: Place
    meaning: str
    first: bool = False
    stays: int = 0


KEYS = (
    # A part of the screen, while it has the focus
    Key("enter", "⏎", "send", "send", "prompt", "Send the question", stays=5),
    Key(
        "ctrl+j,shift+enter,alt+enter",
        "^J",
        "new line",
        "new_line",
        "prompt",
        "Begin a new line (also Shift+Enter and Alt+Enter)",
        stays=1,
    ),
    Key("up", "↑ ↓", "", "", "prompt", "What you typed before; during a run, take the question back that waits"),
    Key("pageup", "PgUp", "", "page(-1)", "prompt", "Scroll back in the chat"),
    Key("pagedown", "PgDn", "", "page(1)", "prompt", "Scroll on in the chat"),
    Key("enter", "⏎", "ask", "", "list", "Ask this question", stays=5),
    Key("up", "↑ ↓", "choose", "", "list", "Choose a question; from an empty prompt too", stays=4),
    Key("enter", "⏎", "show its trace", "select", "turn", "Show how this was answered; a click does it too", stays=5),
    Key("up", "↑ ↓", "turns", "other_turn(-1)", "turn", "Go to the turn before or after", stays=4),
    Key("down", "↓", "", "other_turn(1)", "turn", ""),
    Key("f4", "F4", "sources", "screen.sources", "turn", "Read the passages that this answer rests on", stays=3),
    Key("f5", "F5", "links", "screen.links", "turn", "Choose a link of this answer, and see where it leads", stays=2),
    Key("enter,space", "⏎", "open", "open", "fold", "Open what is folded, or close it", stays=5),
    Key("enter,c", "⏎", "copy", "copy_code", "code", "Copy this code; a click does it too", stays=5),
    Key("up", "↑ ↓", "scroll", "", "pane", "Scroll (also PgUp, PgDn, Home and the wheel of the mouse)", stays=3),
    Key("end", "End", "newest", "", "pane", "Go to the newest line and follow it", stays=2),
    Key("less_than_sign", "<", "", "screen.narrower", "pane", "Make the chat narrower, the trace wider"),
    Key("greater_than_sign", ">", "", "screen.wider", "pane", "Make the chat wider, the trace narrower"),
    Key("space,enter", "Space", "go on", "choose('go')", "pause", "Let happen what is about to happen", stays=8),
    Key("s", "s", "skip", "choose('skip')", "pause", "Skip this tool call; the model is told so", stays=5),
    Key("e", "e", "edit", "choose('edit')", "pause", "Change what the tool is given before it runs", stays=5),
    Key("c", "c", "to the end", "choose('to_the_end')", "pause", "Let this run go on to its end", stays=5),
    Key("space", "Space", "pause", "play", "replay", "Stand still, or go on; at the end, again", first=True, stays=6),
    Key("left", "←", "back", "step(-1)", "replay", "Back to where this step began, or the last", first=True, stays=5),
    Key("right", "→", "next", "step(1)", "replay", "On to the next step", first=True, stays=5),
    Key("1", "1-9", "jump", "", "replay", "Jump to that step of the run", stays=2),
    Key("f7", "F7", "pace", "pace", "replay", "True pace, slow motion, step by step, or fast", first=True, stays=3),
    Key("f9", "F9", "", "big_type", "replay", "Big type for a hall; enlarge your terminal's letters too", first=True),
    Key("f2", "F2", "trace", "trace", "replay", "Show or hide the trace", first=True, stays=1),
    Key("escape", "esc", "end", "leave", "replay", "End the replay", first=True, stays=7),
    # Everywhere
    Key("escape", "esc", "stop", "stop", "screen", "Stop the run, the question comes back; go to the prompt", stays=7),
    Key("tab", "Tab", "", "", "screen", "Go on to the next part of the screen; Shift+Tab goes back"),
    Key("f2", "F2", "trace", "trace", "screen", "Show or hide the trace of acting and observing", stays=4),
    Key(
        "f8",
        "F8",
        "step mode",
        "step_mode",
        "screen",
        "Turn step mode on or off: a pause before each step",
        first=True,
        stays=4,
    ),
    Key("f9", "F9", "", "big_type", "screen", "Big type for a hall; enlarge your terminal's letters too", first=True),
    Key("f7", "F7", "", "pace", "screen", "Slow motion, or the true pace again", first=True),
    Key("f4", "F4", "", "sources", "screen", "Read the passages that the newest answer rests on", first=True),
    Key("f5", "F5", "", "links", "screen", "Choose a link of the newest answer, and see where it leads", first=True),
    Key("f3", "F3", "", "whole", "screen", "Give the trace the whole screen, and back"),
    Key("alt+left", "Alt ←", "", "narrower", "screen", "Make the chat narrower (or drag the line between)", first=True),
    Key("alt+right", "Alt →", "", "wider", "screen", "Make the chat wider (or drag the line between)", first=True),
    Key("ctrl+n", "^N", "", "new_conversation", "screen", "Begin a new conversation", first=True),
    Key(
        "ctrl+r",
        "^R",
        "resume",
        "conversations",
        "screen",
        "Resume an earlier conversation: search, choose",
        first=True,
        stays=2,
    ),
    Key("f6", "F6", "", "branch", "screen", "Edit the question in hand and ask again, in a branch", first=True),
    Key("ctrl+g", "^G", "", "edit", "screen", "Write the question in your own editor", first=True),
    Key("ctrl+y", "^Y", "", "copy_answer", "screen", "Copy the last answer", first=True),
    Key("ctrl+end", "^End", "", "latest", "screen", "Go to the newest line and follow it", first=True),
    Key("ctrl+c", "^C", "", "copy_or_stop", "app", "Copy what is selected; else stop the run", first=True),
    Key("ctrl+p", "^P", "commands", "command_palette", "app", "All commands, and the questions to begin with", stays=3),
    Key("f1", "F1", "help", "help", "app", "This help", stays=9),
    Key("ctrl+q", "^Q", "quit", "quit", "app", "Quit", first=True, stays=10),
)


def bindings(place: Place) -> list[BindingType]:
    """Return the actions of one part of the app as bindings.

    None of the screen's goes before the widget with the focus: it would overtake what was typed right before it.
    """
    return [
        Binding(key.keys, key.action, key.meaning, show=False, priority=key.first and place != "screen")
        for key in KEYS
        if key.place == place and key.action
    ]


def actions(place: Place) -> dict[str, str]:
    """Return the action of each key of one part of the app."""
    return {name: key.action for key in KEYS if key.place == place and key.action for name in key.keys.split(",")}


def left_to_the_screen() -> dict[str, str]:
    """Return the action of each key of the screen that the prompt has no use of its own for."""
    return {name: key.action for key in KEYS if key.place == "screen" and key.first for name in key.keys.split(",")}


def place_of(focused: Widget | None) -> Place:
    """Return the part of the app that has the focus: the nearest around it that names its `key_place`."""
    for node in focused.ancestors_with_self if focused else ():
        place: Place | None = getattr(node, "key_place", None)
        if place is not None:
            return place
    return "screen"


def words_of(focused: Widget | None) -> dict[str, str]:
    """Return, by action, the words that the parts around the focus put in the place of the usual ones just now.

    A part names them in its `key_words`; with "" a key is left out of the line. What is nearer goes first.
    """
    around = focused.ancestors_with_self if focused else ()
    named: list[Mapping[str, str]] = [getattr(node, "key_words", {}) for node in around]
    return {action: word for words in reversed(named) for action, word in words.items()}


def in_big_type(words: Mapping[str, str]) -> dict[str, str]:
    """Return the words for big type, by action: those of the ways out alone, with the given ones for what they do."""
    left_out = dict.fromkeys((key.action for key in KEYS), "")
    return left_out | {"play": words.get("play", ""), "big_type": "back", "leave": "end", "quit": "quit"}


def fitting(place: Place, width: int, *, gap: int, words: Mapping[str, str] | None = None) -> Sequence[Key]:
    """Return the keys for a line of `width` cells while `place` has the focus; quit and help stay the longest.

    Keys whose action is in `words` have that word; without one they are left out.
    """
    around = ("app",) if place == "replay" else ("screen", "app")
    there = (key for key in KEYS if key.place in (place, *around))
    named = (replace(key, word=(words or {}).get(key.action, key.word)) for key in there)
    shown = [key for key in named if key.word]
    while len(shown) > 1 and _cells(shown, gap) > width:
        shown.remove(min(shown, key=lambda key: key.stays))
    return shown


def _cells(keys: Sequence[Key], gap: int) -> int:
    return sum(cell_len(key.label) + 1 + cell_len(key.word) + gap for key in keys) - gap
