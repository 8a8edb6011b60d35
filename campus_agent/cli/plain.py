"""The conversation line by line: for screen readers, simple terminals, and people who like it so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from campus_agent.cli.output import complain, tell
from campus_agent.cli.plain_conversation import Left, NotDone, PlainConversation, asked
from campus_agent.cli.printer import Printer, introduce
from campus_agent.cli.runs import keeping, play
from campus_agent.errors import CampusAgentError
from campus_agent.text import one_line
from campus_agent.tui.slash.choosing import Chosen
from campus_agent.tui.slash.table import COMMANDS, Command, Typed, as_question, read

if TYPE_CHECKING:
    from campus_agent.agent.events import Event
    from campus_agent.agent.outcome import Outcome
    from campus_agent.assemble import Assistant
    from campus_agent.journal.recorder import Recorder
    from campus_agent.settings import Settings

_OWN = ("help", "new", "resume", "branch", "rename", "delete", "private", "export", "quit")
_WITHOUT_SCREEN = tuple(command for command in COMMANDS if command.name in _OWN or command.setting not in ("", "theme"))


def converse(
    settings: Settings, *, load: Callable[..., Settings], assemble: Callable[[Settings], Assistant], resume: str = ""
) -> int:
    """Ask for questions and answer them, with the trace, in reading order; return the worst exit status of the runs.

    Args:
        settings: the settings to begin with.
        load: reads every layer of the settings again, with those that a command changed on top.
        assemble: makes the assistant, and again when a command has changed a setting.
        resume: the id of a conversation to resume, "" for a new one.
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
        self._talk = PlainConversation(assistant, chosen.settings, recorder, say=tell)
        self._recorder = recorder
        self._resume = resume
        self._over = False
        self._troubled = ""  # what was said of a journal that cannot be written
        self._printer = Printer(trace=tell, murmur=tell, answer=_answer, message=complain)

    def play(self) -> int:
        """Converse until the person leaves."""
        with suppress(ImportError):
            import readline  # noqa: F401 - with it `input` lets a line be edited, and remembers earlier ones
        introduce(self._talk.assistant.about, tell)
        if self._resume:
            self._talk.recall(self._resume)
        tell("Type a question and press Enter. /help lists the commands; Ctrl+D leaves.")
        if self._chosen.settings.step:
            tell("Step mode needs the app: here a run does not pause, and each step is printed as it happens.")
        worst = 0
        while not self._over:  # once for each assistant
            agent = self._talk.assistant.agent
            status = play(agent, self._questions(), read=self._read, until_cancelled=False, recorder=self._recorder)
            worst = max(worst, status)
        return worst

    def _questions(self) -> Iterator[str]:
        """Yield the questions that are for the assistant that is there now."""
        there = self._talk.assistant
        while self._talk.assistant is there:
            try:
                text = asked("\nYou: ")
                typed = read(text)
                question = as_question(text) if typed is None else self._carry_out(typed)
            except Left:
                break
            if question:
                yield question
        else:
            return
        self._over = True

    def _read(self, event: Event) -> None:
        record = self._talk.take(event)
        self._printer.read(event)
        if event.kind == "run_finished":
            from campus_agent.transcript import ending

            said, *rest = ending(record.events)
            for one in filter(None, [_beside(event.outcome, said), *rest]):
                tell(f"  {one}")
            if self._recorder.trouble != self._troubled:
                self._troubled = self._recorder.trouble
                tell(f"  {self._troubled}")

    def _carry_out(self, typed: Typed) -> str:
        """Carry a command out, or say why not; return the question that it asks, "" for none."""
        command = typed.command
        if command not in _WITHOUT_SCREEN:
            tell(f"There is no command /{one_line(typed.name, 30)} here. /help lists all.")
            return ""
        try:
            if typed.rest and not command.argument:
                raise NotDone(f"/{command.name} takes nothing behind it.")
            return self._do(command, typed.rest) or ""
        except CampusAgentError as error:
            complain(error.explanation)
            return ""

    def _do(self, command: Command, argument: str) -> str | None:
        match command.name:
            case "new":
                self._talk.begin_anew()
            case "resume":
                self._talk.resume(argument)
            case "branch":
                return self._talk.branch()
            case "rename":
                self._talk.rename(argument)
            case "delete":
                self._talk.delete()
            case "private":
                self._talk.turn_private()
            case "export":
                self._talk.export(argument)
            case "help":
                tell(_help())
            case _:
                self._set(command, argument)
        return None

    def _set(self, command: Command, text: str) -> None:
        """Change a setting, and make the assistant anew; without a value say the one that is in force."""
        if text:
            chosen = self._chosen.changed(command, text)
            assistant = self._assemble(chosen.settings)
            assistant.agent.conversation.remember(self._talk.assistant.agent.conversation.turns)
            self._chosen, self._talk.assistant, self._talk.settings = chosen, assistant, chosen.settings
            self._recorder.about(base=assistant.about.base, model=assistant.about.model)
            introduce(assistant.about, tell)
        tell(f"/{command.name} is {'now ' if text else ''}{self._chosen.said(command)}")


def _help() -> str:
    lines = (f"  {command.shown:<19}{_meaning(command)}" for command in _WITHOUT_SCREEN)
    return "\n".join(["Type a question and press Enter. Ctrl+C stops a run; Ctrl+D leaves.", *lines])


def _meaning(command: Command) -> str:
    """Return what a command does here, where there is no screen."""
    without_screen = {
        "help": "This list",
        "resume": "Resume an earlier conversation; without an ID, list them",
        "export": "Save this conversation: .md, .html, .jsonl or .cast",
    }
    return without_screen.get(command.name, command.meaning)


def _answer(text: str) -> None:
    tell(f"Agent: {text}")


def _beside(outcome: Outcome, verdict: str) -> str:
    """Return what a verdict says beside how the run ended, which the trace has said already; "" for nothing."""
    return verdict.removeprefix(f"{outcome.sign} {outcome.words}").removeprefix(" · ")
