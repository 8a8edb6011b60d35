"""Carries out a command that was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from campus_agent.errors import CampusAgentError
from campus_agent.text import one_line
from campus_agent.tui.pace import SPEEDS, Speed
from campus_agent.tui.slash.paths import typed_path
from campus_agent.tui.slash.table import COMMANDS, Command, Typed, nearest

if TYPE_CHECKING:
    from campus_agent.tui.app import CampusApp
    from campus_agent.tui.screens.commanded import CommandedScreen


class NotCarriedOut(CampusAgentError):
    """A command that cannot be carried out, or not now."""


async def carry_out(typed: Typed, *, app: CampusApp, screen: CommandedScreen) -> None:
    """Do what the command says; raise `CampusAgentError` when it cannot be done."""
    command = typed.command
    if command is None:
        raise _unknown(typed.name)
    if typed.rest and not command.argument:
        raise NotCarriedOut(f"/{command.name} takes nothing behind it.")
    if not command.action:
        await app.settled.wait()  # a moment after the first frame
    try:
        if command.setting:
            _set(command, typed.rest, app, screen)
        elif command.action:
            if said := screen.lacking(command.action.removeprefix("screen.")):
                raise NotCarriedOut(said)
            await screen.run_action(command.action)
        else:
            await _do(command, typed.rest, screen)
    except OSError as error:  # such as a folder that is gone
        reason = error.strerror or type(error).__name__
        raise NotCarriedOut(f"It could not be done: {reason}.", next="Name a full path, and try again.") from None


async def _do(command: Command, argument: str, screen: CommandedScreen) -> None:
    """Do what takes an argument and is no setting."""
    if command.needs_argument and not argument:
        raise NotCarriedOut(f"Something has to stand behind it: {command.shown}.")
    match command.name:
        case "resume":
            await screen.resume_named(argument)
        case "rename":
            await screen.rename(argument)
        case "replay":
            await screen.action_replay(typed_path(argument))
        case "export":
            await screen.export(argument)
        case "pace":
            screen.action_pace(_speed(argument) if argument else None)


def _speed(name: str) -> Speed:
    """Return the speed of this name; raise `NotCarriedOut` when there is none."""
    for speed in SPEEDS:
        if speed == name.lower():
            return speed
    raise NotCarriedOut(f"There is no such pace: {one_line(name, 30)}.", f"There are: {', '.join(SPEEDS)}.")


def _set(command: Command, text: str, app: CampusApp, screen: CommandedScreen) -> None:
    """Change a setting; without a value say the one that is in force."""
    if not text:
        app.notify(f"/{command.name} is {app.chosen.said(command)}", title=command.shown, markup=False)
        return
    chosen = app.chosen.changed(command, text)
    said = f"/{command.name} is now {chosen.said(command)}"
    if command.setting == "theme":
        app.show_theme(chosen)
        return
    if screen.busy or app.assembling:
        why = "A run goes on." if screen.busy else "The assistant is still getting ready."
        raise NotCarriedOut(f"{why} Send the command again when it is over.", next="Esc stops a run.")
    screen.pause(changed=said, command=f"/{command.name} {text}")
    app.change(chosen)


def _unknown(name: str) -> NotCarriedOut:
    names = sorted(f"/{command.name}" for command in COMMANDS)
    return NotCarriedOut(
        f"There is no command /{one_line(name, 30)}.",
        f"The nearest are {nearest(f'/{name}', names)}. / alone lists all.",
        "A question that begins with a slash is sent with a second slash before it.",
    )
