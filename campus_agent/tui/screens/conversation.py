"""The conversation screen: where questions are typed, asked one after the other, and answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import Worker

from campus_agent.errors import Explanation
from campus_agent.text import one_line, plural, sanitize
from campus_agent.tui.keys import bindings, place_of
from campus_agent.tui.screens.commanded import CommandedScreen
from campus_agent.tui.slash.served import ServedModels
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.start import Start
from campus_agent.tui.widgets.suggestions import Suggestions

if TYPE_CHECKING:
    from campus_agent.assemble import About, Assistant
    from campus_agent.tui.conversations import Conversations
    from campus_agent.tui.record import Record


class ConversationScreen(CommandedScreen):
    """The chat beside the trace. Questions that are sent during a run wait, and are shown waiting."""

    AUTO_FOCUS = "Prompt"
    BINDINGS: ClassVar[list[BindingType]] = bindings("screen")

    class Needed(Message):
        """A question waits, and there is no assistant to ask."""

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
        self._prompt.take_back = self._take_back_last
        await self.panes.mount(self._prompt.suggestions)

    # ---- the assistant comes, or does not --------------------------------------------------------------------------

    async def ready(self, assistant: Assistant, kept: Conversations | None = None) -> None:
        """Begin to answer, and to keep what is asked; a question that waited is asked now."""
        changed = ""
        if self._resting is not None:
            assistant.agent.conversation.remember(self._resting.agent.conversation.turns)
            changed = self._what_changed(self._resting.about.base, assistant.about.base)
        self.assistant, self._resting = assistant, None
        self._head(assistant.about)
        await self._chat.query("Failure.-alone").remove()
        await self._chat.offer(assistant.about.questions, own=self._has_own_base)
        self._say_once(changed, assistant.about.problems)
        if kept is not None:
            await self.keep(kept, assistant.about)
        self._asking.agent = assistant.agent
        self._ask_next()
        self._keep_keys_in_step()

    def _head(self, about: About) -> None:
        self._header.about(model=about.model, base=about.base, brief=about.brief)

    def _what_changed(self, before: str, base: str) -> str:
        """Return what a command has changed, in words; another base is named over the next question too."""
        if base == before:
            return self._changed
        self._chat.remark = f"From here on answers come from {one_line(base)}." if self.records else ""
        return f"Answers now come from {one_line(base)}."

    def _say_once(self, changed: str, problems: Sequence[str]) -> None:
        """Say what has changed, and what of the base was left out, in one message."""
        left_out = sanitize("\n".join(problems))
        if changed and left_out:
            self.app.notify(f"{changed}\nLeft out: {left_out}", title="Changed", severity="warning", markup=False)
        elif left_out:
            self.app.notify(left_out, title="Left out", severity="warning", markup=False)
        elif changed:
            self.app.notify(changed, title="Changed", markup=False)

    async def not_ready(self, explanation: Explanation) -> None:
        """Say why nothing can be answered, or nothing was changed, and give the questions that waited back."""
        self._header.about(model="not ready", base="")
        self._take_back()
        if (resting := self._resting) is not None:
            self._resting, self.assistant, self._asking.agent = None, resting, resting.agent
            self._head(resting.about)
            self._prompt.give_command_back(self._command)
        self._keep_keys_in_step()
        await self._chat.fail(explanation)

    @on(Suggestions.Picked)
    def _take(self, message: Suggestions.Picked) -> None:
        self._prompt.focus()
        self._prompt.take(message.suggestion)

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

    @property
    def _unfinished(self) -> list[str]:
        """The question whose run has no end yet, if there is one."""
        over = self.playing is not None and self.playing.record.finished is not None
        return [] if over or self._asking.asked is None else [self._asking.asked]

    def _let_go(self) -> None:
        """Say what is stopped with the conversation that is left, and let the arrow up bring it back."""
        stopped, waiting = self._unfinished, self._asking.waiting
        super()._let_go()
        if said := _left_behind(bool(stopped), len(waiting)):
            self._prompt.remember([*stopped, *waiting])
            self.app.notify(said, markup=False, timeout=6)

    def _take_back(self) -> None:
        """Give back the question whose run is not over, and those that wait."""
        stopped = self._unfinished
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

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """When a run is over, however it ended, ask the question that waited for it."""
        if self._asking.is_over(event):
            self._ask_next()
        self._keep_keys_in_step()

    # ---- keys and clicks -------------------------------------------------------------------------------------------

    @property
    def key_words(self) -> dict[str, str]:
        """What Escape, F8 and F2 do now."""
        words = {"step_mode": self._word_of_step_mode, "trace": self._word_of_trace}
        if not self.busy and self._resting is None:
            words["stop"] = "" if self.focused is self._prompt else "to the prompt"
        return words

    @property
    def _word_of_step_mode(self) -> str:
        if self.stepping.pause is not None:
            return "" if self._card_has_focus else "to the pause"
        return "end step mode" if self.stepping.on else "step mode"

    @property
    def _word_of_trace(self) -> str:
        if not self._trace.display:
            return "trace"
        return "hide trace" if self._chat.display else "chat"

    def rearranged(self) -> None:
        """Say what F2 does now."""
        super().rearranged()
        self.call_after_refresh(self._keep_keys_in_step)

    def _say_how(self) -> None:
        super()._say_how()
        self._keep_keys_in_step()

    def lead(self, event: events.Key | events.Paste) -> None:
        """Give the focus to the prompt for a letter, or for what is pasted, that comes while the chat, say, has it."""
        if self._prompt.is_meant_by(event, place_of(self.focused)):
            self.set_focus(self._prompt)

    def action_stop(self) -> None:
        """Stop what is being read, or else the run; take back the questions that wait, and return to the prompt."""
        if self.workers.cancel_group(self, "reading"):
            self._prompt.focus()
            return
        self._take_back()
        super().action_stop()
        self._campus_app.beginning.leave()
        self._prompt.focus()

    @on(Prompt.Paged)
    def _page(self, message: Prompt.Paged) -> None:
        pane = self.panes.front
        (pane.scroll_page_down if message.pages > 0 else pane.scroll_page_up)(animate=False)

    @on(Prompt.Pressed)
    async def _act(self, message: Prompt.Pressed) -> None:
        await self.run_action(message.action)

    @on(Prompt.LookedUp)
    def _look_up(self) -> None:
        """Go to the questions to begin with."""
        self._chat.focus_questions()

    def _take_back_last(self) -> str | None:
        """Take back the question that would wait longest; None when none waits."""
        waiting = self._asking.take_back_last()
        if waiting is not None:
            self._show_waiting()
        return waiting


def _left_behind(stopped: bool, waiting: int) -> str:
    """Say that a run was stopped and that so many questions were not asked; "" for neither."""
    said = ["The run was stopped"] if stopped else []
    if waiting:
        said.append(f"{plural(waiting, 'question')} that waited {'was' if waiting == 1 else 'were'} not asked")
    return f"{', and '.join(said)}. ↑ brings back what you asked." if said else ""
