"""The app: it assembles the assistant once the screen stands, and owns what is not about one conversation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import Input, TextArea

from campus_agent.daemon_threads import DaemonThreads
from campus_agent.errors import CampusAgentError, Explanation
from campus_agent.settings import Settings
from campus_agent.text import one_line, sanitize
from campus_agent.tui.clipboard import by_terminal, copied, copy_by_tool
from campus_agent.tui.commands import PaletteCommands
from campus_agent.tui.keys import bindings
from campus_agent.tui.remembered import LookFile
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.slash.choosing import Chosen
from campus_agent.tui.themes import DARK, OURS, meanings
from campus_agent.tui.widgets.panes import SHARE, Panes

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.recording import Recording
    from campus_agent.transcript import Runs

_MOST_NOTIFIED = 1_500  # characters


class CampusApp(App[int]):
    """The app. It paints first and assembles the assistant after, in a thread that cannot keep it from ending."""

    TITLE = "campus-agent"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - so declared by Textual
    VERTICAL_BREAKPOINTS = [(0, "-short"), (14, "-tall")]  # noqa: RUF012 - so declared by Textual
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    COMMANDS = App.COMMANDS | {PaletteCommands}

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
        reload: Callable[..., Settings] = Settings.load,
        clock: Callable[[], float] = time.monotonic,
        look: LookFile | None = None,
        usual: str = DARK.name,
        replay: Recording | None = None,
    ) -> None:
        """Take the settings and what makes an assistant of them.

        Args:
            settings: the settings of this start.
            assemble: makes the assistant; called in a thread, after the first paint, and again when a question is
                sent after it failed, or a setting was changed.
            reload: reads the settings again, with those that a command changed on top of every layer.
            clock: seconds that only grow; it moves the spinner and the time in the header.
            look: what is remembered of how the person likes the app; by default nothing is.
            usual: the name of the theme where none is set and none is remembered.
            replay: a recording to show instead of a conversation; no assistant is made then.
        """
        super().__init__()
        self.chosen = self._before = Chosen(settings, reload)
        self._assemble = assemble
        self.assembling = False
        self._replay = replay
        self._clock = clock
        self._conversation = ConversationScreen(clock=clock, step=settings.step)
        self._look = look or LookFile()
        for theme in OURS:
            self.register_theme(theme)
        remembered = self._look.look.theme
        self.theme = settings.theme or (remembered if remembered in self.available_themes else None) or usual
        self._conversation.panes.divide(self._look.look.share or SHARE, trace=self._look.look.trace)

    def get_default_screen(self) -> Screen[None]:
        """Begin with the conversation, or with what is to be replayed."""
        if self._replay is None:
            return self._conversation
        from campus_agent.tui.screens.replay import ReplayScreen

        return ReplayScreen(self._replay, clock=self._clock)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the colours of acting and observing a value in every theme."""
        return meanings(self.current_theme)

    def on_mount(self) -> None:
        """Assemble once the first frame is on the screen."""
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        self.theme_changed_signal.subscribe(self, self._remember_theme)
        if self._replay is None:
            self.call_after_refresh(self._start_assembling)

    @property
    def runs(self) -> Runs:
        """The events of each run of the conversation."""
        return [record.events for record in self._conversation.records]

    # ---- the assistant ---------------------------------------------------------------------------------------------

    def on_conversation_screen_needed(self) -> None:
        """Try again to make the assistant, if that has failed before."""
        self._start_assembling()

    def _start_assembling(self) -> None:
        if not self.assembling:
            self.assembling = True
            Thread(target=self._assemble_in_thread, name="assemble", daemon=True).start()

    def _assemble_in_thread(self) -> None:
        import_module("campus_agent.tui.widgets.answer")  # so that the first answer does not wait for it
        try:
            self.post_message(self.Assembled(self._assemble(self.chosen.settings)))
        except CampusAgentError as error:
            self.post_message(self.NotAssembled(error.explanation))
        except Exception as error:  # the border of the thread: without this the app would wait for ever
            said = f"The assistant could not be started: {type(error).__name__}: {error}"
            self.post_message(self.NotAssembled(Explanation(what=said, next="campus-agent doctor says more.")))

    async def on_campus_app_assembled(self, message: Assembled) -> None:
        """Let the conversation begin."""
        self.assembling = False
        self._before = self.chosen
        await self._conversation.ready(message.assistant)

    async def on_campus_app_not_assembled(self, message: NotAssembled) -> None:
        """Say why there is no assistant, or why it stays as it was."""
        self.assembling = False
        self.chosen = self._before
        await self._conversation.not_ready(message.explanation)

    def change(self, chosen: Chosen) -> None:
        """Make the assistant anew from changed settings; when that fails, the one that is there stays."""
        self.chosen = chosen
        self._start_assembling()

    def show_theme(self, chosen: Chosen) -> None:
        """Show the theme that was chosen by a command."""
        self.chosen = self._before = chosen
        self.theme = chosen.settings.theme or DARK.name

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
        self._clipboard = text
        self.run_worker(self._copy(text), group="copy", exit_on_error=False)

    async def _copy(self, text: str) -> None:
        """Copy in a thread: a tool may take its time."""
        tool = await asyncio.to_thread(copy_by_tool, text)
        asked = None if tool else by_terminal(text)
        if asked and self._driver is not None:
            self._driver.write(asked)
        self.notify(copied(tool, asked=asked is not None), markup=False)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notification: whoever wrote it, as text that is made safe, and no longer than can be read."""
        said = sanitize(message[:_MOST_NOTIFIED])
        super().notify(said, title=one_line(title, 80), severity=severity, timeout=timeout, markup=False)

    # ---- how the person likes it -----------------------------------------------------------------------------------

    def _remember_theme(self, theme: Theme) -> None:
        self._look.keep(replace(self._look.look, theme=theme.name))

    def on_panes_arranged(self, message: Panes.Arranged) -> None:
        """Remember how the room is shared."""
        self._look.keep(replace(self._look.look, share=message.share, trace=message.trace))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Fill the command palette with what no command of the prompt does."""
        latest = self._conversation.action_latest
        yield SystemCommand("Newest line", "Go to the end of both panes and follow it", latest)
