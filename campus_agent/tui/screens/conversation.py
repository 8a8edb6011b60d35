"""The conversation screen: where questions are typed, asked one after the other, and answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import Worker

from campus_agent.errors import CampusAgentError, Explanation
from campus_agent.text import one_line, plural, sanitize
from campus_agent.tui.keys import bindings, place_of
from campus_agent.tui.screens.kept import KeptScreen
from campus_agent.tui.slash.served import ServedModels
from campus_agent.tui.slash.table import Command, Typed
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.start import Start
from campus_agent.tui.widgets.suggestions import Suggestions

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.settings import Settings
    from campus_agent.tui.conversations import Conversations
    from campus_agent.tui.record import Record


class ConversationScreen(KeptScreen):
    """The chat beside the trace. Questions that are sent during a run wait, and are shown waiting."""

    AUTO_FOCUS = "Prompt"
    BINDINGS: ClassVar[list[BindingType]] = bindings("screen")

    class Needed(Message):
        """A question waits, and there is no assistant to ask."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        super().__init__(clock=clock)
        self._changed = ""  # by a command, in words
        self._command = ""  # that command

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield from super().compose()
        with Horizontal(id="asking"):
            yield Static(Content("❯"), id="sign")
            yield self._prompt
        yield KeyLine()

    async def on_mount(self) -> None:
        """Lay the list of suggestions over the foot of the panes, and say whom to ask for the names of models."""
        self._prompt.models = ServedModels(self._settings)
        await self.panes.mount(self._prompt.suggestions)

    # ---- the assistant comes, or does not --------------------------------------------------------------------------

    async def ready(self, assistant: Assistant, kept: Conversations | None = None) -> None:
        """Begin to answer, and to keep what is asked; a question that waited is asked now."""
        if self._resting is not None:
            assistant.agent.conversation.remember(self._resting.agent.conversation.turns)
            self._say_changed(self._resting.about.base, assistant.about.base)
        self.assistant, self._resting = assistant, None
        self._header.about(model=assistant.about.model, base=assistant.about.base)
        await self._chat.offer(assistant.about.questions, own=self._has_own_base)
        if assistant.about.problems:
            said = sanitize("\n".join(assistant.about.problems))
            self.app.notify(said, title="Left out", severity="warning", markup=False)
        if kept is not None:
            await self.keep(kept, assistant.about)
        self._asking.agent = assistant.agent
        self._ask_next()
        self._keep_keys_in_step()

    def _say_changed(self, before: str, base: str) -> None:
        """Say what a command has changed, and, in the chat, from where another base is searched."""
        if base == before:
            self.app.notify(self._changed, title="Changed", markup=False)
            return
        self.app.notify(f"Answers now come from {one_line(base)}.", markup=False)
        self._chat.remark = f"From here on answers come from {one_line(base)}." if self.records else ""

    def pause(self, *, changed: str, command: str) -> None:
        """Let questions wait while another assistant is made, which then goes on with this conversation.

        `changed` says what is changed, by the command that was typed as `command`: it comes back when that fails.
        """
        self._command = command
        self._resting, self.assistant, self._asking.agent = self.assistant or self._resting, None, None
        self._changed = changed
        self._header.about(model="getting ready …", base="")
        self._keep_keys_in_step()

    async def not_ready(self, explanation: Explanation) -> None:
        """Say why nothing can be answered, or nothing was changed, and give the questions that waited back."""
        self._header.about(model="not ready", base="")
        self._take_back()
        if (resting := self._resting) is not None:
            self._resting, self.assistant, self._asking.agent = None, resting, resting.agent
            self._header.about(model=resting.about.model, base=resting.about.base)
            self._prompt.give_command_back(self._command)
        self._keep_keys_in_step()
        await self._chat.fail(explanation)

    # ---- commands --------------------------------------------------------------------------------------------------

    @on(Prompt.Commanded)
    async def command(self, message: Prompt.Commanded) -> None:
        """Carry a command out; one that waits for the settings, or for a file, holds nothing up meanwhile."""
        reads = message.typed.command is not None and message.typed.command.kind == "recordings"
        if self._campus_app.settled.is_set() and not reads:
            await self._carry_out_or_give_back(message)
        else:
            group = "reading" if reads else "early"
            self.run_worker(self._carry_out_or_give_back(message), group=group, exit_on_error=False)

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

    @work(group="delete", exclusive=True, exit_on_error=False)
    async def action_delete(self) -> None:
        """Delete this conversation, if the person really wants it, and begin a new one."""
        from campus_agent.tui.screens.confirm import ConfirmScreen

        with self._complaining():
            kept, id = self._present()
            what = f"Delete this conversation, with {plural(len(self.records), 'question')}, for good?"
            if await self.app.push_screen_wait(ConfirmScreen(what)):
                await self._until_free()
                await self._go_on(())
                await asyncio.to_thread(kept.delete, id)
                self.app.notify("The conversation is deleted.", markup=False)

    @work(group="export", exit_on_error=False)
    async def action_export(self, written: str = "") -> None:
        """Save the conversation to a file."""
        from campus_agent.tui.exporting import export_from

        with self._complaining():
            path = await export_from(self._campus_app, self.records, written)
            self.app.notify(sanitize(str(path)), title="Saved", markup=False, timeout=10)

    @on(Suggestions.Picked)
    def _take(self, message: Suggestions.Picked) -> None:
        self._prompt.focus()
        self._prompt.take(message.suggestion)

    def _settings(self) -> Settings | None:
        app = self._campus_app
        return app.chosen.settings if app.settled.is_set() else None

    # ---- asking ----------------------------------------------------------------------------------------------------

    @on(Prompt.Sent)
    @on(Start.Picked)
    def send(self, message: Prompt.Sent | Start.Picked) -> None:
        """Ask a question; while that cannot be, let it wait."""
        self._prompt.focus()
        self.question(message.question)

    def question(self, question: str) -> None:
        """Ask `question` after those that wait: for the run that goes on, or for the assistant to be ready."""
        self._asking.wait(question)
        self._ask_next()
        if self.assistant is None:
            self.post_message(self.Needed())

    def _take_back(self) -> None:
        """Give back the question whose run is not over, and those that wait."""
        over = self.playing is not None and self.playing.record.finished is not None
        stopped = [] if over or self._asking.asked is None else [self._asking.asked]
        questions = [*stopped, *self._asking.take_back()]
        key = "↑" if self._prompt.text.strip() else "↓"
        self._prompt.restore(questions)
        if len(questions) > len(stopped) and (len(questions) > 1 or key == "↑"):
            self.app.notify(f"{key} brings back what else was not asked.", markup=False)
        self._show_waiting()

    def run_over(self, record: Record) -> None:
        """Give a question that got no reply back, unless the person has gone on to another."""
        super().run_over(record)
        replied = record.finished is not None and record.finished.complete
        if not replied and not self._left and not self._asking.waiting:
            self._prompt.restore([record.question])

    def _keep_keys_in_step(self) -> None:
        for keys in self.query(KeyLine):  # none while the screen is not laid out, or is taken down
            keys.keep_in_step()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """When a run is over, however it ended, ask the question that waited for it."""
        if self._asking.is_over(event):
            self._ask_next()
        self._keep_keys_in_step()

    # ---- keys and clicks -------------------------------------------------------------------------------------------

    @property
    def key_words(self) -> dict[str, str]:
        """What Escape does now."""
        if self.busy or self._resting is not None:
            return {}
        return {"stop": "" if self.focused is self._prompt else "to the prompt"}

    def on_key(self, event: events.Key) -> None:
        """Let what is typed while the chat or the trace has the focus stand in the prompt."""
        self._prompt.take_typing(event, place_of(self.focused))

    def action_stop(self) -> None:
        """Stop the run, or what is being read, take back the questions that wait, and return to the prompt."""
        self._take_back()
        super().action_stop()
        self.workers.cancel_group(self, "reading")
        self._campus_app.beginning.leave()
        self._prompt.focus()

    async def action_replay(self, named: str) -> None:
        """Replay a recording, or a run of the journal, over this conversation; raises `CampusAgentError`."""
        from campus_agent.journal.opening import journal_path
        from campus_agent.tui.screens.replay import replay_screen

        journal = journal_path(self._campus_app.chosen.settings.journal_path)
        screen = await replay_screen(
            named, journal=journal, clock=self._clock, busy=lambda: self.busy, tell=self.app.notify
        )
        await self.app.push_screen(screen)

    @on(Prompt.Paged)
    def _page(self, message: Prompt.Paged) -> None:
        pane = self.panes.front
        (pane.scroll_page_down if message.pages > 0 else pane.scroll_page_up)(animate=False)

    @on(Prompt.Pressed)
    async def _act(self, message: Prompt.Pressed) -> None:
        await self.run_action(message.action)

    @on(Prompt.LookedUp)
    def _look_up(self, message: Prompt.LookedUp) -> None:
        """Bring back what was typed before: a question that waits, the history, at last those to begin with."""
        waiting = self._asking.take_back_last() if message.older else None
        if waiting is not None:
            self._prompt.give_back([waiting])
            self._show_waiting()
        elif not self._prompt.recall(older=message.older) and not self._prompt.text:
            self._chat.focus_questions()

    @on(Start.Typed)
    def _type(self, message: Start.Typed) -> None:
        self._prompt.focus()
        self._prompt.insert(message.character)
