"""The conversation line by line: for screen readers, simple terminals, and people who like it so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from campus_agent.cli.output import complain, result
from campus_agent.cli.printer import Printer, introduce
from campus_agent.cli.runs import play
from campus_agent.errors import CampusAgentError
from campus_agent.tui.slash.table import Typed, as_question, read

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.assemble import Assistant
    from campus_agent.settings import Settings

_HELP = """Type a question and press Enter. Ctrl+C stops a run; Ctrl+D leaves.
  /new            begin a new conversation
  /export [FILE]  save this conversation: .md, or .jsonl with every event
  /quit           leave"""


def converse(assistant: Assistant, settings: Settings) -> int:
    """Ask for questions and answer them, with the trace, in reading order; return the worst exit status of the runs."""
    return PlainChat(assistant, settings).play()


class PlainChat:
    """A conversation that is only ever added to at its end."""

    def __init__(self, assistant: Assistant, settings: Settings) -> None:
        self._assistant = assistant
        self._settings = settings
        self._runs: list[list[Event]] = []
        self._printer = Printer(trace=result, murmur=result, answer=_answer, message=complain)

    def play(self) -> int:
        """Converse until the person leaves."""
        with suppress(ImportError):
            import readline  # noqa: F401 - with it `input` lets a line be edited, and remembers earlier ones
        introduce(self._assistant.about, result)
        result(_HELP)
        return play(self._assistant.agent, self._questions(), read=self._read, until_cancelled=False)

    def _questions(self) -> Iterator[str]:
        while True:
            try:
                text = input("\nYou: ")
            except EOFError:
                result("")
                return
            typed = read(text)
            if typed is not None and typed.name.lower() == "quit":
                return
            if typed is not None:
                self._carry_out(typed)
            elif question := as_question(text):
                yield question

    def _read(self, event: Event) -> None:
        if event.kind == "run_started":
            self._runs.append([])
        self._runs[-1].append(event)
        self._printer.read(event)

    def _carry_out(self, typed: Typed) -> None:
        match typed.name.lower():
            case "new":
                self._assistant.agent.reset()
                self._runs.clear()
                result("A new conversation.")
            case "export":
                self._export(typed.rest)
            case "help":
                result(_HELP)
            case _:
                result(f"There is no command /{typed.name} here.\n{_HELP}")

    def _export(self, written: str) -> None:
        from campus_agent.tools import clock
        from campus_agent.tui.exporting import export, known_keys

        now = clock.real_time().astimezone()
        keys = known_keys(self._settings, os.environ)
        try:
            result(f"Saved: {export(self._runs, written, picture=_no_picture, now=now, secrets=keys)}")
        except CampusAgentError as error:
            complain(error.explanation)


def _answer(text: str) -> None:
    result(f"Agent: {text}")


def _no_picture() -> str:
    raise ValueError("there is no screen to draw; the app can")
