"""Every command of the prompt, once: what completes, runs and explains commands is made from this table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

FEW = 3
"""So many of a long list are named in a message."""

Kind = Literal[
    "", "models", "providers", "guardrails", "protocols", "themes", "speeds", "folders", "exports", "recordings"
]
"""What the argument of a command can be completed with."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the prompt.

    Attributes:
        name: the word behind the slash.
        argument: what may stand behind it, as a person reads it; in brackets when it may be left out, "" for nothing.
        meaning: what it does, in a few words.
        setting: the setting that it changes, "" for none.
        kind: what its argument can be completed with.
        action: the action of the app or the screen that does it, for one that takes no argument.
    """

    name: str
    argument: str
    meaning: str
    setting: str = ""
    kind: Kind = ""
    action: str = ""

    @property
    def shown(self) -> str:
        """The command as it is typed, such as "/steps N"."""
        return f"/{self.name} {self.argument}".rstrip()

    @property
    def needs_argument(self) -> bool:
        """Whether it does nothing without an argument."""
        return bool(self.argument) and not self.argument.startswith("[")


COMMANDS = (
    Command("help", "", "What is on the screen, and every key", action="app.help"),
    Command("new", "", "Begin a new conversation", action="screen.new_conversation"),
    Command("resume", "[ID]", "Resume an earlier conversation: a list to search in"),
    Command("branch", "", "Edit a question and ask again; the old conversation stays", action="screen.branch"),
    Command("rename", "TITLE", "Give this conversation a title"),
    Command("delete", "", "Delete this conversation from the journal", action="screen.delete"),
    Command("private", "", "Keep nothing of what is asked from now on, or keep it again", action="screen.private"),
    Command("model", "NAME", "Ask another model of the same server", "model", "models"),
    Command("provider", "NAME", "Ask another server", "provider", "providers"),
    Command("kb", "PATH...", "Answer from other files or folders", "kb", "folders"),
    Command("steps", "N", "Most steps of a run", "max_steps"),
    Command("deadline", "SECONDS", "Longest time of a run", "deadline"),
    Command("guardrail", "MODE", "What happens to a fact that no source supports", "guardrail", "guardrails"),
    Command("protocol", "NAME", "How the model calls tools", "protocol", "protocols"),
    Command("theme", "NAME", "The colours", "theme", "themes"),
    Command(
        "export", "[FILE]", "Save this conversation: .md, .html, .jsonl, .cast, or .svg of the screen", kind="exports"
    ),
    Command("copy", "", "Copy the last answer", action="screen.copy_answer"),
    Command("sources", "", "Read the passages that the answer rests on", action="screen.sources"),
    Command("links", "", "Choose a link of the answer, and see where it leads", action="screen.links"),
    Command("edit", "", "Write the question in your own editor", action="screen.edit"),
    Command("step", "", "Turn step mode on or off: a pause before each step", action="screen.step_mode"),
    Command("pace", "[SPEED]", "Slow motion and back, or another speed", kind="speeds"),
    Command("replay", "RUN", "Show a run again: last, one by its id, or a .jsonl file", kind="recordings"),
    Command("big", "", "Large and sparse, for a hall, or as usual again", action="screen.big_type"),
    Command("trace", "", "Show or hide the trace of acting and observing", action="screen.trace"),
    Command("quit", "", "Leave campus-agent", action="app.quit"),
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it was typed: the word behind the slash, and all that follows it."""

    name: str
    rest: str

    @property
    def command(self) -> Command | None:
        """The command that is meant, None when there is no such one."""
        return next((command for command in COMMANDS if command.name == self.name.lower()), None)


def read(text: str) -> Typed | None:
    """Return the command in `text`; None for a question, which may begin with a space or with two slashes."""
    if not text.startswith("/") or text.startswith("//"):
        return None
    name, _, rest = text[1:].replace("\n", " ").partition(" ")
    return Typed(name, rest.strip())


def as_question(text: str) -> str:
    """Return the question in a text that is no command."""
    question = text.strip()
    return question[1:] if text.startswith("//") else question


def as_typed(question: str) -> str:
    """Return how `question` is typed, so that it is not taken for a command."""
    return f"/{question}" if question.startswith("/") else question


def in_the_app(advice: str) -> str:
    """Return advice that names flags of the command line with the commands that do the same in the app."""
    for command in COMMANDS:
        if command.setting:
            flag = f"--{command.setting.replace('_', '-')}"
            said = re.compile(rf"(?<!\S){flag}(?![\w-])(?P<value> (?:[A-Z]{{2,}}|\d+)\b)?")
            advice = said.sub(partial(_as_command, command), advice)
    return advice


def _as_command(command: Command, flag: re.Match[str]) -> str:
    return f"/{command.name}{flag['value'] or f' {command.argument}'} (when you start: {flag[0]})"


def nearest(word: str, words: Sequence[str]) -> str:
    """Return, as a person reads them, the few of `words` that look most like `word`, the nearest first."""
    from rapidfuzz import fuzz

    return ", ".join(sorted(words, key=lambda other: -fuzz.ratio(word.lower(), other.lower()))[:FEW])
