"""The conversation screen: it reads the events of a run and tells every part of the screen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerError, WorkerState

from campus_agent.errors import CampusAgentError, Explanation
from campus_agent.text import one_line, sanitize
from campus_agent.tui.keys import bindings
from campus_agent.tui.record import Record
from campus_agent.tui.widgets.chat_pane import ChatPane
from campus_agent.tui.widgets.header import Header
from campus_agent.tui.widgets.key_line import KeyLine
from campus_agent.tui.widgets.prompt import Prompt
from campus_agent.tui.widgets.start import Start
from campus_agent.tui.widgets.trace_pane import TracePane

if TYPE_CHECKING:
    from campus_agent.assemble import Assistant
    from campus_agent.tui.widgets.answer import Answer

_KEEP = 50  # earlier turns that stay on the screen; memory stays bounded however long the conversation


class ConversationScreen(Screen[None]):
    """The chat beside the trace. One worker reads a run; questions sent meanwhile wait, and are shown waiting."""

    AUTO_FOCUS = "Prompt"
    BINDINGS: ClassVar[list[BindingType]] = bindings("screen")

    class Needed(Message):
        """A question waits, and there is no assistant to ask."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        super().__init__()
        self.assistant: Assistant | None = None
        self._waiting: list[str] = []
        self._run: Worker[None] | None = None
        self._stopping = False
        self._header = Header(clock=clock)
        self._chat = ChatPane(clock=clock)
        self._trace = TracePane()
        self._prompt = Prompt()

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield self._header
        with Horizontal(id="panes"):
            yield self._chat
            yield self._trace
        with Horizontal(id="asking"):
            yield Static(Content("❯"), id="sign")
            yield self._prompt
        yield KeyLine()

    @property
    def busy(self) -> bool:
        """Whether a run goes on."""
        return self._run is not None and not self._run.is_finished

    # ---- the assistant comes, or does not --------------------------------------------------------------------------

    async def ready(self, assistant: Assistant) -> None:
        """Begin to answer; a question that waited is asked now."""
        self.assistant = assistant
        self._header.about(model=assistant.about.model, base=assistant.about.base)
        await self._chat.offer(assistant.about.questions)
        if assistant.about.problems:
            said = sanitize("\n".join(assistant.about.problems))
            self.app.notify(said, title="Left out", severity="warning", markup=False)
        self._ask_next()

    async def not_ready(self, explanation: Explanation) -> None:
        """Say why nothing can be answered, and give the questions that waited back."""
        self._header.about(model="not ready", base="")
        self._take_back()
        await self._chat.fail(explanation)

    # ---- asking ----------------------------------------------------------------------------------------------------

    @on(Prompt.Sent)
    @on(Start.Picked)
    def send(self, message: Prompt.Sent | Start.Picked) -> None:
        """Ask a question; while that cannot be, let it wait."""
        self._prompt.focus()
        self.question(message.question)

    def question(self, question: str) -> None:
        """Ask `question` after those that wait: for the run that goes on, or for the assistant to be ready."""
        self._waiting.append(question)
        self._ask_next()
        if self.assistant is None:
            self.post_message(self.Needed())

    def _ask_next(self) -> None:
        """Ask the question that has waited longest, if one can be asked now."""
        if self._waiting and self.assistant is not None and not self.busy:
            self._stopping = False
            self._run = self._ask(self.assistant, self._waiting.pop(0))
        self._show_waiting()

    def _take_back(self) -> None:
        """Give the questions that wait back to the person."""
        waiting, self._waiting = self._waiting, []
        self._prompt.give_back(waiting)
        self._show_waiting()

    def _show_waiting(self) -> None:
        self._chat.wait(self._waiting, why="next" if self.assistant else "as soon as the assistant is ready")

    @work(exclusive=True, group="run", exit_on_error=False)
    async def _ask(self, assistant: Assistant, question: str) -> None:
        """Read the events of one run and tell every part of the screen about each."""
        record = Record(question)
        turn = await self._chat.begin(record, keep=_KEEP)
        trace = await self._trace.begin(record, keep=_KEEP)
        self._header.begin(record)
        try:
            async with aclosing(assistant.agent.run(question)) as events:
                async for event in events:
                    record.add(event)
                    if self._stopping and event.kind == "run_started":
                        assistant.agent.cancel()  # the person was faster than the run
                    if record.finished is not None:
                        self._give_back(record)  # before anything long is drawn
                    for reader in (self._header, turn, trace):
                        await reader.show(event)
        except CampusAgentError as error:
            await turn.broke(error.explanation)
        except Exception as error:  # the border of the worker: whatever broke, the app goes on and says so
            await turn.broke(_unexpected(error))
        finally:
            self._header.stop()
            if record.finished is None:
                self._give_back(record)
            await turn.stop()

    def _give_back(self, record: Record) -> None:
        """Give a question that got no reply back, unless the person has gone on to another."""
        replied = record.finished is not None and record.finished.complete
        if not replied and not self._waiting:
            self._prompt.restore(record.question)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """When a run is over, however it ended, ask the question that waited for it."""
        if event.worker is self._run and event.state not in (WorkerState.PENDING, WorkerState.RUNNING):
            self._ask_next()

    # ---- keys and clicks -------------------------------------------------------------------------------------------

    def action_stop(self) -> None:
        """Stop the run, take back the questions that wait, and return to the prompt."""
        self._take_back()
        if self.busy and self.assistant is not None:
            self._stopping = True
            self.assistant.agent.cancel()
        self._prompt.focus()

    def action_trace(self) -> None:
        """Show or hide the trace; where there is room for one pane only it takes the place of the chat."""
        self.toggle_class("-trace-whole" if self.has_class("-narrow") else "-trace-hidden")

    @work(group="anew", exclusive=True, exit_on_error=False)
    async def action_new_conversation(self) -> None:
        """Begin a new conversation, in which nothing of the old one counts."""
        if self._run is not None and self.busy:
            self.action_stop()
            with suppress(WorkerError):
                await self._run.wait()
        if self.assistant is not None:
            self.assistant.agent.reset()
        self._header.clear()
        await self._chat.clear(self.assistant.about.questions if self.assistant else ())
        await self._trace.clear()
        self._prompt.focus()

    def action_copy_answer(self) -> None:
        """Copy the newest answer."""
        text = self._chat.newest.text if self._chat.newest else ""
        if text:
            self.app.copy_to_clipboard(text)
        else:
            self.app.notify("There is no answer to copy yet.", markup=False)

    def action_latest(self) -> None:
        """Go to the newest line of both panes, and follow."""
        self._chat.follow()
        self._trace.follow()

    def action_prompt(self, action: Literal["send", "new_line"]) -> None:
        """Do what a key of the prompt does, for a click on the line at the bottom."""
        self._prompt.focus()
        match action:
            case "send":
                self._prompt.action_send()
            case "new_line":
                self._prompt.action_new_line()

    @on(Prompt.Paged)
    def _page(self, message: Prompt.Paged) -> None:
        pane = self._trace if self.has_class("-trace-whole") and self.has_class("-narrow") else self._chat
        (pane.scroll_page_down if message.pages > 0 else pane.scroll_page_up)(animate=False)

    @on(Prompt.LookedUp)
    def _look_up(self) -> None:
        self._chat.focus_questions()

    @on(Start.Typed)
    def _type(self, message: Start.Typed) -> None:
        self._prompt.focus()
        self._prompt.insert(message.character)

    def on_answer_link(self, message: Answer.Link) -> None:
        """Show where a link of an answer leads, before anything is opened."""
        from campus_agent.tui.screens.link import LinkScreen, is_web_address

        if is_web_address(message.address):
            self.app.push_screen(LinkScreen(message.address))
        else:
            self.app.notify(one_line(message.address, 200), title="Not opened: no web address", markup=False)


def _unexpected(error: Exception) -> Explanation:
    return Explanation(
        what=f"Something broke in the program itself: {type(error).__name__}: {error}",
        cause="This is a fault of campus-agent, not of your question.",
        next="Ask again; if it happens twice, please report it.",
    )
