"""The conversation line by line: for screen readers, simple terminals, and people who like it so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from campus_agent.cli.output import complain, result
from campus_agent.cli.printer import Printer, introduce
from campus_agent.cli.runs import play
from campus_agent.cli.wrapping import fitted
from campus_agent.errors import CampusAgentError
from campus_agent.tui.slash.table import COMMANDS, Command, Typed, as_question, read

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.assemble import Assistant
    from campus_agent.settings import Settings

_OWN = ("help", "new", "export", "quit")
_WITHOUT_SCREEN = tuple(command for command in COMMANDS if command.name in _OWN or command.setting not in ("", "theme"))


def converse(settings: Settings, *, load: Callable[..., Settings], assemble: Callable[[Settings], Assistant]) -> int:
    """Ask for questions and answer them, with the trace, in reading order; return the worst exit status of the runs.

    Args:
        settings: the settings to begin with.
        load: reads every layer of the settings again, with those that a command changed on top.
        assemble: makes the assistant, and again when a command has changed a setting.
    """
    return PlainChat(settings, load=load, assemble=assemble).play()


class PlainChat:
    """A conversation that is only ever added to at its end."""

    def __init__(
        self, settings: Settings, *, load: Callable[..., Settings], assemble: Callable[[Settings], Assistant]
    ) -> None:
        from campus_agent.tui.slash.choosing import Chosen

        self._chosen = Chosen(settings, load)
        self._assemble = assemble
        self._assistant = assemble(settings)
        self._over = False
        self._runs: list[list[Event]] = []
        self._printer = Printer(trace=_say, murmur=_say, answer=_answer, message=complain)

    def play(self) -> int:
        """Converse until the person leaves."""
        with suppress(ImportError):
            import readline  # noqa: F401 - with it `input` lets a line be edited, and remembers earlier ones
        introduce(self._assistant.about, _say)
        _say(_help())
        worst = 0
        while not self._over:  # once for each assistant
            worst = max(worst, play(self._assistant.agent, self._questions(), read=self._read, until_cancelled=False))
        return worst

    def _questions(self) -> Iterator[str]:
        """Yield the questions that are for the assistant that is there now."""
        asked = self._assistant
        while self._assistant is asked:
            try:
                text = input("\nYou: ")
            except EOFError:
                result("")
                break
            typed = read(text)
            if typed is not None and typed.name.lower() == "quit":
                break
            if typed is not None:
                self._carry_out(typed)
            elif question := as_question(text):
                yield question
        else:
            return
        self._over = True

    def _read(self, event: Event) -> None:
        if event.kind == "run_started":
            self._runs.append([])
        self._runs[-1].append(event)
        self._printer.read(event)
        if event.kind == "run_finished":
            from campus_agent.transcript import ending

            for said in ending(self._runs[-1]):
                _say(f"  {said}")

    def _carry_out(self, typed: Typed) -> None:
        command = typed.command
        if command not in _WITHOUT_SCREEN:
            _say(f"There is no command /{typed.name} here.\n{_help()}")
            return
        try:
            self._do(command, typed.rest)
        except CampusAgentError as error:
            complain(error.explanation)

    def _do(self, command: Command, argument: str) -> None:
        match command.name:
            case "new":
                self._assistant.agent.reset()
                self._runs.clear()
                _say("A new conversation.")
            case "export":
                _say(f"Saved: {self._export(argument)}")
            case "help":
                _say(_help())
            case _:
                self._set(command, argument)

    def _set(self, command: Command, text: str) -> None:
        """Change a setting, and make the assistant anew; without a value say the one that is in force."""
        if text:
            chosen = self._chosen.changed(command, text)
            assistant = self._assemble(chosen.settings)
            assistant.agent.conversation.remember(self._assistant.agent.conversation.turns)
            self._chosen, self._assistant = chosen, assistant
            introduce(assistant.about, _say)
        _say(f"{command.meaning}: {self._chosen.said(command)}")

    def _export(self, written: str) -> object:
        from campus_agent.tools import clock
        from campus_agent.tui.exporting import export, known_keys

        now = clock.real_time().astimezone()
        keys = known_keys(self._chosen.settings, os.environ)
        return export(self._runs, written, picture=_no_picture, now=now, secrets=keys)


def _help() -> str:
    lines = (f"  {command.shown:<19}{command.meaning}" for command in _WITHOUT_SCREEN)
    return "\n".join(["Type a question and press Enter. Ctrl+C stops a run; Ctrl+D leaves.", *lines])


def _say(text: str) -> None:
    result(fitted(text))


def _answer(text: str) -> None:
    result(fitted(f"Agent: {text}"))


def _no_picture() -> str:
    raise ValueError("there is no screen to draw; the app can")
