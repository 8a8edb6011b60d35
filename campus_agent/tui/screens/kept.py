"""A stage whose conversations are kept: they are begun, taken up again, branched, named, deleted and saved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, cast

from textual import work
from textual.worker import WorkerError

from campus_agent.errors import CampusAgentError, Explanation
from campus_agent.journal.saying import OFF
from campus_agent.text import sanitize
from campus_agent.tui.asking import Asking
from campus_agent.tui.screens.stepped import SteppedScreen
from campus_agent.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from campus_agent.assemble import About, Assistant
    from campus_agent.tui.app import CampusApp
    from campus_agent.tui.conversations import Conversations, Earlier
    from campus_agent.tui.record import Record
    from campus_agent.tui.screens.conversations import Wanted

_PRIVATE = "private: nothing that is asked is kept, /private ends it"
_SAVING = "It ends as soon as the conversation is saved. To end without that, quit again."
_LONGEST_END = 1.0  # seconds that the end of a run may hold the end of the app


class NotKept(CampusAgentError):
    """Something that takes a conversation which is in the journal, where none is."""


class KeptScreen(SteppedScreen):
    """A stage whose conversations are kept in the journal, as far as the person wants it."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        super().__init__(clock=clock)
        self.assistant: Assistant | None = None
        self._resting: Assistant | None = None  # while another is made in its place
        self.kept: Conversations | None = None
        self._private = False
        self._left = False  # whether the question of the run that is being stopped is not to come back
        self._leaving = False
        self._troubled = ("", "")  # what was said of the journal
        self._asking = Asking(self, self.perform, pace=self.pace, stepping=self.stepping)
        self._prompt = Prompt()
        self._prompt.wait_for_settings()

    @property
    def records(self) -> Sequence[Record]:
        """What is remembered of each run of the conversation, oldest first."""
        return self._chat.records

    @property
    def busy(self) -> bool:
        """Whether a run goes on."""
        return self._asking.busy

    def _ask_next(self) -> None:
        self._asking.ask_next()
        self._show_waiting()

    def _show_waiting(self) -> None:
        self._chat.wait(self._asking.waiting, why="next" if self.assistant else "as soon as the assistant is ready")

    def run_over(self, record: Record) -> None:
        """Note where in the journal the run stands; say when nothing is kept any more."""
        super().run_over(record)
        if self.kept is not None:
            record.run = self.kept.recorder.run or ""
            self._say_trouble(self.kept)

    async def on_mount(self) -> None:
        """Keep what is typed as far as the settings want it, as soon as they are there."""
        self._settle_history()

    @work(group="history", exit_on_error=False)
    async def _settle_history(self) -> None:
        await self._campus_app.settled.wait()
        self._prompt.go_by(self._campus_app.chosen.settings)

    def on_unmount(self) -> None:
        """Let go of the journal."""
        if self.kept is not None:
            self.kept.recorder.close()

    def complain(self, explanation: Explanation) -> None:
        """Say why something was not done."""
        self.app.notify(sanitize(str(explanation)), severity="warning", markup=False, timeout=10)

    # ---- the journal comes -----------------------------------------------------------------------------------------

    async def keep(self, kept: Conversations, about: About) -> None:
        """Keep runs from now on; the first time, go on with the conversation that was wished for at the start."""
        kept.recorder.about(base=about.base, model=about.model)
        if self.kept is kept:
            return
        self.kept = kept
        kept.recorder.private = self._private
        self._asking.keep = kept.recorder.follow
        self._say_trouble(kept)
        if kept.problem is not None:
            self.complain(kept.problem)
        if kept.first is not None:
            await self._take_up(kept.first)
            self._warn(OFF if kept.recorder.off else "")

    def _say_trouble(self, kept: Conversations) -> None:
        before, self._troubled = self._troubled, (kept.recorder.mishap, kept.recorder.trouble)
        self._warn("\n".join(text for text in self._troubled if text not in before))

    def _warn(self, text: str) -> None:
        if text:
            self.app.notify(sanitize(text), title="The journal", severity="warning", markup=False, timeout=20)

    # ---- from one conversation to another --------------------------------------------------------------------------

    def action_new_conversation(self) -> None:
        """Begin a new conversation, in which nothing of the old one counts; what is sent from now on belongs to it."""
        self.app.clear_notifications()
        self._let_go()
        self._asking.agent = None
        self._begin_anew()

    @work(group="anew", exclusive=True, exit_on_error=False)
    async def _begin_anew(self) -> None:
        await self._until_over()
        await self._go_on(())

    @work(group="anew", exclusive=True, exit_on_error=False)
    async def resume(self, id: str, *, copy: bool = False) -> None:
        """Go on with an earlier conversation, or with a copy of it that begins with the next question."""
        with self._complaining():
            kept = self._journal()
            await self._until_free()
            await self._take_up(await asyncio.to_thread(kept.load, id), copy=copy)

    @work(group="anew", exclusive=True, exit_on_error=False)
    async def action_branch(self) -> None:
        """Go back to before a question, which then stands in the prompt; the old conversation stays as it is."""
        turn = self.in_hand
        if self.finds_nothing("branch") or turn is None:
            return
        await self._until_free()
        records = list(self.records)
        place = records.index(turn.record)
        origin = self.kept.recorder.origin if self.kept is not None else None
        from campus_agent.tui.conversations import branch_at

        with self._complaining():
            await self._go_on(records[:place], branch=branch_at(records, place, origin))
            self._prompt.give_back([turn.record.question])
            stays = " The old conversation stays: ^R lists it." if origin else ""
            self.app.notify(f"Change the question, and ask it again.{stays}", title="Branch", markup=False)

    async def _take_up(self, earlier: Earlier, *, copy: bool = False) -> None:
        """Go on with an earlier conversation, or with a copy; say what is not as it was in it."""
        id = earlier.row.id
        await self._go_on(earlier.records, conversation=None if copy else id, branch=(id, None) if copy else None)
        if self.assistant is None:
            return
        about = self.assistant.about
        if changed := earlier.row.instead(base=about.base, model=about.model):
            self._chat.remark = changed
            self.app.notify(changed, title="Not as it was", markup=False, timeout=10)

    async def _go_on(
        self,
        records: Sequence[Record],
        *,
        conversation: str | None = None,
        branch: tuple[str, str | None] | None = None,
    ) -> None:
        """Show these runs, and go on from there: in a new conversation, or in the one of this id, or in a branch.

        `branch` is the conversation that the next run branches from, and the run before which, None for its end.
        """
        self._asking.agent = None  # what is sent meanwhile is asked when all is in place
        try:
            await self._remind(records)
            if self.kept is not None and branch is not None:
                self.kept.recorder.begin_branch(branch[0], before=branch[1])
            elif self.kept is not None:
                self.kept.recorder.begin(conversation)
            await self._show_runs(records)
        finally:
            self._asking.agent = self.assistant.agent if self.assistant is not None else None
        self._ask_next()
        self._prompt.focus()

    async def _show_runs(self, records: Sequence[Record]) -> None:
        """Show these runs instead of what is shown; for none, the start screen."""
        if records:
            await self._chat.recall(records)
            await self._trace.recall(records)
            self._header.recall(records[-1])
        else:
            self._header.clear()
            await self._chat.clear(self.assistant.about.questions if self.assistant else (), own=self._has_own_base)
            await self._trace.clear()

    async def _remind(self, records: Sequence[Record]) -> None:
        """Let the assistant, or the one that rests, remember these runs and nothing else."""
        assistant = self.assistant or self._resting
        if assistant is None:
            return
        assistant.agent.reset()
        if records:
            from campus_agent.tui.conversations import remember

            most = self._campus_app.chosen.settings.history_turns
            await asyncio.to_thread(remember, assistant.agent, records, most=most)

    async def _until_free(self) -> None:
        """Leave the conversation, and return when its run is over."""
        self._let_go()
        await self._until_over()

    async def end_run(self) -> str:
        """Stop the run that goes on, write what is to be written, let go of the journal, and say what is not kept."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._until_free(), _LONGEST_END)
        saving = [worker for worker in self.app.workers if worker.group == "export" and not worker.is_finished]
        if saving and not self._leaving:
            self._leaving = True  # the next time it ends at once
            self.app.notify(_SAVING, markup=False)
            with suppress(WorkerError):
                await self.app.workers.wait_for_complete(saving)
        if self.kept is None:
            return ""
        await asyncio.to_thread(self.kept.recorder.close)
        return self.kept.recorder.trouble

    def _let_go(self) -> None:
        """Stop the run that goes on and forget what waits, which belongs to the conversation that is left."""
        self._asking.take_back()
        self._chat.wait((), why="")
        self._left = self.busy
        self._asking.stop()

    async def _until_over(self) -> None:
        with suppress(WorkerError):
            await self._asking.until_over()
        self._left = False

    def action_stop(self) -> None:
        """Stop the run that goes on."""
        self._asking.stop()

    def action_conversations(self) -> None:
        """List the conversations of the journal, to go on with one of them."""
        from campus_agent.tui.screens.conversations import ConversationsScreen

        with self._complaining():
            known = ConversationsScreen(self._journal(), self._conversation(), forget=self._prompt.forget)
            self.app.push_screen(known, self._picked)

    def _picked(self, wanted: Wanted | None) -> None:
        if wanted is not None:
            self.resume(wanted.id, copy=wanted.copy)

    def action_private(self) -> None:
        """Keep nothing of what is asked from now on, or keep it again."""
        self._private = not self._private
        self._prompt.keep_private(self._private)
        if self.kept is not None:
            self.kept.recorder.private = self._private
        self._say_how()

    def _ways(self) -> Iterable[str]:
        yield from super()._ways()
        if self._private:
            yield _PRIVATE

    # ---- inside ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        """Say why what follows could not be done."""
        try:
            yield
        except CampusAgentError as error:
            self.complain(error.explanation)

    def _journal(self) -> Conversations:
        if self.kept is None:
            raise NotKept("The journal is not open yet.", next="Try again when the assistant is ready.")
        return self.kept

    def _conversation(self) -> str | None:
        """Return the id of this conversation in the journal, None when nothing of it is there."""
        return self.kept.recorder.conversation if self.kept is not None else None

    def _present(self) -> tuple[Conversations, str]:
        kept, id = self._journal(), self._conversation()
        if id is None:
            raise NotKept("Nothing of this conversation is kept.", kept.recorder.absence)
        return kept, id

    @property
    def _has_own_base(self) -> bool:
        app = self._campus_app
        return app.settled.is_set() and bool(app.chosen.settings.kb)

    @property
    def _campus_app(self) -> CampusApp:
        return cast("CampusApp", self.app)
