"""The conversation line by line: for screen readers, simple terminals, and people who like it so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from campus_agent.cli.output import complain, result
from campus_agent.cli.printer import Printer, introduce
from campus_agent.cli.runs import keeping, play
from campus_agent.cli.trace_filter import journal_of
from campus_agent.cli.wrapping import fitted
from campus_agent.errors import CampusAgentError
from campus_agent.text import one_line, plural
from campus_agent.tui.history import History
from campus_agent.tui.slash.choosing import Chosen
from campus_agent.tui.slash.table import COMMANDS, Command, Typed, as_question, read

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.assemble import Assistant
    from campus_agent.journal.recorder import Recorder
    from campus_agent.settings import Settings

_OWN = ("help", "new", "rename", "delete", "private", "export", "quit")
_WITHOUT_SCREEN = tuple(command for command in COMMANDS if command.name in _OWN or command.setting not in ("", "theme"))


_LEFT_AT = 3  # questions of an earlier conversation that are said again


class NotDone(CampusAgentError):
    """A command that cannot be carried out, or not now."""


def converse(
    settings: Settings, *, load: Callable[..., Settings], assemble: Callable[[Settings], Assistant], resume: str = ""
) -> int:
    """Ask for questions and answer them, with the trace, in reading order; return the worst exit status of the runs.

    Args:
        settings: the settings to begin with.
        load: reads every layer of the settings again, with those that a command changed on top.
        assemble: makes the assistant, and again when a command has changed a setting.
        resume: the id of a conversation to go on with, "" for a new one.
    """
    assistant = assemble(settings)
    with keeping(settings, assistant, resume=resume) as recorder:
        return PlainChat(Chosen(settings, load), assistant, recorder, assemble=assemble, resume=resume).play()


class PlainChat:
    """A conversation that is only ever added to at its end."""

    def __init__(
        self,
        chosen: Chosen,
        assistant: Assistant,
        recorder: Recorder,
        *,
        assemble: Callable[[Settings], Assistant],
        resume: str = "",
    ) -> None:
        self._chosen = chosen
        self._assemble = assemble
        self._assistant = assistant
        self._recorder = recorder
        self._resume = resume  # the id of the conversation that goes on
        self._over = False
        self._troubled = ""  # what was said of a journal that cannot be written
        self._earlier: list[str] = []  # the ids of the runs of a conversation that goes on
        self._runs: list[list[Event]] = []
        self._printer = Printer(trace=_say, murmur=_say, answer=_answer, message=complain)

    def play(self) -> int:
        """Converse until the person leaves."""
        with suppress(ImportError):
            import readline  # noqa: F401 - with it `input` lets a line be edited, and remembers earlier ones
        introduce(self._assistant.about, _say)
        self._recall()
        _say(_help())
        if self._chosen.settings.step:
            _say("Step mode needs the app: here a run does not pause, and each step is printed as it happens.")
        worst = 0
        while not self._over:  # once for each assistant
            agent = self._assistant.agent
            status = play(agent, self._questions(), read=self._read, until_cancelled=False, recorder=self._recorder)
            worst = max(worst, status)
        return worst

    def _recall(self) -> None:
        """Say where an earlier conversation was left, when one goes on."""
        if not self._resume:
            return
        from campus_agent.transcript import as_text

        with journal_of(self._chosen.settings) as journal:
            row = journal.named(self._resume)
            self._earlier = [run for run, _ in journal.outline(row.id)]
            last = [journal.events(run) for run in self._earlier[-_LEFT_AT:]]
        _say(f"Going on with “{one_line(row.title)}”, {plural(row.runs, 'question')}. It was left at:\n")
        _say(as_text(last))
        about = self._assistant.about
        if changed := row.instead(base=about.base, model=about.model):
            _say(changed)

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
            if self._recorder.trouble != self._troubled:
                self._troubled = self._recorder.trouble
                _say(f"  {self._troubled}")

    def _carry_out(self, typed: Typed) -> None:
        command = typed.command
        if command not in _WITHOUT_SCREEN:
            _say(f"There is no command /{one_line(typed.name, 30)} here. /help lists all.")
            return
        try:
            self._do(command, typed.rest)
        except CampusAgentError as error:
            complain(error.explanation)

    def _do(self, command: Command, argument: str) -> None:
        match command.name:
            case "new":
                self._begin_anew()
            case "rename":
                self._rename(argument)
            case "delete":
                self._delete()
            case "private":
                self._recorder.private = not self._recorder.private
                _say("Nothing of what you ask from now on is kept." if self._recorder.private else "It is kept again.")
            case "export":
                _say(f"Saved: {self._export(argument)}")
            case "help":
                _say(_help())
            case _:
                self._set(command, argument)

    def _begin_anew(self) -> None:
        self._assistant.agent.reset()
        self._earlier.clear()
        self._runs.clear()
        self._recorder.begin()
        _say("A new conversation.")

    def _rename(self, title: str) -> None:
        if not title:
            raise NotDone("/rename needs a title.", next="/rename My club questions")
        with journal_of(self._chosen.settings) as journal:
            journal.rename(self._kept(), title)
        _say(f"This conversation is called “{one_line(title, 60)}”.")

    def _delete(self) -> None:
        """Delete this conversation, if the person really wants it."""
        id = self._kept()
        if input("Delete this conversation for good? [y/N] ").strip().lower() in ("y", "yes"):
            self._begin_anew()
            with journal_of(self._chosen.settings) as journal:
                going = [row.question for row in journal.leaving(id)]
                journal.delete(id)
            History().forget(going)

    def _kept(self) -> str:
        """Return the id of this conversation in the journal."""
        if (id := self._recorder.conversation) is None:
            raise NotDone("Nothing of this conversation is kept.", self._recorder.absence)
        return id

    def _set(self, command: Command, text: str) -> None:
        """Change a setting, and make the assistant anew; without a value say the one that is in force."""
        if text:
            chosen = self._chosen.changed(command, text)
            assistant = self._assemble(chosen.settings)
            assistant.agent.conversation.remember(self._assistant.agent.conversation.turns)
            self._chosen, self._assistant = chosen, assistant
            self._recorder.about(base=assistant.about.base, model=assistant.about.model)
            introduce(assistant.about, _say)
        _say(f"/{command.name} is {'now ' if text else ''}{self._chosen.said(command)}")

    def _export(self, written: str) -> object:
        from campus_agent.models.providers import known_keys
        from campus_agent.tools import clock
        from campus_agent.tui.exporting import export

        now = clock.real_time().astimezone()
        keys = known_keys(self._chosen.settings, os.environ)
        with journal_of(self._chosen.settings) as journal:
            runs = [*map(journal.events, self._earlier), *self._runs]
        return export(runs, written, picture=_no_picture, now=now, secrets=keys)


def _help() -> str:
    lines = (f"  {command.shown:<19}{command.meaning}" for command in _WITHOUT_SCREEN)
    return "\n".join(["Type a question and press Enter. Ctrl+C stops a run; Ctrl+D leaves.", *lines])


def _say(text: str) -> None:
    result(fitted(text))


def _answer(text: str) -> None:
    result(fitted(f"Agent: {text}"))


def _no_picture() -> str:
    raise ValueError("there is no screen to draw; the app can")
