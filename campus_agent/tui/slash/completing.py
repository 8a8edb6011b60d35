"""What a command that is being typed can be completed to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import get_args

from campus_agent.tui.pace import SPEEDS
from campus_agent.tui.slash.paths import matching_paths
from campus_agent.tui.slash.table import COMMANDS, Command, Kind, read

_MOST = 200  # suggestions
_CLOSE_ENOUGH = 60  # of 100
_DEFAULT = "default"
_ENDINGS: dict[Kind, tuple[str, ...]] = {
    "exports": (".md", ".html", ".jsonl", ".cast", ".svg"),
    "recordings": (".jsonl",),
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One way to complete what is typed.

    Attributes:
        text: the whole prompt with it.
        shown: what stands in the list.
        meaning: what it is, in a few words.
        more: whether something has still to be typed behind it.
    """

    text: str
    shown: str
    meaning: str = ""
    more: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """All ways to complete what is typed, the best first.

    Attributes:
        typed: the prompt that they are for.
        suggestions: the ways.
        closed: whether one of them has to be taken, because nothing else can stand there.
    """

    typed: str
    suggestions: tuple[Suggestion, ...] = field(default=())
    closed: bool = True

    @property
    def whole(self) -> bool:
        """Whether what is typed is one of the ways already, so that it can be sent as it stands."""
        typed = self.typed.rstrip().lower()
        return any(suggestion.text.rstrip().lower() == typed for suggestion in self.suggestions)


def complete(text: str, *, models: Callable[[], Sequence[str]]) -> Completion:
    """Return how the command in `text` can be completed: nothing for a question.

    It reads folders for a command that takes a path, and calls `models` for one that takes a model.
    """
    typed = read(text)
    if typed is None or "\n" in text:
        return Completion(text)
    if " " not in text:
        return Completion(text, tuple(map(_suggested, _matching_commands(typed.name))))
    command = typed.command
    if command is None or not command.argument:
        return Completion(text)
    return _arguments(text, command, models)


def is_slow(text: str) -> bool:
    """Return whether completing `text` may wait for a disk or a server."""
    typed = read(text)
    command = typed.command if typed and " " in text else None
    return command is not None and command.kind in ("models", "folders", "exports", "recordings")


def _arguments(text: str, command: Command, models: Callable[[], Sequence[str]]) -> Completion:
    head, _, argument = text.partition(" ")
    argument = argument.lstrip()
    match command.kind:
        case "folders" | "exports" | "recordings":
            # A base is one or several places, and what is typed last is being completed.
            before, word = _last_word(argument) if command.kind == "folders" else ("", argument)
            found = matching_paths(word, endings=_ENDINGS.get(command.kind, ()))
            return Completion(
                text,
                tuple(Suggestion(f"{head} {before}{path}", path, more=path.endswith("/")) for path in found),
                closed=False,
            )
        case "models":
            return _choices(text, head, argument, models(), closed=False)
        case kind:
            return _choices(text, head, argument, _values(kind))


def _choices(text: str, head: str, argument: str, values: Sequence[str], *, closed: bool = True) -> Completion:
    found = _fuzzy(argument, values)[:_MOST]
    return Completion(text, tuple(Suggestion(f"{head} {value}", value) for value in found), closed=closed)


def _values(kind: Kind) -> tuple[str, ...]:
    match kind:
        case "providers":
            from campus_agent.models.providers import OFFLINE, PROVIDERS

            return (OFFLINE, *(provider.name for provider in PROVIDERS), _DEFAULT)
        case "guardrails":
            return allowed("guardrail")
        case "protocols":
            return allowed("protocol")
        case "themes":
            from campus_agent.settings import THEMES

            return THEMES
        case "speeds":
            return SPEEDS
        case _:
            return ()


def allowed(setting: str) -> tuple[str, ...]:
    """Return the values that a setting can have, () for one that takes any text or number."""
    from campus_agent.settings import Settings

    return tuple(value for value in get_args(Settings.model_fields[setting].annotation) if isinstance(value, str))


def _matching_commands(name: str) -> list[Command]:
    by_name = {command.name: command for command in COMMANDS}
    return [by_name[found] for found in _fuzzy(name, by_name)]


def _suggested(command: Command) -> Suggestion:
    end = " " if command.needs_argument else ""
    return Suggestion(f"/{command.name}{end}", command.shown, command.meaning, more=command.needs_argument)


def _fuzzy(word: str, values: Iterable[str]) -> list[str]:
    """Return the values that begin with `word`, then those with it inside, then those that look like it."""
    from rapidfuzz import fuzz

    sought, values = word.lower(), list(values)
    if not sought:
        return values
    ranked = []
    for place, value in enumerate(values):
        low = value.lower()
        score = 200 if low.startswith(sought) else 150 if sought in low else fuzz.ratio(sought, low[: len(sought) + 2])
        if score >= _CLOSE_ENOUGH:
            ranked.append((-score, place, value))
    return [value for _, _, value in sorted(ranked)]


def _last_word(argument: str) -> tuple[str, str]:
    """Split what is typed at its last space that no backslash or quote holds together."""
    quote, cut = "", 0
    for place, character in enumerate(argument):
        if character in "\"'" and quote in ("", character):
            quote = "" if quote else character
        elif character == " " and not quote and argument[place - 1 : place] != "\\":
            cut = place + 1
    return argument[:cut], argument[cut:]
