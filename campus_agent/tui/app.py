"""The app: it assembles the assistant once the screen stands, and owns what is not about one conversation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, TextArea

from campus_agent.daemon_threads import DaemonThreads
from campus_agent.errors import CampusAgentError, Explanation
from campus_agent.settings import Settings
from campus_agent.tui.clipboard import copy_by_tool
from campus_agent.tui.commands import StarterQuestions
from campus_agent.tui.keys import bindings
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.themes import DARK, LIGHT, meanings

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant


class CampusApp(App[int]):
    """The app. It paints first and assembles the assistant after, in a thread that cannot keep it from ending."""

    TITLE = "campus-agent"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - so declared by Textual
    VERTICAL_BREAKPOINTS = [(0, "-short"), (14, "-tall")]  # noqa: RUF012 - so declared by Textual
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    COMMANDS = App.COMMANDS | {StarterQuestions}

    @dataclass
    class Assembled(Message):
        """The assistant is ready."""

        assistant: Assistant

    @dataclass
    class NotAssembled(Message):
        """The assistant could not be made."""

        explanation: Explanation

    def __init__(
        self,
        settings: Settings,
        *,
        assemble: Callable[[Settings], Assistant],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the settings and what makes an assistant of them.

        Args:
            settings: the settings of this start.
            assemble: makes the assistant; called in a thread, after the first paint, and again when a question is
                sent after it failed.
            clock: seconds that only grow; it moves the spinner and the time in the header.
        """
        super().__init__()
        self._settings = settings
        self._assemble = assemble
        self._assembling = False
        self._conversation = ConversationScreen(clock=clock)
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = settings.theme or DARK.name

    def get_default_screen(self) -> Screen[None]:
        """Begin with the conversation."""
        return self._conversation

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the colours of acting and observing a value in every theme."""
        return meanings(self.current_theme)

    def on_mount(self) -> None:
        """Assemble once the first frame is on the screen."""
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        self.call_after_refresh(self._start_assembling)

    # ---- the assistant ---------------------------------------------------------------------------------------------

    def on_conversation_screen_needed(self) -> None:
        """Try again to make the assistant, if that has failed before."""
        self._start_assembling()

    def _start_assembling(self) -> None:
        if not self._assembling:
            self._assembling = True
            Thread(target=self._assemble_in_thread, name="assemble", daemon=True).start()

    def _assemble_in_thread(self) -> None:
        import_module("campus_agent.tui.widgets.answer")  # so that the first answer does not wait for it
        try:
            self.post_message(self.Assembled(self._assemble(self._settings)))
        except CampusAgentError as error:
            self.post_message(self.NotAssembled(error.explanation))
        except Exception as error:  # the border of the thread: without this the app would wait for ever
            said = f"The assistant could not be started: {type(error).__name__}: {error}"
            self.post_message(self.NotAssembled(Explanation(what=said, next="campus-agent doctor says more.")))

    async def on_campus_app_assembled(self, message: Assembled) -> None:
        """Let the conversation begin."""
        self._assembling = False
        await self._conversation.ready(message.assistant)

    async def on_campus_app_not_assembled(self, message: NotAssembled) -> None:
        """Say why there is no assistant."""
        self._assembling = False
        await self._conversation.not_ready(message.explanation)

    # ---- what is not about one conversation ------------------------------------------------------------------------

    def action_help(self) -> None:
        """Open the help screen."""
        from campus_agent.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen())

    def action_copy_or_stop(self) -> None:
        """Copy what is selected; with nothing selected stop the run; never quit."""
        typed = self.focused.selected_text if isinstance(self.focused, TextArea | Input) else ""
        selected = self.screen.get_selected_text() or typed
        if selected:
            self.copy_to_clipboard(selected)
        elif self._conversation.busy:
            self._conversation.action_stop()
        else:
            self.notify("Nothing is selected. Ctrl+Q quits.", markup=False)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy `text`, and say which way it went."""
        tool = copy_by_tool(text)
        if tool is not None:
            self._clipboard = text
            self.notify(f"Copied with {tool}.", markup=False)
            return
        super().copy_to_clipboard(text)
        self.notify("Handed to the terminal to copy; not every terminal does it.", markup=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Fill the command palette."""
        conversation = self._conversation
        yield SystemCommand("New conversation", "Forget this one and begin anew", conversation.action_new_conversation)
        yield SystemCommand("Copy the last answer", "Put it on the clipboard", conversation.action_copy_answer)
        yield SystemCommand("Trace", "Show or hide the trace of acting and observing", conversation.action_trace)
        yield SystemCommand("Newest line", "Go to the end of both panes and follow it", conversation.action_latest)
        yield SystemCommand("Theme", "Choose the colours", self.action_change_theme)
        yield SystemCommand("Picture", "Save the screen as an SVG picture", self._save_picture)
        yield SystemCommand("Help", "What is on the screen, and every key", self.action_help)
        yield SystemCommand("Quit", "Leave campus-agent", self.action_quit)

    def _save_picture(self) -> None:
        """Save a picture once the palette is gone."""
        self.call_after_refresh(self.deliver_screenshot)
