"""The settings of this start, and how a command changes one of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from campus_agent.errors import SettingsError
from campus_agent.layers import masked
from campus_agent.models.providers import resolve
from campus_agent.settings import THEMES, Settings
from campus_agent.tui.slash.completing import allowed
from campus_agent.tui.slash.paths import words
from campus_agent.tui.slash.table import FEW, Command, nearest

DEFAULT = "default"
_OF_THE_SERVER = ("model", "base_url")  # what was said of one server, and is wrong for another


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings in force, and what was changed by commands since the start.

    Attributes:
        settings: the settings in force.
        reload: reads every layer again with these changes on top: a base may bring settings of its own.
        changes: what was changed, by the setting's name.
    """

    settings: Settings
    reload: Callable[..., Settings]
    changes: Mapping[str, object] = field(default_factory=dict)

    def changed(self, command: Command, text: str) -> Chosen:
        """Return the choice with one setting changed to what was typed; "default" takes the change back.

        Raises `SettingsError`, which says what would be right.
        """
        changes = {name: value for name, value in self.changes.items() if name != command.setting}
        if command.setting == "provider":
            changes.pop("model", None)
        if text.lower() != DEFAULT:
            changes[command.setting] = _paths(text) if command.setting == "kb" else text
        try:
            settings = self.reload(**changes)
        except SettingsError as error:
            raise _refused(command, text, error) from None
        if "provider" in changes:
            settings = settings.model_copy(update={name: changes.get(name) for name in _OF_THE_SERVER})
        if command.setting in changes and command.setting == "model" and _is_offline(settings):
            raise SettingsError(
                f"/model {text} changes nothing here.",
                "No server is asked: the answers come from the offline model.",
                "/provider NAME asks a server; then /model NAME chooses one of its models.",
            )
        return Chosen(settings, self.reload, changes)

    def said(self, command: Command) -> str:
        """Return the value that is in force, as a person reads it."""
        match masked(getattr(self.settings, command.setting)):
            case None | ():
                return DEFAULT
            case tuple() as several:
                return ", ".join(map(str, several))
            case float() as number:
                return f"{number:g}"
            case value:
                return str(value)


def _is_offline(settings: Settings) -> bool:
    """Return whether the answers come from the offline model: no server is named, and none has its key set."""
    try:
        return resolve(settings, os.environ) is None
    except SettingsError:
        return False


def _paths(text: str) -> tuple[str, ...]:
    try:
        return words(text)
    except ValueError:
        raise SettingsError("/kb cannot be read.", "A quotation mark has no other end.") from None


def _refused(command: Command, text: str, error: SettingsError) -> SettingsError:
    """Say what is wrong in the words of the command, not in those of a flag."""
    flag = f" (flag --{command.setting.replace('_', '-')})"
    cause = error.explanation.cause.replace(flag, "").removeprefix(f"{command.setting}: ")
    cause = f"It {cause}" if cause.startswith("should") else cause
    values = THEMES if command.setting == "theme" else allowed(command.setting)
    if len(values) > 2 * FEW:
        few = f"The nearest are {nearest(text, values)}."
        return SettingsError(f"/{command.name} {text} cannot be used.", few, f"/{command.name} and a space lists all.")
    choices = f"Choose one of: {', '.join(values)}." if values else ""
    return SettingsError(f"/{command.name} {text} cannot be used.", cause, choices)
