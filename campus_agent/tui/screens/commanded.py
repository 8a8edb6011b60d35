"""What commands do with a conversation, and how one is given back that could not be carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual import on, work

from campus_agent.errors import CampusAgentError
from campus_agent.journal.saying import OPEN_ALREADY
from campus_agent.text import one_line, plural, sanitize
from campus_agent.tui.screens.kept import KeptScreen, NotKept
from campus_agent.tui.slash.table import Command, Kind, Typed
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from campus_agent.settings import Settings
    from campus_agent.tui.conversations import Conversations
    from campus_agent.tui.screens.conversations import Wanted

_BY_THE_WAY: Mapping[Kind, str] = MappingProxyType({"recordings": "reading", "exports": "export"})  # groups of workers


class CommandedScreen(KeptScreen):
    """A stage whose conversation takes commands."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        super().__init__(clock=clock)
        self._changed = ""  # by a command, in words
        self._command = ""  # that command

    @on(Prompt.Commanded)
    async def command(self, message: Prompt.Commanded) -> None:
        """Carry a command out; one that waits for the settings, or for a file, holds nothing up meanwhile."""
        group = _BY_THE_WAY.get(message.typed.command.kind) if message.typed.command else None
        if self._campus_app.settled.is_set() and group is None:
            await self._carry_out_or_give_back(message)
        else:
            self.run_worker(self._carry_out_or_give_back(message), group=group or "early", exit_on_error=False)

    async def _carry_out_or_give_back(self, message: Prompt.Commanded) -> None:
        """Carry a command out; give it back with the reason when that cannot be."""
        if not await self.carry_out(message.typed):
            self._prompt.give_command_back(message.text)

    async def carry_out(self, typed: Typed) -> bool:
        """Carry a command out; return whether that was possible, and say why when it was not."""
        from campus_agent.tui.slash.running import carry_out

        try:
            await carry_out(typed, app=self._campus_app, screen=self)
        except CampusAgentError as error:
            self.complain(error.explanation)
            return False
        return True

    def pause(self, *, changed: str, command: str) -> None:
        """Let questions wait while another assistant is made, which then goes on with this conversation.

        `changed` says what is changed, by the command that was typed as `command`: it comes back when that fails.
        """
        self._command = command
        self._resting, self.assistant, self._asking.agent = self.assistant or self._resting, None, None
        self._changed = changed
        self._header.about(model="getting ready …", base="")
        self._keep_keys_in_step()

    async def choose(self, command: Command) -> None:
        """Carry out a command of the palette; one that takes an argument is put into the prompt."""
        self._prompt.focus()
        if command.argument:
            self._prompt.begin_command(command)
        else:
            await self.carry_out(Typed(command.name, ""))

    def action_edit(self) -> None:
        """Let the person write the question in an editor of their own."""
        from campus_agent.tui.editor import EditorFailed, write_in_editor

        try:
            if self.busy:
                raise EditorFailed("The editor has to wait for the run.", next="Esc stops the run.")
            self._prompt.put(write_in_editor(self.app, self._prompt.text))
        except EditorFailed as error:
            self.complain(error.explanation)

    async def rename(self, title: str) -> None:
        """Give this conversation another title. Raises `CampusAgentError`."""
        kept, id = self._present()
        await asyncio.to_thread(kept.rename, id, title)
        self.app.notify(f"This conversation is called “{one_line(title, 60)}”.", markup=False)

    def action_delete(self) -> None:
        """Delete this conversation, if the person really wants it. Raises `CampusAgentError` where nothing is kept."""
        self._delete(*self._present())

    @work(group="delete", exclusive=True, exit_on_error=False)
    async def _delete(self, kept: Conversations, id: str) -> None:
        """Delete a conversation, if the person really wants it, and begin a new one."""
        from campus_agent.tui.screens.confirm import ConfirmScreen

        with self._complaining():
            going = await asyncio.to_thread(kept.leaving, id)
            what = f"Delete this conversation, with {plural(len(going), 'question')}, for good?"
            if await self.app.push_screen_wait(ConfirmScreen(what)):
                await self._until_free()
                await self._go_on(())
                await asyncio.to_thread(kept.delete, id)
                self._prompt.forget(going)
                self.app.notify("The conversation is deleted.", markup=False)

    async def export(self, written: str) -> None:
        """Save the conversation to a file. Raises `CampusAgentError`."""
        from campus_agent.tui.exporting import export_from

        path = await export_from(self._campus_app, self.records, written)
        self.app.notify(sanitize(str(path)), title="Saved", markup=False, timeout=10)

    async def resume_named(self, id: str) -> None:
        """Resume the conversation with this id, or with "" let one be chosen. Raises `CampusAgentError`."""
        kept = self._journal()
        if not id:
            self.action_conversations()
            return
        found = (await asyncio.to_thread(kept.load, id)).row.id
        if found == self._conversation():
            raise NotKept(OPEN_ALREADY)
        self.resume(found)

    def _picked(self, wanted: Wanted | None) -> None:
        """Resume the conversation that was chosen; the one that is open goes on as it is, with its run."""
        if wanted is not None and not wanted.copy and wanted.id == self._conversation():
            self.app.notify(OPEN_ALREADY, markup=False)
        else:
            super()._picked(wanted)

    def _keep_keys_in_step(self) -> None:
        for keys in self.query(KeyLine):  # none while the screen is not laid out, or is taken down
            keys.keep_in_step()

    def _settings(self) -> Settings | None:
        app = self._campus_app
        return app.chosen.settings if app.settled.is_set() else None

    async def action_replay(self, named: str) -> None:
        """Replay a recording, or a run of the journal, over this conversation; raises `CampusAgentError`."""
        from campus_agent.journal.opening import journal_path
        from campus_agent.tui.screens.replay import replay_screen

        journal = journal_path(self._campus_app.chosen.settings.journal_path)
        screen = await replay_screen(
            named, journal=journal, clock=self._clock, busy=lambda: self.busy, tell=self.app.notify
        )
        await self.app.push_screen(screen)
