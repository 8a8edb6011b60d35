"""The app: it assembles the assistant once the screen stands, and owns what is not about one conversation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import Input, TextArea

from campus_agent.daemon_threads import DaemonThreads
from campus_agent.tui.beginning import Beginning, load_settings
from campus_agent.tui.colours import ColouredApp
from campus_agent.tui.commands import PaletteCommands
from campus_agent.tui.copying import Copying
from campus_agent.tui.early_keys import EarlyKeys
from campus_agent.tui.keys import bindings, place_of
from campus_agent.tui.notifying import Notifying
from campus_agent.tui.remembered import LookFile
from campus_agent.tui.screens.conversation import ConversationScreen
from campus_agent.tui.themes import DARK, meanings, ours, usual
from campus_agent.tui.widgets.panes import SHARE, Panes

if TYPE_CHECKING:
    from campus_agent.assemble import About, Assistant
    from campus_agent.recording import Recording
    from campus_agent.settings import Settings
    from campus_agent.transcript import Runs
    from campus_agent.tui.conversations import Conversations
    from campus_agent.tui.slash.choosing import Chosen


class CampusApp(Copying, Notifying, EarlyKeys, ColouredApp):
    """The app. It paints first; the settings are read and the assistant is made after that.

    Attributes:
        beginning: reads the settings and makes the assistant; it can be told to give that up.
        assembling: whether the assistant is being made.
        settled: set once the settings are there.
        failure: why the settings, or the recording, could not be read, which ended the app; None when they could.
    """

    TITLE = "campus-agent"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - so declared by Textual
    VERTICAL_BREAKPOINTS = [(0, "-short"), (14, "-low"), (30, "-tall")]  # noqa: RUF012 - so declared by Textual
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    COMMANDS = {PaletteCommands}  # noqa: RUF012 - so declared by Textual
    NOTIFICATION_TIMEOUT = 3  # seconds

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        assemble: Callable[[Settings], Assistant],
        load: Callable[..., Settings] = load_settings,
        give_up: Callable[[], object] | None = None,
        journal: Callable[[Settings, About], Conversations] | None = None,
        clock: Callable[[], float] = time.monotonic,
        look: LookFile | None = None,
        theme: str = "",
        colours: str | None = None,
        replay: Recording | str | None = None,
    ) -> None:
        """Take the settings, or what reads them, and what makes an assistant of them.

        Args:
            settings: the settings of this start; by default they are read after the first paint.
            assemble: makes the assistant; called in a thread, after the first paint, and again when a question is
                sent after it failed, or a setting was changed.
            give_up: lets `assemble` end soon, when nobody wants any more what it makes.
            load: reads the settings in a thread, and again with those that a command changed on top of every layer.
            journal: opens the journal, in that thread, once the assistant is made; by default nothing is kept.
            clock: seconds that only grow; it moves the spinner and the time in the header.
            look: what is remembered of how the person likes the app; by default nothing is.
            theme: the name of the theme until the settings are there, as far as somebody named one.
            colours: how many colours the screen is drawn with, as rich names it; our themes go by it.
            replay: a recording to show instead of a conversation, or what is read as one once the screen stands: a
                file, or an id of the journal that `settings` name; no assistant is made then.
        """
        super().__init__()
        self.beginning = Beginning(
            self.post_message, load=load, assemble=assemble, give_up=give_up, journal=journal, clock=clock
        )
        self._chosen: Chosen | None = None
        self._before: Chosen | None = None
        self.settled = asyncio.Event()
        self.failure: Exception | None = None
        self.assembling = False
        self._replay = replay
        self._clock = clock
        self._conversation = ConversationScreen(clock=clock)
        self._look = look or LookFile()
        for one in ours(colours):
            self.register_theme(one)
        named = (name for name in (theme, self._look.look.theme) if name in self.available_themes)
        self.theme = next(named, usual(colours))
        self._conversation.panes.divide(self._look.look.share or SHARE, trace=self._look.look.trace)
        if settings is not None:
            self._settle(self.beginning.choose(settings))
        self.use_colours()

    def get_default_screen(self) -> Screen[None]:
        """Begin with the conversation, or with what is to be replayed."""
        if self._replay is None:
            return self._conversation
        from campus_agent.tui.screens.reading import screen_for

        return screen_for(self._replay, self.chosen.settings, clock=self._clock)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give the colours of acting and observing a value in every theme."""
        return meanings(self.current_theme)

    def on_mount(self) -> None:
        """Go on once the first frame is on the screen."""
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        if self.settled.is_set():
            self._remember_themes()
        if self._replay is None:
            self.call_after_refresh(self._start_assembling)

    @property
    def runs(self) -> Runs:
        """The events of each run of this sitting, in the conversation that goes on."""
        return [record.events for record in self._conversation.records if not record.stored]

    async def on_event(self, event: events.Event) -> None:
        """Lead what is typed where it belongs before it is handed on: what comes at once behind it goes there too."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded and self._conversation.is_active:
            self._conversation.lead(event)
        await super().on_event(event)

    # ---- the settings ----------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> Chosen:
        """The settings in force; only to be asked for once they are `settled`."""
        if self._chosen is None:
            raise RuntimeError("the settings are not read yet")
        return self._chosen

    def _settle(self, chosen: Chosen) -> None:
        """Begin with these settings."""
        self._chosen = self._before = chosen
        self.theme = chosen.settings.theme or self.theme
        if chosen.settings.step:
            self._conversation.begin_in_steps()
        self.settled.set()

    def on_beginning_settled(self, message: Beginning.Settled) -> None:
        """Show what the settings say; a theme that is set is not one that the person chose, so it is not remembered."""
        self._settle(message.chosen)
        self.call_next(self._remember_themes)

    def on_beginning_not_settled(self, message: Beginning.NotSettled) -> None:
        """End, so that what is wrong can be said where the settings, or the recording, were named."""
        self.failure = message.error
        self.exit(return_code=1)

    # ---- the assistant ---------------------------------------------------------------------------------------------

    def on_conversation_screen_needed(self) -> None:
        """Try again to make the assistant, if that has failed before."""
        self._start_assembling()

    def _start_assembling(self) -> None:
        if not self.assembling:
            self.assembling = True
            self.beginning.start(self._chosen)

    async def on_beginning_assembled(self, message: Beginning.Assembled) -> None:
        """Let the conversation begin."""
        self.assembling = False
        self._before = self._chosen
        await self._conversation.ready(message.assistant, message.kept)

    async def on_beginning_not_assembled(self, message: Beginning.NotAssembled) -> None:
        """Say why there is no assistant, or why it stays as it was."""
        self.assembling = False
        self._chosen = self._before
        await self._conversation.not_ready(message.explanation)

    def change(self, chosen: Chosen) -> None:
        """Make the assistant anew from changed settings; when that fails, the one that is there stays."""
        self._chosen = chosen
        self._start_assembling()

    def show_theme(self, chosen: Chosen) -> None:
        """Show the theme that was chosen by a command."""
        self._chosen = self._before = chosen
        self.theme = chosen.settings.theme or DARK.name

    # ---- what is not about one conversation ------------------------------------------------------------------------

    def action_help(self) -> None:
        """Open the help screen."""
        from campus_agent.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(place_of(self.focused or self.screen)))

    def action_command_palette(self) -> None:
        """Open the list of all commands, which says how to leave it."""
        from textual.command import CommandPalette

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(id="--command-palette", placeholder="esc closes   Search for commands …"))

    async def action_quit(self) -> None:
        """End; a run that goes on is stopped first, so that what is kept of it has an end."""
        self.run_worker(self._quit(), group="quit", exclusive=True)

    async def _quit(self) -> None:
        from rich.text import Text

        not_kept = await self._conversation.end_run()
        self.exit(message=Text(not_kept) if not_kept else None)

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

    # ---- how the person likes it -----------------------------------------------------------------------------------

    def _remember_themes(self) -> None:
        """Remember each theme that the person chooses from now on."""
        self.theme_changed_signal.subscribe(self, self._remember_theme)

    def _remember_theme(self, theme: Theme) -> None:
        self._look.keep(replace(self._look.look, theme=theme.name))

    def on_panes_arranged(self, message: Panes.Arranged) -> None:
        """Remember how the room is shared."""
        self._look.keep(replace(self._look.look, share=message.share, trace=message.trace))
